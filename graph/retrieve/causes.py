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


def after_effect(pool: Pool, observations: Sequence[Observation]) -> Floats:
    """1 for what was said on a later day than the observation that tells the effect asked about, if there is one.

    `observations` follow `pool.ids`. A passage of a document is dated with the document, so only those of their own date
    tell an effect: turns, and records of one passage.
    """
    later = np.zeros(len(pool))
    if not len(pool):
        return later
    place = int(np.argmax(pool.passage))
    effect = observations[place]
    alone = sum(observation.record_id == effect.record_id for observation in observations) == 1
    if pool.passage[place] < RESTATED or effect.authored_at is None or not (alone or effect.session):
        return later
    day = effect.authored_at.date()
    return np.array([float(o.authored_at is not None and o.authored_at.date() > day) for o in observations], np.float64)
