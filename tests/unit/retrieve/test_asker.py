"""The asker over small real stores: paths, intents, scopes, switches, determinism, and legs that fail."""

from datetime import timedelta

import pytest

from graph.errors import ModelUnavailable, StoreError
from graph.model.edges import Direction, EdgeKind
from graph.model.points import Space, Vector
from graph.model.questions import Intent
from graph.retrieve.meta_paths import META_PATHS
from graph.text.terms import terms
from infra.models.minilm import MiniLM
from tests.support.clock import START
from tests.unit.retrieve.small import HOME, SmallMemory

WHY_SLOW = "Why was checkout slow?"


def test_a_why_reaches_causes_that_share_no_word_with_it(outage: SmallMemory) -> None:
    answer = outage.ask(WHY_SLOW)
    asked = set(terms(WHY_SLOW))
    found = {hit.key: hit for hit in answer.results}
    assert outage.keys(answer)[:3] == ["slow", "cache", "alarm"]
    assert not asked & set(terms(found["cache"].text))
    assert not asked & set(terms(found["alarm"].text))


def test_a_cause_comes_with_the_path_that_leads_to_it(outage: SmallMemory) -> None:
    hits = {hit.key: hit for hit in outage.ask(WHY_SLOW).results}
    (step,) = hits["cache"].path
    assert (step.source, step.target) == (outage.ids["slow"], outage.ids["cache"])
    assert (step.kind, step.direction, step.weight) == (EdgeKind.CAUSES, Direction.IN, 0.9)
    assert [s.target for s in hits["alarm"].path] == [outage.ids["cache"], outage.ids["alarm"]]
    assert hits["alarm"].anchor == outage.ids["slow"]
    assert "<- caused by <- Ben disabled the session store" in hits["alarm"].explanation
    assert "Cleo" in hits["alarm"].explanation or "Ben" in hits["alarm"].explanation


def test_every_cause_of_an_effect_is_shown(outage: SmallMemory) -> None:
    outage.tell("bug", "A second fault sat in the pricing rules.", days_ago=13)
    outage.edge(EdgeKind.CAUSES, "bug", "slow")
    assert {"cache", "bug"} <= set(outage.keys(outage.ask(WHY_SLOW))[:5])


def test_a_cause_is_never_dated_after_its_effect(outage: SmallMemory) -> None:
    outage.tell("later", "The harbour crane got a fresh coat of paint.", days_ago=1)
    outage.edge(EdgeKind.CAUSES, "later", "slow")
    hits = {hit.key: hit for hit in outage.ask(WHY_SLOW).results}
    assert "later" not in hits or not hits["later"].path


@pytest.mark.parametrize("off", ["graph", "cause", "CAUSES"])
def test_what_is_switched_off_is_not_walked(outage: SmallMemory, off: str) -> None:
    answer = outage.ask(WHY_SLOW, without=frozenset({off}))
    assert all(step.kind is not EdgeKind.CAUSES for hit in answer.results for step in hit.path)


@pytest.mark.parametrize("off", ["dense", "sparse", "facts", "entities", "sentences", "effects", "record", "next", "speaker"])
def test_every_leg_can_be_switched_off(outage: SmallMemory, off: str) -> None:
    assert outage.ask(WHY_SLOW, without=frozenset({off})).results[0].key == "slow"


def test_the_same_question_gives_the_same_answer(outage: SmallMemory) -> None:
    first, second = outage.ask(WHY_SLOW, trace=True), outage.ask(WHY_SLOW, trace=True)
    assert first.model_copy(update={"ms": {}}) == second.model_copy(update={"ms": {}})


def test_another_scope_is_never_seen_on_any_way(outage: SmallMemory) -> None:
    outage.tell("secret", "Checkout was slow because of a secret trial.", scope="other")
    outage.edge(EdgeKind.CAUSES, "secret", "slow")
    answer = outage.ask(WHY_SLOW, trace=True)
    assert outage.ids["secret"] not in str(answer.model_dump())


def test_nothing_is_seen_with_no_scope(outage: SmallMemory) -> None:
    answer = outage.ask(WHY_SLOW, scopes=())
    assert not answer.results
    assert not answer.answered


def rich(memory: SmallMemory) -> SmallMemory:
    """A memory in which every meta-path has somewhere to lead."""
    memory.tell("start", "The Falcon release was late by three weeks.", days_ago=10, title="Falcon")
    memory.tell("hint", "Falcon waited for the Osprey team, says this report.", days_ago=11, title="Report")
    memory.tell("osprey", "Osprey is a group of four people in Lyon.", days_ago=12, title="Osprey")
    memory.tell("lyon", "The Osprey office flooded in spring.", days_ago=13)
    memory.tell("pump", "Nobody had serviced the cellar pump.", days_ago=14)
    memory.tell("pipe", "An old drain had burst before.", days_ago=15)
    memory.tell("twin", "The Falcon release slipped by twenty days.", days_ago=9)
    memory.tell("rule", "The committee turned the request down.", days_ago=20, record="rules", priors={"WHY": 3.0})
    memory.tell("fine", "A fine was paid in the end.", days_ago=8)
    memory.name("Falcon", ["start", "hint", "twin"], ["start"])
    memory.name("Osprey", ["hint", "osprey", "lyon"], ["osprey"])
    memory.edge(EdgeKind.CITES, "hint", "record:rules")
    memory.edge(EdgeKind.CAUSES, "hint", "start")
    memory.edge(EdgeKind.CAUSES, "pump", "lyon")
    memory.edge(EdgeKind.CAUSES, "pipe", "twin")
    memory.edge(EdgeKind.CAUSES, "start", "fine")
    memory.edge(EdgeKind.SIMILAR, "start", "twin")
    memory.edge(EdgeKind.SIMILAR, "hint", "lyon")
    return memory


@pytest.mark.parametrize("intent", list(Intent))
def test_every_meta_path_of_every_intent_fires(memory: SmallMemory, intent: Intent) -> None:
    answer = rich(memory).ask("What about the Falcon release?", intent=intent, trace=True)
    assert answer.trace is not None
    (retrieval,) = answer.trace["retrievals"]
    expected = {path.name for path in META_PATHS if intent in path.intents}
    assert set(retrieval["paths"]) == expected
    assert all(found["trails"] > 0 for found in retrieval["paths"].values())


def test_the_trace_shows_every_leg(outage: SmallMemory) -> None:
    answer = outage.ask(WHY_SLOW, trace=True)
    assert answer.trace is not None
    legs = answer.trace["retrievals"][0]["legs"]
    assert set(legs) == {"passage", "sentence", "sparse", "facts", "effects", "entities"}
    assert legs["passage"][0]["id"] == outage.ids["slow"]


def test_an_entity_question_gives_facts_as_of_the_date_asked(memory: SmallMemory) -> None:
    memory.tell("lead", "Ana Silva leads the payments team.", days_ago=400)
    memory.tell("lead2", "Ben Okoro leads the payments team now.", days_ago=5)
    memory.name("payments team", ["lead", "lead2"])
    change = START - timedelta(days=5)
    memory.state("Ana Silva", "leads", "the payments team", "lead", valid_from=START - timedelta(days=400), valid_to=change)
    memory.state("Ben Okoro", "leads", "the payments team", "lead2", valid_from=change)
    now = memory.ask("Who leads the Payments team?")
    then = memory.ask("Who leads the Payments team?", as_of=START - timedelta(days=100))
    assert [fact.subject for fact in now.facts] == ["Ben Okoro"]
    assert [fact.subject for fact in then.facts] == ["Ana Silva"]


def test_a_when_question_gives_dates_in_order(outage: SmallMemory) -> None:
    dates = outage.ask("When was checkout slow?").dates
    assert [item.start for item in dates] == sorted(item.start for item in dates)
    assert any(item.hit == outage.ids["slow"] for item in dates)


def test_a_compound_question_answers_both_parts(outage: SmallMemory) -> None:
    answer = outage.ask("Why was checkout slow and when did the alarm fire?")
    assert [guess.intent for guess in answer.intents] == [Intent.WHY, Intent.WHEN]
    assert {"slow", "cache", "alarm"} <= set(outage.keys(answer)[:5])
    assert answer.dates


def test_a_question_about_the_past_looks_only_there(outage: SmallMemory) -> None:
    answer = outage.ask("What happened in the last four days?", asked_at=START, intent=Intent.WHAT)
    assert answer.window is not None
    assert outage.keys(answer) == ["lunch"]


def test_an_empty_time_is_said_and_looked_beyond(outage: SmallMemory) -> None:
    answer = outage.ask("Was checkout slow this morning?", asked_at=START)
    assert outage.keys(answer)[0] == "slow"
    assert answer.warnings


def test_near_duplicates_are_demoted_not_removed(outage: SmallMemory) -> None:
    outage.tell("copy", "Checkout was painfully slow for customers all afternoon!", days_ago=10)
    hits = {hit.key: hit for hit in outage.ask("How slow was checkout for customers?").results}
    assert sorted("duplicate" in hits[key].breakdown for key in ("slow", "copy")) == [False, True]


def test_texts_that_differ_by_a_number_are_no_duplicates(memory: SmallMemory) -> None:
    for number in (1123, 1231, 1312):
        memory.tell(f"t{number}", f"Ana reviewed ticket {number} in the morning and closed it without a change.")
    answer = memory.ask("Which tickets did Ana review?")
    assert all("duplicate" not in hit.breakdown for hit in answer.results)


def test_an_outage_is_never_no_memories(outage: SmallMemory) -> None:
    outage.vectors.close()
    with pytest.raises(StoreError):
        outage.ask(WHY_SLOW, without=frozenset({"entities"}))


def test_a_named_entity_still_answers_when_the_vectors_are_closed(memory: SmallMemory) -> None:
    rich(memory).vectors.close()
    answer = memory.ask("What about Falcon?")
    assert "start" in memory.keys(answer)
    assert {"dense", "sparse"} <= set(answer.degraded)


def test_one_space_that_fails_leaves_the_others(outage: SmallMemory) -> None:
    outage.vectors._shards[Space.SENTENCE].close()
    answer = outage.ask(WHY_SLOW)
    assert outage.keys(answer)[0] == "slow"
    assert "dense" in answer.degraded


class BrokenModel(MiniLM):
    """A model that loads no more."""

    def embed(self, texts: object) -> Vector:  # noqa: ARG002
        raise ModelUnavailable("the weights are gone")


def test_without_a_model_the_words_still_find_it(outage: SmallMemory) -> None:
    outage.asker._embedder = BrokenModel()
    answer = outage.ask(WHY_SLOW)
    assert outage.keys(answer)[0] == "slow"
    assert answer.degraded == ("dense",)


def test_a_pin_never_lifts_what_is_less_relevant(outage: SmallMemory) -> None:
    outage.graph.set_pinned(HOME, [outage.ids["train"]], True)
    assert outage.keys(outage.ask(WHY_SLOW))[0] == "slow"
