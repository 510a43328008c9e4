"""The GraphReader contract: order, ties, and a view that holds in every query and at every hop."""

from datetime import timedelta

import pytest

from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.events import Step
from graph.model.observations import Status
from graph.model.times import Window
from graph.model.views import View
from graph.ports.graph import GraphBatch
from tests.contract.conftest import GraphBackend
from tests.support.clock import START
from tests.support.values import edge, entity, event, fact, observation, record

ALL = View(scopes=None)
OUT, IN = Direction.OUT, Direction.IN
DAY = timedelta(days=1)

SEEN_OR_NOT = [
    ({}, View(scopes=frozenset({"s"})), True),
    ({"scope": "t"}, View(scopes=frozenset({"s"})), False),
    ({}, View(scopes=frozenset()), False),
    ({"status": Status.ARCHIVED}, ALL, False),
    ({"status": Status.ARCHIVED}, View(scopes=None, statuses=frozenset({Status.ARCHIVED})), True),
    ({}, View(scopes=None, statuses=frozenset()), False),
    ({"authored_at": START}, View(scopes=None, window=Window(start=START, end=START + DAY)), True),
    ({"authored_at": START + DAY}, View(scopes=None, window=Window(start=START, end=START + DAY)), False),
    ({"authored_at": START}, View(scopes=None, window=Window(end=START)), False),
    ({}, View(scopes=None, window=Window()), False),
    ({}, View(scopes=None, as_of=START), True),
    ({"valid_from": START}, View(scopes=None, as_of=START), True),
    ({"valid_to": START}, View(scopes=None, as_of=START), False),
    ({"valid_from": START + DAY}, View(scopes=None, as_of=START), False),
    ({"session": "x"}, View(scopes=None, sessions=frozenset({"x", "y"})), True),
    ({"session": "z"}, View(scopes=None, sessions=frozenset({"x", "y"})), False),
    ({}, View(scopes=None, sessions=frozenset({"x"})), False),
    ({"author": "Ada"}, View(scopes=None, authors=frozenset({"Ada"})), True),
    ({"author": "ada"}, View(scopes=None, authors=frozenset({"Ada"})), False),
]


@pytest.mark.parametrize(("fields", "view", "visible"), SEEN_OR_NOT)
def test_every_read_applies_the_whole_view(graph_backend: GraphBackend, fields: dict, view: View, visible: bool) -> None:  # type: ignore[type-arg]  # a literal table
    o = observation("o", text="some words", **({"authored_at": START} | fields if view.window is None else fields))
    scope = o.scope
    edges = [edge(EdgeKind.NEXT, "from", "o", scope=scope), edge(EdgeKind.ABOUT, "o", "e", scope=scope)]
    graph_backend.writer.write(
        GraphBatch(
            records=[record("record", scope=scope)],
            observations=[o, observation("from", scope=scope, record_id="other")],
            entities=[entity("e", scope=scope)],
            edges=edges,
        )
    )
    expected, reader = [o] if visible else [], graph_backend.reader
    assert reader.observations(["o"], view) == expected
    assert [o for o in reader.scan(view) if o.id == "o"] == expected
    assert reader.passages_of(["record"], view) == expected
    assert reader.timeline(view, entity_id="e") == (expected if o.authored_at else [])
    assert [w.to for w in reader.expand(["from"], [Hop(EdgeKind.NEXT, OUT)], view)] == [o.id for o in expected]
    assert graph_backend.lookup.mentioning(["some", "words"], view) == [o.id for o in expected]


def test_entities_facts_and_records_are_filtered_by_scope_and_state_alone(graph_backend: GraphBackend) -> None:
    late = START + DAY
    graph_backend.writer.write(
        GraphBatch(
            records=[record("r"), record("r2", scope="t")],
            observations=[observation("o")],
            entities=[entity("e"), entity("e2", status=Status.ARCHIVED)],
            facts=[fact("f", valid_from=late, evidence=("o",))],
            edges=[
                *(edge(EdgeKind.MENTIONS, "o", e) for e in ("e", "e2")),
                *(edge(EdgeKind.PART_OF, "o", r) for r in ("r", "r2")),
                edge(EdgeKind.EVIDENCE, "f", "o"),
            ],
        )
    )
    hops = [Hop(EdgeKind.MENTIONS, OUT), Hop(EdgeKind.PART_OF, OUT), Hop(EdgeKind.EVIDENCE, IN)]
    view = View(scopes=frozenset({"s"}), window=Window(start=late), as_of=START, sessions=frozenset({"x"}))
    assert [w.to for w in graph_backend.reader.expand(["o"], hops, view)] == ["e", "r", "f"]
    archived = View(scopes=None, statuses=frozenset({Status.ARCHIVED}))
    assert [w.to for w in graph_backend.reader.expand(["o"], hops, archived)] == ["e2", "r", "r2"]
    assert [r.id for r in graph_backend.reader.records(["r2", "r"], archived)] == ["r2", "r"]


def test_an_edge_of_another_scope_or_time_is_not_walked(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(
            observations=[observation(i) for i in "abc"],
            edges=[
                edge(EdgeKind.CAUSES, "a", "b", scope="t"),
                edge(EdgeKind.CAUSES, "a", "c", valid_from=START, valid_to=START + DAY),
            ],
        )
    )
    hop = Hop(EdgeKind.CAUSES, OUT)

    def walked(view: View) -> list[str]:
        return [w.to for w in graph_backend.reader.expand(["a"], [hop], view)]

    assert walked(ALL) == ["b", "c"]
    assert walked(View(scopes=frozenset({"s"}))) == ["c"]
    assert walked(View(scopes=None, as_of=START + DAY)) == ["b"]


def test_expand_is_ordered_by_frontier_hop_weight_and_target(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(
            observations=[observation(i) for i in "abcde"],
            edges=[
                edge(EdgeKind.CAUSES, "a", "b", weight=0.5),
                edge(EdgeKind.CAUSES, "a", "d", weight=0.9),
                edge(EdgeKind.CAUSES, "a", "c", weight=0.5),
                edge(EdgeKind.NEXT, "e", "a"),
                edge(EdgeKind.CAUSES, "e", "a"),
            ],
        )
    )
    hops = [Hop(EdgeKind.CAUSES, IN), Hop(EdgeKind.CAUSES, OUT, fanout=2), Hop(EdgeKind.NEXT, IN)]
    walked = graph_backend.reader.expand(["e", "a", "nowhere", "a"], hops, ALL)
    once = [("a", 0, "e"), ("a", 1, "d"), ("a", 1, "b"), ("a", 2, "e")]
    assert [(w.at, hops.index(w.hop), w.to) for w in walked] == [("e", 1, "a"), *once, *once]
    assert (walked[1].edge.source, walked[1].edge.target) == ("e", "a")


def test_fanout_and_hub_cap_count_what_the_view_allows(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(
            observations=[
                observation("a"),
                *(observation(f"o{n}", status=Status.ARCHIVED if n < 3 else Status.ACTIVE) for n in range(6)),
            ],
            edges=[edge(EdgeKind.NEXT, "a", f"o{n}", weight=1 - n / 10) for n in range(6)],
        )
    )

    def walked(**bounds: int) -> list[str]:
        return [w.to for w in graph_backend.reader.expand(["a"], [Hop(EdgeKind.NEXT, OUT, **bounds)], ALL)]

    assert walked(fanout=2) == ["o3", "o4"]
    assert walked(hub_degree=3) == ["o3", "o4", "o5"]
    assert walked(hub_degree=2) == []
    assert walked(fanout=0) == []


def test_an_edge_to_what_was_never_written_leads_nowhere(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(GraphBatch(observations=[observation("a")], edges=[edge(EdgeKind.NEXT, "a", "ghost")]))
    assert graph_backend.reader.expand(["a", "ghost"], [Hop(EdgeKind.NEXT, OUT)], ALL) == []


def test_observations_and_records_come_in_the_order_asked(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(GraphBatch(observations=[observation(i) for i in "abc"]))
    assert [o.id for o in graph_backend.reader.observations(["c", "?", "a", "b"], ALL)] == ["c", "a", "b"]
    assert graph_backend.reader.observations([], ALL) == []


def test_passages_come_by_record_then_position_and_part(graph_backend: GraphBackend) -> None:
    places = [("p", 1, 1), ("p", 1, 0), ("p", 0, 0), ("q", 0, 0)]
    graph_backend.writer.write(
        GraphBatch(observations=[observation(f"{r}{p}{n}", record_id=r, position=p, part=n) for r, p, n in places])
    )
    reader = graph_backend.reader
    assert [o.id for o in reader.passages_of(["q", "p", "none"], ALL)] == ["q00", "p00", "p10", "p11"]
    assert [o.id for o in reader.passages_of(["q", "p"], ALL, limit=2)] == ["q00", "p00"]


def test_the_timeline_is_dated_ordered_and_may_follow_an_entity(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(
            observations=[
                observation("late", authored_at=START + DAY),
                observation("b", authored_at=START),
                observation("a", authored_at=START),
                observation("old", authored_at=START.replace(year=1)),
                observation("undated"),
            ],
            entities=[entity("e")],
            edges=[edge(EdgeKind.ABOUT, "late", "e"), edge(EdgeKind.MENTIONS, "a", "e"), edge(EdgeKind.NEXT, "b", "e")],
        )
    )
    reader = graph_backend.reader
    assert [o.id for o in reader.timeline(ALL)] == ["old", "a", "b", "late"]
    assert [o.id for o in reader.timeline(ALL, newest_first=True, limit=2)] == ["late", "b"]
    assert [o.id for o in reader.timeline(ALL, entity_id="e")] == ["a", "late"]
    assert reader.timeline(ALL, entity_id="unknown") == []


def test_scan_pages_through_everything_by_id(graph_backend: GraphBackend) -> None:
    ids = [f"o{n:02}" for n in range(7)]
    graph_backend.writer.write(GraphBatch(observations=[observation(i) for i in reversed(ids)], entities=[entity("o00x")]))
    pages, after = [], None
    while page := graph_backend.reader.scan(ALL, after=after, limit=3):
        pages.append([o.id for o in page])
        after = page[-1].id
    assert pages == [ids[:3], ids[3:6], ids[6:]]


def test_counts_are_by_scope_and_know_the_work_to_do(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(observations=[observation("a"), observation("b", scope="t")], edges=[edge(EdgeKind.NEXT, "a", "b")])
    )
    graph_backend.ledger.append([event("1"), event("2"), event("3", scope="t")])
    for work in graph_backend.ledger.claim(Step.PROJECT, 1, DAY):
        graph_backend.ledger.fail(work, "poison", None)
    everything, one = graph_backend.reader.counts(None), graph_backend.reader.counts(frozenset({"t"}))
    empty = dict.fromkeys(("entities", "facts", "records"), 0)
    assert everything == {"events": 3, "observations": 2, "edges": 1, "pending": 2, "dead_letters": 1} | empty
    assert (one["observations"], one["edges"], one["events"]) == (1, 0, 1)
    assert set(graph_backend.reader.counts(frozenset()).values()) == {0}
