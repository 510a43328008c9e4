"""Whether an interval answers a relative date of LoCoMo: "the week before 9 June 2023", "2019", "2022-05"."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

DAY = timedelta(days=1)
SATURDAY = 5
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
COUNTS = {
    "a": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "few": 3,
    "a few": 3,
    "several": 3,
    "couple": 2,
}
TOLERANCE = {"day": 1, "week": 7, "month": 31, "year": 366}  # days
LENGTH = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}  # days


def right(value: str | None, struct: dict[str, Any] | None, start: datetime, end: datetime) -> bool:
    """Plain answers (year, month, day) by their own precision, structured ones by their unit and relation."""
    if value:
        return start.isoformat().startswith(value) and (len(value) < 10 or end - start <= DAY)
    if not struct:
        return False
    anchor = datetime.fromisoformat(struct["anchor"] if len(struct["anchor"]) > 7 else struct["anchor"] + "-01")
    unit, relation = struct["unit"], struct["relation"]
    if unit in WEEKDAYS:
        return _weekday(WEEKDAYS.index(unit), relation, anchor, start, end)
    if unit == "weekend":
        return start.date() in {day.date() for day in _saturdays(relation, anchor)} and end - start <= 3 * DAY
    if (unit, relation) in _WEEKS:
        return _WEEKS[unit, relation](struct, anchor, start, end)
    return _counted(struct, anchor, start)


def _weekday(number: int, relation: str, anchor: datetime, start: datetime, end: datetime) -> bool:
    before = anchor - ((anchor.weekday() - number - 1) % 7 + 1) * DAY
    after = anchor + ((number - anchor.weekday() - 1) % 7 + 1) * DAY
    return start.date() == (before if relation == "before" else after).date() and end - start <= DAY


def _saturdays(relation: str, anchor: datetime) -> list[datetime]:
    back = (anchor.weekday() - SATURDAY) % 7
    ahead = anchor + ((SATURDAY - anchor.weekday()) % 7) * DAY
    choices = {"before": [anchor - (back or 7) * DAY], "after": [ahead], "of": [anchor - back * DAY, ahead]}
    return choices.get(relation, [])


def _week_before(_: dict[str, Any], anchor: datetime, start: datetime, end: datetime) -> bool:
    """Overlaps the seven days before, and lies in the two weeks before."""
    return start < anchor and end > anchor - 7 * DAY and start >= anchor - 14 * DAY and end <= anchor + DAY


def _week_of(struct: dict[str, Any], anchor: datetime, start: datetime, end: datetime) -> bool:
    """Overlaps the first or last seven days of the month."""
    following = (anchor.replace(day=1) + 32 * DAY).replace(day=1)
    first = struct["count"] == "first"
    low, high = (anchor, anchor + 7 * DAY) if first else (following - 7 * DAY, following)
    return start < high and end > low


_WEEKS: dict[tuple[str, str], Callable[[dict[str, Any], datetime, datetime, datetime], bool]] = {
    ("week", "before"): _week_before,
    ("week", "of"): _week_of,
}


def _counted(struct: dict[str, Any], anchor: datetime, start: datetime) -> bool:
    said, unit = str(struct["count"]).lower(), struct["unit"]
    if unit == "day" and said in ("few", "a few", "none"):
        return anchor - 8 * DAY <= start < anchor + 31 * DAY
    if unit not in LENGTH:
        return False
    count = int(said) if said.isdigit() else COUNTS.get(said, 1)
    expected = anchor + (count if struct["relation"] == "after" else -count) * LENGTH[unit] * DAY
    return abs((start - expected).days) <= TOLERANCE[unit]
