"""Periods: months, years, quarters, halves, decades, centuries, seasons, weeks, and what is relative to the present."""

from datetime import datetime

from graph.text.timex import calendar
from graph.text.timex.guards import bare_month, bare_year
from graph.text.timex.numbers import count, full_year, ordinal, year
from graph.text.timex.numeric_days import month_at, year_tail
from graph.text.timex.reader import Reader
from graph.text.timex.relations import relation
from graph.text.timex.values import DAY, UNSAID, Kind, Match, Value, Yearly, span
from graph.text.timex.words import PERIODS, SEASONS, UNITS

_WORD_DECADES = {
    word: 1900 + 10 * k
    for k, word in enumerate("twenties thirties forties fifties sixties seventies eighties nineties".split(), 2)
}
_COMING = frozenset({"coming", "this coming", "upcoming", "this upcoming"})
_FISCAL = frozenset({"fiscal", "school", "financial", "academic", "calendar"})


def _chosen(r: Reader, i: int, end: int, yearly: Yearly, unit: str) -> Match | None:
    found = r.choose(yearly)
    return Match(i, end, span(*found, unit, yearly=yearly)) if found else None


def related(r: Reader, yearly: Yearly, sign: int) -> tuple[datetime, datetime]:
    """The occurrence before, around or after the present."""
    around = [yearly(one) for one in range(r.today.year - 2, r.today.year + 3)]
    if sign > 0:
        return next(one for one in around if one[0] > r.today)
    if sign < 0:
        return [one for one in around if one[1] <= r.today][-1]
    return yearly(r.today.year)


def _month_of(number: int) -> Yearly:
    def yearly(one: int) -> tuple[datetime, datetime]:
        start = datetime(one, number, 1)
        return start, calendar.add_months(start, 1)

    return yearly


def month(r: Reader, i: int) -> Match | None:
    """[next] MONTH [year]: "May 2019", "last March", "April of '87", "Dec-2018"."""
    named = r.seq(i, "?the", "month", "of")
    rel = None if named else relation(r, i)
    j = named or (rel[0] if rel else i)
    found = month_at(r, j)
    if not found:
        return None
    end, number = found
    yearly = _month_of(number)
    tail = year_tail(r, end)
    if tail and not rel:
        return Match(i, tail[0], span(*yearly(tail[1]), "month"))
    if r.seq(end, "?of", "this|next|last|the", "year|same") and (tail := _year_said(r, r.skip(end, ("of",)))):
        return Match(i, tail[0], span(*yearly(tail[1]), "month"))
    end = j + 1 if r.word(end - 1) == "." and not r.word(end).isdigit() else end
    if not bare_month(r, j, end, related=rel is not None or named > 0):
        return None
    if rel:
        return Match(i, end, span(*related(r, yearly, rel[1]), "month"))
    return _chosen(r, i, end, yearly, "month")


def _year_said(r: Reader, i: int) -> tuple[int, int] | None:
    """ "2019", "this year", "last year", "the year"."""
    found = year(r, i)
    if found:
        return found
    rel = relation(r, i)
    j = rel[0] if rel else r.skip(i, ("the",))
    return (j + 1, r.today.year + (rel[1] if rel else 0)) if r.word(j) == "year" and j > i else None


def month_number(r: Reader, i: int) -> Match | None:
    """2019-04, 04/2019, 4-2019."""
    a, b = r.digits(i), r.digits(i + 2)
    if r.word(i + 1) not in ("-", "/") or not r.glued(i + 2) or (r.word(i + 3) in ("-", "/") and r.digits(i + 4)):
        return None
    if a == 4 and b in (1, 2):
        one, number = int(r.word(i)), int(r.word(i + 2))
    elif a in (1, 2) and b == 4:
        number, one = int(r.word(i)), int(r.word(i + 2))
    else:
        return None
    return Match(i, i + 3, span(*_month_of(number)(one), "month")) if 1500 < one < 2200 and 1 <= number <= 12 else None


def year_month(r: Reader, i: int) -> Match | None:
    """ "2019 April", "2018-Dec"."""
    found = year(r, i) if r.digits(i) == 4 else None
    at = month_at(r, r.skip(found[0], ("-", "/", ",", "of"))) if found else None
    return Match(i, at[0], span(*_month_of(at[1])(found[1]), "month")) if found and at else None


def one_year(r: Reader, i: int) -> Match | None:
    """A year by itself, "the year 2019", "fiscal year 2019", "FY19", "FY2019"."""
    j = r.skip(i, ("the",))
    j = r.skip(j, _FISCAL)
    named = r.word(j) in ("year", "fy", "cy")
    j = j + 1 if named else i
    found = year(r, j)
    if named and not found and r.digits(j) == 2 and r.word(j - 1) in ("fy", "cy"):
        found = j + 1, full_year(int(r.word(j)))
    if not found or not (named or bare_year(r, j, found[0])) or (r.word(j).isalpha() and not _spoken_year(r, j, *found)):
        return None
    return Match(i, found[0], span(datetime(found[1], 1, 1), datetime(found[1] + 1, 1, 1), "year"))


def _spoken_year(r: Reader, i: int, end: int, number: int) -> bool:
    """Whether a number in words is a year: "two thousand" only where one is expected."""
    expected = r.word(i - 1) in ("in", "since", "year", "of", "until", "before", "after", "from", "by")
    return expected or (number != 2000 and end > i + 1)


def decade(r: Reader, i: int) -> Match | None:
    """ "the 1990s", "the '90s", "the nineties", "1900s" (a century)."""
    j = r.skip(i, ("the",))
    if r.word(j) in _WORD_DECADES:
        if r.word(i - 1) in ("my", "his", "her", "their", "our", "your"):
            return None  # years of a life
        start = _WORD_DECADES[r.word(j)]
        return Match(i, j + 1, _decade(start))
    j = r.skip(j, ("'",))
    tail = j + 2 if r.word(j + 1) == "'" and r.word(j + 2) == "s" else j + 1
    if r.word(tail) != "s" or not r.glued(tail) or r.digits(j) not in (2, 4) or r.word(j)[-1] != "0":
        return None
    number = int(r.word(j))
    if r.digits(j) == 2 and (number < 20 or j == i):
        return None
    if r.digits(j) == 4 and not 1500 <= number <= 2199:
        return None
    start = number if r.digits(j) == 4 else 1900 + number
    if start % 100 == 0 and start != 2000:
        return Match(i, tail + 1, span(datetime(start, 1, 1), datetime(start + 100, 1, 1), "century"))
    return Match(i, tail + 1, _decade(start))


def _decade(start: int) -> Value:
    return span(datetime(start, 1, 1), datetime(start + 10, 1, 1), "decade")


def century(r: Reader, i: int) -> Match | None:
    """ "the 21st century" is [2000, 2100)."""
    found = ordinal(r, r.skip(i, ("the",)))
    if not found or r.word(r.skip(found[0], ("-",))) != "century" or not 1 < found[1] <= 30:
        return None
    start = (found[1] - 1) * 100
    end = r.skip(found[0], ("-",)) + 1
    return Match(i, end, span(datetime(start, 1, 1), datetime(start + 100, 1, 1), "century"))


def _quarter_of(number: int) -> Yearly:
    def yearly(one: int) -> tuple[datetime, datetime]:
        start = datetime(one, 3 * number - 2, 1)
        return start, calendar.add_months(start, 3)

    return yearly


def _half_of(number: int) -> Yearly:
    def yearly(one: int) -> tuple[datetime, datetime]:
        start = datetime(one, 6 * number - 5, 1)
        return start, calendar.add_months(start, 6)

    return yearly


def quarter(r: Reader, i: int) -> Match | None:
    """ "Q3", "Q3 2019", "2019 Q3", "H1 2020", "the third quarter of last year", "first half of 2019"."""
    before = year(r, i) if r.digits(i) == 4 else None
    j = r.skip(before[0], ("-", ",", "/")) if before else i
    found = _letter_part(r, j) or _ordinal_part(r, j)
    if not found:
        return None
    end, yearly, unit, certain = found
    if before:
        return Match(i, end, span(*yearly(before[1]), unit))
    tail = year_tail(r, end) or _year_said(r, r.skip(end, ("of", "in", "for")))
    fiscal = r.skip(r.skip(end, ("of", "in")), ("the",))
    if not tail and r.word(fiscal) in ("fy", "fiscal"):
        named = one_year(r, fiscal)
        tail = (named.end, named.value.start.year) if named and named.value.start else None
    if tail:
        return Match(i, tail[0], span(*yearly(tail[1]), unit))
    return _chosen(r, i, end, yearly, unit) if certain else None


def _letter_part(r: Reader, i: int) -> tuple[int, Yearly, str, bool] | None:
    letter, number = r.word(i), r.word(i + 1)
    if letter == "quarter" and number in ("1", "2", "3", "4"):
        return i + 2, _quarter_of(int(number)), "quarter", False
    if letter == "q" and r.glued(i + 1) and number in ("1", "2", "3", "4"):
        return i + 2, _quarter_of(int(number)), "quarter", True
    if letter == "h" and r.glued(i + 1) and number in ("1", "2"):
        return i + 2, _half_of(int(number)), "half", bool(year_tail(r, i + 2))
    return None


def _ordinal_part(r: Reader, i: int) -> tuple[int, Yearly, str, bool] | None:
    j = r.skip(i, ("the",))
    found = (j + 1, 0) if r.word(j) in ("last", "final") else ordinal(r, j)
    if not found or r.word(found[0]) not in ("quarter", "half"):
        return None
    size = 4 if r.word(found[0]) == "quarter" else 2
    number = found[1] or size
    if number > size:
        return None
    yearly = _quarter_of(number) if size == 4 else _half_of(number)
    return found[0] + 1, yearly, r.word(found[0]), found[1] > 0 and size == 4 and r.word(i) == "the"


def _season_of(name: str) -> Yearly:
    def yearly(one: int) -> tuple[datetime, datetime]:
        start = datetime(one, SEASONS[name], 1)
        return start, calendar.add_months(start, 3)

    return yearly


def season(r: Reader, i: int) -> Match | None:
    """ "last summer", "winter 2019", "2016 summer"; spring and fall alone are too often something else."""
    before = year(r, i) if r.digits(i) == 4 else None
    if before:
        name = r.word(before[0])
        return Match(i, before[0] + 1, span(*_season_of(name)(before[1]), "season")) if name in SEASONS else None
    rel = relation(r, i)
    j = rel[0] if rel else r.skip(i, ("the",))
    name = r.word(j)
    if name not in SEASONS:
        return None
    yearly = _season_of(name)
    said = r.word(j + 1) in ("of", "this", "last", "next")
    tail = year_tail(r, j + 1) or (_year_said(r, r.skip(j + 1, ("of",))) if said else None)
    if tail and not rel:
        return Match(i, tail[0], span(*yearly(tail[1]), "season"))
    if rel:
        return Match(i, j + 1, span(*related(r, yearly, rel[1]), "season"))
    expected = r.word(i) == "the" and r.word(i - 1) in ("in", "during", "since", "until", "by")
    if (name in ("spring", "fall") and not expected) or (r.capital(j) and r.capital(j + 1)):
        return None
    found = _chosen(r, j, j + 1, yearly, "season")
    return found._replace(first=j) if found else None


def related_period(r: Reader, i: int) -> Match | None:
    """ "next week", "the past month", "this weekend", "the current quarter", "the same year", "this coming fiscal year"."""
    rel = relation(r, i)
    j = rel[0] if rel else r.skip(i, ("the",))
    j = r.skip(j, _FISCAL)
    word = r.word(j)
    working = word in ("workweek", "work-week") or (word in ("working", "work", "business") and r.word(j + 1) == "week")
    if working and rel:
        start = calendar.period(r.today, "week", rel[1])[0]
        return Match(i, j + (1 if word == "workweek" else 2), span(start, start + 5 * DAY, "week"))
    unit = UNITS.get(word, "") if word == UNITS.get(word) else ""
    if j == i and r.seq(i + 1, "after|before", "next|last"):
        return _the_period(r, i, j, unit) if unit in PERIODS else None
    if unit not in PERIODS or j == i or (unit == "day" and not rel):
        return None
    if not rel:
        return _the_period(r, i, j, unit)
    sign = rel[1]
    if (
        unit == "weekend"
        and rel[2] in ("coming", "this coming", "upcoming", "this upcoming", "next")
        and (r.nearest or rel[2] != "next")
    ):
        sign = 0 if r.today.weekday() < calendar.SATURDAY and (rel[2] != "next") else sign
    if r.word(j + 1) == "'" or r.word(j + 1) == "-":
        return None if r.word(j + 1) == "-" and r.glued(j + 1) and r.word(j + 2).isalpha() else _period(r, i, j, unit, sign)
    return _period(r, i, j, unit, sign)


def _period(r: Reader, i: int, j: int, unit: str, sign: int) -> Match:
    shift = (sign, unit) if unit in ("decade", "century") else None
    start, end = calendar.period(r.today, unit, sign)
    if unit == "day":
        return Match(i, j + 1, Value(Kind.DATE, start, end))
    return Match(i, j + 1, span(start, end, unit, shift=shift))


def _the_period(r: Reader, i: int, j: int, unit: str) -> Match | None:
    """ "the week", "the month", "the weekend": the present one, unless something is said about it."""
    after = r.seq(j + 1, "after", "next") or r.seq(j + 1, "before", "last")
    if after:
        sign = 2 if r.word(after - 1) == "next" else -2
        return Match(i, after, span(*calendar.period(r.today, unit, sign), unit))
    if unit not in ("week", "fortnight", "month", "year", "weekend", "quarter", "century", "decade"):
        return None
    if r.word(j + 1) in ("before", "after", "of", "later", "ago", "that", "when", "i", "we", "he", "she", "they", "you"):
        return None
    return Match(i, j + 1, span(*calendar.period(r.today, unit, 0), unit, piece="" if unit == "weekend" else UNSAID))


def week_number(r: Reader, i: int) -> Match | None:
    """ "week 12", "week 12 of 2019": the ISO week."""
    j = r.skip(i, ("the",))
    if r.word(j) != "week" or r.digits(j + 1) not in (1, 2) or not 1 <= int(r.word(j + 1)) <= 53:
        return None
    tail = (
        _year_said(r, r.skip(j + 2, ("of", "in", ","))) if r.word(j + 2) in ("of", "in", ",") or r.digits(j + 2) == 4 else None
    )
    start = calendar.iso_week(tail[1] if tail else r.today.year, int(r.word(j + 1)))
    return Match(j, tail[0] if tail else j + 2, span(start, start + 7 * DAY, "week"))


def week_of(r: Reader, i: int) -> Match | None:
    """ "the week of May 5": the Monday-to-Sunday week that holds the day."""
    j = r.seq(i, "?the", "week", "of|commencing|beginning|starting")
    found = r.first(r.rules.dates, r.skip(j, ("the",))) if j else None
    if not found or found.value.kind != Kind.DATE or not found.value.start or found.value.exact:
        return None
    start = calendar.monday(found.value.start)
    return Match(i, found.end, span(start, start + 7 * DAY, "week"))


def nth_unit_of(r: Reader, i: int) -> Match | None:
    """ "the second week of May", "last month of the year", "the last three weeks of 2019", "first weekend in June"."""
    j = r.skip(i, ("the",))
    last = r.word(j) in ("last", "final")
    first_n = r.word(j) == "first" and bool(count(r, j + 1)) and r.word(j + 1) not in ("a", "an")
    found = (j + 1, -1) if last else (j + 1, 1) if first_n else ordinal(r, j)
    if not found:
        return None
    number = count(r, found[0]) if last or first_n else None
    k = number[0] if number else found[0]
    unit = UNITS.get(r.word(k), "")
    if unit not in ("day", "week", "weekend", "month", "quarter", "year", "decade") or r.word(k + 1) not in ("of", "in"):
        return None
    whole = r.first(r.rules.dates, k + 2) or r.first(r.rules.dates, k + 3 if r.word(k + 2) == "the" else k + 2)
    if not whole or whole.value.kind != Kind.DATE_RANGE or not whole.value.start or not whole.value.end:
        return None
    several = int(number[1]) if number else 1
    start, end = _nth(whole.value.start, whole.value.end, unit, found[1], several)
    if unit == "day" and several == 1:
        return None
    return Match(i, whole.end, span(start, end, unit))


def _nth(start: datetime, end: datetime, unit: str, n: int, several: int) -> tuple[datetime, datetime]:
    if unit == "weekend":
        at = calendar.nth_weekday(start.year, start.month, calendar.SATURDAY, n) if n > 0 else None
        edge = end - DAY
        at = at or calendar.nth_weekday(edge.year, edge.month, calendar.SATURDAY, -1)
        return at, at + 2 * DAY
    if unit == "week":
        if n < 0:
            at = calendar.last_week(end)
            return at - (several - 1) * 7 * DAY, at + 7 * DAY
        at = calendar.first_week(start) + 7 * (n - 1) * DAY
        return at, at + 7 * several * DAY
    if n < 0:
        return calendar.add(end, -several, unit), end
    at = calendar.add(start, n - 1, unit)
    return at, calendar.add(at, several, unit)


RULES = (
    month,
    month_number,
    year_month,
    one_year,
    decade,
    century,
    quarter,
    season,
    related_period,
    week_number,
    week_of,
    nth_unit_of,
)
