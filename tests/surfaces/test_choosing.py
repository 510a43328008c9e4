"""A change by words is made only when it is sure what is meant."""

import pytest

from graph.errors import InvalidInput
from services import choosing


@pytest.mark.parametrize(
    ("scores", "forget", "update"),
    [
        ([], "not_found", "not_found"),
        ([0.95], "deleted", "updated"),
        ([0.9], "candidates", "updated"),
        ([0.95, 0.2], "candidates", "updated"),
        ([0.85, 0.2], "candidates", "candidates"),
    ],
)
def test_forgetting_needs_one_sure_find_and_updating_one_or_a_sure_one(scores: list[float], forget: str, update: str) -> None:
    assert (choosing.to_forget(scores).action, choosing.to_update(scores).action) == (forget, update)


def test_the_head_of_an_id_resolves_only_when_it_is_long_enough_and_alone() -> None:
    ids = ["abcdef12-0000", "abcdef12-1111", "12345678-2222"]
    assert choosing.by_prefix("12345678", ids) == choosing.Chosen("resolved", 2)
    assert choosing.by_prefix("abcdef12", ids).action == "ambiguous"
    assert choosing.by_prefix("1234", ids).action == "ambiguous"
    assert choosing.by_prefix("99999999", ids).action == "not_found"
    assert choosing.is_id("0a1b2c3d")
    assert not choosing.is_id("the port note")


def test_a_known_text_and_noise_are_not_stored_again() -> None:
    said = (("Port is 1", None), ("Port is 1", 0.98), ("Port is 1", 0.981), ("hello", None))
    actions = [choosing.to_store(text, nearest).action for text, nearest in said]
    assert actions == ["created", "created", "duplicate", "noise_filtered"]


def test_limits_and_importance_are_kept_within_their_bounds() -> None:
    assert [choosing.clamped(number, choosing.RECALL_LIMITS) for number in (0, 5, 50)] == [1, 5, 20]
    assert choosing.skipped(5000) == 1000
    assert choosing.changes({"importance": 7, "text": None, "other": 1}) == {"importance": 1.0}


def test_a_removal_of_many_needs_a_filter() -> None:
    choosing.bulk_filter(["s"], None)
    with pytest.raises(InvalidInput):
        choosing.bulk_filter([], None)
