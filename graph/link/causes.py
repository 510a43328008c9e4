"""Joining causes to effects: does this observation state what that claim gives as its cause, or explain what that one tells?

A claim "E because C" in O, and P that states C: P causes O. Q that states E, or gives E as its own cause: O causes Q. What
decides is the cosine of the words' vectors and their shared content; opposites and unlike numbers keep things apart.
Nothing authored after an effect is its cause; unknown dates are let pass.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graph.link.content import asserted, content, opposed, pointing
from graph.model.edges import Edge, EdgeKind
from graph.model.extraction import CausalClaim, RelationKind
from graph.model.observations import Observation, ObservationKind, Span
from graph.model.points import Vector

CLAIMS = "claims"
MAX_CLAIMS = 12  # claims kept of one observation, the most certain first
MAX_SUBJECT_WORDS = 5
MAX_GROUNDS = 8  # observations that state one cause, or tell one effect, and are joined by one claim
MAX_STATEMENTS = 24  # sentences of one observation that are compared with claims
MIN_COSINE = 0.42
JOINED_KINDS = frozenset({RelationKind.CAUSE.value, RelationKind.REACTION.value})
WIDE_CONFIDENCE = 0.5  # from which a claim that is not strict is joined to those who state its other end

# Log-odds that two wordings tell one event; fitted by logistic regression (L2 1) on the 44 hand-made chains beside the tests
# (264 like and 46,200 unlike pairs, near-misses among them), 2026-11-30, rounded; ALL_TOLD on 56 pairs where the cause is told
# in fewer words. At the cut, precision is .99 and recall .92 of the pairs, .92 and .97 of the joins of the whole.
BIAS = -14.25
COSINE = 14.0
LESSER_SHARE = 3.75  # shared content roots over those of the richer wording
GREATER_SHARE = 5.0  # shared content roots over those of the poorer wording
ALL_TOLD = 2.5  # when all that a claim names, two roots or more, is in the statement: "the cut cable", "a contractor cut ..."
CUT = 0.5
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself)\b", re.IGNORECASE)
FEWEST = 2  # roots that a share is taken of at least: one word in common is no whole
MARGIN = 4.0  # log-odds below the likest statement of a cause within which others state it too


@dataclass(frozen=True, slots=True)
class Told:
    """A wording with its vector: a plain sentence, a cause or an effect. `claim` is the claim it belongs to, if any."""

    text: str
    vector: Vector
    claim: int = -1


@dataclass(frozen=True, slots=True)
class Telling:
    """One observation as far as causes go: its strict claims, and its plain sentences (those that hold no claim)."""

    observation: Observation
    claims: tuple[dict[str, Any], ...]
    causes: tuple[Told, ...]
    effects: tuple[Told, ...]
    plain: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Ground:
    """By a claim of `by`, what `cause` states is the cause of what `effect` tells; `sure` is the log-odds of one event."""

    cause: Observation
    effect: Observation
    by: Observation
    claim: dict[str, Any]
    sure: float


def claims_of(text: str, sentences: Sequence[Span], causes: Sequence[CausalClaim]) -> list[dict[str, Any]]:
    """The claims of an extraction as an observation keeps them: what is denied or only imagined is left out."""
    real = [claim for claim in causes if not (claim.negated or claim.hypothetical)]
    best = sorted(real, key=lambda claim: (not claim.strict, -claim.confidence, claim.sentence))[:MAX_CLAIMS]
    return [
        {
            "cause": claim.cause_text,
            "effect": _with_subject(text, sentences, claim),
            "cue": claim.cue,
            "kind": claim.kind.value,
            "strict": claim.strict,
            "confidence": round(claim.confidence, 4),
            "sentence": claim.sentence,
            "cause_before": claim.cause is None,
            "effect_before": claim.effect is None,
        }
        for claim in best
    ]


def _with_subject(text: str, sentences: Sequence[Span], claim: CausalClaim) -> str:
    """The effect with the few words that its sentence begins with, where the span was cut behind its subject."""
    if claim.effect is None or claim.sentence >= len(sentences):
        return claim.effect_text
    start = sentences[claim.sentence].start
    lead = text[start : claim.effect.start]
    others = claim.cause is not None and claim.cause.start < claim.effect.start
    if others or not lead.strip() or len(lead.split()) > MAX_SUBJECT_WORDS or not lead.replace(" ", "").isalnum():
        return claim.effect_text
    return text[start : claim.effect.end]


def joins(claim: dict[str, Any]) -> bool:
    """Whether a claim may be joined: a strict one, or a surer wide one of plain cause (what it gives is then stated)."""
    return claim["kind"] in JOINED_KINDS and bool(claim["strict"] or claim["confidence"] >= WIDE_CONFIDENCE)


def explains(claims: Iterable[dict[str, Any]]) -> bool:
    """Whether an observation holds a cause together with its effect."""
    return any(
        claim["strict"] and claim["kind"] in JOINED_KINDS and not (claim["cause_before"] or claim["effect_before"])
        for claim in claims
    )


def states(observation: Observation) -> Iterator[tuple[int, str]]:
    """Number and words of the sentences that plainly state something: no question, no mere possibility, no claim inside."""
    if observation.kind in {ObservationKind.QUESTION, ObservationKind.PLAN}:
        return
    taken = {claim["sentence"] for claim in observation.marks.get(CLAIMS, ()) if joins(claim)}
    for number, span in enumerate(observation.sentences[:MAX_STATEMENTS]):
        if number not in taken and asserted(span.of(observation.text)):
            yield number, span.of(observation.text)


def telling(observation: Observation, sentences: Vector, causes: Vector, effects: Vector) -> Telling:
    """Put an observation's words and stored vectors (rows by ordinal, perhaps none) together."""
    claims = tuple(observation.marks.get(CLAIMS, ()))
    return Telling(
        observation,
        claims,
        _claimed(claims, "cause", causes),
        _claimed(claims, "effect", effects),
        tuple(Told(text, sentences[number]) for number, text in states(observation) if number < len(sentences)),
    )


def _claimed(claims: Sequence[dict[str, Any]], side: str, vectors: Vector) -> tuple[Told, ...]:
    return tuple(
        Told(claim[side], vectors[number], number)
        for number, claim in enumerate(claims)
        if joins(claim) and number < len(vectors)
    )


def likeness(claimed: Told, stated: Told) -> float | None:
    """Log-odds that what a claim names and what is stated are one event; None when they are not."""
    cosine = float(np.dot(claimed.vector, stated.vector))
    if cosine < MIN_COSINE:
        return None
    a, b = content(claimed.text), content(stated.text)
    shared = len(a.roots & b.roots)
    if not (a.telling and b.telling) or not (a.roots & b.roots) - a.names - b.names or opposed(a, b):
        return None
    shares = sorted((shared / max(len(a.roots), FEWEST), shared / max(len(b.roots), FEWEST)))
    logit = BIAS + COSINE * cosine + LESSER_SHARE * shares[0] + GREATER_SHARE * shares[1]
    logit += ALL_TOLD if shared == len(a.roots) > 1 else 0.0
    return logit if logit > CUT else None


def may_cause(cause: Observation, effect: Observation) -> bool:
    """Whether the dates allow it: never a cause authored after its effect."""
    if cause.id == effect.id:
        return False
    return cause.authored_at is None or effect.authored_at is None or cause.authored_at <= effect.authored_at


def grounds(claimant: Telling, others: Iterable[Telling]) -> list[Ground]:
    """What the claims of one observation ground: who states its causes, and who tells the effects that it explains.

    Of those who state one cause, all stay that are nearly as like it as the likest: where it is told word for word, what is
    merely similar is something else.
    """
    company = list(others)
    found: list[Ground] = []
    for words in claimant.causes:
        told = [
            (_likest(words, (*one.plain, *one.effects), claimant, one), one)
            for one in company
            if _same_speaker(claimant, words, one)
        ]
        found += _best(
            Ground(one.observation, claimant.observation, claimant.observation, claimant.claims[words.claim], sure)
            for sure, one in told
            if sure is not None and may_cause(one.observation, claimant.observation)
        )
    for words in claimant.effects:
        told = [(_likest(words, one.plain, claimant, one), one) for one in company if _same_speaker(claimant, words, one)]
        found += _best(
            Ground(claimant.observation, one.observation, claimant.observation, claimant.claims[words.claim], sure)
            for sure, one in told
            if sure is not None and may_cause(claimant.observation, one.observation)
        )
    return found


def _same_speaker(claimant: Telling, words: Told, other: Telling) -> bool:
    """What somebody says of himself ("I", "my") is stated by nobody else in the first person."""
    authors = {claimant.observation.author, other.observation.author} - {None}
    return len(authors) < 2 or not _FIRST_PERSON.search(words.text)


def _likest(words: Told, stated: Iterable[Told], claimant: Telling, other: Telling) -> float | None:
    """The log-odds of the likest statement. What is pointed at ("this change") is the same thing only in the same record."""
    apart = claimant.observation.record_id != other.observation.record_id
    if apart and pointing(words.text):
        return None
    candidates = (told for told in stated if not (apart and pointing(told.text)))
    return max((sure for told in candidates if (sure := likeness(words, told)) is not None), default=None)


def _best(found: Iterable[Ground]) -> list[Ground]:
    ranked = sorted(found, key=lambda ground: (-ground.sure, ground.cause.id, ground.effect.id))
    return [ground for ground in ranked[:MAX_GROUNDS] if ground.sure >= ranked[0].sure - MARGIN]


def edge_of(ground: Ground) -> Edge:
    """The CAUSES edge of a ground: the claim's confidence times the probability of one event, its cue as the words."""
    closeness = 1 / (1 + math.exp(-ground.sure))
    return Edge(
        EdgeKind.CAUSES,
        ground.cause.id,
        ground.effect.id,
        ground.effect.scope,
        weight=round(max(ground.claim["confidence"] * closeness, 1e-4), 6),
        evidence=ground.by.id,
        sentence=ground.claim["sentence"] if ground.by.id == ground.cause.id else -1,
        note=str(ground.claim["cue"]),
    )


def edge_of_previous(previous: Observation, observation: Observation, claim: dict[str, Any]) -> Edge | None:
    """The edge of a claim whose cause stands in the passage before ("As a result, ..."), if the dates allow it."""
    if not may_cause(previous, observation):
        return None
    weight = round(max(float(claim["confidence"]), 1e-4), 6)
    cue, scope = str(claim["cue"]), observation.scope
    return Edge(EdgeKind.CAUSES, previous.id, observation.id, scope, weight, evidence=observation.id, note=cue)
