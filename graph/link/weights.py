"""How much a mention says: rarity of its name, kept up to date without counting a common name again for every text.

A name that few observations bear is recounted whenever another one does. A common name is recounted as often as it has grown
by about a sixteenth, chosen by a hash of the newcomer, so that the work per observation does not grow with the store.
"""

from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

from graph.link.ports import LINKED_STATUSES, LinkPorts, current
from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.entities import Entity
from graph.model.ids import point_id
from graph.model.points import Point, Space
from graph.model.views import View

COMMON = 64  # mentions from which a name counts as common
GROWTH = 16  # a common name is recounted about once per mentions / GROWTH newcomers


def due(entity: Entity, newcomers: Iterable[str]) -> bool:
    """Whether an entity is to be recounted now that `newcomers` mention it. The same for the same newcomers."""
    if entity.mentions < COMMON:
        return True
    every = entity.mentions // GROWTH
    return any(crc32(f"{entity.id} {id_}".encode()) % every == 0 for id_ in newcomers)


def recount(ports: LinkPorts, scope: str, mentioned: Mapping[str, Sequence[str]], known: Mapping[str, Entity]) -> list[Entity]:
    """Bring counts and weights of the entities up to date that are due; return all of them as they are then stored."""
    again = sorted(id_ for id_, newcomers in mentioned.items() if id_ in known and due(known[id_], newcomers))
    ports.writer.recount(scope, again)
    return ports.lookup.entities(sorted(mentioned), current(scope))


def name_points(ports: LinkPorts, entities: Sequence[Entity]) -> list[Point]:
    """NAME points of those among the entities that lead to two observations or more."""
    leading = _leading(ports, entities)
    if not leading:
        return []
    vectors = ports.embedder.embed([entity.name for entity in leading])
    return [
        Point(point_id(Space.NAME, one.scope, one.id), Space.NAME, one.id, one.scope, vector, revision=one.revision)
        for one, vector in zip(leading, vectors, strict=True)
    ]


def _leading(ports: LinkPorts, entities: Sequence[Entity]) -> list[Entity]:
    """Entities with two observations that mention or define them. Where the counts leave it open, the edges are asked."""
    sure = [entity for entity in entities if max(entity.mentions, entity.about) > 1]
    open_ = [entity for entity in entities if entity.mentions == 1 and entity.about == 1]
    if open_:
        hops = [Hop(kind, Direction.IN, fanout=2) for kind in (EdgeKind.MENTIONS, EdgeKind.ABOUT)]
        seen: dict[str, set[str]] = {}
        view = View(frozenset(entity.scope for entity in open_), LINKED_STATUSES)
        for step in ports.reader.expand([entity.id for entity in open_], hops, view):
            seen.setdefault(step.at, set()).add(step.to)
        sure += [entity for entity in open_ if len(seen.get(entity.id, ())) > 1]
    return sure
