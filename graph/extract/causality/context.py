"""Context: what "this", "which" and a missing side stand for, found in the sentence before or in the matrix clause."""

from dataclasses import dataclass

from graph.extract.causality.arguments import Arguments, Range, trim
from graph.extract.causality.relations import Group, Relation
from graph.extract.parsing import Parsed
from graph.extract.sentences import split
from graph.model.extraction import Passage
from graph.model.observations import Span

_POINTING = frozenset(("this", "that", "these", "those", "it", "they", "which"))
_VOID = frozenset(("there", "what", "who", "one", "some", "something", "so", "such"))
_HAPPENING = frozenset("happened happens occurred occurs is was were are did does arose broke changed".split())
_REACHING_BACK = (Group.FORWARD, Group.CONNECTIVE, Group.NOMINAL)
_LEADING = ("why", "how", "that", "when", "because")
_FACT = ("the", "fact", "that")
MAX_WORDS = 40  # of a readable side


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage while its claims are read."""

    parsed: Parsed
    passage: Passage


@dataclass(frozen=True, slots=True)
class Side:
    """A cause or an effect: its exact place (None: in the passage before) and readable words."""

    span: Span | None
    text: str


@dataclass(frozen=True, slots=True)
class Sides:
    cause: Side
    effect: Side


def readable(reading: Reading, sentence: int, relation: Relation, told: Arguments) -> Sides | None:
    """Both sides as words; None when one of them can be found nowhere, or both are the same words."""
    cause = _side(reading, sentence, relation, told.cause)
    effect = _side(reading, sentence, relation, told.effect)
    if cause is None or effect is None or (cause.span is not None and cause.span == effect.span):
        return None
    if cause.text.lower() == effect.text.lower():
        return None
    return Sides(cause, effect)


def _side(reading: Reading, sentence: int, relation: Relation, found: Range | None) -> Side | None:
    if found is None:
        return statement_before(reading, sentence) if relation.group in _REACHING_BACK else None
    own = Side(reading.parsed.span(*found), words(reading, found))
    pointing = _pointing(reading, found)
    if pointing in _VOID:
        return None
    before = statement_before(reading, sentence) if pointing in _POINTING else None
    return own if before is None else Side(own.span, before.text)


def _pointing(reading: Reading, found: Range) -> str:
    """The pointing word of a side that says nothing else ("this", "that happened"), or ""."""
    said = [token.lower_ for token in reading.parsed.doc[found[0] : found[1]] if not token.is_punct]
    empty = len(said) == 1 or (len(said) == 2 and said[1] in _HAPPENING)
    return said[0] if said and empty else ""


def words(reading: Reading, found: Range) -> str:
    """The words of a token range on one line, at most MAX_WORDS, without "the fact that" or "why" before them."""
    said = reading.parsed.doc[found[0] : found[1]].text.split()
    if tuple(word.lower() for word in said[:3]) == _FACT:
        said = said[3:]
    elif len(said) > 1 and said[0].lower() in _LEADING:
        said = said[1:]
    return " ".join(said[:MAX_WORDS])


def statement_before(reading: Reading, sentence: int) -> Side | None:
    """The sentence before: in this passage with its span, else the last one of the passage before, without."""
    parsed = reading.parsed
    for i in range(sentence - 1, -1, -1):
        a, b = parsed.ranges[i]
        kept = trim(parsed.doc, a, b) if b > a else None
        if kept is not None:
            return Side(parsed.span(*kept), words(reading, kept))
    previous = [s for s in split(reading.passage.previous) if s.prose]
    if not previous:
        return None
    text = " ".join(previous[-1].span.of(reading.passage.previous).split()[:MAX_WORDS]).rstrip(" .!?;:")
    return Side(None, text) if text else None
