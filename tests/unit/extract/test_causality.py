"""What caused what: every phrasing of the grammar in its right direction, and nothing where nothing is said."""

import re

import pytest

from graph.extract.causality import find
from graph.extract.parsing import parse
from graph.model.extraction import CausalClaim, Passage, RelationKind
from graph.model.ids import ObservationId
from tests.unit.extract.phrasings.causal import KINDS, NOT_CAUSAL, causal
from tests.unit.extract.phrasings.stance import NOT_STATED, STATED

REQUIRED = 0.95  # of all phrasings


def claims(*texts: str, previous: str = "") -> list[tuple[CausalClaim, ...]]:
    passages = [Passage(id=ObservationId(str(i)), text=text, previous=previous) for i, text in enumerate(texts)]
    return [find(parsed, passage) for parsed, passage in zip(parse(texts), passages, strict=True)]


def says(claim: CausalClaim, cause: str, effect: str) -> bool:
    def pure(text: str, mine: str, other: str) -> bool:
        return bool(re.search(mine, text, re.IGNORECASE)) and not re.search(other, text, re.IGNORECASE)

    return pure(claim.cause_text, cause, effect) and pure(claim.effect_text, effect, cause)


def test_the_grammar_of_cause_and_effect_is_covered_and_never_turned_round() -> None:
    cases = causal()
    assert len(cases) > 300
    found = claims(*(text for text, _, _ in cases))
    strict = [[c for c in told if c.strict and not (c.negated or c.hypothetical)] for told in found]
    missed = [text for (text, c, e), told in zip(cases, strict, strict=True) if not any(says(one, c, e) for one in told)]
    turned = [text for (text, c, e), told in zip(cases, strict, strict=True) if any(says(one, e, c) for one in told)]
    assert not turned
    assert len(missed) <= (1 - REQUIRED) * len(cases), "\n".join(missed)


@pytest.mark.parametrize(("text", "cause", "effect", "kind"), KINDS)
def test_kinds_are_told_apart(text: str, cause: str, effect: str, kind: RelationKind) -> None:
    (told,) = claims(text)
    assert any(c.kind == kind and says(c, cause, effect) for c in told), told


@pytest.mark.parametrize("text", NOT_CAUSAL)
def test_what_is_no_cause_is_not_stored_as_one(text: str) -> None:
    (told,) = claims(text)
    assert not [c for c in told if c.strict and not (c.negated or c.hypothetical)], told


def test_a_missing_side_is_found_in_the_sentence_or_passage_before() -> None:
    (told,) = claims("The cache was cold. As a result, the API timed out.")
    assert [(c.cause_text, c.effect_text, c.sentence) for c in told if c.strict] == [
        ("The cache was cold", "the API timed out", 1)
    ]
    assert told[0].cause is not None
    (told,) = claims("As a result, the API timed out.", previous="Hello. The cache was cold.")
    assert [(c.cause, c.cause_text, c.effect_text) for c in told if c.strict] == [
        (None, "The cache was cold", "the API timed out")
    ]
    (told,) = claims("Because the cache was cold.", previous="Why did the API time out?")
    assert told[0].cause_text == "the cache was cold"
    assert told[0].effect_text == "Why did the API time out"


def test_a_chain_inside_one_sentence_gives_each_of_its_links() -> None:
    (told,) = claims("The leak caused an outage, which led to a delay, so we cancelled the release.")
    strict = [c for c in told if c.strict]
    assert any(says(c, "leak", "outage") for c in strict)
    assert any(re.search("outage", c.cause_text) and c.effect_text == "a delay" for c in strict)
    assert any("cancelled" in c.effect_text for c in strict)


def test_two_causes_of_one_effect_are_both_claimed() -> None:
    (told,) = claims("The outage was caused by a full disk. The outage was also caused by a stuck lock.")
    assert [c.cause_text for c in told if c.strict] == ["a full disk", "a stuck lock"]


def test_the_spans_are_exact_and_the_words_readable() -> None:
    text = "We moved to\nPostgres because *MySQL* lost\n  writes."
    (told,) = claims(text)
    assert told[0].cause is not None
    assert told[0].cause.of(text) == "MySQL* lost\n  writes"
    assert (told[0].cause_text, told[0].effect_text) == ("MySQL lost writes", "We moved to Postgres")


def test_denials_and_possibilities_are_flagged() -> None:
    (denied, possible, condition) = claims(
        "The cold cache did not cause the timeouts.", "A restart could lead to data loss.", "If the disk is full, writes fail."
    )
    assert all(c.negated for c in denied)
    assert denied
    assert all(c.hypothetical for c in possible)
    assert possible
    assert all(c.hypothetical and c.kind == RelationKind.CONDITION for c in condition)


@pytest.mark.parametrize("text", NOT_STATED)
def test_what_is_denied_or_only_supposed_is_not_stated(text: str) -> None:
    (told,) = claims(text)
    assert not [c for c in told if c.strict and not (c.negated or c.hypothetical)], told


@pytest.mark.parametrize("text", STATED)
def test_a_report_or_a_reason_of_what_did_not_happen_is_stated(text: str) -> None:
    (told,) = claims(text)
    assert [c for c in told if c.strict and not (c.negated or c.hypothetical)], told
