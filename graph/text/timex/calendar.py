"""Calendar arithmetic: shifting by units, calendar periods, nth weekdays, Easter, ISO weeks. Naive datetimes at midnight."""

from calendar import monthrange
from datetime import datetime, timedelta

MONTHS_OF = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
DAYS_OF = {"day": 1, "week": 7, "fortnight": 14, "weekend": 7}
SECONDS_OF = {
    "second": 1,
    "minute": 60,
    "hour": 3_600,
    "day": 86_400,
    "weekday": 86_400,
    "week": 604_800,
    "fortnight": 1_209_600,
    "weekend": 172_800,
    "month": 2_592_000,
    "quarter": 7_776_000,
    "year": 31_536_000,
    "decade": 315_360_000,
    "century": 3_153_600_000,
}
CLOCK_UNITS = ("second", "minute", "hour")
SATURDAY = 5


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def add_months(moment: datetime, months: int) -> datetime:
    """The same day of another month, or that month's last day. Raises ValueError outside the years 1 to 9999."""
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        raise ValueError(f"year {year} is out of range")
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


def add(moment: datetime, count: float, unit: str) -> datetime:
    """Shift by a count of units; a part of a month counts thirty days to the month. Raises ValueError or OverflowError."""
    if unit in MONTHS_OF:
        months = count * MONTHS_OF[unit]
        whole = int(months)
        return add_months(moment, whole) + timedelta(days=(months - whole) * 30)
    if unit == "weekday":
        return _add_weekdays(moment, int(count))
    if unit in DAYS_OF:
        return moment + timedelta(days=count * DAYS_OF[unit])
    return moment + timedelta(seconds=count * SECONDS_OF[unit])


def _add_weekdays(moment: datetime, count: int) -> datetime:
    step = 1 if count > 0 else -1
    weeks, days = divmod(abs(count), 5)
    moment += timedelta(weeks=weeks * step)
    while days:
        moment += timedelta(days=step)
        days -= moment.weekday() < SATURDAY
    return moment


def monday(moment: datetime) -> datetime:
    return midnight(moment) - timedelta(days=moment.weekday())


def period(moment: datetime, unit: str, shift: int) -> tuple[datetime, datetime]:
    """The calendar unit that holds the moment, or the one `shift` units later; weeks begin on Monday."""
    today = midnight(moment)
    if unit == "day":
        start = today + timedelta(days=shift)
    elif unit in ("week", "fortnight"):
        start = monday(today) + timedelta(days=DAYS_OF[unit] * shift)
    elif unit == "weekend":
        start = monday(today) + timedelta(days=SATURDAY + 7 * shift)
        return start, start + timedelta(days=2)
    elif unit == "quarter":
        start = add_months(datetime(today.year, (today.month - 1) // 3 * 3 + 1, 1), 3 * shift)
    elif unit in ("decade", "century"):
        years = MONTHS_OF[unit] // 12
        start = datetime(today.year // years * years + years * shift, 1, 1)
    elif unit == "year":
        start = datetime(today.year + shift, 1, 1)
    else:
        start = add_months(today.replace(day=1), shift)
    return start, add(start, 1, unit)


def nth_weekday(year: int, month: int, weekday: int, n: int) -> datetime:
    """The nth such weekday of a month, from the end when n is negative. Raises ValueError when the month has none."""
    if n < 0:
        last = datetime(year, month, monthrange(year, month)[1])
        return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-n - 1))
    first = datetime(year, month, 1)
    found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
    if found.month != month:
        raise ValueError("the month has no such weekday")
    return found


def iso_week(year: int, number: int) -> datetime:
    """The Monday of an ISO week."""
    fourth = datetime(year, 1, 4)
    return monday(fourth) + timedelta(weeks=number - 1)


def first_week(start: datetime) -> datetime:
    """The Monday of the first week whose Thursday lies at or after `start`."""
    found = monday(start)
    return found if found + timedelta(days=3) >= start else found + timedelta(days=7)


def last_week(end: datetime) -> datetime:
    """The Monday of the last week whose Thursday lies before `end`."""
    found = monday(end - timedelta(days=1))
    return found if found + timedelta(days=3) < end else found - timedelta(days=7)


def easter(year: int) -> datetime:
    """Western Easter Sunday (the anonymous Gregorian computus, Meeus 1991)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, days = divmod(h + m - 7 * n + 114, 31)
    return datetime(year, month, days + 1)
