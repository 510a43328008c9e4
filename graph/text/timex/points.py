"""A phrase that is one time expression, as one moment: "three weeks ago", "last decade", "22 July 2014 at 10:17 pm"."""

from datetime import datetime, timedelta

from graph.text.timex import calendar
from graph.text.timex.durations import shifted
from graph.text.timex.grammar import expressions
from graph.text.timex.reader import Convention
from graph.text.timex.values import Kind, Value


def point(text: str, reference: datetime, convention: Convention | None = None) -> datetime | None:
    """The moment that the longest expression of a text means, on the wall clock of the naive `reference`; None without one.

    A bare duration is that long ago; a period is its first moment, a decade or century said relatively the same day of it.
    """
    found = expressions(text, reference, convention or Convention(prefer="past"))
    if not found:
        return None
    _, _, value = max(found, key=lambda one: one[1] - one[0])
    try:
        return _moment(value, reference)
    except (ValueError, OverflowError):
        return None


def _moment(value: Value, reference: datetime) -> datetime | None:
    if value.kind is Kind.DURATION:
        return shifted(reference, value.amount, -1)
    if value.exact:
        return value.exact
    if value.shift:
        return calendar.add(reference, *value.shift)
    if value.kind is Kind.TIME:
        return calendar.midnight(reference) + timedelta(seconds=value.clock or 0)
    return value.start
