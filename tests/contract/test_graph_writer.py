"""The GraphWriter contract: keyed, repeatable, revisions only go forward, what is forgotten stays so."""

import math

import pytest

from graph.errors import InvalidInput
from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.observations import Observation, Status
from graph.model.views import View
from graph.ports import GraphReader, GraphWriter, Lookup
from graph.ports.graph import GraphBatch
from tests.support.clock import START
from tests.support.values import edge, entity, fact, observation, record

ALL = View(scopes=None)
EVERY_STATE = View(scopes=None, statuses=frozenset(Status))


def stored(reader: GraphReader, id_: str, view: View = EVERY_STATE) -> Observation:
    (found,) = reader.observations([id_], view)
    return found


def test_what_is_written_comes_back_equal_also_when_written_twice(
    writer: GraphWriter, reader: GraphReader, lookup: Lookup
) -> None:
    o = observation(
        "o", text="naïve \x00 “q” 漢字", authored_at=START.replace(year=1), session="s1", priors={"WHY": 0.5}, pinned=True
    )
    e, f = entity("e", "Redis", aliases=("redis-server",)), fact("f", subject_id="e", evidence=("o",), valid_to=START)
    r = record("record", identifiers=("PEP 8",), title="t")
    batch = GraphBatch(records=[r], observations=[o], entities=[e], facts=[f], edges=[edge(EdgeKind.PART_OF, "o", "record")])
    for _ in range(2):
        writer.write(batch)
        assert reader.observations(["o"], ALL) == [o]
        assert lookup.entities(["e"], ALL) == [e]
        assert lookup.facts(ALL, ids=["f"]) == [f]
        assert reader.records(["record"], ALL) == [r]
        counts = reader.counts(None)
        assert {k: counts[k] for k in ("observations", "entities", "facts", "records", "edges")} == dict.fromkeys(
            ("observations", "entities", "facts", "records", "edges"), 1
        )


def test_a_lower_revision_is_ignored_an_equal_one_keeps_state_and_pin_a_higher_one_overwrites(
    writer: GraphWriter, reader: GraphReader
) -> None:
    writer.write(GraphBatch(observations=[observation("o", revision=2, pinned=True, status=Status.ARCHIVED)]))
    writer.write(GraphBatch(observations=[observation("o", revision=1, text="older")]))
    assert stored(reader, "o").text == "text"
    writer.write(GraphBatch(observations=[observation("o", revision=2, text="equal")]))
    assert stored(reader, "o") == observation("o", revision=2, text="equal", pinned=True, status=Status.ARCHIVED)
    writer.write(GraphBatch(observations=[observation("o", revision=3, text="newer")]))
    assert stored(reader, "o") == observation("o", revision=3, text="newer")


def test_in_one_batch_the_later_of_two_counts(writer: GraphWriter, reader: GraphReader) -> None:
    writer.write(
        GraphBatch(observations=[observation("o", text="1", revision=2), observation("o", text="2"), observation("p")])
    )
    assert stored(reader, "o").text == "1"
    writer.write(GraphBatch(observations=[observation("p", text="3"), observation("p", text="4")]))
    assert stored(reader, "p").text == "4"


def test_a_forgotten_item_stays_forgotten_until_it_is_restored(writer: GraphWriter, reader: GraphReader) -> None:
    writer.write(GraphBatch(observations=[observation("o")]))
    assert writer.set_status("s", ["o"], Status.FORGOTTEN, "asked") == ["o"]
    writer.write(GraphBatch(observations=[observation("o", revision=9)]))
    assert writer.set_status("s", ["o"], Status.ACTIVE, "no") == []
    assert stored(reader, "o").status is Status.FORGOTTEN
    assert writer.set_status("s", ["o"], Status.ACTIVE, "yes", restore=True) == ["o"]
    assert (stored(reader, "o").status, stored(reader, "o").revision) == (Status.ACTIVE, 10)


def test_set_status_moves_only_what_is_of_the_scope_and_not_there_yet(
    writer: GraphWriter, reader: GraphReader, lookup: Lookup
) -> None:
    writer.write(
        GraphBatch(observations=[observation("o"), observation("x", scope="t")], entities=[entity("e")], facts=[fact("f")])
    )
    ids = ["f", "unknown", "x", "o", "e"]
    assert writer.set_status("s", ids, Status.SNOOZED, "later") == ["f", "o", "e"]
    assert writer.set_status("s", ids, Status.SNOOZED, "later") == []
    assert reader.observations(["o", "x"], ALL) == [observation("x", scope="t")]
    assert lookup.entities(["e"], ALL) == lookup.facts(ALL) == []
    assert [f.revision for f in lookup.facts(EVERY_STATE)] == [2]


def test_set_pinned_tells_what_changed(writer: GraphWriter, reader: GraphReader) -> None:
    writer.write(GraphBatch(observations=[observation("a"), observation("b", pinned=True), observation("x", scope="t")]))
    assert writer.set_pinned("s", ["a", "b", "x", "?"], True) == ["a"]
    assert stored(reader, "a").pinned
    assert stored(reader, "a").revision == 2


def test_the_evidence_of_a_fact_told_again_is_united(writer: GraphWriter, lookup: Lookup) -> None:
    writer.write(GraphBatch(facts=[fact("f", evidence=("o1", "o2")), fact("f", evidence=("o3", "o1"))]))
    assert lookup.facts(ALL)[0].evidence == ("o1", "o2", "o3")
    writer.write(GraphBatch(facts=[fact("f", revision=2, evidence=("o9",))]))
    assert lookup.facts(ALL)[0].evidence == ("o9",)


def test_an_entity_told_again_keeps_its_aliases_and_counts(writer: GraphWriter, lookup: Lookup) -> None:
    writer.write(GraphBatch(entities=[entity("e", "Ada", aliases=("AL",))], edges=[edge(EdgeKind.ABOUT, "o", "e")]))
    writer.recount("s", ["e"])
    writer.write(GraphBatch(entities=[entity("e", "Ada", aliases=("Lovelace",))]))
    (found,) = lookup.entities_by_key(["lovelace"], ALL)
    assert (found.aliases, found.about) == (("AL", "Lovelace"), 1)


def test_an_edge_is_one_by_its_key_and_its_revision_only_goes_forward(writer: GraphWriter, reader: GraphReader) -> None:
    nodes = [observation("a"), observation("b")]
    newer = edge(EdgeKind.CAUSES, "a", "b", weight=0.5, revision=2, evidence="a", note="because", sentence=3, valid_from=START)
    writer.write(GraphBatch(observations=nodes, edges=[newer]))
    writer.write(GraphBatch(edges=[edge(EdgeKind.CAUSES, "a", "b", weight=0.9)]))
    hop = Hop(EdgeKind.CAUSES, Direction.OUT)
    assert [w.edge for w in reader.expand(["a"], [hop], ALL)] == [newer]
    writer.write(GraphBatch(edges=[edge(EdgeKind.CAUSES, "a", "b", weight=0.9, revision=2)]))
    assert [w.edge.weight for w in reader.expand(["a"], [hop], ALL)] == [0.9]
    assert reader.counts(None)["edges"] == 1


def test_drop_takes_away_what_leaves_a_source_before_the_rest_is_written(writer: GraphWriter, reader: GraphReader) -> None:
    writer.write(
        GraphBatch(
            observations=[observation(i) for i in "abc"],
            edges=[edge(EdgeKind.SIMILAR, "a", "b"), edge(EdgeKind.SIMILAR, "b", "a"), edge(EdgeKind.NEXT, "a", "b")],
        )
    )
    writer.write(GraphBatch(drop=[("s", "SIMILAR", "a"), ("t", "SIMILAR", "b")], edges=[edge(EdgeKind.SIMILAR, "a", "c")]))
    walked = reader.expand(["a", "b"], [Hop(EdgeKind.SIMILAR, Direction.OUT), Hop(EdgeKind.NEXT, Direction.OUT)], ALL)
    assert [(w.at, w.to) for w in walked] == [("a", "c"), ("a", "b"), ("b", "a")]
    assert reader.counts(None)["edges"] == 3


def test_recount_counts_mentions_and_weighs_them_by_how_common_the_entity_is(
    writer: GraphWriter, reader: GraphReader, lookup: Lookup
) -> None:
    writer.write(
        GraphBatch(
            observations=[observation(f"o{n}") for n in range(10)],
            entities=[entity("e"), entity("rare")],
            edges=[
                *(edge(EdgeKind.MENTIONS, f"o{n}", "e") for n in range(4)),
                edge(EdgeKind.ABOUT, "o1", "e"),
                edge(EdgeKind.MENTIONS, "o1", "rare"),
            ],
        )
    )
    writer.recount("s", ["e", "rare", "unknown"])
    found = {e.id: (e.mentions, e.about) for e in lookup.entity_list(ALL)}
    assert found == {"e": (4, 1), "rare": (1, 0)}
    weights = {w.to: w.edge.weight for w in reader.expand(["o1"], [Hop(EdgeKind.MENTIONS, Direction.OUT)], ALL)}
    assert weights == pytest.approx({df: math.log(1 + 10 / (1 + n)) / math.log(11) for df, n in (("e", 4), ("rare", 1))})


def test_a_lone_surrogate_is_refused_and_nothing_of_the_batch_is_stored(writer: GraphWriter, reader: GraphReader) -> None:
    for bad in (
        observation("b", text="\udfff"),
        observation("b", metadata={"k": "\ud800"}),
        observation("b", session="\ud800"),
    ):
        with pytest.raises(InvalidInput):
            writer.write(GraphBatch(observations=[observation("a"), bad]))
    assert reader.scan(EVERY_STATE) == []
