"""The VectorStore port on a Qdrant server: one collection per space and embedding model."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from qdrant_client import QdrantClient, models

from graph.errors import ModelMismatch
from graph.model.observations import Status
from graph.model.points import Point, Scored, Space, Sparse, Stamp, Vector
from graph.model.views import View
from graph.stores.checks import check_point, check_query
from graph.stores.payloads import payload, sees_nothing
from graph.stores.qdrant.calls import MAX_POINTS, batches, groups, translated
from graph.stores.qdrant.filters import INDEXES, owned_by, view_filter

DENSE, SPARSE = "dense", "sparse"
SPARSE_SPACES = frozenset({Space.PASSAGE, Space.FACT})
PAGE = 256  # points in one page of a full read, with their vectors about 2 MB
TIE_SLACK = 8  # results beyond the limit, to see where a tie ends
SCORE_DIGITS = 6  # the last bits depend on how the server groups its sums; rounded, equal points tie
MAX_TIED = 4096  # results beyond which a tie at the limit is cut where the engine cuts it


class QdrantVectors:
    """See VectorStore. Safe to share between threads; never across a fork.

    A collection's name holds the model's id and revision, so vectors of two models never mix. Opening with another model
    than the one stored raises ModelMismatch unless `new_model` says that its collections are to be built beside the old.
    """

    def __init__(self, client: QdrantClient, prefix: str, model_key: str, dim: int, *, new_model: bool = False) -> None:
        self._client = client
        self._dim = dim
        self._prefix = prefix
        self._model = re.sub(r"[^A-Za-z0-9]+", "-", model_key)
        self._known: set[Space] = set()
        self._making = threading.Lock()
        self._check_model(new_model)

    def upsert(self, points: Sequence[Point]) -> None:
        """See VectorStore.upsert. All points are checked before the first call; a call that failed is simply made again."""
        for point in points:
            check_point(point, self._dim, point.space in SPARSE_SPACES)
        for space in Space:
            for batch in batches(_newest(point for point in points if point.space is space)):
                self._upsert(space, batch)

    def search(
        self,
        space: Space,
        query: Vector | Sparse,
        view: View,
        limit: int,
        *,
        among: Sequence[str] | None = None,
    ) -> list[Scored]:
        """Best first, ties by point id: more than `limit` are fetched while the last one ties with the last wanted."""
        check_query(query, self._dim, space in SPARSE_SPACES, space)
        empty = isinstance(query, Sparse) and not len(query.indices)
        if limit <= 0 or empty or sees_nothing(view) or among == [] or not self._exists(space):
            return []
        wanted = limit + TIE_SLACK
        while True:
            found = self._query(space, query, view_filter(view, among), wanted)
            if len(found) < wanted or found[-1].score < found[limit - 1].score or wanted >= MAX_TIED:
                return sorted(found, key=lambda point: (-point.score, point.id))[:limit]
            wanted = min(4 * wanted, max(MAX_TIED, limit + TIE_SLACK))

    def vectors(self, space: Space, owners: Sequence[str]) -> dict[str, Vector]:
        rows: dict[str, list[tuple[int, list[float]]]] = {}
        for group in groups(list(dict.fromkeys(owners)), MAX_POINTS):
            for record in self._scroll(space, owned_by(group), with_vectors=[DENSE]):
                fields = record.payload or {}
                rows.setdefault(fields["owner"], []).append((fields["ordinal"], record.vector[DENSE]))  # type: ignore[index,call-overload,arg-type]  # always named vectors
        return {owner: np.array([vector for _, vector in sorted(found)], np.float32) for owner, found in rows.items()}

    def set_status(self, owners: Sequence[str], status: Status, revision: int) -> None:
        change = {"status": status.value, "revision": revision}
        for space in self._existing():
            for group in groups(list(owners), MAX_POINTS):
                with translated("change a state"):
                    self._client.set_payload(self._name(space), change, points=owned_by(group, revision), wait=True)

    def delete(self, owners: Sequence[str]) -> None:
        for space in self._existing():
            for group in groups(list(owners), MAX_POINTS):
                with translated("delete points"):
                    self._client.delete(self._name(space), models.FilterSelector(filter=owned_by(group)), wait=True)

    def revisions(self, space: Space, *, after: str | None = None, limit: int = 1000) -> list[Stamp]:
        if limit <= 0 or not self._exists(space):
            return []
        wanted = limit if after is None else limit + 1  # the offset is inclusive
        with translated("list points"):
            records, _ = self._client.scroll(
                self._name(space), offset=after, limit=wanted, with_payload=["owner", "revision", "status"], with_vectors=False
            )
        stamps = [_stamp(record) for record in records]
        return sorted(stamp for stamp in stamps if after is None or stamp.id > after)[:limit]

    def flush(self) -> None:
        """Nothing to do: every call waits until the server has it in its log."""

    def counts(self) -> dict[Space, int]:
        """Points per space that exists, for health pages."""
        with translated("count points"):
            return {space: self._client.count(self._name(space)).count for space in self._existing()}

    def close(self) -> None:
        self._client.close()

    def _upsert(self, space: Space, points: Sequence[Point]) -> None:
        self._make(space)
        with translated("read revisions"):
            known = self._client.retrieve(
                self._name(space), [point.id for point in points], with_payload=["revision"], with_vectors=False
            )
        stored = {str(record.id): (record.payload or {}).get("revision", 0) for record in known}
        current = [point for point in points if point.revision >= stored.get(point.id, point.revision)]
        if current:
            with translated("store points"):
                self._client.upsert(self._name(space), [_struct(point) for point in current], wait=True)

    def _query(self, space: Space, query: Vector | Sparse, chosen: models.Filter, limit: int) -> list[Scored]:
        sparse = isinstance(query, Sparse)
        asked: Any = (
            models.SparseVector(indices=query.indices.tolist(), values=query.values.tolist())
            if isinstance(query, Sparse)
            else query.tolist()
        )
        with translated("search"):
            found = self._client.query_points(
                self._name(space),
                query=asked,
                using=SPARSE if sparse else DENSE,
                query_filter=chosen,
                limit=limit,
                with_payload=["owner", "ordinal"],
                search_params=models.SearchParams(exact=True),
            ).points
        return [
            Scored(str(p.id), (p.payload or {})["owner"], (p.payload or {})["ordinal"], round(p.score, SCORE_DIGITS))
            for p in found
        ]

    def _scroll(self, space: Space, chosen: models.Filter, with_vectors: list[str]) -> Iterator[models.Record]:
        if not self._exists(space):
            return
        offset: Any = None
        while True:
            with translated("read points"):
                records, offset = self._client.scroll(
                    self._name(space),
                    scroll_filter=chosen,
                    offset=offset,
                    limit=PAGE,
                    with_payload=["owner", "ordinal"],
                    with_vectors=with_vectors,
                )
            yield from records
            if offset is None:
                return

    def _make(self, space: Space) -> None:
        """Make the collection with its payload indexes, unless it is there. Two makers at once do no harm."""
        if self._exists(space):
            return
        with self._making, translated("make a collection"):
            name = self._name(space)
            sparse = {SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)} if space in SPARSE_SPACES else None
            if not self._client.collection_exists(name):
                self._client.create_collection(
                    name,
                    vectors_config={DENSE: models.VectorParams(size=self._dim, distance=models.Distance.COSINE)},
                    sparse_vectors_config=sparse,
                    strict_mode_config=models.StrictModeConfig(
                        enabled=True, unindexed_filtering_retrieve=False, unindexed_filtering_update=False
                    ),
                )
            for field, kind in INDEXES.items():
                self._client.create_payload_index(name, field, kind, wait=True)
            self._known.add(space)

    def _exists(self, space: Space) -> bool:
        if space not in self._known:
            with translated("look for a collection"):
                if self._client.collection_exists(self._name(space)):
                    self._known.add(space)
        return space in self._known

    def _existing(self) -> list[Space]:
        return [space for space in Space if self._exists(space)]

    def _name(self, space: Space) -> str:
        return f"{self._prefix}_{self._model}_{space.value}"

    def _check_model(self, new_model: bool) -> None:
        with translated("list collections"):
            names = [collection.name for collection in self._client.get_collections().collections]
        ours = [name for name in names if name.startswith(f"{self._prefix}_{self._model}_")]
        others = sorted(name for name in names if name.startswith(f"{self._prefix}_") and name not in ours)
        if others and not ours and not new_model:
            raise ModelMismatch(
                f"the vectors in {others[0]!r} belong to another embedding model than {self._model!r}: "
                "run `backstory rebuild vectors`, or name the model they were made with",
                found=others,
            )


def _newest(points: Iterable[Point]) -> list[Point]:
    """Of several points with one id the one of the highest revision, the last of equals."""
    newest: dict[str, Point] = {}
    for point in points:
        if point.id not in newest or newest[point.id].revision <= point.revision:
            newest[point.id] = point
    return list(newest.values())


def _struct(point: Point) -> models.PointStruct:
    vector: dict[str, Any] = {DENSE: point.dense.tolist()}
    if point.sparse is not None:
        vector[SPARSE] = models.SparseVector(indices=point.sparse.indices.tolist(), values=point.sparse.values.tolist())
    return models.PointStruct(id=point.id, vector=vector, payload=payload(point))


def _stamp(record: models.Record) -> Stamp:
    fields = record.payload or {}
    return Stamp(str(record.id), fields["owner"], fields["revision"], Status(fields["status"]))
