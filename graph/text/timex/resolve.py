"""Expressions as UTC intervals, relative to the moment at which they were said and the author's offset."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graph.model.times import Granularity, local
from graph.text.timex import calendar
from graph.text.timex.grammar import expressions
from graph.text.timex.reader import Convention
from graph.text.timex.values import UNSAID, Kind, Value

_GRANULARITY = {
    "second": Granularity.SECOND,
    "minute": Granularity.MINUTE,
    "hour": Granularity.HOUR,
    "day": Granularity.DAY,
    "weekday": Granularity.DAY,
    "week": Granularity.WEEK,
    "weekend": Granularity.WEEK,
    "fortnight": Granularity.WEEK,
    "month": Granularity.MONTH,
    "quarter": Granularity.QUARTER,
    "season": Granularity.QUARTER,
    "half": Granularity.QUARTER,
    "year": Granularity.YEAR,
    "decade": Granularity.YEAR,
    "century": Granularity.YEAR,
}
# Two moments that agree in nothing a relative expression could refer to: what both read alike does not need a reference.
_EITHER = (datetime(2003, 2, 12, 9, 41, 17), datetime(2018, 11, 30, 21, 13, 44))
_WIDENED = ("week", "month", "year", "decade", "century")
Edges = tuple[datetime | None, datetime | None]
FIRST_HOUR = timedelta(hours=1)
EARLIEST_MORNING = timedelta(hours=7)
HALF_A_DAY = timedelta(hours=12)
_NOTHING: Edges = (None, None)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Characters [start, end) of the text mean the time [opens, closes) in UTC; None is open.

    Both are None, and so is `granularity`, where the time cannot be known: a duration, a recurrence, an hour of no certain
    day, or a relative expression without a reference.
    """

    start: int
    end: int
    opens: datetime | None
    closes: datetime | None
    granularity: Granularity | None
    kind: Kind

    @property
    def known(self) -> bool:
        return self.opens is not None or self.closes is not None


def resolve(
    text: str, reference: datetime | None, offset: int | None = None, convention: Convention | None = None
) -> list[TimeSpan]:
    """Every time expression of a text, in order, without overlaps.

    `reference` is the aware moment at which the text was said, None when unknown: then only what names its own date is
    resolved. `offset` is the author's in minutes (None: UTC). A range holds its last named unit: "Jan-Mar" ends with March.
    """
    reading = convention or Convention()
    if reference is not None:
        said = local(reference, offset).replace(tzinfo=None)
        return [_span(a, b, value, offset, _edges(value, said)) for a, b, value in expressions(text, said, reading)]
    one, two = (expressions(text, said, reading) for said in _EITHER)
    alike = {(a, b): _edges(value, _EITHER[1]) for a, b, value in two}
    found = []
    for a, b, value in one:
        edges = _edges(value, _EITHER[0])
        found.append(_span(a, b, value, offset, edges if alike.get((a, b)) == edges else _NOTHING))
    return found


def _span(start: int, end: int, value: Value, offset: int | None, edges: Edges) -> TimeSpan:
    opens, closes = (_utc(edge, offset) for edge in edges)
    known = opens is not None or closes is not None
    return TimeSpan(start, end, opens, closes, _GRANULARITY.get(value.unit) if known else None, value.kind)


def _utc(moment: datetime | None, offset: int | None) -> datetime | None:
    """The wall-clock time in UTC; None at the ends of the calendar."""
    try:
        return (moment - timedelta(minutes=offset or 0)).replace(tzinfo=UTC) if moment else None
    except OverflowError:
        return None


def _edges(value: Value, said: datetime) -> Edges:
    """[opens, closes) on the author's wall clock."""
    if value.piece == UNSAID:
        return _NOTHING
    rule = _EDGES.get(value.kind)
    try:
        return rule(value, said) if rule else _NOTHING
    except (ValueError, OverflowError):
        return value.start, None


def _date(value: Value, _: datetime) -> Edges:
    """A day; "three years ago" is a year, "two months ago" a month."""
    if value.exact and value.unit in _WIDENED:
        return calendar.period(value.exact, value.unit, 0)
    return value.start, value.end


def _range(value: Value, _: datetime) -> Edges:
    return value.start, value.through or value.end


def _moment(value: Value, _: datetime) -> Edges:
    """A moment lasts as long as the unit in which it was said."""
    if not value.start or value.present:
        return value.start, value.start + timedelta(seconds=1) if value.start else None
    start = value.start + _afternoon(value, value.start - calendar.midnight(value.start))
    return start, calendar.add(start, 1, value.unit)


def _afternoon(value: Value, time: timedelta) -> timedelta:
    """What to add to an hour that was said without its half of the day: one to six are in the afternoon."""
    return HALF_A_DAY if value.halved and FIRST_HOUR <= time < EARLIEST_MORNING else timedelta()


def _time(value: Value, said: datetime) -> Edges:
    """An hour without a day is one of the day on which it was said."""
    time = timedelta(seconds=value.clock or 0)
    start = calendar.midnight(said) + time + _afternoon(value, time)
    return start, calendar.add(start, 1, value.unit)


def _hours(value: Value, said: datetime) -> Edges:
    if value.part:
        return _NOTHING
    today = calendar.midnight(said)
    opens = today + timedelta(seconds=value.clock) if value.clock is not None else None
    closes = today + timedelta(seconds=value.clock_end) if value.clock_end is not None else None
    return opens, closes


def _lasting(value: Value, said: datetime) -> Edges:
    return (value.since, said) if value.since else _NOTHING


_EDGES = {
    Kind.DATE: _date,
    Kind.DATE_RANGE: _range,
    Kind.DATETIME: _moment,
    Kind.DATETIME_RANGE: _range,
    Kind.TIME: _time,
    Kind.TIME_RANGE: _hours,
    Kind.DURATION: _lasting,
}
