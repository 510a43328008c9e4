"""Support: a model's words are accepted only where the passage holds them, and get their place from there."""

from dataclasses import dataclass, field
from typing import TypeVar

from graph.extract.llm.reply import Cause, Decided, Named, PassageReply, Stated
from graph.extract.parsing import normalise
from graph.extract.triples.predicates import functional
from graph.model.extraction import CausalClaim, Decision, Extraction, NameSeen, Passage, Triple
from graph.model.observations import ObservationKind, Span
from graph.text.folding import fold

_Item = TypeVar("_Item")
CONFIDENCE = 0.7  # of what a model reads, where the text supports it
MIN_SIDE_CHARS = 3  # of a cause or an effect


@dataclass(slots=True)
class Supported:
    """What of a reply the text supports; `dropped` counts what it does not."""

    kind: ObservationKind | None = None
    decisions: list[Decision] = field(default_factory=list)
    causes: list[CausalClaim] = field(default_factory=list)
    triples: list[Triple] = field(default_factory=list)
    names: list[NameSeen] = field(default_factory=list)
    dropped: int = 0


class _Text:
    """A passage's text on one line in lower case, with the way back."""

    def __init__(self, text: str) -> None:
        words, self._origins = normalise(text, Span(start=0, end=len(text)))
        lowered = words.lower()
        self._words = lowered if len(lowered) == len(words) else words

    def place(self, quote: str) -> Span | None:
        """Where the quoted words stand first; None when they do not, or there are none."""
        wanted, _ = normalise(quote, Span(start=0, end=len(quote)))
        wanted = wanted.strip(" .;,:\"'").lower()
        at = self._words.find(wanted) if wanted else -1
        return Span(start=self._origins[at], end=self._origins[at + len(wanted) - 1] + 1) if at >= 0 else None


def supported(reply: PassageReply, passage: Passage, rules: Extraction) -> Supported:
    """The parts of a reply that the passage holds word for word; sentences are those of the rules' reading."""
    text, before = _Text(passage.text), _Text(passage.previous)
    found = Supported(kind=reply.kind)
    for cause in reply.causes:
        _keep(found, found.causes, _claim(cause, text, before, rules))
    for decided in reply.decisions:
        _keep(found, found.decisions, _decision(decided, text, rules))
    known = " ".join((passage.text, passage.title, passage.previous, passage.author or ""))
    for stated in reply.triples:
        _keep(found, found.triples, _triple(stated, text, _Text(known), rules))
    for named in reply.names:
        _keep(found, found.names, _name(named, text, rules))
    return found


def _keep(found: Supported, into: list[_Item], item: _Item | None) -> None:
    if item is None:
        found.dropped += 1
    else:
        into.append(item)


def _sentence(span: Span, rules: Extraction) -> int:
    """The sentence in which a span begins; the last before it where it begins between two."""
    return max((i for i, s in enumerate(rules.sentences) if s.start <= span.start), default=0)


def _clean(text: str) -> str:
    return " ".join(text.replace("`", "").replace("*", "").split()).strip(" .;,:")


def _claim(told: Cause, text: _Text, before: _Text, rules: Extraction) -> CausalClaim | None:
    cause, effect, cue = text.place(told.cause), text.place(told.effect), text.place(told.cue)
    if min(len(told.cause.strip()), len(told.effect.strip())) < MIN_SIDE_CHARS or cause == effect:
        return None
    stated = (cause is not None or before.place(told.cause) is not None) and (
        effect is not None or before.place(told.effect) is not None
    )
    anchor = effect or cause
    if not stated or anchor is None:
        return None
    return CausalClaim(
        cause=cause,
        effect=effect,
        cause_text=_clean(told.cause),
        effect_text=_clean(told.effect),
        cue=told.cue if cue is not None else "",
        kind=told.kind,
        sentence=_sentence(anchor, rules),
        confidence=CONFIDENCE,
        strict=cue is not None,
        likely=cue is not None,
    )


def _decision(told: Decided, text: _Text, rules: Extraction) -> Decision | None:
    place = text.place(told.decided)
    if place is None:
        return None
    return Decision(
        decided=_clean(told.decided),
        alternatives=tuple(_clean(name) for name in told.alternatives if text.place(name) is not None),
        reasons=tuple(_clean(reason) for reason in told.reasons if text.place(reason) is not None),
        status=told.status,
        sentence=_sentence(place, rules),
    )


def _triple(told: Stated, text: _Text, known: _Text, rules: Extraction) -> Triple | None:
    """The verb and the object must stand in the passage; the subject may stand in its title, its author or just before."""
    phrase, object_ = text.place(told.phrase), text.place(told.object)
    if phrase is None or object_ is None or known.place(told.subject) is None:
        return None
    predicate = "_".join(fold(told.phrase).split())
    return Triple(
        subject=_clean(told.subject),
        predicate=predicate,
        phrase=_clean(told.phrase),
        object=_clean(told.object),
        sentence=_sentence(object_, rules),
        confidence=CONFIDENCE,
        functional=functional(predicate),
    )


def _name(told: Named, text: _Text, rules: Extraction) -> NameSeen | None:
    place = text.place(told.text)
    if place is None:
        return None
    return NameSeen(text=_clean(told.text), type=told.type, sentence=_sentence(place, rules), span=place)
