"""Recurrences: "every Monday", "each week", "once a month", "daily", "Thursdays at 17:30". They name no one time."""

from graph.text.timex.numbers import count, ordinal
from graph.text.timex.reader import Reader
from graph.text.timex.values import Kind, Match, Value
from graph.text.timex.words import PARTS, UNITS, WEEKDAYS

_EVERY = frozenset({"every", "each", "any", "per"})
_ADVERBS = frozenset(
    "daily weekly biweekly monthly bimonthly quarterly yearly annually semiannually hourly nightly fortnightly biannually "
    "everyday biennially".split()
)
_PLURAL_DAYS = frozenset(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays weeknights mornings evenings".split()
)
_SET = Value(Kind.SET)


def _unit(r: Reader, i: int) -> int:
    word = r.word(i)
    named = (
        word in UNITS or word in WEEKDAYS or word.rstrip("s") in WEEKDAYS or word in PARTS or word in ("weekday", "weekdays")
    )
    return i + 1 if named else r.seq(i, "business|working|week", "day|days")


def _every(r: Reader, i: int) -> int:
    if r.word(i) not in _EVERY:
        return 0
    j = r.skip(i + 1, ("other", "single", "second", "third"))
    number, place = count(r, j), ordinal(r, j)
    end = (_unit(r, number[0]) if number else 0) or (_unit(r, place[0]) if place else 0) or _unit(r, j)
    return end if end and r.word(i) != "per" else 0


def recurrence(r: Reader, i: int) -> Match | None:
    """A recurrence, with the time of day behind it."""
    end = _every(r, i)
    if not end and r.word(i) in ("once", "twice", "thrice"):
        end = r.seq(i + 1, "a|an|per|every|each", "day|week|month|year|hour|quarter|fortnight")
    if not end and (number := count(r, i)) and r.word(i) not in ("a", "an"):
        end = r.seq(number[0], "times", "a|an|per|every|each", "day|week|month|year|hour")
    if not end and r.word(i) in ("bi", "semi"):
        end = r.seq(i, "bi|semi", "-", "weekly|monthly|annually|yearly|annual")
    if not end and (r.word(i) in _ADVERBS or r.word(i) in _PLURAL_DAYS):
        end = i + 1 if r.word(i + 1) != "news" else 0
    if not end:
        return None
    weekday = r.seq(end, "on") or end
    if r.word(i) in _EVERY and r.word(weekday).rstrip("s") in WEEKDAYS and weekday > end:
        end = weekday + 1
    while (
        r.word(end) in ("and", "or", ",")
        and r.word(end - 1).rstrip("s") in WEEKDAYS
        and r.word(end + 1).rstrip("s") in WEEKDAYS
    ):
        end += 2
    time = r.first(r.rules.clocks, r.skip(end, ("at", "around")))
    return Match(i, time.end if time and time.value.kind == Kind.TIME else end, _SET)


def time_every(r: Reader, i: int) -> Match | None:
    """ "3pm each day", "at 9 every morning"."""
    time = r.first(r.rules.clocks, i)
    if not time or time.value.kind != Kind.TIME:
        return None
    end = _every(r, r.skip(time.end, (",",))) or (time.end + 1 if r.word(time.end) in _ADVERBS else 0)
    return Match(i, end, _SET) if end else None


RULES = (recurrence, time_every)
