"""The engine's edges: its errors as ours, its values from ours, and a shard that can be exchanged under running searches."""

import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as edge

from graph.errors import AlreadyOwned, BackstoryError, StoreError, StoreFull, StoreReadOnly, StoreUnavailable
from graph.model.points import Point, Sparse, Vector
from graph.stores.embedded.vectors_build import DENSE, SPARSE, config
from graph.stores.embedded.vectors_mirror import Mirrored
from graph.stores.embedded.vectors_view import indexes

PAGE = 512  # points in one page of a full read
POLL_SECONDS = 0.01

_KINDS: tuple[tuple[str, type[StoreError]], ...] = (
    ("WouldBlock", AlreadyOwned),
    ("No space left", StoreFull),
    ("os error 28", StoreFull),
    ("Read-only file system", StoreReadOnly),
    ("Permission denied", StoreReadOnly),
)


@contextmanager
def engine(action: str) -> Iterator[None]:
    """Map what the engine and the file system raise; the engine knows only Exception, and a panic below it."""
    try:
        yield
    except BackstoryError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        kind = next((kind for words, kind in _KINDS if words in str(error)), StoreUnavailable)
        raise kind(f"vector index: cannot {action}: {str(error)[:300]}") from error


class LiveShard:
    """The shard that is in use. Searches hold it with `reading`, so that it is closed only when the last has ended."""

    def __init__(self, shard: edge.EdgeShard) -> None:
        self._gate = threading.Lock()
        self._shard = shard
        self._readers = {id(shard): 0}

    @contextmanager
    def reading(self) -> Iterator[edge.EdgeShard]:
        with self._gate:
            shard = self._shard
            self._readers[id(shard)] += 1
        try:
            yield shard
        finally:
            with self._gate:
                self._readers[id(shard)] -= 1

    @property
    def shard(self) -> edge.EdgeShard:
        """For the one writer, who also exchanges it."""
        return self._shard

    def exchange(self, shard: edge.EdgeShard) -> edge.EdgeShard:
        """Use another shard from now on; return the old one."""
        with self._gate:
            old, self._shard = self._shard, shard
            self._readers[id(shard)] = 0
            return old

    def retire(self, old: edge.EdgeShard) -> None:
        """Close a shard that was exchanged, after its last reader."""
        while self._readers[id(old)]:
            time.sleep(POLL_SECONDS)
        with self._gate:
            del self._readers[id(old)]
        old.close()


def opened(path: Path, dim: int, sparse: bool) -> edge.EdgeShard:
    """The shard at `path`. A new one is made beside it and moved there, so that a crash never leaves half of one."""
    with engine("open"):
        if not path.exists():
            fresh = path.with_name(path.name + ".new")
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            shard = edge.EdgeShard.create(str(fresh), config(dim, sparse, indexed=False))
            for name, kind in indexes().items():
                shard.update(edge.UpdateOperation.create_field_index(name, kind))
            shard.close()
            fresh.rename(path)
        return edge.EdgeShard.load(str(path))


def everything(shard: edge.EdgeShard) -> Iterator[list[Mirrored]]:
    """All points as they are mirrored, in pages."""
    offset = None
    while True:
        records, offset = shard.scroll(edge.ScrollRequest(offset=offset, limit=PAGE, with_payload=True, with_vector=[DENSE]))
        yield [Mirrored(str(record.id), record.payload, np.array(record.vector[DENSE], np.float32)) for record in records]
        if offset is None:
            return


def stored(point: Point, fields: Mapping[str, Any]) -> edge.Point:
    """The engine's form of a point with this payload."""
    vectors: dict[str, Any] = {DENSE: _plain(point.dense)}
    if point.sparse is not None and len(point.sparse.indices):
        vectors[SPARSE] = _weights(point.sparse)
    return edge.Point(point.id, vectors, dict(fields))


def nearest(query: Vector | Sparse) -> edge.Query:
    if isinstance(query, Sparse):
        return edge.Query.Nearest(_weights(query), using=SPARSE)
    return edge.Query.Nearest(_plain(query), using=DENSE)


def _plain(vector: Vector) -> list[float]:
    """A list: the engine reads it four times faster than an array."""
    return np.asarray(vector, np.float32).tolist()  # type: ignore[no-any-return]  # numpy's stubs say Any


def _weights(weights: Sparse) -> edge.SparseVector:
    return edge.SparseVector(weights.indices.tolist(), weights.values.tolist())
