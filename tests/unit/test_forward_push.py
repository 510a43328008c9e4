"""Forward push over the adjacency: what arrives where, under a view, and that fresh edges count."""

from pathlib import Path

import numpy as np
import pytest

from bench.traversal_engines import networkx_engine, synthetic
from bench.traversal_store import node_id, number_of, ours_engine, stored
from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.observations import Status
from graph.model.views import View
from graph.ports.graph import GraphBatch
from graph.stores.embedded.adjacency.keeper import AdjacencyKeeper
from graph.stores.embedded.adjacency.push import Spread
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from tests.support.values import edge, observation


def pushed(database: Database, view: View, **spread: float) -> dict[str, float]:
    hops = [Hop(EdgeKind.CAUSES, Direction.OUT), Hop(EdgeKind.NEXT, Direction.IN)]
    found = database.companion(AdjacencyKeeper).push(["a"], np.ones(1), hops, Spread(depth=2, **spread), view)
    assert found is not None
    return dict(zip((id_.decode() for id_ in found.ids.tolist()), found.mass.tolist(), strict=True))


@pytest.fixture
def database(tmp_path: Path) -> Database:
    opened = Database(tmp_path / "m.db")
    SqliteGraph(opened).write(
        GraphBatch(
            observations=[observation(i, status=Status.ARCHIVED if i == "x" else Status.ACTIVE) for i in "abcdx"],
            edges=[
                edge(EdgeKind.CAUSES, "a", "b", weight=0.75),
                edge(EdgeKind.NEXT, "c", "a", weight=0.25),
                edge(EdgeKind.CAUSES, "a", "x", weight=1.0),
                edge(EdgeKind.CAUSES, "b", "d", weight=0.1),
            ],
        )
    )
    return opened


def test_mass_is_shared_by_weight_among_what_may_be_seen(database: Database) -> None:
    assert pushed(database, View(scopes=None), decay=0.5) == pytest.approx({"a": 1.0, "b": 0.375, "c": 0.125, "d": 0.1875})


def test_what_is_below_the_floor_goes_no_further(database: Database) -> None:
    assert pushed(database, View(scopes=None), decay=0.5, floor=0.2) == pytest.approx({"a": 1.0, "b": 0.375})


def test_a_fresh_edge_counts_at_once(database: Database) -> None:
    pushed(database, View(scopes=None))
    SqliteGraph(database).write(
        GraphBatch(edges=[edge(EdgeKind.CAUSES, "d", "c"), edge(EdgeKind.CAUSES, "a", "d", weight=1.0)])
    )
    assert pushed(database, View(scopes=None), decay=0.5)["d"] == pytest.approx(0.25 + 0.1875 / 2)


def test_nothing_is_seen_in_another_scope(database: Database) -> None:
    assert pushed(database, View(scopes=frozenset({"other"}))) == {"a": 1.0}


def test_it_arrives_where_a_plain_walk_arrives(tmp_path: Path) -> None:
    graph = synthetic(400, 4000, seed=1)
    seeds = np.array([3, 77, 200])
    plain = networkx_engine(graph)(seeds, 3)
    with stored(graph, tmp_path / "bench.db") as database:
        found = ours_engine(database)(seeds, 3)
    ours = {number_of(id_): mass for id_, mass in zip(found.ids.tolist(), found.mass.tolist(), strict=True)}
    assert node_id(77).encode() in found.ids.tolist()
    assert ours == pytest.approx(plain, abs=2e-4)
