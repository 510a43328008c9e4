"""A day with a time or a part of the day: "tomorrow at 5pm", "8:30 on Monday", "Friday evening around 7"."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from graph.text.timex import calendar
from graph.text.timex.clock import bare_hour
from graph.text.timex.dayparts import after_day, of_day
from graph.text.timex.numbers import year
from graph.text.timex.reader import Reader
from graph.text.timex.relations import relation
from graph.text.timex.values import DAY, HALF_DAY, Kind, Match, Value, time_of_day
from graph.text.timex.words import LATE_PARTS

_JOINTS = frozenset({",", "-", "@", "at", "on", "around", "in", "of", "for", "about", "t"})
NIGHT_ENDS = 5 * 3600


def joint(r: Reader, i: int) -> int:
    """The index after what may stand between a day and a time."""
    j = r.skip(i, (",",))
    j = r.skip(j, _JOINTS)
    return r.skip(j, ("at", "around", "the", "on", "about"))


def one_day(value: Value) -> bool:
    return value.kind == Kind.DATE or (value.kind == Kind.DATETIME_RANGE and bool(value.part))


def day_of(value: Value) -> datetime:
    return calendar.midnight(value.start) if value.start else datetime.min


def at_clock(base: Value, time: Value) -> Value:
    """The moment on that day; a bare hour follows the part of the day that was said."""
    seconds = time.clock or 0.0
    late = base.part in LATE_PARTS and time.halved and seconds < HALF_DAY
    if late and not (base.part == "night" and seconds < NIGHT_ENDS):
        seconds += HALF_DAY
    moment = day_of(base) + timedelta(seconds=seconds)
    return Value(Kind.DATETIME, moment, moment, time.unit, halved=time.halved and not base.part)


def day_part(r: Reader, i: int) -> Match | None:
    """A day with the part of it that follows: "tomorrow morning", "Friday in the evening of next week"."""
    found = r.first(r.rules.dates, i)
    if not found or not found.value.start:
        return None
    part = after_day(r, found.end) if found.value.kind == Kind.DATE else None
    if not part or (r.word(part[0]) == "at" and part[1] == "night" and r.word(part[0] - 2) == "at"):
        return found
    end, name, early = part
    start = found.value.start
    j = r.skip(end, ("of",))
    rel = relation(r, j, article=False)
    if rel and r.word(rel[0]) == "week":
        start = calendar.period(r.today, "week", rel[1])[0] + start.weekday() * DAY
        end = rel[0] + 1
    return Match(found.first, end, of_day(start, name, early))


def _day_then_time(r: Reader, i: int) -> Iterator[Match]:
    base = day_part(r, i)
    if not base or not one_day(base.value):
        return
    j = joint(r, base.end)
    time = r.first(r.rules.clocks, j) or (bare_hour(r, j) if r.word(j - 1) in ("at", "around", "about") else None)
    if not time or time.value.kind != Kind.TIME or (base.value.exact and not base.value.start):
        return
    value = at_clock(base.value, time.value)
    tail = year(r, time.end)
    if tail and base.value.yearly and r.digits(time.end) == 4:
        moved = Value(Kind.DATE, base.value.yearly(tail[1])[0])
        yield Match(base.first, tail[0], at_clock(moved, time.value))
    yield Match(base.first, time.end, value)


def _time_then_day(r: Reader, i: int) -> Iterator[Match]:
    time = r.first(r.rules.clocks, i) or bare_hour(r, i)
    if not time or time.value.kind != Kind.TIME:
        return
    base = day_part(r, joint(r, time.end))
    if base and one_day(base.value) and (base.value.exact is None or base.value.kind == Kind.DATE):
        yield Match(time.first, base.end, at_clock(base.value, time.value))


def stamp(r: Reader, i: int) -> Match | None:
    """2019-01-31T10:30:00.5Z: the date and time of ISO 8601."""
    found = r.first(r.rules.dates, i)
    if not found or found.value.kind != Kind.DATE or r.word(found.end) not in ("t", ":") or not r.glued(found.end):
        return None
    time = r.first(r.rules.clocks, found.end + 1) or _packed(r, found.end + 1)
    if not time or time.value.kind != Kind.TIME:
        return None
    end = time.end + (r.word(time.end) == "z" and r.glued(time.end))
    return Match(i, end, at_clock(found.value, time.value))


def _packed(r: Reader, i: int) -> Match | None:
    """153000, behind the "t" of a stamp."""
    digits = r.word(i)
    if r.digits(i) not in (4, 6) or not r.glued(i):
        return None
    hour, minute, second = int(digits[:2]), int(digits[2:4]), int(digits[4:] or 0)
    return (
        Match(i, i + 1, time_of_day(hour * 3600 + minute * 60 + second)) if hour < 24 and minute < 60 and second < 61 else None
    )


def moment(r: Reader, i: int) -> Match | None:
    """The longest of a day, a day with its part, a day with a time, in either order."""
    key = (id(moment), i)
    if key not in r.memory:
        r.memory[key] = None
        found = [one for one in (day_part(r, i), stamp(r, i), *_day_then_time(r, i), *_time_then_day(r, i)) if one]
        r.memory[key] = max(found, key=lambda one: one.end, default=None)
    return r.memory[key]
