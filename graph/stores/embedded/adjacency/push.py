"""Forward push: how much of what starts at the seeds arrives where, after some hops (Andersen, Chung and Lang, 2006)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from graph.model.edges import Hop
from graph.stores.embedded.adjacency.arrays import Adjacency
from graph.stores.embedded.adjacency.nodes import Places
from graph.stores.embedded.adjacency.view import Filter
from graph.stores.embedded.adjacency.walk import visible

Mass = npt.NDArray[np.float64]
_ALL = 1 << 31
_DENSE_SHARE = 8  # sums run over all nodes when there is more than one for so many of them


@dataclass(frozen=True, slots=True)
class Spread:
    """`decay` of a node's mass goes on over its links by their weights; mass below `floor` goes no further."""

    depth: int
    decay: float = 0.8
    floor: float = 1e-4


@dataclass(frozen=True, slots=True)
class Start:
    """Places and the mass that lies at each: parallel arrays."""

    places: Places
    mass: Mass


@dataclass(frozen=True, slots=True)
class Pushed:
    """Ids that mass arrived at, as UTF-8 bytes, and how much: parallel arrays, in no order."""

    ids: npt.NDArray[np.bytes_]
    mass: Mass


class ForwardPush:
    """Forward push over one adjacency. The caller holds the adjacency's lock."""

    def __init__(self, adjacency: Adjacency) -> None:
        self.adjacency = adjacency
        self._sums = Sums()

    def __call__(self, seeds: Start, hops: Sequence[Hop], spread: Spread, see: Filter) -> Start:
        """Places that mass arrived at (the seeds among them), in no order, and the sum of what arrived at each.

        In each of `depth` rounds the mass of the last round moves over all hops together; a link's share is its weight over
        the visible weight that leaves its node.
        """
        hops = [replace(hop, fanout=_ALL, hub_degree=None) for hop in hops]
        nodes = self.adjacency.nodes.count
        rounds = [seeds]
        for _ in range(spread.depth):
            last = rounds[-1]
            arrived = self._sums.of(self._moved(Start(last.places, last.mass * spread.decay), hops, see), nodes)
            kept = (arrived.mass >= spread.floor).nonzero()[0]
            rounds.append(Start(arrived.places.take(kept), arrived.mass.take(kept)))
        return self._sums.of(Start(np.concatenate([r.places for r in rounds]), np.concatenate([r.mass for r in rounds])), nodes)

    def _moved(self, start: Start, hops: Sequence[Hop], see: Filter) -> Start:
        found, _ = visible(self.adjacency, start.places, hops, see)
        weight = found.links["weight"]
        total = np.bincount(found.turn, weight, len(start.places))
        share = start.mass / np.maximum(total, np.finfo(float).tiny)
        return Start(found.links["far"], share.take(found.turn) * weight)


class Sums:
    """Sums by place, in time that grows with what is summed and not with the nodes: arrays of all, zero between uses."""

    def __init__(self) -> None:
        self._total = np.zeros(0)
        self._last = np.zeros(0, np.intp)

    def of(self, start: Start, nodes: int) -> Start:
        """Each place once, with its sum."""
        if len(start.places) * _DENSE_SHARE > nodes:
            total = np.bincount(start.places, start.mass, nodes).astype(np.float64, copy=False)
            distinct = (total > 0).nonzero()[0].astype(np.int32)
            return Start(distinct, total.take(distinct))
        if nodes > len(self._total):
            self._total, self._last = np.zeros(nodes * 5 // 4), np.zeros(nodes * 5 // 4, np.intp)
        places, index = start.places.astype(np.intp), np.arange(len(start.places))
        np.add.at(self._total, places, start.mass)
        self._last[places] = index  # of a place that stands several times the last index stays: it is told once
        distinct = start.places.compress(self._last.take(places) == index)
        mass = self._total.take(distinct)
        self._total[distinct] = 0
        return Start(distinct, mass)
