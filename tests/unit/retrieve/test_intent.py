"""Intent rules: what fires, compound questions, and the accuracy on human-labelled questions."""

import json

import pytest

from graph.model.questions import Intent
from graph.retrieve.intent import clauses, guess, intents
from graph.retrieve.modes import mode
from tests.data import dataset


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("why is the queue slow", Intent.WHY),
        ("How come checkout was down?", Intent.WHY),
        ("What blocks the release?", Intent.WHY),
        ("What depends on the billing service?", Intent.WHY),
        ("What led to the outage in May?", Intent.WHY),
        ("What made us drop Redis?", Intent.WHY),
        ("When was it deployed?", Intent.WHEN),
        ("In what year did the project start?", Intent.WHEN),
        ("what happened last week", Intent.WHEN),
        ("Who owns the gateway?", Intent.ENTITY),
        ("Whose idea was the cache?", Intent.ENTITY),
        ("Which person reviewed the patch?", Intent.ENTITY),
        ("@ana", Intent.ENTITY),
        ("anything on #billing", Intent.ENTITY),
        ("explain the layout", Intent.WHAT),
        ("How do I run the tests?", Intent.WHAT),
    ],
)
def test_a_question_is_sorted_by_what_it_asks_for(question: str, intent: Intent) -> None:
    assert guess(question).intent is intent


def test_a_compound_question_has_one_guess_per_clause() -> None:
    found = intents("Why was Redis dropped and when did that happen?")
    assert [one.intent for one in found] == [Intent.WHY, Intent.WHEN]
    assert found[1].clause == "when did that happen?"


def test_a_conjunction_inside_one_clause_does_not_split_it() -> None:
    assert clauses("Why did Ana and Ben leave the team?") == ["Why did Ana and Ben leave the team?"]


def test_an_intent_that_is_asked_for_overrides_the_rules() -> None:
    (only,) = intents("when was it deployed", Intent.WHY)
    assert (only.intent, only.confidence, only.fired) == (Intent.WHY, 1.0, "asked for")


def test_what_fired_is_reported_and_the_default_is_unsure() -> None:
    assert guess("why not").fired == "why"
    assert guess("the layout of the page").confidence < 0.8


@pytest.mark.data
def test_the_rules_agree_with_human_labels_on_sure_rows() -> None:
    path = dataset("05_intent", "trec_qc", "dev", "data.jsonl")
    sure = [row for row in map(json.loads, path.open(encoding="utf-8")) if row["intent_confidence"] == "high"]
    right = sum(guess(row["question"]).intent.value == row["intent"] for row in sure)
    assert right / len(sure) >= 0.92


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what did we do yesterday", "timeline"),
        ("decision about naming", "causal"),
        ("what else mentions Redis", "discovery"),
        ("is it up? and who owns it?", "complex"),
        ("DATABASE_URL value", "keyword"),
        ("what is the purpose of the broker", "semantic"),
        ("What is the configuration used by the ingestion workers today?", "hybrid"),
    ],
)
def test_a_question_has_one_retrieval_mode(question: str, expected: str) -> None:
    assert mode(question) == expected
