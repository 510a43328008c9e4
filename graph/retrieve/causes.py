"""Causal order: a cause is never dated after its effect."""

from collections.abc import Mapping

from graph.model.edges import Direction, EdgeKind
from graph.model.observations import Observation
from graph.retrieve.walk import Trail


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
