"""Expressions become UTC intervals: against the moment they were said, or not at all."""

from datetime import UTC, datetime, timedelta

import pytest

import graph.text.timex
from graph.model.times import Granularity
from graph.text.timex import TimeSpan, resolve
from tests.hostile import hostile_texts, slow_expressions

THURSDAY = datetime(2019, 1, 31, 10, 15, tzinfo=UTC)


def one(text: str, reference: datetime | None = THURSDAY, offset: int | None = None) -> TimeSpan:
    (span,) = resolve(text, reference, offset)
    return span


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]  # year, month, day and what follows


@pytest.mark.parametrize(
    "text",
    [
        "we",
        "port 9077",
        "room 2099",
        "Could we do it? We may, we might.",
        "You may have seen it.",
        "v2.3.1 of the library",
        "version 2024 of it, build 2023",
        "192.168.10.12 answered",
        "PEP 2026 and RFC 1950",
        "issue 1999 and #2019",
        "It costs $2019 and 2020 items were sold.",
        "He sat down, she wed him, the sun rose.",
        "march on, they march the crowd",
        "A second thought, a 4:3 ratio, 3D glasses",
        "24/7 support, 1/2 cup of milk",
        "Good morning! Have a great week!",
        "commit 20af1990bc, sha 19990101fe",
        "John 3:16 says so",
    ],
)
def test_what_only_looks_like_a_time_gives_nothing(text: str) -> None:
    assert resolve(text, THURSDAY) == []


@pytest.mark.parametrize(
    "text", ["yesterday", "two weeks ago", "in December", "last Friday", "next year", "before 5pm", "at noon", "this morning"]
)
def test_a_relative_expression_without_a_reference_stays_unknown(text: str) -> None:
    span = one(text, None)
    assert (span.opens, span.closes, span.granularity) == (None, None, None)


def test_what_names_its_own_date_needs_no_reference() -> None:
    assert (one("on 5 May 2021", None).opens, one("on 5 May 2021", None).closes) == (utc(2021, 5, 5), utc(2021, 5, 6))
    assert one("in 1998", None).granularity is Granularity.YEAR
    assert one("since March 2020", None).opens == utc(2020, 3, 1)


def test_a_bare_month_is_the_last_one_that_was() -> None:
    span = one("in December", utc(2024, 1, 10))
    assert (span.opens, span.closes) == (utc(2023, 12, 1), utc(2024, 1, 1))


def test_a_range_of_months_holds_its_last_month() -> None:
    span = one("Jan-Mar 2024")
    assert (span.opens, span.closes, span.granularity) == (utc(2024, 1, 1), utc(2024, 4, 1), Granularity.MONTH)


def test_the_author_s_wall_clock_decides_the_day() -> None:
    late = utc(2024, 3, 9, 23, 30)  # already the tenth in Tokyo
    assert one("today", late, 540).opens == utc(2024, 3, 9, 15)
    assert one("yesterday", late, 540).closes == utc(2024, 3, 9, 15)
    assert one("today", late, None).opens == utc(2024, 3, 9)
    assert one("at 5pm", late, -300).opens == utc(2024, 3, 9, 22)


def test_years_ago_are_a_year_and_days_ago_a_day() -> None:
    assert (one("three years ago").opens, one("three years ago").granularity) == (utc(2016, 1, 1), Granularity.YEAR)
    assert (one("2 months ago").opens, one("2 months ago").closes) == (utc(2018, 11, 1), utc(2018, 12, 1))
    assert (one("two days ago").opens, one("two days ago").closes) == (utc(2019, 1, 29), utc(2019, 1, 30))
    assert one("2 hours ago").opens == THURSDAY - timedelta(hours=2)


def test_last_and_next_weekday_are_the_nearest() -> None:
    assert one("last Wednesday").opens == utc(2019, 1, 30)
    assert one("next Friday").opens == utc(2019, 2, 1)


def test_an_hour_without_its_half_is_in_the_afternoon_from_one_to_six() -> None:
    assert one("today at 3").opens == utc(2019, 1, 31, 15)
    assert one("tomorrow at 5:30").opens == utc(2019, 2, 1, 17, 30)
    assert one("tomorrow at 05:30").opens == utc(2019, 2, 1, 5, 30)
    assert one("tomorrow at 9").opens == utc(2019, 2, 1, 9)
    assert one("tomorrow at 3 in the morning").opens == utc(2019, 2, 1, 3)
    assert one("tonight at 1").opens == utc(2019, 1, 31, 1)


def test_what_needs_the_words_before_it_stays_unknown() -> None:
    for text in ("partner of the week", "the day", "from 1 to 5", "in the morning", "every Monday", "for three weeks"):
        assert not one(text).known, text


def test_bounds_are_open_on_one_side() -> None:
    assert (one("before 5pm").opens, one("before 5pm").closes) == (None, utc(2019, 1, 31, 17))
    assert (one("since 2017").opens, one("since 2017").closes) == (utc(2017, 1, 1), None)
    assert (one("until June 2020").opens, one("until June 2020").closes) == (None, utc(2020, 6, 1))


def test_a_lasting_state_says_when_it_began() -> None:
    span = one("I have had it for 3 years")
    assert span.opens == utc(2016, 1, 31, 10, 15)
    assert not one("It took 3 years").known


@pytest.mark.parametrize("moment", [utc(1, 1, 1), utc(9999, 12, 31, 23, 59), utc(2024, 3, 10, 2, 30)])
@pytest.mark.parametrize("offset", [-720, 0, 840])
def test_the_ends_of_the_calendar_are_no_error(moment: datetime, offset: int) -> None:
    text = "yesterday, tomorrow, last week, next century, 9000 years ago, in 5000 months, next May 5, on Friday, 31.12.9999"
    for span in resolve(text, moment, offset):
        assert span.opens is None or span.closes is None or span.opens <= span.closes


def test_spans_are_in_order_and_inside_the_text() -> None:
    text = "Yesterday at 5pm we met; two weeks ago İstanbul, from May 3 to 5, 2019 – and next Friday."
    spans = resolve(text, THURSDAY)
    assert [text[s.start : s.end] for s in spans] == [
        "Yesterday at 5pm",
        "two weeks ago",
        "from May 3 to 5, 2019",
        "next Friday",
    ]


def test_hostile_text_is_read_in_linear_time() -> None:
    assert slow_expressions(graph.text.timex) == []
    for text in hostile_texts():
        assert isinstance(resolve(text[:2000], THURSDAY), list)
