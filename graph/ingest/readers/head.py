"""The head of a record as a passage: what its fields state, in words, so that it is found and its references are read."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from graph.ingest.naming import label_of

RELATIONS = frozenset(
    "superseded-by supersedes replaces replaced-by requires required-by obsoletes obsoleted-by amends amended-by updates "
    "updated-by related relates-to depends-on extends see-also reverts reverted-by".split()
)
_NUMBER = re.compile(r"#?\d{1,9}")


def head(title: str, fields: Mapping[str, Any], names: Iterable[str], left_out: Iterable[str]) -> str:
    """The title and a line per field. A bare number that names another record gets the label that this one bears itself:

    "Superseded by: 292" in a record called "pep-0215" means PEP 292.
    """
    label = next((found for name in names if (found := label_of(name))), "")
    hidden = set(left_out)
    lines = [
        f"{_words(name).capitalize()}: {_written(value, label if _words(name).replace(' ', '-') in RELATIONS else '')}"
        for name, value in fields.items()
        if name.lower() not in hidden
    ]
    return "\n".join([title, *lines])


def _words(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").lower()


def _written(value: Any, label: str) -> str:
    items = value if isinstance(value, list) else str(value).split(",") if label else [value]
    said = [str(item).strip() for item in items]
    return ", ".join(f"{label} {item.removeprefix('#')}" if label and _NUMBER.fullmatch(item) else item for item in said)
