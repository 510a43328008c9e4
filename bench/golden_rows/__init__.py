"""Checks of golden rows, one module per room: each names the features that it covers, and computes what a row expects.

A room adds a module here with `@covers("feature", ...)` functions; bench.golden finds it. A row that was decided otherwise than
its source has it (only rows that carry a note) is named with the decision that says so.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

Given = dict[str, Any]
Check = Callable[[Given], Any]

CHECKS: dict[tuple[str, str], Check] = {}
DECIDED: dict[tuple[str, str], str] = {}


def covers(*features: str, reference: str = "") -> Callable[[Check], Check]:
    """Register a check: it takes a row's input and returns what to compare, a mapping with at least the expected keys.

    `reference` limits it to rows of one source; a check without one serves all that have none of their own.
    """

    def register(check: Check) -> Check:
        for feature in features:
            CHECKS[reference, feature] = check
        return check

    return register


def decided(feature: str, decision: str, text: str = "") -> None:
    """Name the written decision (a file in docs/decisions) by which the row with this text is answered otherwise.

    Without a text it stands for all rows of the feature that carry a note: the decision tells the kind of fault.
    """
    DECIDED[feature, text] = decision


def decision_for(feature: str, texts: Iterable[str]) -> str:
    """The decision on a row of these texts; empty when there is none."""
    return next((DECIDED[feature, text] for text in (*texts, "") if (feature, text) in DECIDED), "")


def check_for(reference: str, feature: str) -> Check | None:
    return CHECKS.get((reference, feature)) or CHECKS.get(("", feature))


def load_all() -> None:
    """Import every module of rows."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
