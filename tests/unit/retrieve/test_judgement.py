"""The pure judgements of retrieval: scaling, records, ranking, causal order, context."""

from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graph.model.observations import Observation
from graph.model.times import Window
from graph.retrieve.causes import time_before, told_effect
from graph.retrieve.context import beyond, context, spoken_by_named
from graph.retrieve.fusion import Fused
from graph.retrieve.hybrid import fifth_best
from graph.retrieve.pool import Legs, pooled, scaled
from graph.retrieve.ranking import asks_latest, fingerprint, rank
from graph.retrieve.records import features, score_records
from graph.retrieve.weights import shipped
from tests.support.values import observation

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FLOORS = {"passage": -0.1, "sentence": 0.0}
scores = st.lists(st.floats(-1, 1, allow_nan=False, width=32), min_size=1, max_size=30)


def hit(id_: str, score: float) -> Fused:
    return Fused(id_, score, score, None, 0, {})


def told(id_: str, days_ago: float | None = None, text: str | None = None, **fields: object) -> Observation:
    authored = None if days_ago is None else NOW - timedelta(days=days_ago)
    return observation(id_, text=text if text is not None else f"note {id_}", authored_at=authored, **fields)


@given(scores)
def test_scaled_scores_lie_between_nought_and_one_and_keep_their_order(values: list[float]) -> None:
    given_ = np.array(values)
    found = scaled(given_, -1.0)
    assert np.all((found >= 0) & (found <= 1))
    assert np.all(np.diff(found[np.argsort(given_, kind="stable")]) >= 0)


@given(scores)
def test_scaling_needs_only_the_candidates_above_the_floor(values: list[float]) -> None:
    alone = scaled(np.array([*values, 1.0]), 0.0)
    among_many = scaled(np.array([*values, 1.0, *([-0.5] * 50)]), 0.0)
    assert np.allclose(alone, among_many[: len(alone)])


def test_the_margin_is_taken_from_the_fifth_best() -> None:
    assert fifth_best(np.array([0.1, 0.9, 0.5, 0.3, 0.2, 0.7])) == 0.2
    assert fifth_best(np.array([0.4, 0.3])) == 0.3
    assert fifth_best(np.array([])) == 0.0


def test_a_candidate_without_sentences_counts_its_passage() -> None:
    pool = pooled({"a", "b"}, Legs(passage={"a": 0.5, "b": 0.4}, sentence={"b": 0.6}), FLOORS)
    assert pool.sentence.tolist() == [0.5, 0.6]


def test_the_record_of_the_best_passage_leads_and_the_others_are_behind() -> None:
    pool = pooled({"a", "b", "c"}, Legs(passage={"a": 0.9, "b": 0.1, "c": 0.2}, sparse={"a": 9.0, "c": 1.0}), FLOORS)
    scored = score_records(pool, np.array([0.9, 0.1, 0.2]), ["r", "r", "s"], shipped())
    found = features(["r", "r", "s"], scored)
    assert found["record"].tolist()[:2] == [0.0, 0.0]
    assert found["record"][2] < 0
    assert found["record_rank"].tolist() == [0.0, 0.0, np.log(2)]


def test_no_observations_have_no_records() -> None:
    assert score_records(pooled((), Legs(), FLOORS), np.array([]), [], shipped()).ranks == {}


def test_an_exact_answer_of_two_years_ago_beats_a_vague_one_of_yesterday() -> None:
    observations = {"old": told("old", 730, "alpha"), "new": told("new", 1, "beta", pinned=True, importance=1.0)}
    ranked = rank([hit("old", 1.0), hit("new", 0.8)], observations, shipped(), NOW)
    assert [item.fused.id for item in ranked] == ["old", "new"]


def test_what_is_equal_is_settled_by_the_date() -> None:
    observations = {"a": told("a", 730, "alpha"), "b": told("b", 1, "beta")}
    ranked = rank([hit("a", 1.0), hit("b", 1.0)], observations, shipped(), NOW)
    assert [item.fused.id for item in ranked] == ["b", "a"]


def test_who_asks_for_the_latest_gets_the_newest_of_the_good_ones() -> None:
    observations = {"a": told("a", 700, "alpha"), "b": told("b", 3, "beta"), "c": told("c", 1, "gamma")}
    ranked = rank([hit("a", 1.0), hit("b", 0.5), hit("c", -9.0)], observations, shipped(), NOW, latest=True)
    assert [item.fused.id for item in ranked] == ["b", "a", "c"]
    assert asks_latest("What is our current mail provider?")
    assert not asks_latest("What was the first mail provider?")


def test_what_lies_in_the_time_spoken_of_is_preferred() -> None:
    observations = {"in": told("in", 10, "alpha"), "out": told("out", 100, "beta")}
    window = Window(start=NOW - timedelta(days=20), end=NOW)
    ranked = rank([hit("out", 1.0), hit("in", 0.6)], observations, shipped(), NOW, window=window)
    assert ranked[0].fused.id == "in"
    assert ranked[0].added["window"] > 0


def test_the_same_words_with_another_number_are_another_text() -> None:
    assert fingerprint("reviewed ticket 1123 today") != fingerprint("reviewed ticket 1231 today")
    assert fingerprint("It is  DONE.") == fingerprint("it is done")


def test_what_was_said_after_the_effect_is_marked_and_the_days_between_are_counted() -> None:
    pool = pooled({"a", "b", "c"}, Legs(passage={"a": 0.9, "b": 0.5, "c": 0.5}), FLOORS)
    known = [told("a", 10, record_id="1"), told("b", 5, record_id="2"), told("c", 20, record_id="3")]
    effect = told_effect(pool, known)
    assert effect == known[0]
    found = time_before(known[0], known)
    assert found["after"].tolist() == [0.0, 1.0, 0.0]
    assert np.allclose(found["gap"], np.log([1, 6, 11]))


def test_a_document_s_date_says_nothing_of_when_its_passages_came_true() -> None:
    pool = pooled({"a", "b", "c"}, Legs(passage={"a": 0.9, "b": 0.5, "c": 0.5}), FLOORS)
    known = [told("a", 10, record_id="1"), told("b", 5, record_id="2"), told("c", 10, record_id="1")]
    assert told_effect(pool, known) is None


def test_no_effect_is_told_when_nothing_restates_the_question() -> None:
    pool = pooled({"a", "b"}, Legs(passage={"a": 0.6, "b": 0.5}), FLOORS)
    assert told_effect(pool, [told("a", 10, record_id="1"), told("b", 5, record_id="2")]) is None
    assert told_effect(pooled((), Legs(), FLOORS), []) is None


def test_context_is_what_the_neighbours_score_one_and_two_steps_away() -> None:
    around = {"a": ["b"], "b": ["a", "c"], "c": ["b"]}
    h = np.array([1.0, 0.5, 0.25])
    assert context(["a", "b", "c"], h, around).tolist() == [0.5, 1.25, 0.5]
    assert context(["a", "b", "c"], h, beyond(around)).tolist() == [0.25, 0.0, 1.0]


def test_the_author_is_named_by_the_first_name_or_the_whole() -> None:
    known = [told("a", author="Ana Silva"), told("b", author="Ben"), told("c")]
    assert spoken_by_named(known, frozenset({"what", "did", "ana", "say"})).tolist() == [1.0, 0.0, 0.0]
