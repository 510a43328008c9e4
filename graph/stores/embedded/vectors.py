"""The embedded vector index: one Qdrant Edge shard per space, in a directory that one process owns.

It is a projection of the ledger: it can be deleted and rebuilt. The engine's traps are handled here: batches are not atomic
(so points are checked first, and writing them again is harmless), NaN and zero vectors are taken in silently, writes hold
the GIL (so they go in small batches), and a shard has one process.
"""

import json
import os
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph.errors import AlreadyOwned, ModelMismatch, SchemaTooNew, StoreError, StoreFull, StoreUnavailable
from graph.model.observations import Status
from graph.model.points import Point, Scored, Space, Sparse, Stamp, Vector
from graph.model.views import View
from graph.stores.checks import check_point, check_query
from graph.stores.embedded.vectors_engine import engine
from graph.stores.embedded.vectors_shard import SPARSE_SPACES, SpaceShard
from graph.stores.payloads import sees_nothing

SCHEMA = 1
META, LOCK = "index.json", "index.lock"
INDEX_AFTER = 20_000  # points without an index in a space before another is built: about 2 ms of full search
MIN_FREE_BYTES = 64 << 20  # free room on the disk that a write needs


class EdgeVectors:
    """VectorStore port. `model_key` names the embedding model and its revision; vectors of another never mix with its own.

    Opening raises AlreadyOwned when another opener holds the directory, ModelMismatch when its vectors belong to another
    model or dimension, SchemaTooNew, StoreReadOnly, StoreFull. Threads may share an instance. Ids of points are UUIDs.
    A space is searched in full until it has twice `index_after` points (0: always); then an index is built beside it, in a
    child process, and again for each `index_after` more. A tie of more than 4,000 points at the limit is cut where the
    engine cuts it.
    """

    def __init__(self, directory: Path, dim: int, model_key: str, *, index_after: int = INDEX_AFTER) -> None:
        self._directory = directory
        self._dim = dim
        self._index_after = index_after
        self._opening = threading.Lock()
        self._shards: dict[Space, SpaceShard] = {}
        with engine("open"):
            directory.mkdir(parents=True, exist_ok=True)
            self._lock = _owned(directory / LOCK)
        try:
            _check_meta(directory / META, {"schema": SCHEMA, "model": model_key, "dim": dim})
            for space in Space:
                if (directory / space.value).exists():
                    self._shard(space)
        except BaseException:
            self.close()
            raise

    def upsert(self, points: Sequence[Point]) -> None:
        for point in points:
            check_point(point, self._dim, point.space in SPARSE_SPACES)
        self._check_room()
        newest: dict[Space, dict[str, Point]] = {}
        for point in points:
            known = newest.setdefault(point.space, {})
            if point.id not in known or known[point.id].revision <= point.revision:
                known[point.id] = point
        for space, chosen in newest.items():
            self._shard(space).upsert(list(chosen.values()))

    def search(
        self,
        space: Space,
        query: Vector | Sparse,
        view: View,
        limit: int,
        *,
        among: Sequence[str] | None = None,
    ) -> list[Scored]:
        check_query(query, self._dim, space in SPARSE_SPACES, space)
        self._check_open()
        empty = isinstance(query, Sparse) and not len(query.indices)
        if limit < 1 or empty or sees_nothing(view) or (among is not None and not among) or space not in self._shards:
            return []
        return self._shards[space].search(query, view, limit, among)

    def vectors(self, space: Space, owners: Sequence[str]) -> dict[str, Vector]:
        self._check_open()
        return self._shards[space].vectors(owners) if owners and space in self._shards else {}

    def set_status(self, owners: Sequence[str], status: Status, revision: int) -> None:
        for shard in self._open_shards():
            shard.set_status(owners, status, revision)

    def delete(self, owners: Sequence[str]) -> None:
        for shard in self._open_shards():
            shard.delete(owners)

    def revisions(self, space: Space, *, after: str | None = None, limit: int = 1000) -> list[Stamp]:
        return self._shards[space].revisions(after, limit) if space in self._shards and limit > 0 else []

    def flush(self) -> None:
        for shard in self._open_shards():
            shard.flush()

    def counts(self) -> dict[Space, int]:
        """Points per space that exists, for health pages."""
        return {space: shard.count() for space, shard in sorted(self._shards.items())}

    def indexed(self) -> dict[Space, int]:
        """Points per space that an index covers."""
        return {space: shard.handover.indexed for space, shard in sorted(self._shards.items())}

    def settle(self) -> None:
        """Wait until no index is being built. For benchmarks and tests."""
        for shard in self._open_shards():
            shard.handover.wait()

    def close(self) -> None:
        """Flush, close and give the directory free. Idempotent."""
        shards, self._shards = self._shards, {}
        try:
            for shard in shards.values():
                shard.flush()
                shard.close()
        finally:
            self._lock.close()

    def _open_shards(self) -> list[SpaceShard]:
        return list(self._shards.values())

    def _shard(self, space: Space) -> SpaceShard:
        """The shard of a space, made or loaded on first use."""
        shard = self._shards.get(space)
        if shard is None:
            with self._opening:
                self._check_open()
                shard = self._shards.get(space) or self._opened(space)
                self._shards[space] = shard
        return shard

    def _check_open(self) -> None:
        """A closed index finds nothing, which must not look like an empty one."""
        if self._lock.closed:
            raise StoreUnavailable("the vector index is closed")

    def _opened(self, space: Space) -> SpaceShard:
        return SpaceShard(self._directory / space.value, self._dim, space, self._index_after)

    def _check_room(self) -> None:
        """The engine's files are sparse and mapped into memory: writing to them on a full disk would kill the process."""
        with engine("look at the disk"):
            free = shutil.disk_usage(self._directory).free
        if free < MIN_FREE_BYTES:
            raise StoreFull(f"only {free >> 20} MB are free where the vector index lies; it needs {MIN_FREE_BYTES >> 20}")


def _owned(path: Path) -> Any:
    """The lock file, held until it is closed or the process ends. Raises AlreadyOwned."""
    file = path.open("a+")
    try:
        _lock(file.fileno())
    except OSError as error:
        file.close()
        raise AlreadyOwned(f"the vector index {str(path.parent)!r} is in use by another process") from error
    return file


if os.name == "nt":  # pragma: no cover

    def _lock(handle: int) -> None:
        import msvcrt  # noqa: PLC0415

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # only there

else:

    def _lock(handle: int) -> None:
        import fcntl  # noqa: PLC0415  (not on Windows)

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _check_meta(path: Path, wanted: dict[str, Any]) -> None:
    """Compare the index's own description with what the process brings; write it where there is none."""
    with engine("read its description"):
        if not path.exists():
            fresh = path.with_suffix(".new")
            fresh.write_text(json.dumps(wanted, indent=1))
            fresh.replace(path)
            return
        try:
            found = json.loads(path.read_text())
            schema, model, dim = found["schema"], found["model"], found["dim"]
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{str(path)!r} is damaged: run `backstory rebuild vectors`") from error
    if schema > SCHEMA:
        raise SchemaTooNew(f"the vector index has schema {schema}, this version knows {SCHEMA}: update backstory")
    if (model, dim) != (wanted["model"], wanted["dim"]):
        raise ModelMismatch(
            f"the vector index holds vectors of {model!r} ({dim} dimensions), not of {wanted['model']!r} "
            f"({wanted['dim']}): run `backstory rebuild vectors` or set the model back"
        )
