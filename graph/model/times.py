"""Times: aware, kept in UTC with the author's offset beside them, stored as whole microseconds since 1970."""

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from graph.errors import InvalidTime

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Granularity(StrEnum):
    """How exactly a time was said."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    HOUR = "hour"
    MINUTE = "minute"
    SECOND = "second"


class Window(BaseModel):
    """A half-open interval [start, end) in UTC; None means open on that side."""

    model_config = ConfigDict(frozen=True)

    start: datetime | None = None
    end: datetime | None = None
    granularity: Granularity = Granularity.DAY

    def __contains__(self, moment: datetime) -> bool:
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)


def to_utc(moment: datetime) -> tuple[datetime, int | None]:
    """Return the moment in UTC and the author's offset in minutes; a naive time counts as UTC with no known offset.

    Raises InvalidTime when the offset pushes the moment out of the years 1 to 9999.
    """
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC), None
    offset = moment.utcoffset() or timedelta()
    try:
        return moment.astimezone(UTC), round(offset.total_seconds() / 60)
    except OverflowError as error:
        raise InvalidTime(f"{moment.isoformat()} lies outside the years 1 to 9999 in UTC") from error


def to_micros(moment: datetime) -> int:
    """Whole microseconds since 1970-01-01T00:00Z; negative before. Exact for the years 1 to 9999."""
    return (moment - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    return EPOCH + micros * MICROSECOND


def local(moment: datetime, offset_minutes: int | None) -> datetime:
    """The UTC moment as the author's wall clock showed it; unchanged where the offset is unknown or overflows."""
    try:
        return moment.astimezone(timezone(timedelta(minutes=offset_minutes or 0)))
    except OverflowError:
        return moment
