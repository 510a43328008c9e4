"""An extractor for a small controlled language, so that tests of linking say exactly what a text states.

`E because C.` is a strict claim; `As a result, E.` one whose cause stands in the passage before. `[s | predicate | o]` is a
triple: `predicate*` is functional, `not predicate` a denial, `no longer predicate` over. `#Name#` is a name, `##Name##` one
that the text defines, `#Name=type#` one with a type, `{PEP 1}` a citation, `{supersedes PEP 1}` one of that kind.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from graph.model.entities import EntityType
from graph.model.extraction import CausalClaim, Extraction, NameSeen, Passage, Reference, ReferenceKind, Triple
from graph.model.observations import Span

_SENTENCE = re.compile(r"\S[^\n]*?(?:[.!?](?=\s|$)|$)", re.MULTILINE)
_NAME = re.compile(r"(##?)([^#=]+)(?:=(\w+))?\1")
_TRIPLE = re.compile(r"\[([^|\]]+)\|([^|\]]+)\|([^\]]+)\]")
_REFERENCE = re.compile(r"\{(?:(\w+) (?=\w+ \d))?([^}]+)\}")


class PlainExtractor:
    """Extractor port over the controlled language. Deterministic. A `blind` one sees sentences and nothing in them."""

    def __init__(self) -> None:
        self.blind = False

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        read = [_read(passage) for passage in passages]
        return [Extraction(id=one.id, sentences=one.sentences) for one in read] if self.blind else read


def _read(passage: Passage) -> Extraction:
    text = passage.text
    matches = [match for match in _SENTENCE.finditer(text) if match.group().strip()]
    spans = tuple(Span(start=match.start() + len(match[0]) - len(match[0].lstrip()), end=match.end()) for match in matches)
    sentences = [(number, span.start, span.of(text)) for number, span in enumerate(spans)]
    return Extraction(
        id=passage.id,
        sentences=spans,
        causes=tuple(claim for number, start, sentence in sentences for claim in _claims(number, start, sentence)),
        triples=tuple(
            triple for number, _, sentence in sentences for triple in _triples(number, sentence, passage.authored_at)
        ),
        names=(*_title(passage), *(name for number, start, sentence in sentences for name in _names(number, start, sentence))),
        references=tuple(one for number, _, sentence in sentences for one in _references(number, sentence)),
    )


def _claims(number: int, start: int, sentence: str) -> Iterator[CausalClaim]:
    plain = sentence.rstrip(".!?")
    if plain.startswith("As a result, "):
        effect = Span(start=start + 13, end=start + len(plain))
        yield CausalClaim(
            cause=None, effect=effect, cause_text="", effect_text=plain[13:], cue="as a result", sentence=number, confidence=0.9
        )
    elif " because " in plain:
        effect_text, cause_text = plain.split(" because ", 1)
        at = start + len(effect_text)
        yield CausalClaim(
            cause=Span(start=at + 9, end=start + len(plain)),
            effect=Span(start=start, end=at),
            cause_text=cause_text,
            effect_text=effect_text,
            cue="because",
            sentence=number,
            confidence=0.9,
        )


def _triples(number: int, sentence: str, authored_at: datetime | None) -> Iterator[Triple]:
    for match in _TRIPLE.finditer(sentence):
        subject, predicate, object_ = (part.strip() for part in match.groups())
        negated, ended = predicate.startswith("not "), predicate.startswith("no longer ")
        name = predicate.removeprefix("not ").removeprefix("no longer ").rstrip("*")
        yield Triple(
            subject=subject,
            predicate=name,
            phrase=predicate.rstrip("*").replace("_", " "),
            object=object_,
            sentence=number,
            confidence=0.8,
            functional=predicate.endswith("*"),
            negated=negated,
            valid_to=authored_at if ended else None,
        )


def _title(passage: Passage) -> Iterator[NameSeen]:
    if passage.title:
        yield NameSeen(text=passage.title, type=EntityType.OTHER, sentence=-1, span=None, defines=True)


def _names(number: int, start: int, sentence: str) -> Iterator[NameSeen]:
    for match in _NAME.finditer(sentence):
        span = Span(start=start + match.start(2), end=start + match.end(2))
        kind = EntityType(match[3]) if match[3] else EntityType.OTHER
        yield NameSeen(text=match[2], type=kind, sentence=number, span=span, defines=match[1] == "##")


def _references(number: int, sentence: str) -> Iterator[Reference]:
    for match in _REFERENCE.finditer(sentence):
        yield Reference(kind=ReferenceKind(match[1] or "cites"), identifier=match[2], span=None, sentence=number)
