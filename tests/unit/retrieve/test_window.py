"""Time windows of questions, relative to the asker's clock and zone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.model.questions import Intent
from graph.retrieve.window import spoken_window

JANUARY = datetime(2026, 1, 15, 10, tzinfo=UTC)


def day(year: int, month: int, number: int, hour: int = 0) -> datetime:
    return datetime(year, month, number, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did we decide in December?", day(2025, 12, 1), day(2026, 1, 1)),
        ("who fixed it yesterday", day(2026, 1, 14), day(2026, 1, 15)),
        ("what happened before 5pm", None, day(2026, 1, 15, 17)),
        ("what did we ship two weeks ago", day(2025, 12, 29), day(2026, 1, 5)),
    ],
)
def test_a_relative_time_bounds_what_is_looked_at(question: str, start: datetime | None, end: datetime) -> None:
    spoken = spoken_window(question, JANUARY)
    assert spoken.window is not None
    assert (spoken.window.start, spoken.window.end) == (start, end)
    assert spoken.demanded


def test_a_date_that_stands_for_itself_is_preferred_only() -> None:
    spoken = spoken_window("Which city held the games in 1996?", JANUARY)
    assert spoken.window is not None
    assert spoken.window.start == day(1996, 1, 1)
    assert not spoken.demanded


def test_yesterday_is_the_askers_own() -> None:
    tokyo = timezone(timedelta(hours=9))
    spoken = spoken_window("what broke yesterday", datetime(2026, 1, 15, 3, tzinfo=tokyo))
    assert spoken.window is not None
    assert spoken.window.start == datetime(2026, 1, 14, tzinfo=tokyo)


def test_a_question_for_a_date_is_not_bounded_by_the_time_it_names() -> None:
    assert not spoken_window("when did we move last year", JANUARY, Intent.WHEN).demanded


def test_an_event_can_bound_the_time() -> None:
    spoken = spoken_window("what changed since the outage?", JANUARY)
    assert (spoken.event, spoken.opens, spoken.window) == ("the outage", True, None)
    anchored = spoken.anchored(day(2025, 11, 3))
    assert anchored.window is not None
    assert (anchored.window.start, anchored.window.end) == (day(2025, 11, 3), None)


def test_now_is_no_window() -> None:
    assert spoken_window("what are we working on right now", JANUARY).window is None
