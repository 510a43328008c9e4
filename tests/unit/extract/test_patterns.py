"""No regular expression of extraction is slow on hostile text."""

import re
import time
from collections.abc import Iterator
from importlib import import_module

import pytest

MODULES = (
    "blocks sentences parsing languages injected kinds signals references decisions decisions.verdicts decisions.alternatives "
    "causality.arguments causality.lexicon causality.nominals"
).split()
UNITS = (
    "a",
    " ",
    "\n",
    "we ",
    "A ",
    "(",
    "<memory ",
    "#1",
    ":pep:`",
    "0a",
    "x = ",
    "...",
    "-",
    "_",
    "1",
    "options: ",
    "feat(",
    "。",
)
LENGTH = 100_000  # characters
LIMIT = 0.05  # seconds of processor time
SLACK = 3  # times the limit that a busy machine may take


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in MODULES:
        for name, value in vars(import_module(f"graph.extract.{module}")).items():
            if isinstance(value, re.Pattern):
                yield f"{module}.{name}", value
            elif isinstance(value, dict):
                yield from ((f"{module}.{name}.{key}", p) for key, p in value.items() if isinstance(p, re.Pattern))


@pytest.mark.parametrize(("name", "pattern"), list(patterns()))
def test_a_pattern_is_linear(name: str, pattern: re.Pattern[str]) -> None:
    for unit in UNITS:
        text = unit * (LENGTH // len(unit))
        began = time.process_time()
        for _ in pattern.finditer(text):
            pass
        assert time.process_time() - began < LIMIT * SLACK, f"{name} on {unit!r}"
