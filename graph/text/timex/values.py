"""What a time expression means: a value on the author's wall clock, before it is turned into UTC."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

DAY = timedelta(days=1)
SECONDS_OF_DAY = 86_400
HALF_DAY = 43_200
UNSAID = "unsaid"  # a `piece`: "the week", "from 1 to 5" need what was said before


class Kind(StrEnum):
    """The eight types of TIMEX-like expressions (names as in the Recognizers-Text specification)."""

    DATE = "date"
    DATE_RANGE = "daterange"
    DATETIME = "datetime"
    DATETIME_RANGE = "datetimerange"
    TIME = "time"
    TIME_RANGE = "timerange"
    DURATION = "duration"
    SET = "set"


DATED = (Kind.DATE, Kind.DATE_RANGE, Kind.DATETIME, Kind.DATETIME_RANGE)
Amount = tuple[tuple[float, str], ...]
Yearly = Callable[[int], tuple[datetime, datetime]]


@dataclass(frozen=True, slots=True)
class Value:
    """[start, end) as naive wall-clock times, None where open; a point has end == start.

    `clock` and `clock_end` are seconds of a day (TIME, TIME_RANGE). `unit` is the unit in which it was said. `amount` is a
    duration's parts. `yearly` gives the same expression in another year, for what names none. `exact` is the instant of an
    offset ("two hours ago"), `through` the end of a range's last named unit, `part` the part of the day that is included,
    `halved` marks a clock hour that could be a.m. or p.m., `present` marks "now", `mod` the word of an open bound, `since`
    the moment at which a lasting state began ("I have had it for three years").
    """

    kind: Kind
    start: datetime | None = None
    end: datetime | None = None
    unit: str = "day"
    clock: float | None = None
    clock_end: float | None = None
    amount: Amount = ()
    yearly: Yearly | None = None
    exact: datetime | None = None
    through: datetime | None = None
    whole: "Value | None" = None
    part: str = ""
    piece: str = ""
    halved: bool = False
    present: bool = False
    mod: str = ""
    since: datetime | None = None
    shift: tuple[int, str] | None = None

    @property
    def dated(self) -> bool:
        return self.kind in DATED


class Match(NamedTuple):
    """A grammar rule's result: tokens [first, end) mean `value`."""

    first: int
    end: int
    value: Value


def day(moment: datetime, **more: object) -> Value:
    """The whole day that begins at a midnight."""
    return Value(Kind.DATE, moment, moment + DAY, **more)  # type: ignore[arg-type]  # fields are named by the caller


def span(start: datetime | None, end: datetime | None, unit: str, **more: object) -> Value:
    """A range of days."""
    return Value(Kind.DATE_RANGE, start, end, unit, **more)  # type: ignore[arg-type]  # fields are named by the caller


def time_of_day(seconds: float, *, halved: bool = False, unit: str = "minute") -> Value:
    return Value(Kind.TIME, clock=seconds, halved=halved, unit=unit)
