"""The reader: tokens, the reference moment, the conventions, and memory of what was already tried where."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from graph.text.timex import calendar
from graph.text.timex.tokens import Token, folded, masked, tokens
from graph.text.timex.values import DAY, Match, Value, Yearly

YEARS_AROUND = 9
MAX_DEPTH = 8  # expressions inside expressions: "the end of the first week of next month"
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


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that other rules call: days and periods, and times of day."""

    dates: "tuple[Rule, ...]"
    clocks: "tuple[Rule, ...]"
    starters: frozenset[str]


class Reader:
    """A text under one reading. Rules are functions (reader, token index) -> Match | None; the longest match wins."""

    def __init__(self, text: str, reference: datetime, convention: Convention, rules: Rules) -> None:
        self.rules = rules
        self.raw = text
        self.text = masked(folded(text))
        self.tokens: list[Token] = tokens(self.text)
        self.reference = reference
        self.today = calendar.midnight(reference)
        self.nearest = convention.nearest
        self.future = convention.prefer == "future" or (convention.prefer == "cue" and self._future_cue())
        self._depth = 0
        self.memory: dict[tuple[int, int], Match | None] = {}

    def _future_cue(self) -> bool:
        return any(token.text in _FUTURE or token.text.endswith("'ll") for token in self.tokens[:400])

    def word(self, i: int) -> str:
        """The token's text, empty outside the text."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def number(self, i: int) -> int | None:
        return self.tokens[i].number if 0 <= i < len(self.tokens) else None

    def digits(self, i: int) -> int:
        """How many digits the number at i is written with; 0 for other tokens."""
        word = self.word(i)
        return len(word) if word.isdigit() else 0

    def glued(self, i: int) -> bool:
        """Whether token i touches the token before it."""
        return 0 < i < len(self.tokens) and self.tokens[i].glued

    def capital(self, i: int) -> bool:
        return 0 <= i < len(self.tokens) and self.raw[self.tokens[i].start].isupper()

    def skip(self, i: int, words: Collection[str]) -> int:
        """The index after token i if it is one of the words, else i."""
        return i + 1 if self.word(i) in words else i

    def seq(self, i: int, *parts: str) -> int:
        """The index after the words in a row, 0 if they are not there; "?x" is optional, "a|b" one of several."""
        for part in parts:
            optional = part.startswith("?")
            if self.word(i) in part.lstrip("?").split("|") and self.word(i):
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
        word = self.word(i)
        return bool(word) and (word in self.rules.starters or word[0].isdigit())

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
        return self.glued(end) and self.word(end)[0].isalnum() and self.word(end - 1)[-1].isalnum()

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
