"""NEXT edges: the order of a record's passages, whichever of them came first. Pure."""

from collections.abc import Collection, Sequence
from itertools import groupby, pairwise

from graph.model.edges import Edge, EdgeKind
from graph.model.observations import Observation


def in_order(observation: Observation) -> tuple[object, ...]:
    """The place of a passage in its record: by position, then when it was recorded, then id and part."""
    return (observation.position, observation.recorded_at, observation.event_id, observation.part)


def chained(passages: Sequence[Observation], fresh: Collection[str]) -> list[Edge]:
    """The NEXT edges into and out of the fresh passages; each replaces whatever NEXT edge its source had.

    `passages` are whole records in any order. A fresh passage that came between two known ones takes its place there.
    """
    edges: list[Edge] = []
    ordered = sorted(passages, key=lambda passage: passage.record_id)
    for _, group in groupby(ordered, key=lambda passage: passage.record_id):
        for one, other in pairwise(sorted(group, key=in_order)):
            if one.id in fresh or other.id in fresh:
                edges.append(Edge(EdgeKind.NEXT, one.id, other.id, one.scope))
    return edges
