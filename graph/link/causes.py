"""Joining causes to effects: does this observation state what that claim gives as its cause, or explain what that one tells?

A claim "E because C" in O, and P that states C: P causes O. Q that states E, or gives E as its own cause: O causes Q. What
decides is the cosine of the words' vectors and their shared content; opposites and unlike numbers keep things apart.
Nothing authored after an effect is its cause; unknown dates are let pass.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graph.link.content import asserted, content, opposed
from graph.model.edges import Edge, EdgeKind
from graph.model.extraction import CausalClaim, RelationKind
from graph.model.observations import Observation, ObservationKind
from graph.model.points import Vector

CLAIMS = "claims"
MAX_CLAIMS = 12  # claims kept of one observation, the most certain first
MAX_STATEMENTS = 24  # sentences of one observation that are compared with claims
MIN_COSINE = 0.42
JOINED_KINDS = frozenset({RelationKind.CAUSE.value, RelationKind.REACTION.value})
WIDE_CONFIDENCE = 0.2  # from which a claim that is not strict is joined to those who state its other end

# Log-odds that two wordings tell one event; fitted by logistic regression (L2 1) on the 44 hand-made chains beside the tests
# (264 like and 46,200 unlike pairs, near-misses among them), 2026-11-30, rounded; ALL_TOLD on 56 pairs where the cause is told
# in fewer words. Cut where near-misses, a third of what is told there, leave a precision of .93.
BIAS = -14.25
COSINE = 14.0
LESSER_SHARE = 3.75  # shared content roots over those of the richer wording
GREATER_SHARE = 5.0  # shared content roots over those of the poorer wording
ALL_TOLD = 2.5  # when all that a claim names, two roots or more, is in the statement: "the cut cable", "a contractor cut ..."
CUT = 0.8


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
class Join:
    """That one observation states the cause of what the other tells, by the claim that says so."""

    cause: Observation
    effect: Observation
    by: Observation
    claim: dict[str, Any]
    closeness: float


def claims_of(causes: Sequence[CausalClaim]) -> list[dict[str, Any]]:
    """The claims of an extraction as an observation keeps them: what is denied or only imagined is left out."""
    real = [claim for claim in causes if not (claim.negated or claim.hypothetical)]
    best = sorted(real, key=lambda claim: (not claim.strict, -claim.confidence, claim.sentence))[:MAX_CLAIMS]
    return [
        {
            "cause": claim.cause_text,
            "effect": claim.effect_text,
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


def closeness(claimed: Told, stated: Told) -> float:
    """How sure it is that what a claim names and what is stated are one event, in [0, 1); 0 when they are not."""
    cosine = float(np.dot(claimed.vector, stated.vector))
    if cosine < MIN_COSINE:
        return 0.0
    a, b = content(claimed.text), content(stated.text)
    shared = len(a.roots & b.roots)
    if not shared or opposed(a, b):
        return 0.0
    shares = sorted((shared / len(a.roots), shared / len(b.roots)))
    logit = BIAS + COSINE * cosine + LESSER_SHARE * shares[0] + GREATER_SHARE * shares[1]
    logit += ALL_TOLD if shared == len(a.roots) > 1 else 0.0
    return 1 / (1 + math.exp(-logit)) if logit > CUT else 0.0


def may_cause(cause: Observation, effect: Observation) -> bool:
    """Whether the dates allow it: never a cause authored after its effect."""
    if cause.id == effect.id:
        return False
    return cause.authored_at is None or effect.authored_at is None or cause.authored_at <= effect.authored_at


def join(one: Telling, other: Telling) -> list[Join]:
    """The joins between two observations, at most one in each direction, whoever arrived first."""
    return [found for a, b in ((one, other), (other, one)) if (found := _caused(a, b)) is not None]


def _caused(cause: Telling, effect: Telling) -> Join | None:
    """The best ground to say that `cause` causes `effect`: it states a cause that the other gives, or explains it."""
    if not may_cause(cause.observation, effect.observation):
        return None
    grounds = [
        *_grounds(effect, effect.causes, (*cause.plain, *cause.effects)),
        *_grounds(cause, cause.effects, effect.plain),
    ]
    if not grounds:
        return None
    near, by, claim = max(grounds, key=lambda ground: (ground[0] * ground[2]["confidence"], ground[1].id, ground[2]["cause"]))
    return Join(cause.observation, effect.observation, by, claim, near)


def _grounds(
    claimant: Telling, claimed: Iterable[Told], stated: Iterable[Told]
) -> Iterator[tuple[float, Observation, dict[str, Any]]]:
    told = tuple(stated)
    for words in claimed:
        near = max((closeness(words, other) for other in told), default=0.0)
        if near > 0:
            yield near, claimant.observation, claimant.claims[words.claim]


def edge_of(found: Join) -> Edge:
    """The CAUSES edge of a join: the claim's confidence times the closeness, the claim's cue as the words that state it."""
    return Edge(
        EdgeKind.CAUSES,
        found.cause.id,
        found.effect.id,
        found.effect.scope,
        weight=round(max(found.claim["confidence"] * found.closeness, 1e-4), 6),
        evidence=found.by.id,
        sentence=found.claim["sentence"] if found.by.id == found.cause.id else -1,
        note=str(found.claim["cue"]),
    )


def edge_of_previous(previous: Observation, observation: Observation, claim: dict[str, Any]) -> Edge | None:
    """The edge of a claim whose cause stands in the passage before ("As a result, ..."), if the dates allow it."""
    if not may_cause(previous, observation):
        return None
    weight = round(max(float(claim["confidence"]), 1e-4), 6)
    cue, scope = str(claim["cue"]), observation.scope
    return Edge(EdgeKind.CAUSES, previous.id, observation.id, scope, weight, evidence=observation.id, note=cue)
