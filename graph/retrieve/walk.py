"""The walk: from the anchors along the meta-paths of the intent, one store round trip per hop for all of them together.

A trail keeps every edge it took. Between hops the entities worth going through are chosen (`bridges`), everything else by
the weight of its edges; so a hub or a dense neighbourhood costs no more than a sparse one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph.model.edges import EdgeKind, Hop, Walked
from graph.model.views import View
from graph.ports.graph import GraphReader
from graph.retrieve.meta_paths import MetaPath

BEAM = 64  # trails of one meta-path that go on after a hop which does not end in an entity
NAMING = frozenset({EdgeKind.MENTIONS, EdgeKind.ABOUT})


@dataclass(frozen=True, slots=True)
class Trail:
    """A way from `anchor` along `path`: the edges in the order walked, and the product of their weights."""

    path: MetaPath
    anchor: str
    walked: tuple[Walked, ...] = ()
    weight: float = 1.0

    @property
    def end(self) -> str:
        return self.walked[-1].to if self.walked else self.anchor

    @property
    def entity(self) -> str | None:
        """The entity walked through, None when the trail goes through none."""
        return next((step.to for step in self.walked if _at_entity(step)), None)

    def nodes(self) -> set[str]:
        return {self.anchor, *(step.to for step in self.walked)}

    def on(self, step: Walked) -> "Trail":
        return Trail(self.path, self.anchor, (*self.walked, step), self.weight * step.edge.weight)


def _at_entity(step: Walked) -> bool:
    return step.edge.kind in NAMING and step.to == step.edge.target


Choose = Callable[[Sequence[Trail]], list[Trail]]


def heaviest(trails: Sequence[Trail], count: int = BEAM) -> list[Trail]:
    """The `count` trails of the greatest weight; ties keep the order in which they were walked."""
    return sorted(trails, key=lambda trail: -trail.weight)[:count]


class Walker:
    """Walks meta-paths in the graph behind `reader`."""

    def __init__(self, reader: GraphReader) -> None:
        self._reader = reader

    def walk(self, anchors: Sequence[str], paths: Sequence[MetaPath], view: View, bridges: Choose) -> list[Trail]:
        """All trails that arrive at a target, by hop, then in the order of anchors, paths and edges.

        `bridges` chooses among the trails that stand at an entity. No trail meets a node twice.
        """
        trails = [Trail(path, anchor) for path in paths for anchor in anchors]
        arrived: list[Trail] = []
        for step in range(max((path.length for path in paths), default=0)):
            going = [trail for trail in trails if step < trail.path.length]
            trails = self._hop(going, step, view)
            arrived += [trail for trail in trails if trail.path.arrives(step)]
            trails = _chosen([trail for trail in trails if step + 1 < trail.path.length], bridges)
        return arrived

    def _hop(self, trails: Sequence[Trail], step: int, view: View) -> list[Trail]:
        """Every trail continued by every edge of its next hop."""
        if not trails:
            return []
        frontier = list(dict.fromkeys(trail.end for trail in trails))
        hops = list(dict.fromkeys(trail.path.hop(step) for trail in trails))
        edges: defaultdict[tuple[str, Hop], list[Walked]] = defaultdict(list)
        for walked in self._reader.expand(frontier, hops, view):
            edges[walked.at, walked.hop].append(walked)
        return [
            trail.on(walked)
            for trail in trails
            for walked in edges.get((trail.end, trail.path.hop(step)), ())
            if walked.to not in trail.nodes()
        ]


def _chosen(trails: Sequence[Trail], bridges: Choose) -> list[Trail]:
    """The trails that go on: `bridges` chooses those at an entity, once for all paths; of the rest the heaviest per path."""
    at_entity = bridges([trail for trail in trails if _at_entity(trail.walked[-1])])
    rest: defaultdict[str, list[Trail]] = defaultdict(list)
    for trail in trails:
        if not _at_entity(trail.walked[-1]):
            rest[trail.path.name].append(trail)
    return at_entity + [trail for group in rest.values() for trail in heaviest(group)]


def by_end(trails: Iterable[Trail]) -> Mapping[str, list[Trail]]:
    """Trails by the node they arrive at, in order."""
    groups: defaultdict[str, list[Trail]] = defaultdict(list)
    for trail in trails:
        groups[trail.end].append(trail)
    return groups
