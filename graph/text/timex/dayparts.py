"""Parts of the day, alone and with their day: "this morning", "tomorrow evening", "the night of 5 May", "tonight"."""

from datetime import datetime, timedelta

from graph.text.timex.reader import Reader
from graph.text.timex.relations import relation
from graph.text.timex.values import DAY, Kind, Match, Value
from graph.text.timex.words import MEALS, PARTS

_SPOKEN = ("morning", "afternoon", "evening", "night")
_EARLY = timedelta(hours=2)


def hours(part: str, early: str = "") -> tuple[float, float]:
    """Seconds [a, b) of a part; early is its first two hours, late the rest; a night ends a second before midnight."""
    a, b = (3600.0 * hour for hour in PARTS[part])
    if early.startswith("earl"):
        b = a + _EARLY.total_seconds()
    elif early:
        a += _EARLY.total_seconds()
    return a, min(b, 86_399)


def of_day(start: datetime, part: str, early: str = "") -> Value:
    """A part of the day that begins at a midnight."""
    a, b = hours(part, early)
    return Value(Kind.DATETIME_RANGE, start + timedelta(seconds=a), start + timedelta(seconds=b), "hour", part=part)


def after_day(r: Reader, i: int) -> tuple[int, str, str] | None:
    """(end, part, early) behind a day: "morning", "in the late evening", "pm", "at night", ", early morning"."""
    j = r.skip(i, (",",))
    j = r.seq(j, "in|during", "?the") or r.seq(j, "at") or j
    early = r.word(j) if r.word(j) in ("early", "late", "later") else ""
    j += bool(early)
    word = r.word(j)
    if word not in PARTS or word in ("dawn", "noon") or (word == "night" and r.word(j - 1) == "the"):
        return None
    if word in ("am", "pm") and r.word(j - 1).isdigit():
        return None
    return j + 1, word, early


def related_part(r: Reader, i: int) -> Match | None:
    """ "this morning", "last night", "next evening", "the afternoon"."""
    rel = relation(r, i)
    j = rel[0] if rel else 0
    early = r.word(j) if j and r.word(j) in ("early", "late") else ""
    j += bool(early)
    if not rel or r.word(j) not in _SPOKEN:
        return None
    return Match(i, j + 1, of_day(r.today + rel[1] * DAY, r.word(j), early))


def tonight(r: Reader, i: int) -> Match | None:
    """ "tonight", "early tonight", "later today", "late tomorrow afternoon", "earlier today"."""
    early = r.word(i) if r.word(i) in ("early", "late", "later", "earlier") else ""
    j = i + bool(early)
    if r.word(j) == "tonight":
        return Match(i, j + 1, of_day(r.today, "night", "" if early in ("later", "earlier") else early))
    if r.word(j) == "today" and early in ("later", "earlier"):
        edges = (r.today, r.reference) if early == "earlier" else (r.reference, r.today + DAY)
        return Match(i, j + 1, Value(Kind.DATETIME_RANGE, *edges, "hour"))
    shift = {"tomorrow": 1, "yesterday": -1, "this": 0}.get(r.word(j)) if early else None
    if shift is None or r.word(j + 1) not in _SPOKEN:
        return None
    return Match(i, j + 2, of_day(r.today + shift * DAY, r.word(j + 1), early))


def part_of_date(r: Reader, i: int) -> Match | None:
    """ "the night of 5 May", "morning of the 3rd", "Friday's evening"."""
    j = r.seq(i, "in|during|on", "?the") or r.skip(i, ("the",))
    if r.seq(j, "night", "before", "last"):
        return Match(i, j + 3, of_day(r.today - 2 * DAY, "night"))
    early = r.word(j) if r.word(j) in ("early", "late") else ""
    j += bool(early)
    if r.word(j) not in _SPOKEN or r.word(j + 1) not in ("of", "on"):
        return None
    found = r.first(r.rules.dates, j + 2)
    if not found or found.value.kind != Kind.DATE or not found.value.start:
        return None
    return Match(i, found.end, of_day(found.value.start, r.word(j), early))


def alone(r: Reader, i: int) -> Match | None:
    """ "in the morning", "late evening", "during the night", "at lunch", "lunchtime": hours of no certain day."""
    j = r.skip(i, ("early", "late", "later", "earlier"))
    j = r.seq(j, "in|during", "?the") or j
    early = next((r.word(k) for k in range(i, j + 1) if r.word(k) in ("early", "late", "later", "earlier")), "")
    j += r.word(j) in ("early", "late")
    word = r.word(j)
    if word in _SPOKEN and (r.word(i - 1) != "good") and r.word(j + 1) not in ("'", "-"):
        a, b = hours(word, early)
        return Match(i, j + 1, Value(Kind.TIME_RANGE, unit="hour", clock=a, clock_end=b, part=word))
    meal = r.skip(i, ("at",))
    if r.word(meal) in MEALS and (meal > i or r.word(meal).endswith("time")):
        start, end = MEALS[r.word(meal)]
        return Match(
            i, meal + 1, Value(Kind.TIME_RANGE, unit="hour", clock=3600 * start, clock_end=3600 * end, part=r.word(meal))
        )
    return None


RULES = (related_part, tonight, part_of_date)
