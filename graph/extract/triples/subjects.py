"""The subject of a verb: its own, or the one it shares with another clause."""

from dataclasses import dataclass
from enum import StrEnum

from spacy.tokens import Token

from graph.extract.triples.phrases import ASIDES, RELATIVES, SUBJECTS, VERBAL, first_conjunct, subtree

MAX_CLIMB = 6  # clauses


class Source(StrEnum):
    """Where a subject was found."""

    OWN = "own"
    RELATIVE = "relative"
    SHARED = "shared"
    CONTROL = "control"
    ADVERBIAL = "adverbial"
    NOUN = "noun"


@dataclass(frozen=True, slots=True)
class Subject:
    tokens: tuple[Token, ...]
    head: Token
    source: Source


def subject_of(verb: Token, climbed: int = 0) -> Subject | None:
    """The subject of a verb; None where the sentence names none, or where a guess is wrong more often than right.

    Infinitives of purpose ("came to see it", "ways to do it") and verbs behind a preposition get none.
    """
    own = next((child for child in verb.children if child.dep_ in SUBJECTS), None)
    if own is not None:
        return _own(verb, own)
    if climbed > MAX_CLIMB:
        return None
    head = verb.head
    if verb.dep_ == "conj" and head.pos_ in VERBAL:
        return _from(subject_of(head, climbed + 1), Source.SHARED)
    if verb.dep_ == "xcomp" and head.dep_ == "acomp" and head.head.pos_ in VERBAL:
        return _from(subject_of(head.head, climbed + 1), Source.CONTROL)
    if verb.dep_ == "xcomp":
        controller = next((child for child in head.children if child.dep_ in ("dobj", "dative")), None)
        if controller is not None and head.lemma_ != "promise":
            return Subject(tuple(subtree(controller)), controller, Source.CONTROL)
        return _from(subject_of(head, climbed + 1), Source.CONTROL)
    if verb.dep_ == "advcl" and verb.tag_ != "VB":
        return _from(subject_of(head, climbed + 1), Source.ADVERBIAL)
    if verb.dep_ == "acl" or (verb.dep_ == "relcl" and verb.tag_ != "VB"):
        return Subject(tuple(subtree(head)), head, Source.NOUN)
    return None


def _own(verb: Token, own: Token) -> Subject:
    relative = own.lower_ in RELATIVES or own.tag_ in ("WDT", "WP")
    if relative and verb.dep_ == "relcl":
        return Subject(tuple(subtree(verb.head)), verb.head, Source.RELATIVE)
    first = first_conjunct(verb)
    if relative and first.dep_ == "relcl" and first is not verb:
        return Subject(tuple(subtree(first.head)), first.head, Source.RELATIVE)
    without = () if own.dep_.startswith("csubj") else (*ASIDES, "advcl")
    return Subject(tuple(subtree(own, without=without)), own, Source.OWN)


def _from(found: Subject | None, source: Source) -> Subject | None:
    return Subject(found.tokens, found.head, source) if found else None
