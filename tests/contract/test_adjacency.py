"""The adjacency in memory and the walk in SQL give the same, whatever was written before and after it was loaded."""

import random
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.observations import Status
from graph.model.views import View
from graph.ports.graph import GraphBatch
from graph.stores.embedded.adjacency import arrays, keeper, links
from graph.stores.embedded.adjacency.keeper import AdjacencyKeeper
from graph.stores.embedded.database import Database
from graph.stores.embedded.expansion import expand_in_sql
from graph.stores.embedded.graph import SqliteGraph
from tests.contract.test_expand_property import ENTITIES, HOPS, KINDS, NODES, OBSERVATIONS, VIEWS, batches
from tests.support.values import edge, entity, observation

ALL = View(scopes=None)
IDS = st.lists(st.sampled_from([*OBSERVATIONS, *ENTITIES]), min_size=1, max_size=3)
CHANGES = st.one_of(
    st.tuples(st.just("write"), batches()),
    st.tuples(st.just("drop"), st.tuples(st.sampled_from("st"), KINDS, NODES)),
    st.tuples(st.just("status"), st.tuples(st.sampled_from("st"), IDS, st.sampled_from(Status))),
    st.tuples(st.just("pinned"), st.tuples(st.sampled_from("st"), IDS, st.booleans())),
    st.tuples(st.just("recount"), st.tuples(st.sampled_from("st"), st.just(ENTITIES))),
)


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a handful of edges has long rows, several reads of one, and fresh links folded in at the next write."""
    monkeypatch.setattr(links, "LONG_ROW", 2)
    monkeypatch.setattr(links, "_FIRST_READ", 1)
    monkeypatch.setattr(arrays, "FRESH_LIMIT", 20)
    monkeypatch.setattr(arrays, "LATE_LIMIT", 3)
    monkeypatch.setattr(keeper, "SNAPSHOT_ROWS", 0)
    monkeypatch.setattr(keeper, "OBSERVATIONS_KEPT", 3)
    monkeypatch.setattr(keeper, "EDGES_KEPT", 5)


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Database, SqliteGraph]]:
    database = Database(folder / "memory.db")
    try:
        yield database, SqliteGraph(database)
    finally:
        database.close()


def change(graph: SqliteGraph, what: str, how: tuple) -> None:  # type: ignore[type-arg]  # as CHANGES draws it
    if what == "write":
        graph.write(how)  # type: ignore[arg-type]  # a batch
    elif what == "drop":
        graph.write(GraphBatch(drop=[how]))
    elif what == "status":
        scope, ids, status = how
        graph.set_status(scope, ids, status, "because", restore=True)
    elif what == "pinned":
        graph.set_pinned(*how)
    else:
        graph.recount(*how)


def both_agree(database: Database, frontier: list[str], hops: list[Hop], view: View) -> None:
    kept = database.companion(AdjacencyKeeper)
    kept.load_now()
    assert kept.walk(frontier, hops, view) == expand_in_sql(database, frontier, hops, view)
    assert kept.observations(frontier, view) == SqliteGraph(database).observations_in_sql(frontier, view)


EVERYWHERE = ([*OBSERVATIONS, *ENTITIES], [Hop(k, d) for k in (EdgeKind.CAUSES, EdgeKind.MENTIONS) for d in Direction], ALL)
ASKED = st.lists(st.tuples(st.lists(NODES, max_size=4), HOPS, VIEWS), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(first=batches(), changes=st.lists(CHANGES, max_size=5), asked=ASKED, reopen=st.booleans())
def test_walks_in_memory_and_in_sql_agree(first: GraphBatch, changes: list, asked: list, reopen: bool) -> None:  # type: ignore[type-arg]  # as drawn
    with tempfile.TemporaryDirectory() as folder:
        with opened(Path(folder)) as (database, graph):
            graph.write(first)
            for step in [None, *changes]:
                if step is not None:
                    change(graph, *step)
                for frontier, hops, view in (EVERYWHERE, *asked):
                    both_agree(database, frontier, hops, view)
        if reopen:
            with opened(Path(folder)) as (database, graph):
                for frontier, hops, view in asked:
                    both_agree(database, frontier, hops, view)
                change(graph, "write", first)  # type: ignore[arg-type]  # a batch
                for frontier, hops, view in asked:
                    both_agree(database, frontier, hops, view)


NEXT_OUT = [Hop(EdgeKind.NEXT, Direction.OUT)]


def test_what_is_written_is_walked_by_the_next_call(database: Database) -> None:
    graph = SqliteGraph(database)
    graph.write(GraphBatch(observations=[observation("a")]))
    assert graph.expand(["a"], NEXT_OUT, ALL) == []
    assert database.companion(AdjacencyKeeper).warm
    for n in range(5):
        graph.write(GraphBatch(observations=[observation(f"o{n}")], edges=[edge(EdgeKind.NEXT, "a", f"o{n}")]))
        assert [w.to for w in graph.expand(["a"], NEXT_OUT, ALL)] == [f"o{m}" for m in range(n + 1)]
        assert database.companion(AdjacencyKeeper).warm


def test_ids_of_any_length_and_script_keep_their_order(database: Database) -> None:
    graph = SqliteGraph(database)
    names = ["a" * 60, "é", "z", "漢", "A"]
    graph.write(GraphBatch(observations=[observation("start")]))
    graph.expand(["start"], NEXT_OUT, ALL)
    graph.write(
        GraphBatch(observations=[observation(n) for n in names], edges=[edge(EdgeKind.NEXT, "start", n) for n in names])
    )
    assert [w.to for w in graph.expand(["start"], NEXT_OUT, ALL)] == sorted(names)
    assert [w.at for w in graph.expand(["漢", "é"], [Hop(EdgeKind.NEXT, Direction.IN)], ALL)] == ["漢", "é"]


def test_a_change_that_came_by_another_way_is_seen_all_the_same(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, first), opened(tmp_path) as (_, second):
        first.write(GraphBatch(observations=[observation("a"), observation("b")]))
        assert first.expand(["a"], NEXT_OUT, ALL) == []
        second.write(GraphBatch(edges=[edge(EdgeKind.NEXT, "a", "b")]))
        assert [w.to for w in first.expand(["a"], NEXT_OUT, ALL)] == ["b"]
        first.write(GraphBatch(observations=[observation("c")], edges=[edge(EdgeKind.NEXT, "a", "c")]))
        assert [w.to for w in first.expand(["a"], NEXT_OUT, ALL)] == ["b", "c"]


def test_a_snapshot_of_another_version_or_file_is_not_used(tmp_path: Path) -> None:
    with opened(tmp_path) as (database, graph):
        graph.write(GraphBatch(observations=[observation("a"), observation("b")]))
        database.companion(AdjacencyKeeper).load_now()
    assert len(list((tmp_path / "memory.db.adjacency").iterdir())) == 1
    with opened(tmp_path) as (_, graph):
        graph.write(GraphBatch(edges=[edge(EdgeKind.NEXT, "a", "b")]))
        assert [w.to for w in graph.expand(["a"], NEXT_OUT, ALL)] == ["b"]
    for file in tmp_path.glob("memory.db*"):
        if file.is_file():
            file.unlink()
    with opened(tmp_path) as (_, graph):
        graph.write(GraphBatch(observations=[observation("a")]))
        graph.write(GraphBatch(observations=[observation("c")]))
        assert graph.expand(["a"], NEXT_OUT, ALL) == []


def test_walks_go_on_in_sql_while_much_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "AT_ONCE_ROWS", 0)
    with opened(tmp_path) as (database, graph):
        graph.write(GraphBatch(observations=[observation("a"), observation("b")], edges=[edge(EdgeKind.NEXT, "a", "b")]))
        for n in range(20):
            assert [w.to for w in graph.expand(["a"], NEXT_OUT, ALL)][:1] == ["b"]
            graph.write(GraphBatch(observations=[observation(f"x{n}")], edges=[edge(EdgeKind.NEXT, "a", f"x{n}")]))
        database.companion(AdjacencyKeeper).load_now()
        assert database.companion(AdjacencyKeeper).warm
        both_agree(database, ["a"], NEXT_OUT, ALL)
        assert len(graph.expand(["a"], NEXT_OUT, ALL)) == 21


def test_readers_and_writers_at_once_never_see_half_a_change(database: Database) -> None:
    """Every write adds a pair of edges in one batch: a reader must see an even number of them."""
    graph = SqliteGraph(database)
    graph.write(GraphBatch(observations=[observation("a")], entities=[entity("e")]))
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(len(graph.expand(["a"], [Hop(EdgeKind.NEXT, Direction.OUT, fanout=1000)], ALL)))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for n in range(60):
        pair = [f"x{n}", f"y{n}"]
        graph.write(GraphBatch(observations=[observation(i) for i in pair], edges=[edge(EdgeKind.NEXT, "a", i) for i in pair]))
    done.set()
    for reader in readers:
        reader.join()
    assert seen
    assert {count % 2 for count in seen} == {0}
    assert len(graph.expand(["a"], [Hop(EdgeKind.NEXT, Direction.OUT, fanout=1000)], ALL)) == 120


@pytest.mark.parametrize("seed", range(8))
def test_a_hub_is_cut_and_capped_alike_wherever_its_visible_edges_stand(database: Database, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test's chance
    graph = SqliteGraph(database)
    far = [f"o{n:02}" for n in range(14)]
    states = {i: chance.choice([Status.ACTIVE, Status.ARCHIVED]) for i in far}
    nodes = [observation("hub"), *(observation(i, status=s) for i, s in states.items())]
    edges = [edge(EdgeKind.NEXT, "hub", i, weight=chance.choice([0.25, 0.5, 0.75])) for i in far]
    graph.write(GraphBatch(observations=nodes, edges=edges[:9]))
    database.companion(AdjacencyKeeper).load_now()
    for fresh in ([], edges[9:12], edges[12:]):
        graph.write(GraphBatch(edges=fresh))
        for cap in (None, *range(len(far) + 1)):
            hops = [Hop(EdgeKind.NEXT, Direction.OUT, fanout, cap) for fanout in (1, 3, 20)]
            both_agree(database, ["hub", "o01", "hub"], hops, ALL)


def test_an_edge_that_was_dropped_or_changed_is_not_walked_as_it_was(database: Database) -> None:
    graph = SqliteGraph(database)
    edges = [edge(EdgeKind.NEXT, "a", i, weight=w) for i, w in (("b", 0.5), ("c", 0.4))]
    graph.write(GraphBatch(observations=[observation(i) for i in "abc"], edges=edges))
    assert [w.to for w in graph.expand(["a"], NEXT_OUT, ALL)] == ["b", "c"]
    graph.write(GraphBatch(edges=[edge(EdgeKind.NEXT, "a", "c", weight=0.9, note="new")]))
    assert [(w.to, w.edge.note) for w in graph.expand(["a"], NEXT_OUT, ALL)] == [("c", "new"), ("b", "")]
    graph.write(GraphBatch(drop=[("s", "NEXT", "a")], edges=edges[:1]))
    assert [w.to for w in graph.expand(["a"], NEXT_OUT, ALL)] == ["b"]
    assert graph.expand(["c"], [Hop(EdgeKind.NEXT, Direction.IN)], ALL) == []
    assert database.companion(AdjacencyKeeper).warm


def test_mentions_are_in_the_order_of_their_entitys_weight_once_it_is_counted(database: Database) -> None:
    """Before, each mention has its own weight; after, all of an entity weigh the same and go by id."""
    graph = SqliteGraph(database)
    far = [f"o{n}" for n in range(8)]
    edges = [edge(EdgeKind.MENTIONS, i, "e", weight=(n + 1) / 10) for n, i in enumerate(far)]
    graph.write(GraphBatch(observations=[observation(i) for i in far], entities=[entity("e")], edges=edges))
    named_by = [Hop(EdgeKind.MENTIONS, Direction.IN, fanout=3)]
    assert [w.to for w in graph.expand(["e"], named_by, ALL)] == ["o7", "o6", "o5"]
    graph.recount("s", ["e"])
    assert [w.to for w in graph.expand(["e"], named_by, ALL)] == ["o0", "o1", "o2"]
    assert len({w.edge.weight for w in graph.expand(far, [Hop(EdgeKind.MENTIONS, Direction.OUT)], ALL)}) == 1
    assert database.companion(AdjacencyKeeper).warm
