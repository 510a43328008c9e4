"""Where the labelled data sets are: beside the checkout, or where BACKSTORY_DATA_SETS says; tests skip without them."""

import os
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parents[1]
_VARIABLE = "BACKSTORY_DATA_SETS"


def _roots() -> list[Path]:
    """Candidates in order: the environment's, then `shared/data` beside this checkout or beside the folder it stands in."""
    given = os.environ.get(_VARIABLE)
    beside = [parent / "shared" / "data" for parent in list(_CHECKOUT.parents)[:2]]
    return [Path(given)] if given else beside


def dataset(*parts: str) -> Path:
    """The path of a data set's file or folder; skips the calling test when it is not there."""
    for root in _roots():
        path = root.joinpath(*parts)
        if path.exists():
            return path
    pytest.skip(f"data set {'/'.join(parts)} is not here; set {_VARIABLE}")
