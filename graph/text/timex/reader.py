"""The reader: tokens, the reference moment, the conventions, and memory of what was already tried where."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise

from graph.text.timex import calendar
from graph.text.timex.tokens import Token, folded, masked, tokens
from graph.text.timex.values import DAY, Match, Value, Yearly
from graph.text.timex.words import MONTHS, WEEKDAYS

YEARS_AROUND = 9
CUE_TOKENS = 400
CORE_WITHIN = 8  # tokens: "as early as the beginning of next month"
MAX_DIGITS = 8
MAX_DEPTH = 8  # expressions inside expressions: "the end of the first week of next month"
_DUE = frozenset(WEEKDAYS) | frozenset(MONTHS)
_FUTURE = frozenset(
    "will 'll going gonna shall let's lets schedule book planning plan arrange please should upcoming tomorrow".split()
)


@dataclass(frozen=True, slots=True)
class Convention:
    """How the ambiguous is read.

    `nearest`: "last Friday" is the nearest one before, "next Friday" the nearest after; else they belong to the calendar week
    before or after. `prefer`: a date without a year, or a bare weekday, lies in the "past", the "future", or as the sentence's
    own words say ("cue": future where something will be or is planned, else past).
    """

    nearest: bool = True
    prefer: str = "cue"


@lru_cache(maxsize=1000)
def _alternatives(part: str) -> tuple[frozenset[str], bool]:
    return frozenset(part.removeprefix("?").split("|")), part.startswith("?")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that other rules call (days and periods, times of day), the words that can begin an expression, and the words
    of which each expression holds one.
    """

    dates: "tuple[Rule, ...]"
    clocks: "tuple[Rule, ...]"
    starters: frozenset[str]
    core: frozenset[str]


class Reader:
    """A text under one reading. Rules are functions (reader, token index) -> Match | None; the longest match wins."""

    def __init__(self, text: str, reference: datetime, convention: Convention, rules: Rules) -> None:
        self.rules = rules
        self.raw = text
        self.text = masked(folded(text))
        self.tokens: list[Token] = tokens(self.text)
        self._words = [token.text for token in self.tokens]
        self._digits = [len(word) if word.isdigit() else 0 for word in self._words]
        self._size = len(self.tokens)
        self._to_core = self._distances()
        self.reference = reference
        self.today = calendar.midnight(reference)
        self.nearest = convention.nearest
        self.future = convention.prefer == "future" or (convention.prefer == "cue" and self._future_cue())
        self._depth = 0
        self.memory: dict[tuple[int, int], Match | None] = {}

    def _future_cue(self) -> bool:
        words = self._words[:CUE_TOKENS]
        due = any(one == "by" and other in _DUE for one, other in pairwise(words))
        return due or any(word in _FUTURE or word.endswith("'ll") for word in words)

    def word(self, i: int) -> str:
        """The token's text, empty outside the text."""
        return self._words[i] if 0 <= i < self._size else ""

    def number(self, i: int) -> int | None:
        return int(self._words[i]) if 0 < self.digits(i) <= MAX_DIGITS else None

    def digits(self, i: int) -> int:
        """How many digits the number at i is written with; 0 for other tokens."""
        return self._digits[i] if 0 <= i < self._size else 0

    def glued(self, i: int) -> bool:
        """Whether token i touches the token before it."""
        return 0 < i < self._size and self.tokens[i].glued

    def capital(self, i: int) -> bool:
        return 0 <= i < self._size and self.raw[self.tokens[i].start].isupper()

    def skip(self, i: int, words: Collection[str]) -> int:
        """The index after token i if it is one of the words, else i."""
        return i + 1 if self.word(i) in words else i

    def seq(self, i: int, *parts: str) -> int:
        """The index after the words in a row, 0 if they are not there; "?x" is optional, "a|b" one of several."""
        for part in parts:
            words, optional = _alternatives(part)
            if self.word(i) in words:
                i += 1
            elif not optional:
                return 0
        return i

    def first(self, rules: "Sequence[Rule]", i: int) -> Match | None:
        """The longest match of the rules at i, the earliest rule's on a tie, remembered for next time."""
        key = (id(rules), i)
        if key not in self.memory:
            if not self.starts(i) or self._depth >= MAX_DEPTH:
                return None
            self.memory[key] = None  # a rule that comes back to its own place finds nothing there
            self._depth += 1
            self.memory[key] = self._longest(rules, i)
            self._depth -= 1
        return self.memory[key]

    def starts(self, i: int) -> bool:
        """Whether an expression can begin with token i: with a digit, or with one of the words of time."""
        return 0 <= i < self._size and (self._digits[i] > 0 or self._words[i] in self.rules.starters)

    def promising(self, i: int) -> bool:
        """Whether an expression can begin with token i and a word that only time expressions need stands near behind it."""
        return self._to_core[i] <= CORE_WITHIN and self.starts(i)

    def _distances(self) -> list[int]:
        """For each token, how far ahead the next core word or number is."""
        found, distance = [0] * self._size, CORE_WITHIN + 1
        for i in range(self._size - 1, -1, -1):
            core = self._digits[i] > 0 or self._words[i] in self.rules.core
            distance = 0 if core else distance + 1
            found[i] = distance
        return found

    def _longest(self, rules: "Sequence[Rule]", i: int) -> Match | None:
        best: Match | None = None
        for rule in rules:
            try:
                found = rule(self, i)
            except (ValueError, OverflowError):  # a date that does not exist is no date
                continue
            if found and (best is None or found.end > best.end) and not self._splits_a_word(found.end):
                best = found
        return best

    def _splits_a_word(self, end: int) -> bool:
        """Whether the end stands inside a word; the "t" and "z" of 2019-01-31t10:30z do not."""
        inside = self.glued(end) and self.word(end)[0].isalnum() and self.word(end - 1)[-1].isalnum()
        joint = self.word(end) == "t" and self.digits(end + 1) > 0
        zulu = self.word(end) == "z" and not self.glued(end + 1)
        return inside and not (joint or zulu)

    def choose(self, yearly: Yearly) -> tuple[datetime, datetime] | None:
        """What names no year, in the year that the reading prefers; today's own is always meant."""
        found = []
        for year in range(self.today.year - YEARS_AROUND, self.today.year + YEARS_AROUND):
            try:
                found.append(yearly(year))
            except (ValueError, OverflowError):
                continue
        here = [one for one in found if one[0] <= self.today < one[1] and one[1] - one[0] <= DAY]
        past = [one for one in found if one[0] <= self.today]
        future = [one for one in found if one[0] >= self.today]
        ordered = here or (future[:1] if self.future else []) or past[-1:] or future[:1]
        return ordered[0] if ordered else None

    def weekday(self, weekday: int, sign: int | None, word: str = "") -> datetime:
        """The day meant by a weekday; sign -1, 0, +1 for last, this, next, None for none said."""
        today = self.today
        near = self.nearest or word in ("past", "this past", "coming", "this coming", "upcoming")
        if sign is None:
            ahead = timedelta(days=(weekday - today.weekday()) % 7)
            return today + ahead if self.future else today - timedelta(days=(today.weekday() - weekday) % 7)
        if sign < 0 and near:
            return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
        if sign > 0 and near:
            return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
        return calendar.monday(today) + timedelta(days=weekday + 7 * sign)

    def yearless(self, yearly: Yearly, kind: Callable[..., Value], *more: str) -> Value | None:
        """The value in the chosen year, with the rule for other years kept."""
        chosen = self.choose(yearly)
        return kind(*chosen, *more, yearly=yearly) if chosen else None


Rule = Callable[[Reader, int], Match | None]
