"""What goes into the ledger, what is cleaned on the way, and what is refused."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.errors import InvalidInput, InvalidTime, TooLarge
from graph.ingest.validate import MAX_METADATA_BYTES, checked
from graph.model.events import MAX_TEXT_CHARS, EventDraft


@pytest.mark.parametrize("text", ["", "   \n\t ", "\x00\x00", "\u200b\u200d", "\u2028 \u00a0"])
def test_a_text_in_which_nothing_can_be_seen_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InvalidInput, match="line 7"):
        checked(EventDraft(text=text), "line 7")


def test_nul_is_removed_and_other_control_characters_stay_in_the_text() -> None:
    draft, _ = checked(EventDraft(text="a\x00b\x1b[1mc\td\r\ne"))
    assert draft.text == "ab\x1b[1mc\td\r\ne"


def test_a_lone_surrogate_becomes_a_replacement_character_and_a_pair_becomes_its_character() -> None:
    draft, _ = checked(EventDraft(text="x\ud800y \ud83d\ude00", author="\udfff", metadata={"k\ud800": ["\ud83d"]}))
    assert draft.text == "x\ufffdy 😀"
    assert draft.author == "\ufffd"
    assert draft.metadata == {"k\ufffd": ["\ufffd"]}


def test_control_characters_are_kept_out_of_ids_and_names() -> None:
    draft, _ = checked(
        EventDraft(
            text="t", key="a\nb", session=" s\x07 ", record="r\x00", title="One\n two\t", author="", identifiers=("A\x0012", "")
        )
    )
    assert (draft.key, draft.session, draft.record) == ("a\ufffdb", "s\ufffd", "r\ufffd")
    assert (draft.title, draft.author, draft.identifiers) == ("One two", None, ("A 12",))


def test_ten_megabytes_of_text_go_in_and_more_than_the_limit_does_not() -> None:
    draft, _ = checked(EventDraft(text="word " * 2_000_000))
    assert len(draft.text) == 10_000_000
    with pytest.raises(TooLarge):
        checked(EventDraft(text="x" * (MAX_TEXT_CHARS + 1)))


def test_an_aware_time_is_kept_in_utc_with_its_offset_and_a_naive_one_counts_as_utc() -> None:
    aware, offset = checked(EventDraft(text="t", authored_at=datetime(2024, 3, 1, 10, tzinfo=timezone(timedelta(hours=-5)))))
    assert (aware.authored_at, offset) == (datetime(2024, 3, 1, 15, tzinfo=UTC), -300)
    naive, unknown = checked(EventDraft(text="t", authored_at=datetime(2024, 3, 1, 10)))  # noqa: DTZ001 - that is the case
    assert (naive.authored_at, unknown) == (datetime(2024, 3, 1, 10, tzinfo=UTC), None)


@pytest.mark.parametrize("year", [1, 9999])
def test_the_first_and_the_last_year_go_in(year: int) -> None:
    draft, _ = checked(EventDraft(text="t", authored_at=datetime(year, 6, 1, tzinfo=UTC)))
    assert draft.authored_at == datetime(year, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))),
        datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_an_offset_that_leaves_the_years_1_to_9999_is_refused(moment: datetime) -> None:
    with pytest.raises(InvalidTime):
        checked(EventDraft(text="t", authored_at=moment))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"bytes", object()])
def test_metadata_that_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="metadata"):
        checked(EventDraft(text="t", metadata={"v": value}))


def test_metadata_is_bounded_in_size_and_in_depth() -> None:
    with pytest.raises(TooLarge):
        checked(EventDraft(text="t", metadata={"v": "x" * MAX_METADATA_BYTES}))
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidInput):
        checked(EventDraft(text="t", metadata={"v": deep}))
