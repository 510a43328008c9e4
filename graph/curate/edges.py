"""Single edges changed where the store can only drop all edges of a kind that leave a node: the others are written again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph.curate.graph import Graph, everything
from graph.model.edges import Direction, Edge, EdgeKind, Hop

MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What to drop, as (scope, kind, source), and what to write after it, in one batch."""

    drop: list[tuple[str, str, str]]
    edges: list[Edge]


def edges_into(graph: Graph, scope: str, target: str, kinds: Sequence[EdgeKind]) -> list[Edge]:
    """All edges of these kinds that end at a node."""
    hops = [Hop(kind, Direction.IN, fanout=MANY) for kind in kinds]
    return [step.edge for step in graph.expand([target], hops, everything(scope))]


def rewritten(graph: Graph, scope: str, gone: Iterable[Edge], fresh: Iterable[Edge]) -> Rewrite:
    """How to let edges go and add others, so that every other edge of their sources stays."""
    leaving = {(edge.kind, edge.source, edge.target) for edge in gone}
    sources = sorted({(kind, source) for kind, source, _ in leaving})
    kept: list[Edge] = []
    for kind in sorted({kind for kind, _ in sources}):
        frontier = [source for one, source in sources if one is kind]
        walked = graph.expand(frontier, [Hop(kind, Direction.OUT, fanout=MANY)], everything(scope))
        kept += [step.edge for step in walked if (kind, step.edge.source, step.edge.target) not in leaving]
    have = {(edge.kind, edge.source, edge.target) for edge in kept}
    added = [edge for edge in fresh if (edge.kind, edge.source, edge.target) not in have]
    return Rewrite([(scope, kind.value, source) for kind, source in sources], [*kept, *added])
