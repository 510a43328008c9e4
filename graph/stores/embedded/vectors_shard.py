"""One space of the embedded vector index: a Qdrant Edge shard, the mirror of its dense vectors, and one writer at a time."""

import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import qdrant_edge as edge

from graph.model.observations import Status
from graph.model.points import Point, Scored, Space, Sparse, Stamp, Vector
from graph.model.views import View
from graph.stores.embedded.vectors_engine import LiveShard, engine, everything, nearest, opened, stored
from graph.stores.embedded.vectors_handover import Handover, shard_in_use
from graph.stores.embedded.vectors_mirror import Mirrored, VectorMirror
from graph.stores.embedded.vectors_view import view_filter
from graph.stores.payloads import payload

SPARSE_SPACES = frozenset({Space.PASSAGE, Space.FACT})
WRITE_BATCH = 64  # points in one update: it holds the GIL, about 30 microseconds a point
OWNER_BATCH = 256  # owners in one change
TIE_SLACK = 8  # results beyond the limit, to see where a tie ends
MAX_TIED = 4096  # results beyond which a tie at the limit is cut where the engine cuts it
SEARCH_EF = 128  # candidates of a graph search, at least; twice the limit when that is more
OVERSAMPLING = 2.0  # candidates by int8 vectors for each one that is rescored with the stored vectors
FULL_SEARCH_UP_TO = 40_000  # points that pass the filter: about 6 ms, and a graph loses its way among the hidden ones
OPEN_SHARE = 0.6  # share of points that pass the filter from which a graph needs no second hops over hidden ones


class SpaceShard:
    """Points of one space under `directory`; made on first use. Writers wait for each other, readers for nobody.

    An index is built in the background each time another `index_after` points have no index (0: never).
    """

    def __init__(self, directory: Path, dim: int, space: Space, index_after: int) -> None:
        self._writing = threading.Lock()
        self._dirty = False
        sparse = space in SPARSE_SPACES
        self._live = LiveShard(opened(shard_in_use(directory), dim, sparse))
        self._mirror = self._opened_mirror(directory / "mirror", dim)
        self._handover = Handover(directory, self._live, self._writing, dim=dim, sparse=sparse, after=index_after)
        self._handover.consider(self.count())

    def count(self) -> int:
        with engine("count points"), self._live.reading() as shard:
            return int(shard.count(edge.CountRequest()))

    def upsert(self, points: Sequence[Point]) -> None:
        """Store points of distinct ids, leaving out those that are stored with a higher revision."""
        for group in _groups(points, WRITE_BATCH):
            with self._writing, engine("store points"):
                current, moved = self._not_older(group)
                if current:
                    self._mirror.drop_points(moved)
                    mirrored = [Mirrored(point.id, payload(point), point.dense) for point in current]
                    self._mirror.put(mirrored)
                    fresh = [stored(point, twin.payload) for point, twin in zip(current, mirrored, strict=True)]
                    self._update(edge.UpdateOperation.upsert_points(fresh))
        self._handover.consider(len(self._mirror))

    def search(self, query: Vector | Sparse, view: View, limit: int, among: Sequence[str] | None) -> list[Scored]:
        """Best first, ties by point id: more than `limit` are fetched while the last one ties with the last wanted."""
        if among is not None and not isinstance(query, Sparse):
            return self._mirror.nearest(among, query, view, limit)
        members = None if among is None else self._mirror.points(among)
        if members is not None and not members:
            return []
        chosen, wanted = view_filter(view, members), limit + TIE_SLACK
        while True:
            with engine("search"), self._live.reading() as shard:
                params = self._params(shard, chosen, wanted, full=members is not None)
                found = shard.query(edge.QueryRequest(limit=wanted, query=nearest(query), filter=chosen, params=params))
            if len(found) < wanted or found[-1].score < found[limit - 1].score or wanted >= MAX_TIED:
                break
            wanted = min(4 * wanted, max(MAX_TIED, limit + TIE_SLACK))
        ids, scores = [str(point.id) for point in found], [point.score for point in found]
        return _best(self._owned(ids, scores, self._mirror.locate(ids) if members is None else members), limit)

    def vectors(self, owners: Sequence[str]) -> dict[str, Vector]:
        return self._mirror.of(owners)

    def set_status(self, owners: Sequence[str], status: Status, revision: int) -> None:
        change = {"status": status.value, "revision": revision}
        for group in _groups(owners, OWNER_BATCH):
            with self._writing, engine("change a state"):
                known = self._payloads(list(self._mirror.points(group)), ["revision"])
                points = [point for point, fields in known.items() if fields["revision"] <= revision]
                if points:
                    self._mirror.mark(points, status.value)  # first: a crash between leaves what reconciling can see
                    self._update(edge.UpdateOperation.set_payload(points, change))

    def delete(self, owners: Sequence[str]) -> None:
        for group in _groups(owners, OWNER_BATCH):
            with self._writing, engine("delete points"):
                points = list(self._mirror.points(group))
                if points:
                    self._update(edge.UpdateOperation.delete_points(points))
                    self._mirror.drop(group)

    def revisions(self, after: str | None, limit: int) -> list[Stamp]:
        wanted = limit if after is None else limit + 1  # the engine's offset is inclusive
        request = edge.ScrollRequest(
            offset=after, limit=wanted, with_payload=["owner", "revision", "status"], with_vector=False
        )
        with engine("list points"), self._live.reading() as shard:
            points, _ = shard.scroll(request)
        stamps = [Stamp(str(p.id), p.payload["owner"], p.payload["revision"], Status(p.payload["status"])) for p in points]
        return [stamp for stamp in stamps if after is None or stamp.id > after][:limit]

    def flush(self) -> None:
        """Bring changes to the disk. The engine holds the GIL meanwhile (25 to 50 ms), so an unchanged shard is left alone."""
        with self._writing, engine("flush"):
            if self._dirty:
                self._live.shard.flush()
                self._mirror.sync()
                self._dirty = False

    @property
    def handover(self) -> Handover:
        """The building of indexes: how many points the last one covers, and how to wait for a running one."""
        return self._handover

    def close(self) -> None:
        self._handover.stop()
        self.flush()
        with self._writing, engine("close"):
            self._live.shard.close()

    def _params(self, shard: edge.EdgeShard, chosen: edge.Filter | None, wanted: int, *, full: bool) -> edge.SearchParams:
        """How to search: by the graph, rescored with the stored vectors; in full where few points pass the filter.

        Where the filter hides many points, the graph search also steps over hidden ones (ACORN; Patel et al., 2024).
        Measured on 360,000 points, 20 results: a filter that passes 10 % left 50 % of them without that, 99 % with it.
        """
        if full or not self._handover.indexed:
            return edge.SearchParams(exact=True)
        size = len(self._mirror)
        passing = size if chosen is None else shard.count(edge.CountRequest(exact=False, filter=chosen))
        hides = passing < OPEN_SHARE * size
        return edge.SearchParams(
            hnsw_ef=max(SEARCH_EF, 2 * wanted),
            exact=hides and passing <= FULL_SEARCH_UP_TO,
            quantization=edge.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING),
            acorn=edge.AcornSearchParams(enable=hides, max_selectivity=1.0),
        )

    def _update(self, operation: edge.UpdateOperation) -> None:
        """Apply a change, also to the index that is being built. The caller holds the writers' lock."""
        self._dirty = True
        self._live.shard.update(operation)
        self._handover.note(operation)

    def _not_older(self, points: Sequence[Point]) -> tuple[list[Point], list[str]]:
        """The points that may be written, and ids of stored ones that change their owner."""
        known = self._payloads([point.id for point in points], ["owner", "revision"])
        current = [point for point in points if point.id not in known or point.revision >= known[point.id]["revision"]]
        return current, [point.id for point in current if point.id in known and known[point.id]["owner"] != point.owner]

    def _payloads(self, points: list[str], fields: list[str]) -> dict[str, dict[str, Any]]:
        """Payload fields of the stored ones among these points."""
        if not points:
            return {}
        with self._live.reading() as shard:
            return {str(record.id): record.payload for record in shard.retrieve(points, fields, False)}

    def _owned(self, ids: list[str], scores: list[float], places: Mapping[str, tuple[str | None, int]]) -> list[Scored]:
        """Results with their owners, from the mirror: reading payloads takes longer than the search. Deleted ones drop out."""
        with engine("read owners"):
            others = self._payloads([id_ for id_ in ids if id_ in places and places[id_][0] is None], ["owner"])
        found = ((id_, *places[id_], score) for id_, score in zip(ids, scores, strict=True) if id_ in places)
        return [
            Scored(id_, owner or others[id_]["owner"], n, score) for id_, owner, n, score in found if owner or id_ in others
        ]

    def _opened_mirror(self, directory: Path, dim: int) -> VectorMirror:
        """The mirror; made anew from the shard when a crash between the two left them different."""
        with engine("open the vectors' mirror"):
            mirror = VectorMirror(directory, dim)
            if len(mirror) == self.count():
                return mirror
            del mirror
            shutil.rmtree(directory)
            mirror = VectorMirror(directory, dim)
            for page in everything(self._live.shard):
                mirror.put(page)
            return mirror


def _best(found: list[Scored], limit: int) -> list[Scored]:
    return sorted(found, key=lambda point: (-point.score, point.id))[:limit]


def _groups(items: Sequence[Any], size: int) -> Iterator[list[Any]]:
    remaining = iter(items)
    while group := list(islice(remaining, size)):
        yield group
