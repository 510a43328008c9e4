"""The product's side of bench.traversal: the synthetic graph in an embedded store, and walks in it with every filter on."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from bench.traversal_engines import DECAY, FLOOR, Seeds, SyntheticGraph
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.times import Window, to_micros
from graph.model.views import View
from graph.ports.graph import GraphBatch
from graph.stores.embedded.adjacency.keeper import AdjacencyKeeper
from graph.stores.embedded.adjacency.push import Spread
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.rows import KIND_NO, OBSERVATION

START = datetime(2026, 1, 1, tzinfo=UTC)
KINDS = (EdgeKind.CAUSES, EdgeKind.SIMILAR, EdgeKind.NEXT)
EVERYTHING = 1 << 30
SESSIONS = 50

_NODE = """
INSERT INTO node (no, id, label, scope, revision, authored_at, valid_from, session, author) VALUES (?, ?, ?, 1, 1, ?, ?, ?, ?)
"""
_EDGE = """
INSERT INTO edge (kind, source, target, scope, weight, origin, sentence, nested, note, valid_from, revision)
VALUES (?, ?, ?, 1, ?, 0, -1, 0, '', ?, 1)
"""


@lru_cache(maxsize=4096)
def node_id(number: int) -> str:
    """Ids as long as the product's, in an order that is not the numbers'."""
    return f"{(number * 2654435761) % (1 << 32):08x}-{number:027x}"


def view_of_all() -> View:
    """Every filter on, and everything let through, so that all engines walk the same graph."""
    return View(
        scopes=frozenset({"bench"}),
        window=Window(start=START - timedelta(days=1), end=START + timedelta(days=4000)),
        as_of=START + timedelta(days=4000),
        sessions=frozenset(f"session {n}" for n in range(SESSIONS)),
        authors=frozenset({"one", "two"}),
    )


@contextmanager
def _bulk(connection: sqlite3.Connection) -> Iterator[None]:
    """Without the second index and the running total of edges, which are put back at the end: millions go in at once."""
    parts = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name IN ('edge_in', 'edge_counted')").fetchall()
    for type_, name, _ in parts:
        connection.execute(f"DROP {type_} {name}")
    yield
    for _, _, sql in parts:
        connection.execute(sql)


@contextmanager
def stored(graph: SyntheticGraph, path: Path) -> Iterator[Database]:
    """The graph in a database: node n of the graph is number n + 1. One edge in a hundred has a bounded validity."""
    database = Database(path)
    start = to_micros(START)
    names = ["bench", "one", "two", *(f"session {n}" for n in range(SESSIONS))]
    with database.write() as connection, _bulk(connection):
        connection.executemany("INSERT INTO symbol (text) VALUES (?)", ((name,) for name in names))
        connection.executemany(
            _NODE,
            (
                (n + 1, node_id(n), OBSERVATION, start + n, start if n % 10 == 0 else None, 4 + n % SESSIONS, 2 + n % 2)
                for n in range(graph.nodes)
            ),
        )
        kind = np.array([KIND_NO[kind] for kind in KINDS])[graph.kind]
        order = np.lexsort((graph.target, graph.source, kind))
        columns = (kind, graph.source + 1, graph.target + 1, graph.weight)
        valid = [start if n % 100 == 0 else None for n in range(len(order))]
        connection.executemany(_EDGE, zip(*(column[order].tolist() for column in columns), valid, strict=True))
        connection.execute("INSERT INTO tally (what, scope, n) VALUES ('edges', 'bench', ?)", (len(order),))
        connection.execute("UPDATE graph_version SET n = n + 1")
    try:
        yield database
    finally:
        database.close()


def number_of(id_: bytes) -> int:
    """The number of a node_id."""
    return int(id_[9:], 16)


def ours_engine(database: Database) -> Callable[[Seeds, int], Any]:
    """The push over the product's adjacency, from ids to ids: all that a caller pays for."""
    keeper = database.companion(AdjacencyKeeper)
    keeper.load_now()
    hops = [Hop(kind, Direction.OUT, fanout=EVERYTHING) for kind in KINDS]
    view = view_of_all()

    def run(seeds: Seeds, depth: int) -> Any:
        mass = np.full(len(seeds), 1 / len(seeds))
        return keeper.push([node_id(n) for n in seeds.tolist()], mass, hops, Spread(depth, DECAY, FLOOR), view)

    return run


def insert_ms(database: Database, nodes: int, count: int = 200) -> tuple[float, float]:
    """Median milliseconds of a durable insert of one edge through the writer, and of those the adjacency's part.

    Every insert is looked for by a walk right after it; one that is not seen raises.
    """
    graph, view, chance = SqliteGraph(database), view_of_all(), np.random.default_rng(1)
    keeper = database.companion(AdjacencyKeeper)
    whole, part = [], []
    inner = keeper.changed

    def timed(change: Any) -> None:
        started = time.perf_counter()
        inner(change)
        part.append(time.perf_counter() - started)

    keeper.changed = timed  # type: ignore[method-assign]  # a stopwatch
    for _ in range(count):
        source, target = (node_id(n) for n in chance.integers(0, nodes, 2).tolist())
        started = time.perf_counter()
        graph.write(GraphBatch(edges=[Edge(EdgeKind.SUPPORTS, source, target, "bench")]))
        whole.append(time.perf_counter() - started)
        if target not in {w.to for w in graph.expand([source], [Hop(EdgeKind.SUPPORTS, Direction.OUT)], view)}:
            raise RuntimeError("an insert was not visible to the next walk")
    return float(np.median(whole)) * 1000, float(np.median(part)) * 1000


def hub_ms(database: Database, nodes: int, runs: int) -> tuple[float, float]:
    """Median milliseconds (processor's) of one hop from twenty nodes: ordinary ones, and with a hub among them."""
    graph, view, chance = SqliteGraph(database), view_of_all(), np.random.default_rng(2)
    hops = [Hop(EdgeKind.DERIVED_FROM, Direction.OUT), *(Hop(kind, Direction.OUT) for kind in KINDS)]
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        ordinary = [node_id(n) for n in chance.integers(1, nodes, 20).tolist()]
        for taken, frontier in zip(times, (ordinary, [*ordinary[:-1], node_id(0)]), strict=True):
            graph.expand(frontier, hops, view)  # the edges' own rows are fetched once, in both
            started = time.thread_time()
            graph.expand(frontier, hops, view)
            taken.append(time.thread_time() - started)
    return float(np.median(times[0])) * 1000, float(np.median(times[1])) * 1000


def add_hub(database: Database, nodes: int, edges: int) -> None:
    """Node 0 gets this many edges."""
    graph = SqliteGraph(database)
    far = np.random.default_rng(3).permutation(nodes - 1)[:edges] + 1
    weight = np.random.default_rng(4).uniform(0.05, 1, edges)
    hub = [
        Edge(EdgeKind.DERIVED_FROM, node_id(0), node_id(n), "bench", w)
        for n, w in zip(far.tolist(), weight.tolist(), strict=False)
    ]
    graph.write(GraphBatch(edges=hub))


def open_ms(path: Path) -> float:
    """Milliseconds from opening the database to the answer of a first walk in memory."""
    started = time.perf_counter()
    database = Database(path)
    database.companion(AdjacencyKeeper).load_now()
    SqliteGraph(database).expand([node_id(1)], [Hop(kind, Direction.OUT) for kind in KINDS], view_of_all())
    taken = time.perf_counter() - started
    database.close()
    return taken * 1000
