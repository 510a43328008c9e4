"""Single days by word: deictic words, weekdays, ordinals of a month, named days."""

from datetime import datetime, timedelta

from graph.text.timex import calendar
from graph.text.timex.guards import bare_weekday, noun_follows
from graph.text.timex.holidays import Rule, holiday
from graph.text.timex.numbers import count, ordinal
from graph.text.timex.numeric_days import day_month, month_day, numeric, slash_date, year_tail
from graph.text.timex.reader import Reader
from graph.text.timex.relations import relation
from graph.text.timex.values import DAY, UNSAID, Kind, Match, Value, Yearly, day, span
from graph.text.timex.words import UNITS, WEEKDAYS

_DEICTIC = {
    ("day", "before", "yesterday"): -2,
    ("day", "after", "tomorrow"): 2,
    ("today",): 0,
    ("current", "date"): 0,
    ("till", "date"): 0,
    ("yesterday",): -1,
    ("tomorrow",): 1,
    ("tmrw",): 1,
    ("tmr",): 1,
    ("the", "day", "before"): -1,
    ("the", "previous", "day"): -1,
    ("the", "next", "day"): 1,
    ("the", "day", "after"): 1,
    ("the", "following", "day"): 1,
}


def deictic(r: Reader, i: int) -> Match | None:
    """today, tomorrow, the day before yesterday, the other day."""
    j = r.skip(i, ("the",))
    other = r.seq(i, "?just", "the", "other", "day|night|evening|morning|afternoon|week|weekend")
    if other:
        return Match(i, other, span(r.today - 7 * DAY, r.today, "week"))
    if r.seq(i, "the", "day") and not r.seq(i + 2, "before|after|of"):
        return Match(i, i + 2, day(r.today, piece=UNSAID))
    for words, shift in _DEICTIC.items():
        for start in (i, j):
            end = r.seq(start, *words)
            if end:
                return Match(i, end, day(r.today + shift * DAY))
    return None


def weekday(r: Reader, i: int) -> Match | None:
    """[this|next|last] WEEKDAY, with the date that it belongs to, or with "of next week"."""
    rel = relation(r, i, article=False)
    j = rel[0] if rel else i
    name = r.word(j)
    if name not in WEEKDAYS or (not rel and not bare_weekday(r, j)):
        return None
    number = WEEKDAYS[name]
    end = j + 1 + (r.word(j + 1) == "." and r.glued(j + 1) and len(name) <= 5 and not name.endswith("day"))
    dated = _weekday_with_date(r, i, end, number, rel is not None)
    if dated:
        return dated
    week = _of_week(r, end)
    if week:
        return Match(i, week[0], day(week[1] + number * DAY))
    return Match(i, end, day(r.weekday(number, rel[1] if rel else None, rel[2] if rel else "")))


def weekday_beside(r: Reader, i: int) -> Match | None:
    """ "the Monday after Easter", "the Friday before May 5", "the Sunday before last"."""
    j = r.skip(i, ("the",))
    if r.word(j) not in WEEKDAYS or r.word(j + 1) not in ("before", "after"):
        return None
    number, sign = WEEKDAYS[r.word(j)], 1 if r.word(j + 1) == "after" else -1
    if r.seq(j + 1, "before", "last") or r.seq(j + 1, "after", "next"):
        return Match(i, j + 3, day(r.weekday(number, sign) + sign * 7 * DAY))
    base = r.first(r.rules.dates, j + 2)
    if not base or base.value.kind != Kind.DATE or not base.value.start or (r.word(j + 2) == "the" and base.end == j + 4):
        return None
    apart = (number - base.value.start.weekday()) % 7 or 7 if sign > 0 else -((base.value.start.weekday() - number) % 7 or 7)
    return Match(i, base.end, day(base.value.start + apart * DAY))


def _of_week(r: Reader, i: int) -> tuple[int, datetime] | None:
    """ "of next week", "the following week", ", this week": (end, its Monday)."""
    j = r.skip(i, (",",))
    j = r.skip(j, ("of", "in", "on"))
    j = r.skip(j, ("the",))
    rel = relation(r, j, article=False)
    if rel and r.word(rel[0]) == "week":
        return rel[0] + 1, calendar.period(r.today, "week", rel[1])[0]
    after = r.seq(j, "week", "after", "next")
    if after:
        return after, calendar.period(r.today, "week", 2)[0]
    return None


def _weekday_with_date(r: Reader, i: int, end: int, weekday_: int, related: bool) -> Match | None:
    """ "Friday, July 5th", "Fri 5", "this Friday (5 July)": the date decides; without a year, the year that fits best."""
    j = r.skip(end, (",", "-", "("))
    bracket = r.word(j - 1) == "("
    j = r.skip(j, ("the",))
    found = None
    for rule in (numeric, slash_date, month_day, day_month):
        one = rule(r, j)
        if one and (found is None or one.end > found.end):
            found = one
    if found:
        value = found.value
        if value.yearly:
            value = day(_fitting_year(r, value.yearly, weekday_), yearly=value.yearly)
        closed = found.end + (bracket and r.word(found.end) == ")")
        return Match(i, closed, value)
    number = ordinal(r, j)
    if number and not related and number[1] <= 31:
        return Match(i, number[0], day(_fitting_month(r, number[1], weekday_)))
    return None


def _fitting_year(r: Reader, yearly: Yearly, weekday_: int) -> datetime:
    days = []
    for one in range(r.today.year - 1, r.today.year + 2):
        try:
            days.append(yearly(one)[0])
        except ValueError:
            continue
    fitting = [d for d in days if d.weekday() == weekday_]
    chosen = r.choose(yearly)
    return min(fitting, key=lambda d: abs(d - r.today)) if fitting or not chosen else chosen[0]


def _fitting_month(r: Reader, number: int, weekday_: int) -> datetime:
    """The nearest month, in the preferred direction, in which that day is that weekday."""
    step = 1 if r.future else -1
    first = r.today.replace(day=1)
    for k in (0, *range(step, 60 * step, step)):
        start = calendar.add_months(first, k)
        try:
            found = start.replace(day=number)
        except ValueError:
            continue
        if found.weekday() == weekday_:
            return found
    raise ValueError("no month fits")


def week_weekday(r: Reader, i: int) -> Match | None:
    """ "next week on Tuesday", "this week Monday"."""
    rel = relation(r, i)
    if not rel or r.word(rel[0]) != "week":
        return None
    j = r.skip(r.skip(rel[0] + 1, (",", "-", "'s")), ("on",))
    if r.word(j) not in WEEKDAYS:
        return None
    start = calendar.period(r.today, "week", rel[1])[0]
    return Match(i, j + 1, day(start + WEEKDAYS[r.word(j)] * DAY))


def nth_weekday_of(r: Reader, i: int) -> Match | None:
    """ "the second Tuesday of next month", "last Friday in May"."""
    j = r.skip(i, ("the",))
    found = (j + 1, -1) if r.word(j) == "last" else ordinal(r, j)
    if not found or r.word(found[0]) not in WEEKDAYS or r.word(found[0] + 1) not in ("of", "in"):
        return None
    whole = r.first(r.rules.dates, found[0] + 2)
    if not whole or whole.value.kind != Kind.DATE_RANGE or not (whole.value.start and whole.value.end):
        return None
    edge = whole.value.start if found[1] > 0 else whole.value.end - DAY
    return Match(i, whole.end, day(calendar.nth_weekday(edge.year, edge.month, WEEKDAYS[r.word(found[0])], found[1])))


def nth_day_of(r: Reader, i: int) -> Match | None:
    """ "the 21st of this month", "the 15th day of next month", "the last day of the year", "the 21st this month"."""
    j = r.skip(i, ("the",))
    found = (j + 1, -1) if r.word(j) == "last" else ordinal(r, j)
    if not found:
        return None
    k = r.skip(found[0], ("day",))
    if found[1] < 0 and k == found[0]:
        return None
    k = r.skip(k, ("of", "in"))
    whole = r.first(r.rules.dates, k) if r.word(k) in _MONTH_STARTS or k > found[0] else None
    if not whole or whole.value.kind != Kind.DATE_RANGE or not whole.value.start or not whole.value.end:
        return None
    if found[1] > 0 and whole.value.unit != "month" and r.word(found[0]) != "day":
        return None
    start = whole.value.start + (found[1] - 1) * DAY if found[1] > 0 else whole.value.end - DAY
    return Match(i, whole.end, day(start)) if start < whole.value.end else None


_MONTH_STARTS = frozenset({"the", "this", "next", "last", "following", "previous", "current"})


def ordinal_day(r: Reader, i: int) -> Match | None:
    """ "the 21st" behind "on", and only where no noun follows."""
    if r.word(i - 1) != "on":
        return None
    j = r.skip(i, ("the",))
    found = ordinal(r, j)
    if not found or not r.digits(j) or found[1] > 31 or noun_follows(r, j, found[0]):
        return None
    first = r.today.replace(day=1)
    days = []
    for k in range(-3, 4):
        try:
            days.append(calendar.add_months(first, k).replace(day=found[1]))
        except ValueError:
            continue
    past, future = [d for d in days if d <= r.today], [d for d in days if d >= r.today]
    return Match(i, found[0], day(future[0] if r.future and future else past[-1]))


def weekdays_ago(r: Reader, i: int) -> Match | None:
    """ "two Fridays ago": the last one, and a week more for each further one."""
    found = count(r, i)
    if not found or r.word(found[0]).rstrip("s") not in WEEKDAYS or r.word(found[0] + 1) not in ("ago", "back"):
        return None
    last = r.weekday(WEEKDAYS[r.word(found[0]).rstrip("s")], -1, "past")
    return Match(i, found[0] + 2, day(last - timedelta(weeks=int(found[1]) - 1)))


def related_date(r: Reader, i: int) -> Match | None:
    """ "next April 5", "this July 4th", "last Christmas"."""
    rel = relation(r, i, article=False)
    if not rel:
        return None
    found = month_day(r, rel[0]) or day_month(r, rel[0]) or named_day(r, rel[0])
    if not found or not found.value.yearly:
        return None
    return Match(i, found.end, _related(r, found.value.yearly, rel[1], found.value))


def _related(r: Reader, yearly: Yearly, sign: int, value: Value) -> Value:
    around = [yearly(one) for one in range(r.today.year - 2, r.today.year + 3)]
    if sign > 0:
        chosen = next(one for one in around if one[0] > r.today)
    elif sign < 0:
        chosen = [one for one in around if one[0] < r.today][-1]
    else:
        chosen = yearly(r.today.year)
    return Value(value.kind, *chosen, value.unit)


def named_day(r: Reader, i: int) -> Match | None:
    """A holiday, with its year or weekend: "Christmas 2019", "Labor Day weekend", "the weekend of Halloween"."""
    weekend_of = r.seq(i, "?the", "weekend", "of")
    found = holiday(r, weekend_of or i)
    if not found or r.word(i - 1) in ("chinese", "lunar", "jewish", "persian"):
        return None
    end, rule = found
    weekend = bool(weekend_of) or r.word(end) == "weekend"
    end += weekend and not weekend_of
    tail = year_tail(r, end)
    yearly = _weekend(rule) if weekend else _one_day(rule)
    if tail:
        chosen: tuple[datetime, datetime] | None = yearly(tail[1])
        end = tail[0]
    else:
        chosen = r.choose(yearly)
    if not chosen:
        return None
    kept = None if tail else yearly
    if weekend:
        return Match(i, end, span(*chosen, "weekend", yearly=kept))
    return Match(i, end, day(chosen[0], yearly=kept))


def _one_day(rule: Rule) -> Yearly:
    return lambda one: (rule(one), rule(one) + DAY)


def _weekend(rule: Rule) -> Yearly:
    """Saturday and Sunday next to the day, and the Monday when it is one."""

    def yearly(one: int) -> tuple[datetime, datetime]:
        start = rule(one)
        monday = start.weekday() == 0
        saturday = start - ((start.weekday() - calendar.SATURDAY) % 7) * DAY
        if start.weekday() not in (0, 5, 6):
            saturday = start + (calendar.SATURDAY - start.weekday()) * DAY
        return saturday, saturday + (3 if monday else 2) * DAY

    return yearly


def weekend_of_date(r: Reader, i: int) -> Match | None:
    """ "the weekend of May 5th"."""
    j = r.seq(i, "?the", "weekend", "of")
    found = (month_day(r, j) or day_month(r, j) or slash_date(r, j)) if j else None
    if not found or not found.value.start:
        return None
    at = found.value.start
    saturday = at - ((at.weekday() - calendar.SATURDAY) % 7) * DAY
    if at.weekday() not in (0, 5, 6):
        saturday = at + (calendar.SATURDAY - at.weekday()) * DAY
    return Match(i, found.end, span(saturday, saturday + (3 if at.weekday() == 0 else 2) * DAY, "weekend"))


def day_beside(r: Reader, i: int) -> Match | None:
    """ "the day before May 5", "the day after Christmas", "the week before 5 June"."""
    j = r.skip(i, ("the",))
    unit = UNITS.get(r.word(j), "")
    if unit not in ("day", "week", "month", "year", "weekend", "night") or r.word(j + 1) not in ("before", "after"):
        return None
    found = r.first(r.rules.dates, j + 2)
    if not found or not found.value.start or (r.word(j + 2) in ("yesterday", "tomorrow", "last", "next") and unit != "day"):
        return None
    sign = 1 if r.word(j + 1) == "after" else -1
    at = found.value.start
    if unit == "day":
        edge = found.value.end - DAY if sign > 0 and found.value.end and found.value.kind == Kind.DATE_RANGE else at
        return Match(i, found.end, day(edge + sign * DAY))
    if unit == "weekend":
        shift = (calendar.SATURDAY - at.weekday()) % 7 or 7 if sign > 0 else -((at.weekday() - calendar.SATURDAY) % 7 or 7)
        return Match(i, found.end, span(at + shift * DAY, at + (shift + 2) * DAY, "weekend"))
    edge = found.value.end if sign > 0 and found.value.kind == Kind.DATE_RANGE and found.value.end else at
    other = calendar.add(edge, sign, unit)
    return Match(i, found.end, span(min(edge, other), max(edge, other), unit))


RULES = (
    deictic,
    weekday,
    weekday_beside,
    week_weekday,
    nth_weekday_of,
    nth_day_of,
    ordinal_day,
    weekdays_ago,
    related_date,
    named_day,
    weekend_of_date,
    day_beside,
)
