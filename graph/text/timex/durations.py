"""Durations: a count of units, joined or with fractions ("2 hours and 30 minutes", "a year and a half", "3h")."""

from datetime import datetime

from graph.text.timex import calendar
from graph.text.timex.numbers import count
from graph.text.timex.reader import Reader
from graph.text.timex.values import Amount, Kind, Match, Value
from graph.text.timex.words import LETTER_UNITS, UNITS

MAX_PARTS = 6
_QUALIFIERS = frozenset({"more", "whole", "full", "solid", "long", "straight", "consecutive", "calendar", "short", "entire"})
_WORKING = frozenset({"business", "working", "work", "week"})
_DIMENSIONS = frozenset({"1", "2", "3", "4"})  # "3D" is a shape, "3d" three days
_BEFORE_LETTER_DAY = frozenset({"for", "in", "lasted", "take", "takes", "took", "last", "next", "past", "within"})


def unit_at(r: Reader, i: int) -> tuple[int, str] | None:
    """A unit in words: "business days", "whole years", "hrs"; an abbreviation may end in a period."""
    if r.word(i) in _WORKING and r.word(i + 1) in ("day", "days"):
        return i + 2, "weekday"
    if r.word(i) in ("weekday", "weekdays"):
        return i + 1, "weekday"
    j = r.skip(i, _QUALIFIERS)
    word = r.word(j).removesuffix("'s")
    return (j + 1, UNITS[word]) if word in UNITS else None


def _letter_unit(r: Reader, i: int, number: str) -> tuple[int, str] | None:
    """A unit of one letter right behind digits."""
    word = r.word(i)
    if not r.glued(i) or word not in LETTER_UNITS or not number.isdigit():
        return None
    if word == "s" and (len(number) == 4 or number.endswith("0")):
        return None  # a decade
    if word == "d" and r.capital(i) and number in _DIMENSIONS and r.word(i - 2) not in _BEFORE_LETTER_DAY:
        return None
    return i + 1, LETTER_UNITS[word]


def _part(r: Reader, i: int) -> tuple[int, Amount] | None:
    """One count with its unit, and "and a half" behind the unit."""
    found = count(r, i)
    if not found:
        return _quarter_hours(r, i)
    j, number = found
    k = j + 1 if r.word(j) == "-" and not r.word(j + 1).isdigit() else j
    unit = unit_at(r, k) or (_letter_unit(r, j, r.word(j - 1)) if j == i + 1 else None)
    if not unit or (number == 1 and r.word(i) in ("a", "an") and unit[1] in ("quarter", "weekday") and r.word(j) != "business"):
        return _quarter_hours(r, i)
    if r.word(k) == "night" and number != 1 and r.word(j) != "-":
        return None  # "three night markets"
    if unit[1] == "second" and r.word(k) == "second" and r.word(i) in ("a", "another"):
        return None  # "a second chance"
    end = unit[0]
    for words, share in ((("and", "a", "half"), 0.5), (("and", "half"), 0.5), (("and", "a", "quarter"), 0.25)):
        tail = r.seq(end, *words)
        if tail and not unit_at(r, tail):
            return tail, ((number, unit[1]), (share, unit[1]))
    return end, ((number, unit[1]),)


def _quarter_hours(r: Reader, i: int) -> tuple[int, Amount] | None:
    """ "a quarter of an hour", "three quarters of an hour"."""
    j = r.skip(i, ("a", "three"))
    end = r.seq(j, "quarter|quarters", "of", "an", "hour") or r.seq(j, "quarter", "hour")
    if not end:
        return None
    return end, ((45.0 if r.word(i) == "three" else 15.0, "minute"),)


def amount(r: Reader, i: int) -> tuple[int, Amount] | None:
    """(end, parts) of a duration in words; units fall from part to part or are joined by "and" or a comma."""
    found = _part(r, i)
    if not found:
        return None
    end, parts = found
    while len(parts) < MAX_PARTS:
        j = r.skip(end, (",", "+"))
        j = r.skip(j, ("and", "plus"))
        more = _part(r, j) if j == end or r.word(j) not in ("a", "an") or r.word(end) == "and" else None
        if not more or (j == end and not r.word(j)[0].isdigit()) or r.word(j) == "another":
            break
        if calendar.SECONDS_OF[more[1][0][1]] > calendar.SECONDS_OF[parts[-1][1]]:
            break
        end, parts = more[0], parts + more[1]
    return end, parts


def seconds(parts: Amount) -> float:
    return sum(number * calendar.SECONDS_OF[unit] for number, unit in parts)


def smallest(parts: Amount) -> str:
    return min((unit for _, unit in parts), key=lambda unit: calendar.SECONDS_OF[unit])


def by_clock(parts: Amount) -> bool:
    return any(unit in calendar.CLOCK_UNITS for _, unit in parts)


def shifted(moment: datetime, parts: Amount, sign: int) -> datetime:
    """The moment a duration later (sign 1) or earlier (-1). Raises ValueError or OverflowError at the calendar's ends."""
    for number, unit in parts:
        moment = calendar.add(moment, sign * number, unit)
    return moment


def duration(r: Reader, i: int) -> Match | None:
    """A duration by itself: "two weeks", "half an hour", "all day", "the whole week"."""
    whole = r.seq(i, "all|whole|entire|full", "day|week|month|year|weekend|night|hour")
    if not whole and r.word(i) == "the":
        whole = r.seq(i, "the", "whole|entire|full", "day|week|month|year|weekend|night|hour")
    if whole:
        parts: Amount = ((1, UNITS[r.word(whole - 1)]),)
        return Match(i, whole, Value(Kind.DURATION, amount=parts, unit=parts[0][1]))
    found = amount(r, i)
    if not found or r.seq(found[0], "-", "to|by|on|over|up"):
        return None
    return Match(i, found[0], Value(Kind.DURATION, amount=found[1], unit=smallest(found[1])))
