"""The published figures of times and open triples hold, a little below what was measured on the open half."""

import pytest

from bench.extract.carb import match, score, spaces, triples
from bench.extract.times import dateparser, locomo, mentions
from tests.data import dataset


@pytest.mark.data
def test_time_mentions_and_their_values_are_found() -> None:
    scores = mentions(dataset("06_temporal").parent, "dev").scores
    assert scores["f1"] >= 0.97
    assert scores["exact_f1"] >= 0.90
    assert scores["value_accuracy"] >= 0.95
    assert scores["false_on_negatives"] == 0


@pytest.mark.data
def test_relative_dates_are_resolved() -> None:
    data = dataset("06_temporal").parent
    assert dateparser(data, "dev").scores["accuracy"] >= 0.97
    assert locomo(data, "dev").scores["accuracy"] >= 0.97


@pytest.mark.data
@pytest.mark.slow
def test_open_triples_match_the_gold_ones() -> None:
    assert triples(dataset("07_triples").parent, "dev").scores["f1"] >= 0.575


def test_gold_given_as_an_answer_scores_one() -> None:
    gold = [[("Ana", "is", "a doctor"), ("Ana", "lives in", "Rome since 2019")], [("it", "broke", "")]]
    scores, worst = score(gold, gold)
    assert (scores["precision"], scores["recall"], scores["f1"]) == pytest.approx((1, 1, 1), abs=1e-6)
    assert worst[0][0] == 1


def test_predicates_that_share_no_word_match_nothing() -> None:
    assert match(("Ana", "lives in", "Rome"), ("Ana", "visited", "Rome")) == (0.0, 0.0)
    precision, recall = match(("Ana", "lives in", "Rome"), ("Ana", "lives in", "Rome today"))
    assert (precision, recall) == (0.8, 1.0)


def test_tokens_of_the_set_stand_as_in_print() -> None:
    assert spaces(["well", "-", "known", ",", "is", "n't", "it", "?"]) == [False, False, False, True, False, True, False, True]
