"""What can be filtered, as columns beside the mirrored vectors: a view becomes a mask over rows.

Names are kept as digests (BLAKE2b; 128 bits for a scope, the access boundary, and 64 for the others), times as microseconds.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from graph.model.observations import Status
from graph.model.times import to_micros
from graph.model.views import View
from graph.stores.payloads import OPEN_END, OPEN_START

UNDATED = np.iinfo(np.int64).min
COLUMNS = [
    ("scope", "<u8", 2),
    ("session", "<u8"),
    ("author", "<u8"),
    ("status", "<u8"),
    ("authored", "<i8"),
    ("valid_from", "<i8"),
    ("valid_to", "<i8"),
]
Mask = npt.NDArray[np.bool_]


@lru_cache(maxsize=10_000)
def _digest(name: str | None) -> tuple[int, int]:
    """Two 64-bit halves; nought for no name."""
    if name is None:
        return 0, 0
    raw = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(raw[:8], "little"), int.from_bytes(raw[8:], "little")


def columns(fields: Mapping[str, Any]) -> tuple[Any, ...]:
    """The columns of a point, from its payload."""
    return (
        _digest(fields["scope"]),
        _digest(fields.get("session"))[0],
        _digest(fields.get("author"))[0],
        status_code(fields["status"]),
        fields.get("authored", UNDATED),
        fields["valid_from"],
        fields["valid_to"],
    )


def status_code(status: str) -> int:
    return _digest(status)[0]


def visible(rows: npt.NDArray[np.void], view: View) -> Mask:
    """Which rows the view allows; the same as the engine's filter."""
    mask = np.ones(len(rows), np.bool_)
    if len(view.statuses) < len(Status):
        mask &= _among(rows["status"], (status.value for status in view.statuses))
    if view.scopes is not None:
        mask &= _scoped(rows["scope"], view.scopes)
    if view.sessions is not None:
        mask &= _among(rows["session"], view.sessions)
    if view.authors is not None:
        mask &= _among(rows["author"], view.authors)
    if view.window is not None:
        start = OPEN_START if view.window.start is None else to_micros(view.window.start)
        end = OPEN_END if view.window.end is None else to_micros(view.window.end)
        mask &= (rows["authored"] >= start) & (rows["authored"] < end)
    if view.as_of is not None:
        moment = to_micros(view.as_of)
        mask &= (rows["valid_from"] <= moment) & (moment < rows["valid_to"])
    return mask


def _among(column: npt.NDArray[np.uint64], names: Iterable[str]) -> Mask:
    codes = np.array([_digest(name)[0] for name in names], np.uint64)
    return column == codes[0] if len(codes) == 1 else np.isin(column, codes)


def _scoped(column: npt.NDArray[np.uint64], scopes: Iterable[str]) -> Mask:
    mask = np.zeros(len(column), np.bool_)
    for first, second in map(_digest, scopes):
        mask |= (column[:, 0] == first) & (column[:, 1] == second)
    return mask
