"""Days written out: numeric dates, month and day in every order, with or without the year."""

from datetime import datetime

from graph.text.timex.guards import bare_slash_date, verbal_month
from graph.text.timex.numbers import full_year, ordinal, small, year
from graph.text.timex.reader import Reader
from graph.text.timex.values import DAY, Match, Value, Yearly, day
from graph.text.timex.words import MONTHS, SHORT_MONTHS

_SEPARATORS = frozenset({"-", "/", "."})


def _exact(r: Reader, month: int, number: int, of_year: int | None) -> Value | None:
    """A day of a month, in the year said or in the one that the reading prefers."""
    if of_year is not None:
        return day(datetime(of_year, month, number))

    def yearly(one: int) -> tuple[datetime, datetime]:
        start = datetime(one, month, number)
        return start, start + DAY

    return _yearly_day(r, yearly)


def _yearly_day(r: Reader, yearly: Yearly) -> Value | None:
    chosen = r.choose(yearly)
    return day(chosen[0], yearly=yearly) if chosen else None


def _day_first(a: int, b: int, separator: str) -> tuple[int, int]:
    """(month, day) of two numbers: American order unless it cannot be, or the sign is a period."""
    return (b, a) if a > 12 or (separator == "." and b <= 12) else (a, b)


def numeric(r: Reader, i: int) -> Match | None:
    """2019-01-31, 2019/1/31, 31.1.2019, 1/31/19, 2019 01 31, 20190131."""
    packed = r.word(i)
    if r.digits(i) == 8 and packed[:2] in ("19", "20"):
        return Match(i, i + 1, day(datetime(int(packed[:4]), int(packed[4:6]), int(packed[6:]))))
    sign = r.word(i + 1)
    if sign in _SEPARATORS and r.word(i + 3) == sign and r.digits(i + 2) and r.digits(i + 4):
        return _three_numbers(r, i, sign)
    if r.digits(i) == 4 and r.digits(i + 1) == 2 and r.digits(i + 2) == 2:
        return Match(i, i + 3, day(datetime(int(packed), int(r.word(i + 1)), int(r.word(i + 2)))))
    return None


def _three_numbers(r: Reader, i: int, sign: str) -> Match | None:
    a, b, c = (int(r.word(i + k)) for k in (0, 2, 4))
    sizes = tuple(r.digits(i + k) for k in (0, 2, 4))
    if r.glued(i + 5) and r.word(i + 5) in _SEPARATORS and r.word(i + 5) != "-" and r.digits(i + 6) and r.glued(i + 6):
        return None
    if sizes[0] == 4 and sizes[1] <= 2 and sizes[2] <= 2:
        return Match(i, i + 5, day(datetime(a, b, c)))
    if sizes[0] <= 2 and sizes[1] <= 2 and sizes[2] in (2, 4):
        if sign == "." and sizes[2] == 2 and not (sizes[0] == sizes[1] == 2):
            return None  # "1.2.34" is a version
        month, number = _day_first(a, b, sign)
        return Match(i, i + 5, day(datetime(full_year(c), month, number)))
    return None


def slash_date(r: Reader, i: int) -> Match | None:
    """7/31, with the year behind a comma; guarded, for a fraction looks the same."""
    if not (r.digits(i) in (1, 2) and r.word(i + 1) == "/" and r.digits(i + 2) in (1, 2) and r.glued(i + 2)):
        return None
    if r.word(i + 3) in ("/", ".", ":") and r.glued(i + 3) and r.digits(i + 4) and r.glued(i + 4):
        return None
    month, number = _day_first(int(r.word(i)), int(r.word(i + 2)), "/")
    tail = year(r, i + 4) if r.word(i + 3) == "," else None
    if not tail and not bare_slash_date(r, i, month, number):
        return None
    value = _exact(r, month, number, tail[1] if tail else None)
    return Match(i, tail[0] if tail else i + 3, value) if value else None


def _day_number(r: Reader, i: int) -> tuple[int, int] | None:
    """A day of a month: "3", "03", "3rd", "third", "twenty nine", "31st day"."""
    found = ordinal(r, i)
    if not found and r.digits(i) in (1, 2):
        spoken = r.word(i + 1) in ("am", "pm", "a.m", "p.m", "%", "percent")
        clocked = r.word(i + 1) in (":", "/") and r.glued(i + 1) and r.digits(i + 2)
        found = None if spoken or clocked else (i + 1, int(r.word(i)))
    found = found or small(r, i)
    return found if found and 1 <= found[1] <= 31 else None


def month_at(r: Reader, i: int) -> tuple[int, int] | None:
    """(end, month); an abbreviation may end in a period."""
    word = r.word(i)
    if word not in MONTHS:
        return None
    dotted = word in SHORT_MONTHS and r.word(i + 1) == "." and r.glued(i + 1)
    return i + 1 + dotted, MONTHS[word]


def year_tail(r: Reader, i: int, *, spaced: bool = True) -> tuple[int, int] | None:
    """A year behind a date: ", 2019", "of 2019", "-2019", " '19", "/19"."""
    j = r.skip(i, (",", "-", "/", ".")) if not (r.word(i) == "-" and not r.glued(i)) else i
    j = r.skip(j, ("of", "in")) if spaced else j
    found = year(r, j, dated=r.word(i - 1).isdigit() or r.word(i - 1) in ("st", "nd", "rd", "th") or r.word(i - 1) in MONTHS)
    if found:
        return found
    joined = r.word(i) in ("-", "/") and r.glued(i) and r.glued(i + 1)
    if (joined or r.word(i) == "of") and r.digits(i + 1) == 2 and not r.glued(i + 2):
        return i + 2, full_year(int(r.word(i + 1)))
    return None


def month_day(r: Reader, i: int) -> Match | None:
    """[weekday] MONTH [the] DAY [year]: "Jan 31st, 2019", "March the third", "Oct-31"."""
    j = r.skip(i, ("the",))
    month = month_at(r, j)
    if not month:
        return None
    k = r.skip(month[0], ("-", "/", ",", ".", "of"))
    k = r.skip(k, ("the",))
    number = _day_number(r, k)
    if not number:
        return _year_between(r, i, *month)
    if verbal_month(r, j, number[0]):
        return None
    tail = year_tail(r, number[0])
    value = _exact(r, month[1], number[1], tail[1] if tail else None)
    return Match(i, tail[0] if tail else number[0], value) if value else None


def _year_between(r: Reader, i: int, end: int, month: int) -> Match | None:
    """Sep-2019-31."""
    if r.word(end) in ("-", "/") and r.digits(end + 1) == 4 and r.word(end + 2) in ("-", "/") and r.digits(end + 3) in (1, 2):
        return Match(i, end + 4, day(datetime(int(r.word(end + 1)), month, int(r.word(end + 3)))))
    return None


def day_month(r: Reader, i: int) -> Match | None:
    """[the] DAY [day] [of] MONTH [year]: "31 Jan 2019", "the third of March", "23/Sep/2019"."""
    j = r.skip(i, ("the",))
    number = _day_number(r, j)
    if not number or (r.word(j) == "second" and j == i and not month_at(r, j + 1)):
        return None
    k = r.skip(number[0], ("day",))
    k = r.skip(k, ("of", "-", "/", ".", ","))
    month = month_at(r, k)
    if not month:
        return None
    tail = year_tail(r, month[0])
    value = _exact(r, month[1], number[1], tail[1] if tail else None)
    return Match(i, tail[0] if tail else month[0], value) if value else None


def year_first(r: Reader, i: int) -> Match | None:
    """2019-Sep-31, 2019-31-Sep, 31-2019-Sep, 2019 Sep 31."""
    found = year(r, i) if r.digits(i) == 4 else None
    if found:
        j = r.skip(found[0], ("-", "/", ","))
        month = month_at(r, j)
        k = r.skip(month[0], ("-", "/", ",")) if month else j
        number = _day_number(r, k)
        if month and number:
            return Match(i, number[0], day(datetime(found[1], month[1], number[1])))
        if number and r.word(number[0]) in ("-", "/") and (month := month_at(r, number[0] + 1)):
            return Match(i, month[0], day(datetime(found[1], month[1], number[1])))
    elif r.digits(i) in (1, 2) and r.word(i + 1) in ("-", "/") and r.digits(i + 2) == 4 and r.word(i + 3) in ("-", "/"):
        month = month_at(r, i + 4)
        if month:
            return Match(i, month[0], day(datetime(int(r.word(i + 2)), month[1], int(r.word(i)))))
    return None


RULES = (numeric, slash_date, month_day, day_month, year_first)
