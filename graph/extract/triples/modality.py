"""Modality: whether a clause is denied, only thought of, asked, or told by somebody else."""

from dataclasses import dataclass

from spacy.tokens import Token

from graph.extract.triples.phrases import VERBAL, first_conjunct
from graph.text.closing import ENDED_PHRASES

_MODALS = frozenset({"would", "could", "might", "may", "should", "ought", "'d", "can"})
_CONDITIONS = frozenset({"if", "unless", "whether", "suppose", "assuming", "lest"})
_INTENTS = frozenset(
    "want plan hope wish intend consider try propose suggest recommend need expect think aim ask promise attempt like".split()
)
_REPORTS = frozenset("say tell claim argue report suggest believe think guess assume hear mention allege note".split())
_NEGATIVE = frozenset({"not", "n't", "never", "no", "none", "neither", "nor", "hardly", "barely", "without", "cannot"})
_ENDING = frozenset({"stop", "quit", "cease", "discontinue"})
MAX_CLIMB = 6
NEAR_TOKENS = 6


@dataclass(frozen=True, slots=True)
class Modality:
    """`ended`: it held and does not any more ("no longer uses", "stopped using", "used to use")."""

    negated: bool = False
    hypothetical: bool = False
    ended: bool = False
    reported: bool = False
    future: bool = False


def modality(verb: Token, target: Token | None) -> Modality:
    """How the clause of a verb is meant, with what governs it in the sentence."""
    ended = _ended(verb)
    return Modality(
        negated=_negated(verb, target) and not ended,
        hypothetical=_hypothetical(verb),
        ended=ended,
        reported=verb.dep_ == "ccomp" and verb.head.lemma_ in _REPORTS,
        future=any(child.lower_ in ("will", "'ll", "shall", "wo", "gonna") for child in verb.children),
    )


def _negated(verb: Token, target: Token | None) -> bool:
    own = any(child.dep_ == "neg" or child.lower_ in _NEGATIVE for child in verb.children if child.dep_ != "conj")
    first = first_conjunct(verb)
    shared = (
        first is not verb
        and any(child.dep_ == "neg" for child in first.children)
        and any(child.dep_ == "cc" and child.lower_ in ("or", "nor") for child in verb.head.children)
    )
    none = target is not None and any(
        child.dep_ in ("det", "neg") and child.lower_ in ("no", "neither") for child in target.children
    )
    governed = verb.dep_ == "xcomp" and any(child.dep_ == "neg" for child in verb.head.children)
    refused = verb.dep_ == "xcomp" and verb.head.lemma_ in ("refuse", "fail", "decline", "forget")
    return own or shared or none or governed or refused


def _no_longer(verb: Token) -> bool:
    words = " ".join(token.lower_ for token in verb.subtree if abs(token.i - verb.i) <= NEAR_TOKENS)
    return any(f" {phrase} " in f" {words} " for phrase in ENDED_PHRASES)


def _ended(verb: Token) -> bool:
    governor = verb.head if verb.dep_ in ("xcomp", "ccomp", "pcomp") else None
    if governor is not None and governor.lemma_ in _ENDING:
        return True
    used_to = governor is not None and governor.lower_ == "used" and verb.tag_ == "VB"
    used_to = used_to or any(child.lower_ == "used" and child.dep_ == "aux" for child in verb.children)
    return used_to or _no_longer(verb)


def _hypothetical(verb: Token) -> bool:
    """Under a modal, a condition, an intent or a question, here or in a clause above."""
    if _asked(verb):
        return True
    token = verb
    for _ in range(MAX_CLIMB):
        if _conditional(token):
            return True
        if token.dep_ not in ("xcomp", "ccomp", "conj", "acl") or token.head.pos_ not in VERBAL:
            return False
        if token.dep_ in ("xcomp", "ccomp") and token.head.lemma_ in _INTENTS and token.tag_ in ("VB", "VBG"):
            return True
        token = token.head
    return False


def _conditional(verb: Token) -> bool:
    return any(
        (child.lower_ in _MODALS and child.dep_ == "aux") or (child.lower_ in _CONDITIONS and child.dep_ in ("mark", "advmod"))
        for child in verb.children
    )


def _asked(verb: Token) -> bool:
    sentence = verb.sent
    return bool(len(sentence)) and any(token.text == "?" for token in sentence[-2:])
