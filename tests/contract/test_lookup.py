"""The Lookup contract: names, identifiers, triples and words in a row."""

from datetime import timedelta

import pytest

from graph.model.edges import EdgeKind
from graph.model.entities import Fact
from graph.model.observations import Status
from graph.model.views import View
from graph.ports.graph import GraphBatch
from tests.contract.conftest import GraphBackend
from tests.support.clock import START
from tests.support.values import edge, entity, fact, observation, record

ALL = View(scopes=None)
DAY = timedelta(days=1)


def test_entities_are_found_by_name_and_alias_key(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(
            entities=[
                entity("e2", "Ada Lovelace", aliases=("The Countess", "AAL")),
                entity("e1", "Ada Lovelace", scope="t"),
                entity("e3", "Zürich"),
            ]
        )
    )
    find = graph_backend.lookup.entities_by_key
    assert [e.id for e in find(["zurich", "ada lovelace"], ALL)] == ["e1", "e2", "e3"]
    assert [e.id for e in find(["countess", "ada lovelace"], View(scopes=frozenset({"s"})))] == ["e2"]
    assert find(["ada"], ALL) == []
    assert [e.id for e in graph_backend.lookup.entities(["e3", "?", "e1"], ALL)] == ["e3", "e1"]


def test_a_renamed_entity_is_not_found_by_its_old_name(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(GraphBatch(entities=[entity("e", "Old", aliases=("older",))]))
    graph_backend.writer.write(GraphBatch(entities=[entity("e", "New", revision=2)]))
    assert graph_backend.lookup.entities_by_key(["old", "older"], ALL) == []
    assert [e.id for e in graph_backend.lookup.entities_by_key(["new"], ALL)] == ["e"]


def test_the_entity_list_begins_with_the_most_mentioned(graph_backend: GraphBackend) -> None:
    names = {"e1": "beta", "e2": "alpha", "e3": "alpine", "e4": "50% off_season"}
    graph_backend.writer.write(
        GraphBatch(
            entities=[entity(i, n) for i, n in names.items()],
            observations=[observation("o")],
            edges=[edge(EdgeKind.MENTIONS, "o", "e3")],
        )
    )
    graph_backend.writer.recount("s", list(names))
    assert [e.id for e in graph_backend.lookup.entity_list(ALL)] == ["e3", "e4", "e2", "e1"]
    assert [e.id for e in graph_backend.lookup.entity_list(ALL, limit=1)] == ["e3"]
    assert [e.id for e in graph_backend.lookup.entity_list(ALL, prefix="al")] == ["e3", "e2"]
    assert graph_backend.lookup.entity_list(ALL, prefix="%") == []


def test_records_are_found_by_identifiers_whatever_their_case_and_spaces(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(
            records=[record("r2", identifiers=("PEP  8",)), record("r1", identifiers=("pep 8", "#12")), record("x", scope="t")]
        )
    )
    found = graph_backend.lookup.records_by_identifier(["Pep 8", "#12", "#13"], ALL)
    assert {k: [r.id for r in v] for k, v in found.items()} == {"Pep 8": ["r1", "r2"], "#12": ["r1"]}
    graph_backend.writer.write(GraphBatch(records=[record("r1", identifiers=("#12",), revision=2)]))
    assert [r.id for r in graph_backend.lookup.records_by_identifier(["PEP 8"], ALL)["PEP 8"]] == ["r2"]
    assert graph_backend.lookup.records_by_identifier(["PEP 8"], View(scopes=frozenset({"t"}))) == {}


def test_facts_are_found_by_subject_or_object_in_order_of_validity(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(
        GraphBatch(
            facts=[
                fact("f1", subject_id="e1", valid_from=START + DAY),
                fact("f2", object_id="e1", valid_from=START),
                fact("f3", subject_id="e1", predicate="status", authored_at=START),
                fact("f4", subject_id="e1", status=Status.SUPERSEDED),
                fact("f5", subject_id="e2"),
            ]
        )
    )
    facts = graph_backend.lookup.facts

    def ids(found: list[Fact]) -> list[str]:
        return [f.id for f in found]

    assert ids(facts(ALL, subject_ids=["e1"])) == ["f3", "f2", "f1"]
    assert ids(facts(ALL, subject_ids=["e1"], predicate="status")) == ["f3"]
    assert ids(facts(ALL, subject_ids=["e1"], limit=1)) == ["f3"]
    assert ids(facts(ALL, ids=["f5", "?", "f1"])) == ["f5", "f1"]
    assert ids(facts(ALL)) == ["f5", "f3", "f2", "f1"]
    assert facts(ALL, subject_ids=[]) == []


@pytest.mark.parametrize(("at", "holds"), [(START, True), (START + DAY, False), (START - DAY, False)])
def test_as_of_keeps_the_facts_whose_interval_holds_that_moment(graph_backend: GraphBackend, at: object, holds: bool) -> None:
    graph_backend.writer.write(GraphBatch(facts=[fact("open"), fact("f", valid_from=START, valid_to=START + DAY)]))
    view = View(scopes=None, as_of=at)  # type: ignore[arg-type]  # a parameter of the table
    assert [f.id for f in graph_backend.lookup.facts(view)] == (["open", "f"] if holds else ["open"])


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("The Café's owner met Ada Lovelace.", ["ada", "lovelace"], True),
        ("The Café's owner met Ada Lovelace.", ["cafe", "owner"], True),
        ("Ada met Lovelace", ["ada", "lovelace"], False),
        ("Lovelace, Ada", ["ada", "lovelace"], False),
        ("unavoidable", ["void"], False),
        ("parse_auth-token", ["auth", "token"], True),
        ("我们在北京开会", ["北京"], True),
        ("我们在北京开会", ["京北"], False),
        ("東京タワーへ行く", ["東京タワー"], True),
        ("Python入门 2.0", ["入门", "2"], True),
        ("สวัสดีครับ", ["ครับ"], True),
        ("Straße", ["strasse"], True),
        ('NEAR OR AND "x" *', ["near", "or", "and"], True),
        ("c plus", ["c", "++"], False),
        ("anything", [], False),
        ("word \x00 after", ["word", "after"], True),
        ("\U00030000\U00030001 ext", ["\U00030000\U00030001"], True),
        ("ⴰⵎⴰⵣⵉⵖ 𞤀𞤣", ["ⴰⵎⴰⵣⵉⵖ"], True),
    ],
)
def test_mentioning_finds_folded_words_in_a_row(graph_backend: GraphBackend, text: str, phrase: list[str], found: bool) -> None:
    graph_backend.writer.write(
        GraphBatch(observations=[observation("o", text=text), observation("other", text="quite another")])
    )
    assert graph_backend.lookup.mentioning(phrase, ALL) == (["o"] if found else [])


def test_mentioning_follows_a_changed_text_and_is_ordered_by_id(graph_backend: GraphBackend) -> None:
    graph_backend.writer.write(GraphBatch(observations=[observation(i, text="old words") for i in "cab"]))
    graph_backend.writer.write(GraphBatch(observations=[observation("a", text="new words")]))
    assert graph_backend.lookup.mentioning(["old"], ALL) == ["b", "c"]
    assert graph_backend.lookup.mentioning(["words"], ALL, limit=2) == ["a", "b"]
