"""When a fact holds: from the tense of its verb and the time expressions of its clause."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from spacy.tokens import Doc, Span, Token

from graph.extract.triples.modality import Modality
from graph.extract.triples.phrases import VERBAL
from graph.extract.triples.predicates import Predicate
from graph.model.extraction import Passage
from graph.text.timex import Kind, TimeSpan, resolve

_BEGINNINGS = frozenset({"since", "from", "starting", "after", "as"})
_ENDINGS = frozenset({"until", "till", "til", "before"})


@dataclass(frozen=True, slots=True)
class Timed:
    """A time expression, the word that leads to it, the verb that it belongs to; `closed` when it names both its ends."""

    span: TimeSpan
    lead: str
    verb: Token
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Validity:
    """[start, end) in UTC, None where unknown or open."""

    start: datetime | None = None
    end: datetime | None = None


def times_of(doc: Doc, passage: Passage) -> list[Timed]:
    """The time expressions of a document that mean a known time, each with the verb of its clause."""
    found = []
    for sentence, span in _spans(doc, passage):
        start = sentence.start_char
        tokens = doc.char_span(start + span.start, start + span.end, alignment_mode="expand")
        if not span.known or tokens is None or not len(tokens):
            continue
        before = tokens[0].nbor(-1).lower_ if tokens[0].i else ""
        first = tokens[0].lower_
        lead = first if first in _BEGINNINGS | _ENDINGS else before
        verb = _verb_above(tokens.root)
        if verb is not None:
            closed = first in ("from", "between") and span.kind in (Kind.DATE_RANGE, Kind.DATETIME_RANGE)
            found.append(Timed(span, lead, verb, closed))
    return found


def _spans(doc: Doc, passage: Passage) -> Iterator[tuple[Span, TimeSpan]]:
    for sentence in doc.sents:
        for span in resolve(sentence.text, passage.authored_at, passage.authored_offset):
            yield sentence, span


def _verb_above(token: Token) -> Token | None:
    for _ in range(12):
        if token.pos_ in VERBAL and token.dep_ not in ("aux", "auxpass"):
            return token
        if token.head is token:
            return None
        token = token.head
    return None


def validity(verb: Token, predicate: Predicate, mode: Modality, times: Sequence[Timed], passage: Passage) -> Validity:
    """A state holds from or until what is said, a past one no longer than until it was told; an event begins when it was."""
    governors = {verb.i, verb.head.i if verb.dep_ in ("xcomp", "conj") else verb.i}
    mine = [time for time in times if time.verb.i == verb.i] or [time for time in times if time.verb.i in governors]
    start, end = _said(predicate, mine, past=_past(verb))
    told = passage.authored_at
    if mode.ended and end is None:
        end = told
    elif mode.future and start is None:
        start = told
    elif predicate.state and not mode.hypothetical and _past(verb) and start is None and end is None:
        end = told
    if start is not None and end is not None and end <= start:
        end = None
    return Validity(start, end)


def _said(predicate: Predicate, times: Sequence[Timed], *, past: bool) -> tuple[datetime | None, datetime | None]:
    start: datetime | None = None
    end: datetime | None = None
    for time in times:
        span = time.span
        if time.lead in _ENDINGS:
            end = end or span.closes
        elif span.kind is Kind.DURATION or (span.closes is None and span.opens is not None) or time.lead in _BEGINNINGS:
            start = start or span.opens
            if time.closed or (time.lead == "from" and past):
                end = end or span.closes
        else:
            start = start or span.opens
            if predicate.state and past:
                end = end or span.closes
    return start, end


def _past(verb: Token) -> bool:
    """Simple past, by the verb itself or its auxiliary; the perfect of a state still holds."""
    auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if any(child.lower_ in ("have", "has", "'ve") for child in auxiliaries):
        return False
    if auxiliaries:
        return any(child.tag_ == "VBD" and child.lower_ not in ("would", "could", "might", "should") for child in auxiliaries)
    return verb.tag_ == "VBD"
