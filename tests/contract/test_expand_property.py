"""Whatever the graph, hops and view: expand gives what a plain reading of its contract gives."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.entities import Entity
from graph.model.observations import Observation, Status
from graph.model.times import Window
from graph.model.views import View
from graph.ports.graph import GraphBatch
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from tests.support.clock import START
from tests.support.values import entity, observation

TIMES = st.sampled_from([None, START, START + timedelta(days=1), START + timedelta(days=2)])
SCOPES = st.sampled_from("st")
STATUSES = st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.ARCHIVED])
KINDS = st.sampled_from([EdgeKind.CAUSES, EdgeKind.MENTIONS])
OBSERVATIONS = [f"o{n}" for n in range(6)]
ENTITIES = ["e0", "e1", "e2"]
NODES = st.sampled_from([*OBSERVATIONS, *ENTITIES, "ghost"])


@st.composite
def observations(draw: st.DrawFn, id_: str) -> Observation:
    times = {name: draw(TIMES) for name in ("authored_at", "valid_from", "valid_to")}
    company = {name: draw(st.sampled_from([None, "x", "y"])) for name in ("session", "author")}
    return observation(id_, scope=draw(SCOPES), status=draw(STATUSES), **times, **company)


@st.composite
def edges(draw: st.DrawFn) -> Edge:
    weight = draw(st.sampled_from([0.25, 0.5, 0.1 + 0.2, 1.0]))
    return Edge(
        draw(KINDS),
        draw(NODES),
        draw(NODES),
        draw(SCOPES),
        weight,
        evidence=draw(st.sampled_from([None, "o1", "unseen"])),
        note=draw(st.sampled_from(["", "weil"])),
        valid_from=draw(TIMES),
        valid_to=draw(TIMES),
    )


@st.composite
def batches(draw: st.DrawFn) -> GraphBatch:
    return GraphBatch(
        observations=[draw(observations(i)) for i in draw(st.sampled_from([OBSERVATIONS, OBSERVATIONS[:4], OBSERVATIONS[2:]]))],
        entities=[entity(i, scope=draw(SCOPES), status=draw(STATUSES)) for i in ENTITIES],
        edges=draw(st.lists(edges(), max_size=40, unique_by=lambda e: (e.kind, e.source, e.target))),
    )


VIEWS = st.builds(
    View,
    scopes=st.sampled_from([None, None, frozenset("s"), frozenset("st"), frozenset()]),
    statuses=st.sampled_from([frozenset({Status.ACTIVE}), frozenset(Status), frozenset({Status.ARCHIVED})]),
    window=st.none() | st.builds(Window, start=TIMES, end=TIMES),
    as_of=TIMES,
    sessions=st.sampled_from([None, None, None, frozenset("x")]),
    authors=st.sampled_from([None, None, None, frozenset("xy")]),
)
HOPS = st.lists(
    st.builds(Hop, KINDS, st.sampled_from(Direction), st.sampled_from([1, 2, 32]), st.sampled_from([None, None, 1, 3])),
    max_size=4,
)


def holds(valid: Edge | Observation, view: View) -> bool:
    at = view.as_of
    return at is None or (
        (valid.valid_from is None or valid.valid_from <= at) and (valid.valid_to is None or valid.valid_to > at)
    )


def visible(node: Observation | Entity | None, view: View) -> bool:
    if node is None or node.status not in view.statuses or not (view.scopes is None or node.scope in view.scopes):
        return False
    if isinstance(node, Entity):
        return True
    return (
        (view.window is None or (node.authored_at is not None and node.authored_at in view.window))
        and holds(node, view)
        and (view.sessions is None or node.session in view.sessions)
        and (view.authors is None or node.author in view.authors)
    )


def naive(batch: GraphBatch, frontier: list[str], hops: list[Hop], view: View) -> Iterator[tuple[int, int, str, Edge]]:
    """The contract of expand, word by word."""
    nodes = {n.id: n for n in (*batch.observations, *batch.entities)}
    for place, at in enumerate(frontier):
        for number, hop in enumerate(hops):
            found = [
                (target, e)
                for e in batch.edges
                for near, target in [(e.source, e.target) if hop.direction is Direction.OUT else (e.target, e.source)]
                if e.kind is hop.kind and near == at and visible(nodes.get(target), view) and holds(e, view)
                if view.scopes is None or e.scope in view.scopes
            ]
            if hop.hub_degree is None or len(found) <= hop.hub_degree:
                found.sort(key=lambda one: (-one[1].weight, one[0]))
                yield from ((place, number, target, e) for target, e in found[: hop.fanout])


@contextmanager
def stored_graph(batch: GraphBatch) -> Iterator[SqliteGraph]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "memory.db")
        graph = SqliteGraph(database)
        graph.write(batch)
        yield graph
        database.close()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(batch=batches(), asked=st.lists(st.tuples(st.lists(NODES, max_size=4), HOPS, VIEWS), min_size=1, max_size=6))
def test_expand_agrees_with_a_plain_reading_of_its_contract(
    batch: GraphBatch, asked: list[tuple[list[str], list[Hop], View]]
) -> None:
    with stored_graph(batch) as graph:
        for frontier, hops, view in asked:
            walked = graph.expand(frontier, hops, view)
            expected = list(naive(batch, frontier, hops, view))
            assert [(w.at, w.hop, w.to, w.edge) for w in walked] == [
                (frontier[place], hops[number], to, e) for place, number, to, e in expected
            ]
