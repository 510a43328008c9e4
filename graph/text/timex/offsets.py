"""Offsets: so much before or after the present or a date, and the last or next so many units."""

from datetime import datetime

from graph.text.timex import calendar
from graph.text.timex.dayparts import of_day
from graph.text.timex.durations import amount, by_clock, shifted, smallest, unit_at
from graph.text.timex.numbers import count, ordinal
from graph.text.timex.reader import Reader
from graph.text.timex.relations import relation
from graph.text.timex.values import DAY, SECONDS_OF_DAY, Amount, Kind, Match, Value, span
from graph.text.timex.words import BEGINNINGS, ENDINGS, LAST, MIDDLES, NEXT, PERIODS, UNITS, WEEKDAYS

_AGO = (
    ("ago",),
    ("back",),
    ("earlier",),
    ("before", "now"),
    ("before", "today"),
    ("before", "that"),
    ("previously",),
    ("prior",),
)
_HENCE = (
    ("later",),
    ("from", "now"),
    ("from", "today"),
    ("from", "then"),
    ("afterwards",),
    ("afterward",),
    ("hence",),
    ("on", "from", "now"),
    ("after", "that"),
    ("in", "the", "future"),
)
_NEAR = frozenset({"about", "around", "roughly", "approximately", "almost", "nearly", "some", "over", "exactly", "just"})
_PRONOUNS = frozenset("the a an i we he she they it in to at from you my our his her".split())


def point(moment: datetime, parts: Amount) -> Value:
    """The moment itself for units of the clock, else its day; the unit said is kept, so a caller may widen to it."""
    unit = smallest(parts)
    if by_clock(parts):
        return Value(Kind.DATETIME, moment, moment, unit, exact=moment)
    start = calendar.midnight(moment)
    return Value(Kind.DATE, start, start + DAY, unit, exact=moment)


def _direction(r: Reader, end: int) -> tuple[int, int] | None:
    """(end, sign) of "ago", "from now" and their kin."""
    for words in _HENCE:
        j = r.seq(end, *words)
        if j:
            return j, 1
    for words in _AGO:
        j = r.seq(end, *words)
        if j and not (words == ("back",) and r.word(j) in _PRONOUNS):
            return j, -1
    if r.word(end) == "before" and (r.word(end + 1) in ("", ".", ",", ";", "!", "?", ")")):
        return end + 1, -1
    return None


def offset(r: Reader, i: int) -> Match | None:
    """ "two days ago", "in an hour", "three weeks from now", "in five minutes' time", "two weeks in the past"."""
    j = r.skip(i, ("in",))
    inside = j > i
    j = r.skip(j, _NEAR)
    near = j
    found = amount(r, j)
    if not found:
        return None
    end, parts = found
    if not inside:
        said = _direction(r, end)
        if not said:
            return None
        fixed = _from_day(r, said[0]) if said[1] < 0 and r.word(end) == "ago" and not by_clock(parts) else None
        if fixed:
            return Match(i, fixed[0], point(shifted(fixed[1], parts, -1), (*parts[:-1], (parts[-1][0], "day"))))
        return Match(near if near > i and r.word(i) != "in" else i, said[0], point(shifted(r.reference, parts, said[1]), parts))
    moment = shifted(r.reference, parts, 1)
    tail = r.seq(end, "'|'s", "?s", "time") or r.seq(end, "time")
    if _direction(r, end) and not tail:
        return None
    base = r.first(r.rules.dates, end + 1) if r.word(end) in ("from", "after", "since") else None
    if base and base.value.start:
        return Match(i, base.end, point(shifted(base.value.start, parts, 1), parts))
    if r.word(i - 1) == "than" or r.word(end) in ("of", "length", "duration", "total"):
        return None
    return Match(i, end, point(moment, parts))


def _from_day(r: Reader, i: int) -> tuple[int, datetime] | None:
    """The day that "a year ago today", "two weeks ago last Monday" count from."""
    if r.word(i) not in ("today", "yesterday", "tomorrow", "last", "this", "on") and r.word(i) not in WEEKDAYS:
        return None
    base = r.first(r.rules.dates, r.skip(i, ("on",)))
    if not base or base.value.kind != Kind.DATE or not base.value.start or base.value.exact:
        return None
    return base.end, base.value.start


def offset_from(r: Reader, i: int) -> Match | None:
    """ "two days before Christmas", "3 weeks after the 5th of May", "a month from tomorrow"."""
    found = amount(r, r.skip(i, _NEAR) if r.word(i) in _NEAR else i)
    if not found or r.word(found[0]) not in ("before", "prior", "after", "from", "since", "following"):
        return None
    word = r.word(found[0])
    j = r.skip(found[0] + 1, ("to",)) if word == "prior" else found[0] + 1
    base = r.first(r.rules.dates, j)
    if not base or not base.value.start or (word in ("from", "since") and base.value.unit in ("year", "month")):
        return None
    sign = -1 if word in ("before", "prior") else 1
    edge = base.value.end if sign > 0 and base.value.kind == Kind.DATE_RANGE and base.value.end else base.value.start
    return Match(i, base.end, point(shifted(edge, found[1], sign), found[1]))


def now_plus(r: Reader, i: int) -> Match | None:
    """ "now - 1 day", "today + 2 weeks"."""
    if r.word(i) not in ("now", "today") or r.word(i + 1) not in ("+", "-"):
        return None
    found = amount(r, i + 2)
    if not found:
        return None
    return Match(i, found[0], point(shifted(r.reference, found[1], 1 if r.word(i + 1) == "+" else -1), found[1]))


def present(r: Reader, i: int) -> Match | None:
    """ "now", "right now", "at the moment", "as soon as possible"."""
    for words in (
        ("right", "now"),
        ("just", "now"),
        ("now",),
        ("at", "the", "moment"),
        ("at", "this", "moment"),
        ("at", "present"),
        ("at", "this", "time"),
        ("presently",),
        ("asap",),
        ("as", "soon", "as", "possible"),
    ):
        end = r.seq(i, *words)
        if end:
            return Match(i, end, Value(Kind.DATETIME, r.reference, r.reference, "second", present=True))
    return None


def within(r: Reader, i: int) -> Match | None:
    """ "within two days", "within the next hour"."""
    if r.word(i) != "within":
        return None
    found = amount(r, i + 1)
    if found:
        return Match(i, found[0], _ahead(r, found[1]))
    inner = several(r, i + 1)
    return inner._replace(first=i) if inner else None


def _ahead(r: Reader, parts: Amount) -> Value:
    if by_clock(parts):
        return Value(Kind.DATETIME_RANGE, r.reference, shifted(r.reference, parts, 1), smallest(parts))
    return span(r.today, shifted(r.today, parts, 1), smallest(parts))


def several(r: Reader, i: int) -> Match | None:
    """ "the last two weeks", "next 3 days", "5 upcoming years", "past couple of months", "the previous 4 business days"."""
    j = r.skip(i, ("the",))
    rel = relation(r, j, article=False)
    if rel and rel[1]:
        found = count(r, rel[0])
        unit = unit_at(r, found[0]) if found else unit_at(r, rel[0]) if r.word(rel[0]) in _PLURALS else None
        if not unit or (found and r.word(rel[0]) in ("a", "an") and r.word(rel[0] + 1) not in ("few", "couple")):
            return None
        return _several(r, i if j == i or not found else j, unit[0], rel[1], (found[1] if found else 3, unit[1]))
    found = count(r, i) if r.word(i) not in ("a", "an") else None
    if not found or r.word(found[0]) not in NEXT | LAST:
        return None
    unit = unit_at(r, found[0] + 1)
    if not unit:
        return None
    return _several(r, i, unit[0], 1 if r.word(found[0]) in NEXT else -1, (found[1], unit[1]))


_PLURALS = frozenset({"days", "weeks", "months", "years", "hours", "decades"})


def _several(r: Reader, first: int, end: int, sign: int, size: tuple[float, str]) -> Match | None:
    """[the present, so many units on), or as many units back; whole quarters and, ahead, whole days from tomorrow on."""
    number, unit = size
    if r.word(end) in ("ago", "of", "in") and (r.word(end) == "ago" or r.first(r.rules.dates, end + 1)):
        return None
    if unit in calendar.CLOCK_UNITS:
        other = calendar.add(r.reference, sign * number, unit)
        return Match(first, end, Value(Kind.DATETIME_RANGE, min(other, r.reference), max(other, r.reference), unit))
    if unit == "weekend":
        return None
    if unit == "quarter":
        start, stop = calendar.period(r.today, "quarter", 0)
        edges = (stop, calendar.add(stop, number, unit)) if sign > 0 else (calendar.add(start, -number, unit), start)
        return Match(first, end, span(*edges, unit))
    if sign > 0:
        start = r.today + DAY
        return Match(first, end, span(start, calendar.add(start, number, unit), unit))
    return Match(first, end, span(calendar.add(r.today, -number, unit), r.today, unit))


def weekends_away(r: Reader, i: int) -> Match | None:
    """ "two weekends ago", "three weekends from now"."""
    found = count(r, i)
    if not found or UNITS.get(r.word(found[0])) != "weekend":
        return None
    said = _direction(r, found[0] + 1)
    if not said:
        return None
    shift = int(found[1]) * said[1]
    return Match(i, said[0], span(*calendar.period(r.today, "weekend", shift), "weekend"))


def to_date(r: Reader, i: int) -> Match | None:
    """ "year to date", "the rest of the week"."""
    j = r.skip(i, ("the",))
    if r.seq(j, "year|month|week|quarter", "to", "date"):
        return Match(j, j + 3, span(calendar.period(r.today, r.word(j), 0)[0], r.today, r.word(j)))
    if r.word(j) == "ytd":
        return Match(j, j + 1, span(calendar.period(r.today, "year", 0)[0], r.today, "year"))
    k = r.seq(j, "rest|remaining|remainder|balance", "of")
    if not k:
        return None
    whole = r.first(r.rules.dates, k)
    if whole and whole.value.kind in (Kind.DATE_RANGE, Kind.DATE) and whole.value.end:
        return Match(i, whole.end, span(max(r.today, whole.value.start or r.today), whole.value.end, whole.value.unit))
    named = r.skip(k, ("the", "this", "my", "our"))
    if r.word(named) in PERIODS:
        return Match(i, named + 1, span(r.today, calendar.period(r.today, r.word(named), 0)[1], r.word(named)))
    return None


_PIECE_UNITS = {"start": "start", "mid": "mid", "end": "end"}


def piece(r: Reader, i: int) -> Match | None:
    """A part of a period: "early next week", "mid-March", "the end of the year", "later this month"."""
    j = r.skip(i, ("the",))
    word = r.word(j)
    if word not in BEGINNINGS | MIDDLES | ENDINGS:
        return None
    k = r.skip(j + 1, ("-", "part"))
    k = r.skip(k, ("of", "in", "on", "to"))
    if word in ("start", "beginning", "middle", "end", "close") and r.word(k - 1) not in ("of", "in"):
        return None
    whole = r.first(r.rules.dates, k)
    if r.word(k) == "the" and not whole:
        whole = r.first(r.rules.dates, k + 1)
    if not whole or not whole.value.start or not whole.value.end or whole.value.exact or whole.value.present:
        return None
    value, start, stop = whole.value, whole.value.start, whole.value.end
    first = i if word not in ("start", "beginning", "middle", "end", "mid", "close") else j
    if value.kind == Kind.DATE and word in ("end", "close"):
        last = stop - DAY / SECONDS_OF_DAY
        return Match(first, whole.end, Value(Kind.DATETIME, last, last, "second"))
    if value.kind == Kind.DATETIME_RANGE and value.part:
        part = of_day(calendar.midnight(start), value.part, "early" if word in BEGINNINGS else "late")
        return Match(first, whole.end, part)
    if value.kind != Kind.DATE_RANGE:
        return None
    kind = "start" if word in BEGINNINGS else "mid" if word in MIDDLES else "end"
    return Match(first, whole.end, span(*_cut(r, value, word), value.unit, whole=value, piece=kind))


def _cut(r: Reader, value: Value, word: str) -> tuple[datetime, datetime]:
    """The part of a period: halves for earlier and later, else about thirds; of a week three days."""
    start, end = value.start or r.today, value.end or r.today
    begins, middle = word in BEGINNINGS, word in MIDDLES
    if value.unit == "week":
        if begins or middle:
            return (start, start + 3 * DAY) if begins else (start + 2 * DAY, start + 5 * DAY)
        late = start + 3 * DAY
        return (max(late, r.today) if start <= r.today < end else late), end
    if word in ("earlier", "later"):
        half = calendar.add_months(start, 6) if value.unit == "year" else start + 15 * DAY if value.unit == "month" else None
        half = half or start + (end - start) / 2
        return (start, half) if begins else (half, end)
    if value.unit == "month":
        return (
            (start, start + 10 * DAY) if begins else (start + 9 * DAY, start + 20 * DAY) if middle else (start + 20 * DAY, end)
        )
    if value.unit == "year":
        one, two = calendar.add_months(start, 4), calendar.add_months(start, 8)
        return (start, one) if begins else (one, two) if middle else (two, end)
    if value.unit in ("decade", "century"):
        one, two = (calendar.add(start, share * (end.year - start.year), "year") for share in (0.4, 0.7))
        return (start, one) if begins else (one, two) if middle else (two, end)
    one, two = (calendar.midnight(start + share * (end - start) / 3) for share in (1, 2))
    return (start, one) if begins else (one, two) if middle else (two, end)


def half(r: Reader, i: int) -> Match | None:
    """ "the first half of this month", "second half of the week": two equal parts of a period."""
    j = r.skip(i, ("the",))
    found = (j + 1, 2) if r.word(j) in ("last", "latter") else ordinal(r, j)
    if not found or found[1] not in (1, 2) or r.word(found[0]) != "half":
        return None
    whole = r.first(r.rules.dates, r.skip(found[0] + 1, ("of", "in")))
    if not whole or whole.value.kind != Kind.DATE_RANGE or not whole.value.start or not whole.value.end:
        return None
    start, end = whole.value.start, whole.value.end
    middle = calendar.add_months(start, 6) if whole.value.unit == "year" else calendar.midnight(start + (end - start) / 2)
    edges = (start, middle) if found[1] == 1 else (middle, end)
    return Match(i, whole.end, span(*edges, "half"))


def end_of_day(r: Reader, i: int) -> Match | None:
    """ "EOD", "end of day", "EOM", "EOY", "end of the day tomorrow"."""
    j = r.skip(i, ("the",))
    if r.word(j) in ("eom", "eoy", "eow"):
        unit = {"eom": "month", "eoy": "year", "eow": "week"}[r.word(j)]
        stop = calendar.period(r.today, unit, 0)[1]
        return Match(i, j + 1, Value(Kind.DATE, stop - DAY, stop))
    end = (
        j + 1
        if r.word(j) in ("eod", "cob")
        else (r.seq(j, "end|close", "of", "?the", "?business", "day") or r.seq(j, "close", "of", "business"))
    )
    if not end:
        return None
    base = r.first(r.rules.dates, r.skip(end, ("on", "of")))
    at = base.value.end if base and base.value.kind == Kind.DATE and base.value.end else r.today + DAY
    last = at - DAY / SECONDS_OF_DAY
    return Match(i, base.end if base and base.value.kind == Kind.DATE else end, Value(Kind.DATETIME, last, last, "second"))


RULES = (weekends_away, offset, offset_from, now_plus, present, within, several, to_date, piece, half, end_of_day)
