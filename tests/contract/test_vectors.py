"""What every vector index promises, held against a plain numpy reference."""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from qdrant_client import QdrantClient

from graph.errors import InvalidInput
from graph.model.observations import Status
from graph.model.points import Point, Scored, Space, Sparse, Stamp, Vector
from graph.model.times import Window
from graph.model.views import View
from graph.stores.embedded.vectors import EdgeVectors
from graph.stores.qdrant.vectors import QdrantVectors
from graph.text.terms import document_sparse, query_sparse
from tests.contract.points import DIM, NOON, ClosableStore, make_point, uid, unit

EVERYTHING = View(scopes=None, statuses=frozenset(Status))


Opener = Callable[[], ClosableStore]

BACKENDS: dict[str, Callable[[Path], ClosableStore]] = {
    "edge": lambda path: EdgeVectors(path / "vectors", DIM, "test@1"),
    "qdrant-client": lambda _: QdrantVectors(QdrantClient(":memory:"), "test", "test@1", DIM),
}
if os.environ.get("QDRANT_URL"):  # a real server, where there is one
    BACKENDS["qdrant-server"] = lambda path: QdrantVectors(
        QdrantClient(url=os.environ["QDRANT_URL"]), path.name.replace("_", "-"), "test@1", DIM
    )


@pytest.fixture(params=BACKENDS, scope="module")
def opener(request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens a new empty index at each call, in memory where the system has such a place; all are closed at the end."""
    memory = Path("/dev/shm")
    with ExitStack() as stack:

        def open_one() -> ClosableStore:
            directory = stack.enter_context(TemporaryDirectory(dir=memory if memory.is_dir() else None))
            store = BACKENDS[request.param](Path(directory))
            stack.callback(store.close)
            return store

        yield open_one


@pytest.fixture
def store(opener: Opener) -> ClosableStore:
    return opener()


def ids(found: list[Scored]) -> list[str]:
    return [scored.id for scored in found]


def allowed(point: Point, view: View, among: list[str] | None = None) -> bool:
    """The view, as plain Python."""
    window, as_of = view.window, view.as_of
    return (
        (view.scopes is None or point.scope in view.scopes)
        and point.status in view.statuses
        and (view.sessions is None or point.session in view.sessions)
        and (view.authors is None or point.author in view.authors)
        and (window is None or (point.authored_at is not None and point.authored_at in window))
        and (as_of is None or point.valid_from is None or point.valid_from <= as_of)
        and (as_of is None or point.valid_to is None or as_of < point.valid_to)
        and (among is None or point.owner in among)
    )


def reference(points: list[Point], query: Vector, view: View, among: list[str] | None = None) -> list[tuple[str, float]]:
    seen = [(point.id, float(point.dense @ query)) for point in points if allowed(point, view, among)]
    return sorted(seen, key=lambda pair: (-round(pair[1], 3), pair[0]))


def test_nearest_come_first_with_their_cosine(store: ClosableStore) -> None:
    points = [make_point(number) for number in range(300)]
    store.upsert(points)
    query = unit(7_000)
    found = store.search(Space.PASSAGE, query, EVERYTHING, 20)
    expected = sorted((float(point.dense @ query) for point in points), reverse=True)[:20]
    assert [scored.score for scored in found] == pytest.approx(expected, abs=2e-3)
    assert {scored.id: (scored.owner, scored.ordinal) for scored in found}.items() <= {
        point.id: (point.owner, point.ordinal) for point in points
    }.items()


def test_ties_are_broken_by_id_also_where_the_limit_cuts_them(store: ClosableStore) -> None:
    same = unit(1)
    points = [make_point(number, dense=same) for number in range(60)]
    store.upsert(points[::-1])
    store.upsert([make_point(number) for number in range(100, 130)])
    assert ids(store.search(Space.PASSAGE, same, EVERYTHING, 10)) == sorted(point.id for point in points)[:10]
    assert ids(store.search(Space.PASSAGE, same, EVERYTHING, 60)) == sorted(point.id for point in points)


def test_the_same_search_gives_the_same_answer(store: ClosableStore) -> None:
    store.upsert([make_point(number) for number in range(200)])
    assert store.search(Space.PASSAGE, unit(3), EVERYTHING, 50) == store.search(Space.PASSAGE, unit(3), EVERYTHING, 50)


def test_an_empty_index_answers_with_nothing(store: ClosableStore) -> None:
    for space in Space:
        assert store.search(space, unit(1), EVERYTHING, 5) == []
        assert store.vectors(space, [uid("o", 1)]) == {}
        assert store.revisions(space) == []
    store.delete([uid("o", 1)])
    store.set_status([uid("o", 1)], Status.ARCHIVED, 2)
    store.flush()


def test_a_limit_of_nothing_is_nothing(store: ClosableStore) -> None:
    store.upsert([make_point(1)])
    assert store.search(Space.PASSAGE, unit(1), EVERYTHING, 0) == []


# --- the view ------------------------------------------------------------------------------------------------------------

SCOPES, SESSIONS, AUTHORS = ("a", "b", "team:x/1"), (None, "s1", "s2"), (None, "ann", "bob")
FAR = [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)]
moments = st.sampled_from([NOON + timedelta(microseconds=step) for step in range(-2, 3)] + FAR)
bounds = st.one_of(st.none(), moments)


def choice(values: tuple[str | None, ...]) -> st.SearchStrategy[frozenset[str] | None]:
    return st.one_of(st.none(), st.frozensets(st.sampled_from([value for value in values if value])))


views = st.builds(
    View,
    scopes=choice(SCOPES),
    statuses=st.frozensets(st.sampled_from(list(Status)), min_size=1),
    window=st.one_of(st.none(), st.builds(Window, start=bounds, end=bounds)),
    as_of=bounds,
    sessions=choice(SESSIONS),
    authors=choice(AUTHORS),
)


def varied(number: int) -> Point:
    """A point whose filterable fields run through all their values, spread by the number."""
    pick = np.random.default_rng(number)
    dates = [None, *FAR, *(NOON + timedelta(microseconds=int(step)) for step in range(-2, 3))]
    return make_point(
        number,
        scope=SCOPES[pick.integers(3)],
        session=SESSIONS[pick.integers(3)],
        author=AUTHORS[pick.integers(3)],
        status=list(Status)[pick.integers(len(Status))],
        authored_at=dates[pick.integers(len(dates))],
        valid_from=dates[pick.integers(len(dates))],
        valid_to=dates[pick.integers(len(dates))],
    )


@pytest.fixture(scope="module")
def filled(opener: Opener) -> tuple[ClosableStore, list[Point]]:
    store, points = opener(), [varied(number) for number in range(600)]
    store.upsert(points)
    return store, points


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(view=views, owners=st.one_of(st.none(), st.lists(st.integers(0, 700), max_size=40)), seed=st.integers(0, 50))
def test_every_view_sees_what_the_reference_sees(
    filled: tuple[ClosableStore, list[Point]], view: View, owners: list[int] | None, seed: int
) -> None:
    store, points = filled
    among = None if owners is None else [uid("owner", number) for number in owners]
    expected = reference(points, unit(9_000 + seed), view, among)
    found = store.search(Space.PASSAGE, unit(9_000 + seed), view, 1000, among=among)
    assert sorted(ids(found)) == sorted(id_ for id_, _ in expected)
    scores = dict(expected)
    assert [scored.score for scored in found] == pytest.approx([scores[scored.id] for scored in found], abs=2e-3)
    few = store.search(Space.PASSAGE, unit(9_000 + seed), view, 7, among=among)
    assert few == found[:7]


@pytest.mark.parametrize("name", ["scopes", "sessions", "authors", "statuses"])
def test_an_empty_set_sees_nothing(store: ClosableStore, name: str) -> None:
    store.upsert([make_point(1, session="s", author="a")])
    assert store.search(Space.PASSAGE, unit(1), replace(EVERYTHING, **{name: frozenset()}), 5) == []
    assert store.search(Space.PASSAGE, unit(1), EVERYTHING, 5, among=[]) == []


def test_a_window_open_on_both_sides_still_wants_a_date(store: ClosableStore) -> None:
    store.upsert([make_point(1, authored_at=None), make_point(2, authored_at=NOON)])
    found = store.search(Space.PASSAGE, unit(1), replace(EVERYTHING, window=Window()), 5)
    assert ids(found) == [make_point(2).id]


def test_a_small_scope_among_forty_is_searched_in_full(store: ClosableStore) -> None:
    """One scope has 0.1 % of the points: a filter applied after the search would miss them."""
    points = [make_point(number, scope="tiny" if number % 1000 == 0 else f"s{number % 39}") for number in range(8000)]
    store.upsert(points)
    view = replace(EVERYTHING, scopes=frozenset({"tiny"}))
    for seed in range(20):
        found = store.search(Space.PASSAGE, unit(500 + seed), view, 8)
        assert len(found) == 8
        assert set(ids(found)) == {point.id for point in points if point.scope == "tiny"}
    half = store.search(Space.PASSAGE, unit(1), view, 4)
    assert ids(half) == [id_ for id_, _ in reference(points, unit(1), view)][:4]


# --- sparse --------------------------------------------------------------------------------------------------------------

TEXTS = [
    "the checkout was slow because the cache was disabled",
    "cache disabled on 3 May after the incident",
    "the incident review blamed the cache and the cache only",
    "lunch moved to noon",
    "parseAuthToken raises on an empty header",
]


def bm25(texts: list[str], question: str) -> list[float]:
    """Weights of graph.text.terms times the IDF of Robertson and Zaragoza, in plain Python."""
    stored = [dict(zip(s.indices.tolist(), s.values.tolist(), strict=True)) for s in map(document_sparse, texts)]
    asked = query_sparse(question).indices.tolist()
    df = {term: sum(term in document for document in stored) for term in asked}
    idf = {term: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for term, n in df.items()}
    return [sum(document.get(term, 0.0) * idf[term] for term in asked) for document in stored]


@pytest.mark.parametrize("space", [Space.PASSAGE, Space.FACT])
def test_a_sparse_search_is_bm25(store: ClosableStore, space: Space) -> None:
    points = [make_point(n, space=space, sparse=document_sparse(text)) for n, text in enumerate(TEXTS)]
    store.upsert(points)
    for question in ("why was the cache disabled", "parseAuthToken header", "incident"):
        expected = {point.id: score for point, score in zip(points, bm25(TEXTS, question), strict=True) if score}
        found = store.search(space, query_sparse(question), EVERYTHING, 10)
        assert {scored.id: scored.score for scored in found} == pytest.approx(expected, rel=1e-3)
        assert ids(found) == sorted(expected, key=lambda id_: (-expected[id_], id_))


def test_a_sparse_search_obeys_the_view_and_the_owners(store: ClosableStore) -> None:
    points = [make_point(n, sparse=document_sparse(text), scope="a" if n % 2 else "b") for n, text in enumerate(TEXTS)]
    store.upsert(points)
    found = store.search(Space.PASSAGE, query_sparse("cache"), replace(EVERYTHING, scopes=frozenset({"b"})), 10)
    assert sorted(ids(found)) == sorted([points[0].id, points[2].id])
    few = store.search(Space.PASSAGE, query_sparse("cache"), EVERYTHING, 10, among=[points[1].owner])
    assert ids(few) == [points[1].id]


def test_no_terms_find_nothing(store: ClosableStore) -> None:
    store.upsert([make_point(1, sparse=document_sparse("")), make_point(2, sparse=document_sparse("cache"))])
    assert store.search(Space.PASSAGE, query_sparse(""), EVERYTHING, 10) == []
    assert store.search(Space.PASSAGE, query_sparse("unknown"), EVERYTHING, 10) == []


def test_writing_twice_has_the_effect_of_once(store: ClosableStore) -> None:
    points = [make_point(number, sparse=document_sparse(f"word{number} common")) for number in range(20)]
    store.upsert(points)
    before = (
        store.search(Space.PASSAGE, unit(1), EVERYTHING, 50),
        store.search(Space.PASSAGE, query_sparse("common"), EVERYTHING, 50),
    )
    store.upsert(points)
    store.upsert([*points, *points])
    after = (
        store.search(Space.PASSAGE, unit(1), EVERYTHING, 50),
        store.search(Space.PASSAGE, query_sparse("common"), EVERYTHING, 50),
    )
    assert before == after
    assert len(store.vectors(Space.PASSAGE, [points[0].owner])[points[0].owner]) == 1


def test_a_lower_revision_never_overwrites(store: ClosableStore) -> None:
    old, new = make_point(1, dense=unit(11), revision=2), make_point(1, dense=unit(12), revision=5, scope="new")
    store.upsert([new])
    store.upsert([old, make_point(2)])
    (found,) = store.search(Space.PASSAGE, unit(12), EVERYTHING, 1)
    assert (found.id, found.score) == (new.id, pytest.approx(1, abs=2e-3))
    assert store.vectors(Space.PASSAGE, [new.owner])[new.owner][0] == pytest.approx(new.dense, abs=1e-3)
    assert sorted(store.revisions(Space.PASSAGE)) == sorted(
        [(new.id, new.owner, 5, Status.ACTIVE), (make_point(2).id, make_point(2).owner, 1, Status.ACTIVE)]
    )


def test_an_equal_or_higher_revision_overwrites(store: ClosableStore) -> None:
    for revision, seed in ((3, 21), (3, 22), (4, 23)):
        store.upsert([make_point(1, dense=unit(seed), revision=revision, author=f"author {seed}")])
        view = replace(EVERYTHING, authors=frozenset({f"author {seed}"}))
        assert [scored.score for scored in store.search(Space.PASSAGE, unit(seed), view, 5)] == pytest.approx([1], abs=2e-3)
    assert len(store.search(Space.PASSAGE, unit(1), EVERYTHING, 5)) == 1


def test_the_newest_of_several_revisions_in_one_call_is_kept(store: ClosableStore) -> None:
    store.upsert([make_point(1, revision=r, dense=unit(30 + r)) for r in (2, 7, 3)])
    assert [row[2] for row in store.revisions(Space.PASSAGE)] == [7]
    assert store.search(Space.PASSAGE, unit(37), EVERYTHING, 1)[0].score == pytest.approx(1, abs=2e-3)


BAD: dict[str, Point] = {
    "another dimension": make_point(1, dense=np.ones(DIM + 1, np.float32)),
    "two dimensions": make_point(1, dense=np.ones((1, DIM), np.float32)),
    "not a number": make_point(1, dense=np.full(DIM, np.nan, np.float32)),
    "infinite": make_point(1, dense=np.full(DIM, np.inf, np.float32)),
    "zero": make_point(1, dense=np.zeros(DIM, np.float32)),
    "id": replace(make_point(1), id="not-a-uuid"),
    "sparse nan": make_point(1, sparse=Sparse(np.array([1], np.uint32), np.array([np.nan], np.float32))),
    "sparse twice": make_point(1, sparse=Sparse(np.array([1, 1], np.uint32), np.array([1, 1], np.float32))),
    "sparse lengths": make_point(1, sparse=Sparse(np.array([1, 2], np.uint32), np.array([1], np.float32))),
}


@pytest.mark.parametrize("what", BAD)
def test_one_bad_vector_stores_nothing_at_all(store: ClosableStore, what: str) -> None:
    good = [make_point(number) for number in range(10, 20)]
    with pytest.raises(InvalidInput):
        store.upsert([*good[:5], BAD[what], *good[5:]])
    assert store.search(Space.PASSAGE, unit(1), EVERYTHING, 50) == []
    assert store.revisions(Space.PASSAGE) == []


@pytest.mark.parametrize("query", [np.zeros(DIM, np.float32), np.full(DIM, np.nan, np.float32), np.ones(3, np.float32)])
def test_a_bad_query_is_refused(store: ClosableStore, query: Vector) -> None:
    with pytest.raises(InvalidInput):
        store.search(Space.PASSAGE, query, EVERYTHING, 5)


def sentences(owner: int, number: int) -> list[Point]:
    return [make_point(owner, space=Space.SENTENCE, ordinal=n, dense=unit(owner * 1000 + n)) for n in range(number)]


def test_vectors_come_by_owner_in_the_order_of_ordinals(store: ClosableStore) -> None:
    points = [point for owner in range(1, 40) for point in sentences(owner, owner % 6)]
    shuffled = [points[n] for n in np.random.default_rng(5).permutation(len(points))]
    store.upsert(shuffled)
    owners = [uid("owner", number) for number in (39, 6, 5, 100, 17, 5)]
    found = store.vectors(Space.SENTENCE, owners)
    assert {owner: len(rows) for owner, rows in found.items()} == {owners[0]: 3, owners[2]: 5, owners[4]: 5}
    for number in (39, 5, 17):
        rows = found[uid("owner", number)]
        assert rows.dtype == np.float32
        assert rows == pytest.approx(np.array([point.dense for point in sentences(number, number % 6)]), abs=1e-3)


def test_a_state_changes_in_every_space(store: ClosableStore) -> None:
    points = [make_point(owner, space=space) for space in Space for owner in (1, 2)]
    store.upsert(points)
    store.set_status([uid("owner", 1), uid("owner", 77)], Status.SUPERSEDED, 4)
    active = View(scopes=None)
    for space in Space:
        assert [scored.owner for scored in store.search(space, unit(1), active, 5)] == [uid("owner", 2)]
        assert len(store.search(space, unit(1), EVERYTHING, 5)) == 2
    store.set_status([uid("owner", 1)], Status.ACTIVE, 3)
    store.upsert([make_point(1, revision=3)])
    assert len(store.search(Space.PASSAGE, unit(1), active, 5)) == 1
    store.set_status([uid("owner", 1)], Status.ACTIVE, 5)
    assert len(store.search(Space.PASSAGE, unit(1), active, 5)) == 2


def test_deleting_removes_an_owner_from_every_space(store: ClosableStore) -> None:
    points = [make_point(owner, space=space, ordinal=n) for space in Space for owner in (1, 2) for n in range(2)]
    store.upsert(points)
    gone, stays = uid("owner", 1), uid("owner", 2)
    for _ in range(2):
        store.delete([gone, uid("owner", 99)])
        for space in Space:
            assert {scored.owner for scored in store.search(space, unit(1), EVERYTHING, 9)} == {stays}
            assert list(store.vectors(space, [gone, stays])) == [stays]
    store.upsert([make_point(1)])
    assert list(store.vectors(Space.PASSAGE, [gone])) == [gone]


def test_revisions_are_listed_in_pages_by_id(store: ClosableStore) -> None:
    points = [make_point(number, revision=number + 1) for number in range(25)]
    store.upsert(points)
    expected = sorted((point.id, point.owner, point.revision, point.status) for point in points)
    seen: list[Stamp] = []
    while page := store.revisions(Space.PASSAGE, after=seen[-1][0] if seen else None, limit=10):
        seen.extend(page)
    assert seen == expected


def test_many_owners_in_one_call(store: ClosableStore) -> None:
    points = [make_point(number) for number in range(700)]
    store.upsert(points)
    owners = [point.owner for point in points]
    assert len(store.vectors(Space.PASSAGE, owners)) == 700
    assert len(store.search(Space.PASSAGE, unit(1), EVERYTHING, 1000, among=owners[:600])) == 600
    store.set_status(owners, Status.ARCHIVED, 2)
    assert store.search(Space.PASSAGE, unit(1), View(scopes=None), 5) == []
    store.delete(owners[:650])
    assert len(store.search(Space.PASSAGE, unit(1), EVERYTHING, 1000)) == 50
