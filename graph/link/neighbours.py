"""SIMILAR edges: each observation keeps its k nearest; a new one takes its place in the lists of those it is near to."""

from collections.abc import Iterable, Sequence

from graph.link.ports import LinkPorts, whole
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.observations import Observation
from graph.model.points import Space

NEIGHBOURS = 8  # k: SIMILAR edges that leave an observation
MIN_COSINE = 0.5
LOOKED_AT = 16  # nearest observations whose own lists a new one may enter


def similar_edges(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> list[Edge]:
    """All SIMILAR edges that leave the fresh observations and those whose lists they enter; to be written over the old ones.

    An edge a -> b says that b is among a's k nearest. The cosine is the weight in both directions. Ties go to the lower id.
    """
    view = whole(scope)
    owned = ports.vectors.vectors(Space.PASSAGE, [observation.id for observation in fresh])
    lists: dict[str, dict[str, float]] = {}
    offers: dict[str, dict[str, float]] = {}
    for id_ in sorted(owned):
        near = ports.vectors.search(Space.PASSAGE, owned[id_][0], view, LOOKED_AT + 1)
        found = {hit.owner: hit.score for hit in near if hit.owner != id_ and hit.score >= MIN_COSINE}
        lists[id_] = found
        for other, score in found.items():
            offers.setdefault(other, {})[id_] = score
    return list(_edges(ports, scope, lists, offers))


def _edges(
    ports: LinkPorts, scope: str, lists: dict[str, dict[str, float]], offers: dict[str, dict[str, float]]
) -> Iterable[Edge]:
    stored = _stored(ports, scope, sorted(offers.keys() - lists.keys()))
    for id_, found in lists.items():
        yield from _out(scope, id_, found)
    for id_, offered in offers.items():
        if id_ in lists:
            continue
        held = stored.get(id_, {})
        best = nearest({**held, **offered})
        if best.keys() != held.keys():
            yield from _out(scope, id_, best)


def nearest(found: dict[str, float]) -> dict[str, float]:
    """The k nearest, ties by id."""
    order = sorted(found, key=lambda other: (-round(found[other], 6), other))[:NEIGHBOURS]
    return {other: found[other] for other in order}


def _out(scope: str, id_: str, found: dict[str, float]) -> Iterable[Edge]:
    for other, score in nearest(found).items():
        yield Edge(EdgeKind.SIMILAR, id_, other, scope, weight=round(min(max(score, 1e-6), 1.0), 6))


def _stored(ports: LinkPorts, scope: str, ids: Sequence[str]) -> dict[str, dict[str, float]]:
    held: dict[str, dict[str, float]] = {}
    for step in ports.reader.expand(ids, [Hop(EdgeKind.SIMILAR, Direction.OUT, fanout=4 * NEIGHBOURS)], whole(scope)):
        held.setdefault(step.at, {})[step.to] = step.edge.weight
    return held
