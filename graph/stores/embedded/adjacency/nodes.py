"""Nodes of the adjacency as arrays: what views filter by, and ids in their order; a place is a node's row number.

Place 0 stands for no node and is never visible. `rank` has everybody's rank in the order of ids, except for those that came
late; `by_id` is its inverse.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

UNKNOWN = np.iinfo(np.int64).min  # a time that is not known; for valid_from the same as "since ever"
NEVER = np.iinfo(np.int64).max  # an open valid_to
NO_SYMBOL = 0  # interned names are numbered from 1

NODE = np.dtype(
    [
        ("authored_at", "i8"),
        ("valid_from", "i8"),
        ("valid_to", "i8"),
        ("mention_weight", "f8"),
        ("scope", "i4"),
        ("session", "i4"),
        ("author", "i4"),
        ("label", "i1"),
        ("status", "i1"),
    ],
    align=True,
)
_ABSENT = np.zeros(1, NODE)
# Columns of one node, in the order of NODE, for a query over `node n LEFT JOIN entity e ON e.no = n.no`.
NODE_COLUMNS = (
    f"coalesce(n.authored_at, {UNKNOWN + 1} - 1), coalesce(n.valid_from, {UNKNOWN + 1} - 1), coalesce(n.valid_to, {NEVER}), "
    f"e.mention_weight, coalesce(n.scope, {NO_SYMBOL}), coalesce(n.session, {NO_SYMBOL}), coalesce(n.author, {NO_SYMBOL}), "
    "n.label, n.status"
)
NodeRow = tuple[Any, ...]
_GROWTH = 1.5
_FOUND_KEPT = 65_536  # ids whose place is remembered
_CHANGES_KEPT = 16_384  # changed places by which a mask can be brought up to date


class Nodes:
    """Rows of nodes by place. `place_of_no` turns the database's numbers into places (0: unknown)."""

    def __init__(
        self, ids: npt.NDArray[np.bytes_], rows: npt.NDArray[np.void], place_of_no: Places, by_id: npt.NDArray[np.intp]
    ) -> None:
        """`ids` and `rows` begin with place 0; `by_id` are the places in the order of their ids."""
        self.count = len(ids)
        self.rows = rows
        self.ids = ids
        self.place_of_no = place_of_no
        self.by_id = by_id
        self.rank = _inverse(by_id)
        self._late: dict[bytes, int] = {}
        self._found: dict[str, int] = {}
        self.changed: list[int] = []  # places written to, for masks that were made before
        self.epoch = 0  # counts how often that list was begun anew

    @classmethod
    def empty(cls) -> "Nodes":
        return cls(np.zeros(1, "S36"), _ABSENT.copy(), np.zeros(1, np.int32), np.zeros(1, np.intp))

    def places(self, ids: Sequence[str]) -> Places:
        """The place of each id, 0 for an unknown one."""
        found = self._found
        unknown = [id_ for id_ in dict.fromkeys(ids) if id_ not in found]
        if unknown:
            if len(found) > _FOUND_KEPT:
                found.clear()
                unknown = list(dict.fromkeys(ids))
            found.update((id_, place) for id_, place in zip(unknown, self._search(unknown), strict=True) if place)
        return np.array([found.get(id_, 0) for id_ in ids], np.int32)

    def _search(self, ids: Sequence[str]) -> list[int]:
        asked = np.array([id_.encode("utf-8", "replace") for id_ in ids], dtype=np.bytes_)
        at = np.searchsorted(self.ids[: len(self.by_id)], asked, sorter=self.by_id)
        place = self.by_id.take(at, mode="clip")
        places: list[int] = np.where(self.ids.take(place) == asked, place, 0).tolist()
        return [place or self._late.get(bytes(id_), 0) for place, id_ in zip(places, asked, strict=True)]

    def put(self, numbered: Iterable[tuple[int, str, NodeRow]]) -> None:
        """Store nodes given as (no, id, row); new ones get the next places."""
        for no, id_, row in numbered:
            place = self._place_for(no, id_.encode())
            self.rows[place] = row
            self.changed.append(place)
        if len(self.changed) > _CHANGES_KEPT:
            self.changed, self.epoch = [], self.epoch + 1

    def _place_for(self, no: int, id_: bytes) -> int:
        if no >= len(self.place_of_no):
            self.place_of_no = _grown(self.place_of_no, no + 1)
        place = int(self.place_of_no[no])
        if place == 0:
            place = self.count
            self._make_room(place + 1, len(id_))
            self.ids[place] = id_
            self._late[id_] = place
            self.place_of_no[no] = place
            self.count += 1
        return place

    def _make_room(self, count: int, id_bytes: int) -> None:
        if id_bytes > self.ids.dtype.itemsize:
            self.ids = self.ids.astype(f"S{id_bytes}")
        if count > len(self.rows):
            self.rows, self.ids = _grown(self.rows, count), _grown(self.ids, count)

    @property
    def late(self) -> int:
        """How many nodes came since the ids were last put in order."""
        return len(self._late)

    def sort_ids(self) -> None:
        """Bring the order of ids up to date with nodes that came later."""
        if self._late:
            self.by_id = np.argsort(self.ids[: self.count], kind="stable")
            self.rank = _inverse(self.by_id)
            self._late = {}

    def tie_order(self, places: Places) -> npt.NDArray[np.int32]:
        """Numbers that order these places as their ids are ordered."""
        if len(places) == 0 or int(places.max()) < len(self.rank):
            return self.rank.take(places)
        return np.unique(self.ids.take(places), return_inverse=True)[1].astype(np.int32)


def _grown(array: npt.NDArray[Any], least: int) -> npt.NDArray[Any]:
    larger = np.zeros(max(least, int(len(array) * _GROWTH) + 64), array.dtype)
    larger[: len(array)] = array
    return larger


def _inverse(order: npt.NDArray[np.intp]) -> npt.NDArray[np.int32]:
    inverse = np.empty(len(order), np.int32)
    inverse[order] = np.arange(len(order), dtype=np.int32)
    return inverse
