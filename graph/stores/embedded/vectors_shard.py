"""One space of the embedded vector index: a Qdrant Edge shard, the mirror of its dense vectors, and one writer at a time."""

import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as edge

from graph.errors import AlreadyOwned, BackstoryError, StoreError, StoreFull, StoreReadOnly, StoreUnavailable
from graph.model.observations import Status
from graph.model.points import Point, Scored, Space, Sparse, Stamp, Vector
from graph.model.views import View
from graph.stores.embedded.vectors_mirror import VectorMirror
from graph.stores.embedded.vectors_view import indexes, owned_by, payload, view_filter

DENSE, SPARSE = "dense", "sparse"
SPARSE_SPACES = frozenset({Space.PASSAGE, Space.FACT})
WRITE_BATCH = 64  # points in one update: it holds the GIL, about 30 microseconds a point
OWNER_BATCH = 256  # owners in one filter
PAGE = 512  # points in one page of a full read
EXACT = 1_000_000_000  # kilobytes of vectors before the engine would index a segment by itself: never
TIE_SLACK = 8  # results beyond the limit, to see where a tie ends
MAX_TIED = 4096  # results beyond which a tie at the limit is cut where the engine cuts it

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


def config(dim: int, sparse: bool) -> edge.EdgeConfig:
    """Dense cosine in half precision without an index (exact), sparse weights times the engine's IDF, WAL on."""
    dense = edge.EdgeVectorParams(size=dim, distance=edge.Distance.Cosine, datatype=edge.VectorStorageDatatype.Float16)
    return edge.EdgeConfig(
        vectors={DENSE: dense},
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)} if sparse else None,
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=EXACT),
        wal_enabled=True,
    )


class SpaceShard:
    """Points of one space under `directory`; made on first use. Writers wait for each other, readers for nobody."""

    def __init__(self, directory: Path, dim: int, space: Space) -> None:
        self._writing = threading.Lock()
        self._dirty = False
        self._shard = _opened(directory / "shard", dim, space in SPARSE_SPACES)
        self._mirror = self._opened_mirror(directory / "mirror", dim)

    def count(self) -> int:
        with engine("count points"):
            return int(self._shard.count(edge.CountRequest()))

    def upsert(self, points: Sequence[Point]) -> None:
        """Store points of distinct ids, leaving out those that are stored with a higher revision."""
        for group in _groups(points, WRITE_BATCH):
            with self._writing, engine("store points"):
                current, moved = self._not_older(group)
                if not current:
                    continue
                self._dirty = True
                self._mirror.drop_points(moved)
                self._mirror.put(current)
                self._shard.update(edge.UpdateOperation.upsert_points([_stored(point) for point in current]))

    def search(self, query: Vector | Sparse, view: View, limit: int, among: Sequence[str] | None) -> list[Scored]:
        """Best first, ties by point id: more than `limit` are fetched while the last one ties with the last wanted."""
        nearest = _nearest(query)
        chosen = view_filter(view, among)
        wanted = limit + TIE_SLACK
        while True:
            with engine("search"):
                found = self._shard.query(edge.QueryRequest(limit=wanted, query=nearest, filter=chosen))
            if len(found) < wanted or found[-1].score < found[limit - 1].score or wanted >= MAX_TIED:
                break
            wanted = min(4 * wanted, max(MAX_TIED, limit + TIE_SLACK))
        scored = self._owned([str(point.id) for point in found], [point.score for point in found])
        return sorted(scored, key=lambda point: (-point.score, point.id))[:limit]

    def vectors(self, owners: Sequence[str]) -> dict[str, Vector]:
        return self._mirror.of(owners)

    def set_status(self, owners: Sequence[str], status: Status, revision: int) -> None:
        change = {"status": status.value, "revision": revision}
        for group in _groups(owners, OWNER_BATCH):
            with self._writing, engine("change a state"):
                self._dirty = True
                self._shard.update(edge.UpdateOperation.set_payload_by_filter(owned_by(group, revision), change))

    def delete(self, owners: Sequence[str]) -> None:
        for group in _groups(owners, OWNER_BATCH):
            with self._writing, engine("delete points"):
                self._dirty = True
                self._shard.update(edge.UpdateOperation.delete_points_by_filter(owned_by(group)))
                self._mirror.drop(group)

    def revisions(self, after: str | None, limit: int) -> list[Stamp]:
        wanted = limit if after is None else limit + 1  # the engine's offset is inclusive
        with engine("list points"):
            points, _ = self._shard.scroll(
                edge.ScrollRequest(offset=after, limit=wanted, with_payload=["owner", "revision", "status"], with_vector=False)
            )
        rows = [
            Stamp(str(point.id), point.payload["owner"], point.payload["revision"], Status(point.payload["status"]))
            for point in points
        ]
        return [row for row in rows if after is None or row.id > after][:limit]

    def flush(self) -> None:
        """Bring changes to the disk. The engine holds the GIL meanwhile (25 to 50 ms), so an unchanged shard is left alone."""
        with self._writing, engine("flush"):
            if self._dirty:
                self._shard.flush()
                self._mirror.sync()
                self._dirty = False

    def close(self) -> None:
        with self._writing, engine("close"):
            self._shard.close()

    def _owned(self, ids: list[str], scores: list[float]) -> list[Scored]:
        """Results with their owners, from the mirror: reading payloads takes longer than the search. Deleted ones drop out."""
        places = self._mirror.locate(ids)
        others = [id_ for id_, (owner, _) in places.items() if owner is None]
        with engine("read owners"):
            named = {str(r.id): r.payload["owner"] for r in self._shard.retrieve(others, ["owner"], False)} if others else {}
        found = ((id_, *places[id_], score) for id_, score in zip(ids, scores, strict=True) if id_ in places)
        return [Scored(id_, owner or named.get(id_, ""), ordinal, score) for id_, owner, ordinal, score in found]

    def _not_older(self, points: Sequence[Point]) -> tuple[list[Point], list[str]]:
        """The points that may be written, and ids of stored ones that change their owner."""
        stored = {
            str(record.id): (record.payload["owner"], record.payload["revision"])
            for record in self._shard.retrieve([point.id for point in points], ["owner", "revision"], False)
        }
        current = [point for point in points if point.revision >= stored.get(point.id, ("", point.revision))[1]]
        moved = [p.id for p in current if p.id in stored and stored[p.id][0] != p.owner]
        return current, moved

    def _opened_mirror(self, directory: Path, dim: int) -> VectorMirror:
        """The mirror; made anew from the shard when a crash between the two left them different."""
        with engine("open the vectors' mirror"):
            mirror = VectorMirror(directory, dim)
            if len(mirror) == self.count():
                return mirror
            del mirror
            shutil.rmtree(directory)
            mirror = VectorMirror(directory, dim)
            for page in _everything(self._shard):
                mirror.put(page)
            return mirror


def _opened(path: Path, dim: int, sparse: bool) -> edge.EdgeShard:
    """The shard at `path`. A new one is made beside it and moved there, so that a crash never leaves half of one."""
    with engine("open"):
        if not path.exists():
            fresh = path.with_name(path.name + ".new")
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            shard = edge.EdgeShard.create(str(fresh), config(dim, sparse))
            for field, kind in indexes().items():
                shard.update(edge.UpdateOperation.create_field_index(field, kind))
            shard.close()
            fresh.rename(path)
        return edge.EdgeShard.load(str(path))


def _stored(point: Point) -> edge.Point:
    vectors: dict[str, Any] = {DENSE: _plain(point.dense)}
    if point.sparse is not None and len(point.sparse.indices):
        vectors[SPARSE] = _sparse(point.sparse)
    return edge.Point(point.id, vectors, payload(point))


def _plain(vector: Vector) -> list[float]:
    """A list: the engine reads it four times faster than an array."""
    return np.asarray(vector, np.float32).tolist()  # type: ignore[no-any-return]  # numpy's stubs say Any


def _sparse(weights: Sparse) -> edge.SparseVector:
    return edge.SparseVector(weights.indices.tolist(), weights.values.tolist())


def _nearest(query: Vector | Sparse) -> edge.Query:
    if isinstance(query, Sparse):
        return edge.Query.Nearest(_sparse(query), using=SPARSE)
    return edge.Query.Nearest(_plain(query), using=DENSE)


def _everything(shard: edge.EdgeShard) -> Iterator[list[Point]]:
    """All points with id, owner, ordinal and dense vector, in pages."""
    offset = None
    while True:
        records, offset = shard.scroll(
            edge.ScrollRequest(offset=offset, limit=PAGE, with_payload=["owner", "ordinal"], with_vector=[DENSE])
        )
        yield [
            Point(
                id=str(record.id),
                space=Space.PASSAGE,  # the mirror does not look at it
                owner=record.payload["owner"],
                scope="",
                dense=np.array(record.vector[DENSE], np.float32),
                ordinal=record.payload["ordinal"],
            )
            for record in records
        ]
        if offset is None:
            return


def _groups(items: Sequence[Any], size: int) -> Iterator[list[Any]]:
    remaining = iter(items)
    while group := list(islice(remaining, size)):
        yield group
