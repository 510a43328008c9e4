"""The dense vectors of one space in a memory-mapped file, found by owner, and what is known of each point.

The engine hands vectors and payloads out as Python objects, far slower. Rows are float16. A row belongs to a point for
good; its entry in the index file names the point, its owner and ordinal, and holds what can be filtered. Both files only
grow; what they hold can always be rebuilt from the engine.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graph.model.points import Scored, Vector
from graph.model.views import View
from graph.stores.embedded.vectors_columns import COLUMNS, columns, status_code, visible

FIRST_CAPACITY = 1024  # rows
LARGEST_STEP = 1 << 16  # rows by which the files grow at most; before that they double
FRESH_LIMIT = 50_000  # rows found through the dictionary before the sorted index is made anew
UNUSED, LIVE, LIVE_OTHER, DEAD = 0, 1, 3, 4  # bit 0: live; LIVE_OTHER: the owner's id is no UUID, only its digest is kept
ENTRY = np.dtype([("point", "<u8", 2), ("owner", "<u8", 2), ("ordinal", "<i4"), ("state", "<i4"), *COLUMNS])
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_CANONICAL, _CANONICAL_RUN = re.compile(_UUID), re.compile(f"(?:{_UUID})*")
_DIGITS = np.array([place for place in range(36) if place not in {8, 13, 18, 23}])  # where a UUID's text has no dash

Names = npt.NDArray[np.uint64]  # ids as 128-bit numbers, shape (n, 2)
Rows = npt.NDArray[np.int64]


class Mirrored(NamedTuple):
    """A point as it is mirrored: its id, its payload (as in vectors_view.payload) and its dense vector."""

    id: str
    payload: Mapping[str, Any]
    dense: Vector


@dataclass(slots=True)
class _Index:
    """Rows live at one moment, ordered by the first half of a name; rows that came later are in `fresh`."""

    keys: npt.NDArray[np.uint64]
    rows: Rows
    fresh: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def candidates(self, names: Names) -> tuple[Rows, Rows]:
        """Rows that may bear these names, and for each row the place of its name."""
        keys = names[:, 0]
        lows = np.searchsorted(self.keys, keys, "left")
        counts = np.searchsorted(self.keys, keys, "right") - lows
        places = np.repeat(np.arange(len(keys)), counts)
        starts = np.repeat(lows - (np.cumsum(counts) - counts), counts)
        rows = self.rows[starts + np.arange(len(places))]
        if not self.fresh:
            return rows, places
        late = [(row, place) for place, key in enumerate(keys.tolist()) for row in self.fresh.get(key, ())]
        more = np.array(late, np.int64).reshape(-1, 2)
        return np.concatenate([rows, more[:, 0]]), np.concatenate([places, more[:, 1]])

    def add(self, row: int, key: int) -> None:
        self.fresh[key] = (*self.fresh.get(key, ()), row)


class VectorMirror:
    """Vectors by owner. One writer at a time (the caller's lock); readers need none."""

    def __init__(self, directory: Path, dim: int) -> None:
        self._dim = dim
        directory.mkdir(parents=True, exist_ok=True)
        self._vector_path = directory / "vectors.f16"
        self._entry_path = directory / "entries.2"
        self._map(self._stored_capacity())
        self._used = self._count_used()
        self._live = int(np.count_nonzero(self._entries["state"][: self._used] & LIVE))
        self._sort()

    def __len__(self) -> int:
        """Number of live rows."""
        return self._live

    def put(self, points: Sequence[Mirrored]) -> None:
        """Store or replace distinct points."""
        names, owners = _names([point.id for point in points]), _names([point.payload["owner"] for point in points])
        vectors = np.array([point.dense for point in points], np.float32).reshape(-1, self._dim)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        known = self._known(names)
        for at, point in enumerate(points):
            row = known.get(at, self._used)
            if row == len(self._entries):
                self._map(row + min(row, LARGEST_STEP))
            self._vectors[row] = vectors[at]
            state = LIVE if _CANONICAL.fullmatch(point.payload["owner"]) else LIVE_OTHER
            self._entries[row] = (names[at], owners[at], point.payload["ordinal"], state, *columns(point.payload))
            if row == self._used:
                self._used += 1
                self._live += 1
                self._by_owner.add(row, int(owners[at, 0]))
                self._by_point.add(row, int(names[at, 0]))
        if self._used - self._sorted > FRESH_LIMIT:
            self._sort()

    def mark(self, points: Sequence[str], status: str) -> None:
        """Change the state of points."""
        known = self._known(_names(points))
        self._entries["status"][list(known.values())] = status_code(status)

    def nearest(self, owners: Sequence[str], query: Vector, view: View, limit: int) -> list[Scored]:
        """The points of these owners that the view allows, by descending cosine, then by id."""
        wanted = list(dict.fromkeys(owners))
        rows, places = self._find(_names(wanted))
        entries = self._entries[rows]
        seen = np.flatnonzero(visible(entries, view))
        scores = self._vectors[rows[seen]].astype(np.float32) @ (query / np.linalg.norm(query)).astype(np.float32)
        names = entries["point"][seen].byteswap()  # as big-endian numbers, ids sort as their texts do
        order = np.lexsort((names[:, 1], names[:, 0], -scores))[:limit]
        best = seen[order]
        return [
            Scored(name, wanted[place], ordinal, score)
            for name, place, ordinal, score in zip(
                _texts(entries["point"][best]),
                places[best].tolist(),
                entries["ordinal"][best].tolist(),
                scores[order].tolist(),
                strict=True,
            )
        ]

    def locate(self, points: Sequence[str]) -> dict[str, tuple[str | None, int]]:
        """Owner and ordinal of each known point; the owner is None where its id is no UUID."""
        known = self._known(_names(points))
        rows = np.fromiter(known.values(), np.int64, len(known))
        entries = self._entries[rows]
        owners, ordinals = _texts(entries["owner"]), entries["ordinal"].tolist()
        plain = (entries["state"] == LIVE).tolist()
        return {points[place]: (owners[at] if plain[at] else None, ordinals[at]) for at, place in enumerate(known)}

    def points(self, owners: Sequence[str]) -> dict[str, tuple[str, int]]:
        """Owner and ordinal of all points of these owners, by point id; by owner, then ordinal."""
        wanted = list(dict.fromkeys(owners))
        rows, places = self._find(_names(wanted))
        entries = self._entries[rows]
        belongs = zip(map(wanted.__getitem__, places.tolist()), entries["ordinal"].tolist(), strict=True)
        return dict(zip(_texts(entries["point"]), belongs, strict=True))

    def drop(self, owners: Sequence[str]) -> None:
        """Forget the vectors of these owners and overwrite their bytes."""
        rows, _ = self._find(_names(list(dict.fromkeys(owners))))
        self._kill(rows)

    def drop_points(self, points: Sequence[str]) -> None:
        """The same for single points."""
        known = self._known(_names(points))
        self._kill(np.fromiter(known.values(), np.int64, len(known)))

    def of(self, owners: Sequence[str]) -> dict[str, Vector]:
        """Vectors by owner, shape (points, dim), float32, rows by ordinal; owners without points are absent."""
        wanted = list(dict.fromkeys(owners))
        rows, places = self._find(_names(wanted))
        vectors = self._vectors[rows].astype(np.float32)
        ends = np.cumsum(np.bincount(places, minlength=len(wanted))).tolist()
        starts = [0, *ends]
        return {owner: vectors[start:end] for owner, start, end in zip(wanted, starts, ends, strict=False) if start < end}

    def sync(self) -> None:
        """Make the files safe against loss of power."""
        for path in (self._vector_path, self._entry_path):
            handle = os.open(path, os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def _find(self, owners: Names) -> tuple[Rows, Rows]:
        """Live rows of distinct owners, and the place of each row's owner; by place, then ordinal."""
        rows, places = self._by_owner.candidates(owners)
        entries = self._entries[rows]
        right = (entries["state"] & LIVE > 0) & (entries["owner"] == owners[places]).all(axis=1)
        rows, places, ordinals = rows[right], places[right], entries["ordinal"][right]
        order = np.lexsort((ordinals, places))
        return rows[order], places[order]

    def _known(self, points: Names) -> dict[int, int]:
        """The live row of each point that has one, by the point's place."""
        rows, places = self._by_point.candidates(points)
        entries = self._entries[rows]
        right = (entries["state"] & LIVE > 0) & (entries["point"] == points[places]).all(axis=1)
        return dict(zip(places[right].tolist(), rows[right].tolist(), strict=True))

    def _kill(self, rows: Rows) -> None:
        self._entries["state"][rows] = DEAD
        self._vectors[rows] = 0
        self._live -= len(rows)

    def _map(self, capacity: int) -> None:
        """Map both files at this many rows, growing them; earlier maps stay good for readers that hold them."""
        self._vectors = _mapped(self._vector_path, np.dtype("<f2"), (capacity, self._dim))
        self._entries = _mapped(self._entry_path, ENTRY, (capacity,))

    def _stored_capacity(self) -> int:
        """Rows that the index file has room for, as its size says."""
        size = self._entry_path.stat().st_size if self._entry_path.exists() else 0
        return max(FIRST_CAPACITY, size // ENTRY.itemsize)

    def _count_used(self) -> int:
        used = np.flatnonzero(self._entries["state"] != UNUSED)
        return int(used[-1]) + 1 if len(used) else 0

    def _sort(self) -> None:
        live = np.flatnonzero(self._entries["state"][: self._used] & LIVE)
        entries = self._entries[live]
        self._by_owner, self._by_point = (_sorted(entries[name][:, 0], live) for name in ("owner", "point"))
        self._sorted = self._used


def _sorted(keys: npt.NDArray[np.uint64], rows: Rows) -> _Index:
    order = np.argsort(keys, kind="stable")
    return _Index(keys[order], rows[order])


def _mapped(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """The file as an array, made or lengthened where needed; its room is reserved: a full disk must not kill a writer."""
    size = int(np.prod(shape)) * dtype.itemsize
    with path.open("ab") as file:
        if (present := file.tell()) < size:
            file.truncate(size)
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), present, size - present)
    return np.asarray(np.memmap(path, dtype, "r+", shape=shape))  # a plain array: indexing one is faster


def _names(identifiers: Sequence[str]) -> Names:
    """Sixteen bytes for each id: those of a UUID, or a digest of any other text."""
    joined = "".join(identifiers)
    if set(map(len, identifiers)) <= {36} and _CANONICAL_RUN.fullmatch(joined):
        raw = bytes.fromhex(joined.replace("-", ""))
    else:
        raw = b"".join(map(_name, identifiers))
    return np.frombuffer(raw, np.dtype("<u8")).reshape(-1, 2)


def _name(identifier: str) -> bytes:
    if _CANONICAL.fullmatch(identifier):
        return bytes.fromhex(identifier.replace("-", ""))
    return hashlib.blake2b(identifier.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _texts(names: Names) -> list[str]:
    """The UUIDs of these numbers in their canonical form."""
    digits = np.frombuffer(names.tobytes().hex().encode(), np.uint8).reshape(-1, 32)
    written = np.full((len(digits), 36), ord("-"), np.uint8)
    written[:, _DIGITS] = digits
    text = written.tobytes().decode()
    return [text[at : at + 36] for at in range(0, len(text), 36)]
