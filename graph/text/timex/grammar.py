"""The grammar put together: which rules make days, times and whole expressions, and the scan over a text."""

from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from graph.text.timex import bounds, clock, dayparts, days, durations, moments, offsets, periods, ranges, sets
from graph.text.timex import numeric_days as numerics
from graph.text.timex.reader import Convention, Reader, Rules
from graph.text.timex.starters import CORE, STARTERS
from graph.text.timex.trimming import blocked, trimmed
from graph.text.timex.values import DATED, Kind, Match, Value

RULES = Rules(
    dates=(*numerics.RULES, *days.RULES, *periods.RULES, *offsets.RULES, *dayparts.RULES),
    clocks=clock.RULES,
    starters=STARTERS,
    core=CORE,
)
# Of equally long readings the earlier row wins.
_WHOLE = (*ranges.RULES, *bounds.RULES, moments.moment, *sets.RULES, *clock.RULES, durations.duration, dayparts.alone)
_LASTING = frozenset({"have", "has", "had", "been", "'ve"})
_ENDS = frozenset({".", "!", "?", ";"})
LOOK_BACK_TOKENS = 14
REMEMBERED = 512  # texts
MAX_REMEMBERED_CHARS = 2_000


def expressions(text: str, reference: datetime, convention: Convention) -> tuple[tuple[int, int, Value], ...]:
    """(start, end, value) of every time expression, in order, without overlaps; characters of `text`.

    The last few texts are remembered: mentions and the validity of facts ask for the same sentence one after the other.
    """
    if len(text) > MAX_REMEMBERED_CHARS:
        return _read(text, reference, convention)
    return _remembered(text, reference, convention)


@lru_cache(maxsize=REMEMBERED)
def _remembered(text: str, reference: datetime, convention: Convention) -> tuple[tuple[int, int, Value], ...]:
    return _read(text, reference, convention)


def _read(text: str, reference: datetime, convention: Convention) -> tuple[tuple[int, int, Value], ...]:
    reader = Reader(text, reference, convention, RULES)
    found: list[tuple[int, int, Value]] = []
    i = 0
    while i < len(reader.tokens):
        match = _at(reader, i)
        if not match:
            i += 1
            continue
        first, end = trimmed(reader, match)
        if not blocked(reader, match):
            start, stop = reader.tokens[first].start, reader.tokens[end - 1].end
            found.append((start, stop, _lasting(reader, first, match.value)))
        i = max(match.end, i + 1)
    return tuple(found)


def _at(reader: Reader, i: int) -> Match | None:
    if not reader.promising(i):
        return None
    token = reader.tokens[i]
    before = reader.word(i - 1)
    if token.glued and (before[-1].isalnum() or before in "$€£#@_"):
        return None
    if token.glued and before == "." and reader.glued(i - 1) and token.text[0].isdigit():
        return None
    match = reader.first(_WHOLE, i)
    return match if match and _means_something(match.value) else None


def _means_something(value: Value) -> bool:
    if value.kind in DATED:
        return value.start is not None or value.end is not None
    return True


def _lasting(reader: Reader, first: int, value: Value) -> Value:
    """ "I have had it for three years" also says when it began."""
    if value.kind is not Kind.DURATION or not value.amount or not _perfect(reader, first):
        return value
    try:
        return replace(value, since=durations.shifted(reader.reference, value.amount, -1))
    except (ValueError, OverflowError):
        return value


def _perfect(reader: Reader, first: int) -> bool:
    """Whether "for" or "over" stands before the token, and a perfect before that in the same clause."""
    i = first - 1
    while reader.word(i) in ("about", "around", "almost", "nearly", "over", "the", "past", "last") and reader.word(i - 1):
        i -= 1
    if reader.word(i) not in ("for", "over") and reader.word(i + 1) != "over":
        return False
    for k in range(i - 1, max(-1, i - LOOK_BACK_TOKENS), -1):
        word = reader.word(k)
        if word in _ENDS:
            return False
        if word in _LASTING or word.endswith("'ve"):
            return True
    return False
