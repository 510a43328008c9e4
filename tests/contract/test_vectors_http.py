"""The Qdrant adapter over HTTP: within the limits of a call, and right after calls that fail or are applied too late."""

from collections.abc import Iterator

import pytest
from qdrant_client import QdrantClient

from graph.errors import ModelMismatch, StoreUnavailable
from graph.model.observations import Status
from graph.model.points import Space
from graph.model.times import Window
from graph.model.views import View
from graph.stores.qdrant.calls import MAX_BYTES, MAX_POINTS, batches, size_of
from graph.stores.qdrant.vectors import QdrantVectors
from graph.text.terms import document_sparse, query_sparse
from tests.contract.points import DIM, NOON, make_point, unit
from tests.support.qdrant_stub import Stub, qdrant_stub

EVERYTHING = View(scopes=None, statuses=frozenset(Status))


@pytest.fixture
def served() -> Iterator[tuple[QdrantVectors, Stub]]:
    with qdrant_stub() as (url, stub):
        client = QdrantClient(url=url, timeout=30)
        yield QdrantVectors(client, "test", "model@1", DIM), stub
        client.close()


def test_every_call_of_the_port_speaks_http(served: tuple[QdrantVectors, Stub]) -> None:
    store, _ = served
    points = [
        make_point(n, scope="ab"[n % 2], authored_at=NOON, session=f"s{n % 3}", sparse=document_sparse(f"term{n} common"))
        for n in range(300)
    ]
    store.upsert(points)

    assert store.search(Space.PASSAGE, unit(4), EVERYTHING, 1)[0].id == points[4].id
    assert store.search(Space.PASSAGE, query_sparse("term7"), EVERYTHING, 1)[0].id == points[7].id
    seen = View(frozenset("a"), window=Window(start=NOON), as_of=NOON, sessions=frozenset({"s1"}))
    assert {int(p.id == points[4].id) for p in store.search(Space.PASSAGE, unit(4), seen, 1)} == {1}
    assert store.search(Space.PASSAGE, unit(5), seen, 300, among=[points[5].owner]) == []
    assert store.vectors(Space.PASSAGE, [points[9].owner])[points[9].owner].shape == (1, DIM)
    store.set_status([points[4].owner], Status.FORGOTTEN, 2)
    assert store.search(Space.PASSAGE, unit(4), View(scopes=None), 1)[0].id != points[4].id
    store.delete([points[4].owner])
    assert len(store.revisions(Space.PASSAGE, limit=1000)) == 299


def test_a_call_holds_at_most_so_many_points_and_bytes(served: tuple[QdrantVectors, Stub]) -> None:
    store, stub = served
    heavy = document_sparse(" ".join(f"word{i}" for i in range(20_000)))
    light = [make_point(n, sparse=document_sparse(f"a few words of {n}")) for n in range(150)]
    points = [*light, *(make_point(n, sparse=heavy) for n in range(200, 260))]

    sizes = [(len(batch), sum(size_of(point) for point in batch)) for batch in batches(points)]
    assert sum(count for count, _ in sizes) == len(points)
    assert all(count <= MAX_POINTS and size <= MAX_BYTES for count, size in sizes)
    store.upsert(light)
    assert stub.largest <= max(sum(size_of(point) for point in batch) for batch in batches(light)), "the estimate is never less"


def test_a_server_error_is_unavailable_and_the_same_call_again_is_right(served: tuple[QdrantVectors, Stub]) -> None:
    store, stub = served
    store.upsert([make_point(0)])
    hasty = QdrantVectors(QdrantClient(url=stub.url, timeout=2), "test", "model@1", DIM)
    for fault in ("500", "late"):
        stub.faults = [fault]
        with pytest.raises(StoreUnavailable):
            hasty.upsert([make_point(1), make_point(2)])
    store.upsert([make_point(1), make_point(2)])

    assert stub.fired == ["500", "late"]
    assert len(store.revisions(Space.PASSAGE)) == 3


def test_another_model_is_refused_until_its_vectors_are_to_be_built(served: tuple[QdrantVectors, Stub]) -> None:
    store, _ = served
    store.upsert([make_point(1)])
    client = store._client

    with pytest.raises(ModelMismatch, match="rebuild vectors"):
        QdrantVectors(client, "test", "other@1", DIM)
    beside = QdrantVectors(client, "test", "other@1", DIM, new_model=True)
    beside.upsert([make_point(2)])

    assert len(store.revisions(Space.PASSAGE)) == len(beside.revisions(Space.PASSAGE)) == 1


def test_a_dead_server_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        QdrantVectors(QdrantClient(url="http://127.0.0.1:9", timeout=1, check_compatibility=False), "t", "m", DIM)
