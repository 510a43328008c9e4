"""Causal order: a cause is never dated after its effect, on a path or beside one."""

from collections.abc import Mapping, Sequence

import numpy as np

from graph.model.edges import Direction, EdgeKind
from graph.model.observations import Observation
from graph.retrieve.pool import Pool
from graph.retrieve.walk import Trail
from graph.retrieve.weights import Floats

RESTATED = 0.75  # cosine from which an observation counts as telling the very effect that a "why" asks about


def causal_hops(trail: Trail) -> int:
    """CAUSES edges on the trail, whichever way."""
    return sum(step.edge.kind is EdgeKind.CAUSES for step in trail.walked)


def in_order(trail: Trail, observations: Mapping[str, Observation]) -> bool:
    """Whether no CAUSES edge walked backward leads to what was said on a later day than the effect; unknown dates pass."""
    for step in trail.walked:
        if step.edge.kind is not EdgeKind.CAUSES or step.hop.direction is not Direction.IN:
            continue
        effect, cause = observations.get(step.at), observations.get(step.to)
        if effect is None or cause is None or effect.authored_at is None or cause.authored_at is None:
            continue
        if cause.authored_at.date() > effect.authored_at.date():
            return False
    return True


def told_effect(pool: Pool, observations: Sequence[Observation]) -> Observation | None:
    """The dated observation that tells the very effect a "why" asks about, if there is one. `observations` follow the pool.

    A passage of a document is dated with the document, so only those of their own date count: turns, and records of one
    passage.
    """
    if not len(pool):
        return None
    place = int(np.argmax(pool.passage))
    effect = observations[place]
    alone = sum(observation.record_id == effect.record_id for observation in observations) == 1
    known = pool.passage[place] >= RESTATED and effect.authored_at is not None
    return effect if known and (alone or effect.session) else None


def time_before(effect: Observation, observations: Sequence[Observation]) -> dict[str, Floats]:
    """`after`: 1 for what was said on a later day than the effect. `gap`: ln(1 + days between them); 0 for unknown dates."""
    days = np.array([_days(effect, observation) for observation in observations], np.float64)
    return {"after": (days < 0).astype(np.float64), "gap": np.log1p(np.abs(days))}


def _days(effect: Observation, observation: Observation) -> float:
    if effect.authored_at is None or observation.authored_at is None:
        return 0.0
    return float((effect.authored_at.date() - observation.authored_at.date()).days)
