"""SIMILAR edges: each observation keeps its k nearest; a new one takes its place in the lists of those it is near to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from graph.link.ports import LinkPorts, whole
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.observations import Observation
from graph.model.points import Space

NEIGHBOURS = 8  # k: SIMILAR edges that leave an observation
MIN_COSINE = 0.5
LOOKED_AT = 16  # nearest observations whose own lists a new one may enter


@dataclass(slots=True)
class Similar:
    """Edges to write, and the lists that are to be dropped before because somebody leaves them."""

    edges: list[Edge] = field(default_factory=list)
    drop: set[tuple[str, str, str]] = field(default_factory=set)


def similar_edges(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> Similar:
    """How the lists change of the fresh observations and of those whose lists they enter.

    An edge a -> b says that b is among a's k nearest. The cosine is the weight in both directions. Ties go to the lower id.
    """
    owned = ports.vectors.vectors(Space.PASSAGE, [observation.id for observation in fresh])
    lists: dict[str, dict[str, float]] = {}
    offers: dict[str, dict[str, float]] = {}
    for id_ in sorted(owned):
        near = ports.vectors.search(Space.PASSAGE, owned[id_][0], whole(scope), LOOKED_AT + 1)
        lists[id_] = {hit.owner: hit.score for hit in near if hit.owner != id_ and hit.score >= MIN_COSINE}
        for other, score in lists[id_].items():
            offers.setdefault(other, {})[id_] = score
    stored = _stored(ports, scope, sorted(lists.keys() | offers.keys()))
    changed = Similar()
    for id_ in sorted(lists.keys() | offers.keys()):
        held = stored.get(id_, {})
        _change(changed, scope, id_, held, nearest(lists[id_] if id_ in lists else {**held, **offers[id_]}))
    return changed


def _change(changed: Similar, scope: str, id_: str, held: dict[str, float], wanted: dict[str, float]) -> None:
    """A list that only grows gets what is new; one that somebody leaves is written anew."""
    leaves = bool(held.keys() - wanted.keys())
    if leaves:
        changed.drop.add((scope, EdgeKind.SIMILAR.value, id_))
    for other, score in wanted.items():
        if leaves or other not in held:
            changed.edges.append(Edge(EdgeKind.SIMILAR, id_, other, scope, weight=round(min(max(score, 1e-6), 1.0), 6)))


def nearest(found: dict[str, float]) -> dict[str, float]:
    """The k nearest, ties by id."""
    order = sorted(found, key=lambda other: (-round(found[other], 6), other))[:NEIGHBOURS]
    return {other: found[other] for other in order}


def _stored(ports: LinkPorts, scope: str, ids: Sequence[str]) -> dict[str, dict[str, float]]:
    held: dict[str, dict[str, float]] = {}
    hops = [Hop(EdgeKind.SIMILAR, Direction.OUT, fanout=4 * NEIGHBOURS)]
    for step in ports.reader.expand(ids, hops, whole(scope)) if ids else ():
        held.setdefault(step.at, {})[step.to] = step.edge.weight
    return held
