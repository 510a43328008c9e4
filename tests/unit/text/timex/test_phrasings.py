"""Several hundred phrasings with the values they have, and the grid of units, counts and directions."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graph.text.timex import Convention, expressions, point
from graph.text.timex.calendar import SECONDS_OF, add
from graph.text.timex.values import Value

SAID = datetime(2019, 1, 31, 10, 15)  # noqa: DTZ001  # wall-clock times are naive
DIARY = Convention(prefer="past")
ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("phrasings.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
COUNTS = {"a": 1, "one": 1, "two": 2, "3": 3, "five": 5, "ten": 10, "twelve": 12, "twenty-one": 21, "40": 40}
UNITS = ("second", "minute", "hour", "day", "week", "fortnight", "month", "year", "decade")


def day_or_time(moment: datetime | None) -> str:
    if moment is None:
        return "-"
    text = moment.isoformat(timespec="seconds")
    return text.removesuffix("T00:00:00") if text.endswith("T00:00:00") else text.removesuffix(":00")


def clock(seconds: float | None) -> str:
    return "-" if seconds is None else f"{int(seconds) // 3600:02d}:{int(seconds) % 3600 // 60:02d}"


def told(value: Value) -> str:
    """A value as the table writes it."""
    match value.kind.value:
        case "time":
            return f"time {clock(value.clock)}"
        case "timerange":
            return f"hours {clock(value.clock)}..{clock(value.clock_end)}"
        case "duration":
            return "lasts " + "+".join(f"{number:g}{unit}" for number, unit in value.amount)
        case "set":
            return "set"
    if value.start == value.end:
        return day_or_time(value.start)
    return f"{day_or_time(value.start)}..{day_or_time(value.end)}"


@pytest.mark.parametrize(("text", "expression", "value"), ROWS)
def test_a_phrasing_means_what_the_table_says(text: str, expression: str, value: str) -> None:
    found = [(text[a:b], told(one)) for a, b, one in expressions(text, SAID, DIARY)]
    assert found == ([(expression, value)] if expression else [])


def grid() -> Iterator[tuple[str, int, int, str]]:
    for unit in UNITS:
        for word, count in COUNTS.items():
            if unit == "second" and word in ("a", "one"):
                continue  # "a second", "one second" are too often something else
            said = f"{'an' if word == 'a' and unit == 'hour' else word} {unit}{'' if count == 1 else 's'}"
            yield f"{said} ago", -1, count, unit
            yield f"{said} from now", 1, count, unit
            yield f"in {said}", 1, count, unit
            yield f"{said} later", 1, count, unit
            yield f"{said} earlier", -1, count, unit


@pytest.mark.parametrize(("text", "sign", "count", "unit"), list(grid()))
def test_every_count_of_every_unit_goes_both_ways(text: str, sign: int, count: int, unit: str) -> None:
    assert point(text, SAID) == add(SAID, sign * count, unit)
    ((start, end, value),) = expressions(f"It was {text}, I think.", SAID, DIARY)
    assert (start, end) == (7, 7 + len(text))
    assert value.exact == add(SAID, sign * count, unit)


@pytest.mark.parametrize("unit", ["hour", "day", "week", "month", "year"])
@pytest.mark.parametrize("word", ["last", "past", "previous"])
@pytest.mark.parametrize("count", [2, 3, 7])
def test_the_last_units_end_where_the_present_begins(unit: str, word: str, count: int) -> None:
    ((_, _, value),) = expressions(f"in the {word} {count} {unit}s", SAID, DIARY)
    edge = SAID if unit == "hour" else SAID.replace(hour=0, minute=0)
    assert (value.start, value.end) == (add(edge, -count, unit), edge)


@pytest.mark.parametrize("hour", range(1, 13))
@pytest.mark.parametrize(("half", "plus"), [("am", 0), ("pm", 12), ("a.m.", 0), ("P.M.", 12)])
def test_every_hour_of_both_halves_of_the_day(hour: int, half: str, plus: int) -> None:
    ((_, _, value),) = expressions(f"at {hour} {half} tomorrow", SAID, DIARY)
    assert value.start == SAID.replace(day=1, month=2, hour=hour % 12 + plus, minute=0)


@pytest.mark.parametrize("offset", range(-10, 11))
def test_weekdays_are_the_nearest_before_and_after(offset: int) -> None:
    today = SAID + timedelta(days=offset)
    for number, name in enumerate("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()):
        ((_, _, last),) = expressions(f"last {name}", today, DIARY)
        ((_, _, following),) = expressions(f"next {name}", today, DIARY)
        assert last.start is not None
        assert following.start is not None
        assert last.start.weekday() == following.start.weekday() == number
        assert 1 <= (today.date() - last.start.date()).days <= 7
        assert 1 <= (following.start.date() - today.date()).days <= 7


def test_a_bare_duration_is_that_long_ago_and_nothing_is_no_moment() -> None:
    assert point("1 hour", SAID) == SAID - timedelta(seconds=SECONDS_OF["hour"])
    assert point("no time at all", SAID) is None
