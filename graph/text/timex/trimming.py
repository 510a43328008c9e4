"""The edges of a mention, and greetings and numbered things that are no mention at all."""

from graph.text.timex.reader import Reader
from graph.text.timex.values import DATED, Kind, Match
from graph.text.timex.words import LAST, MONTHS, NEXT, ORDINALS, SEASONS, THIS, UNITS, WEEKDAYS

_GREETINGS = frozenset({"good", "happy"})
_WISHES = frozenset({"great", "good", "nice", "lovely", "wonderful", "fantastic", "blessed"})


def trimmed(r: Reader, match: Match) -> tuple[int, int]:
    """Tokens [first, end) of the mention itself, without prepositions and periods that only lead to it."""
    first, end = match.first, match.end
    if r.word(end - 1) == "." and not _abbreviated(r, end - 1):
        end -= 1
    value = match.value
    if r.word(first) == "at" and value.kind in (Kind.TIME, Kind.DATETIME, Kind.DATETIME_RANGE, Kind.SET) and not value.present:
        first += 1
    if r.word(first) == "about" and r.word(first - 1) in ("how", "what", "heard", "think", "talk", "talked", "know", "talking"):
        first += 1
    if r.word(first) == "in" and r.word(first + 1) in ("early", "late"):
        first += 1
    if (
        r.word(first) == "the"
        and r.word(first + 1) in ("rest", "remaining", "remainder", "end", "middle", "start", "beginning", "mid")
        and not value.mod
    ):
        first += 1
    if r.word(first) == "the" and r.word(first + 1) in NEXT | LAST | THIS and value.kind in DATED and not value.mod:
        related = r.word(end - 1) in UNITS or r.word(end - 1) in ("workweek", "season", *SEASONS, *MONTHS)
        first += related and end - first <= 4 and r.word(first + 2) not in ORDINALS and "of" not in _words(r, first, end)
    return first, end


def _words(r: Reader, first: int, end: int) -> list[str]:
    return [r.word(i) for i in range(first, end)]


def _abbreviated(r: Reader, i: int) -> bool:
    """Whether the period at i belongs to "a.m.", "Jan." or "Mon."."""
    before = r.word(i - 1)
    if before == "m":
        return r.word(i - 2) == "." or r.word(i - 2) in ("a", "p")
    return r.glued(i) and len(before) < 5 and (before in MONTHS or before in WEEKDAYS) and before != "may"


def blocked(r: Reader, match: Match) -> bool:
    """Greetings ("good morning") and wishes ("have a great week")."""
    before = r.word(match.first - 1)
    if before in _GREETINGS and match.value.kind in (Kind.TIME_RANGE, Kind.DATETIME_RANGE, Kind.DATE_RANGE, Kind.SET):
        return True
    if r.word(match.first) in ("a", "the") and r.word(match.first - 1) == "have" and match.value.kind in DATED:
        return False
    return before in _WISHES and r.word(match.first - 2) == "a" and r.word(match.first - 3) == "have"
