"""The engines of bench.traversal: one forward push, written for each as that engine does it best."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

DECAY = 0.8
FLOOR = 1e-4

Seeds = npt.NDArray[np.int64]
Mass = dict[int, float]
Engine = Callable[[Seeds, int], Mass]


@dataclass(frozen=True)
class SyntheticGraph:
    """`nodes` nodes numbered from 0, and distinct edges (source, target) with a weight and a kind in 0..2.

    Degrees out are near their mean; degrees in are skewed, as names and popular memories are.
    """

    nodes: int
    source: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    kind: npt.NDArray[np.int64]

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        return np.argsort(self.source, kind="stable")

    @cached_property
    def indptr(self) -> npt.NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(np.bincount(self.source, minlength=self.nodes))])


def synthetic(nodes: int, edges: int, seed: int) -> SyntheticGraph:
    chance = np.random.default_rng(seed)
    source = chance.integers(0, nodes, edges)
    target = (nodes * chance.random(edges) ** 2).astype(np.int64)
    pairs = np.unique(source * nodes + target)
    chance.shuffle(pairs)
    return SyntheticGraph(
        nodes,
        pairs // nodes,
        pairs % nodes,
        chance.uniform(0.05, 1.0, len(pairs)),
        chance.integers(0, 3, len(pairs)),
    )


def _push(links: Callable[[int], Sequence[tuple[int, float]]], seeds: Seeds, depth: int) -> Mass:
    """The push in plain Python, for engines that give a node's links one node at a time."""
    now: Mass = dict.fromkeys(seeds.tolist(), 1 / len(seeds))
    total = dict(now)
    for _ in range(depth):
        arrived: Mass = {}
        for node, mass in now.items():
            out = links(node)
            share = DECAY * mass / sum(weight for _, weight in out) if out else 0.0
            for far, weight in out:
                arrived[far] = arrived.get(far, 0.0) + share * weight
        now = {node: mass for node, mass in arrived.items() if mass >= FLOOR}
        for node, mass in now.items():
            total[node] = total.get(node, 0.0) + mass
    return total


def networkx_engine(graph: SyntheticGraph) -> Engine:
    made = nx.DiGraph()
    made.add_weighted_edges_from(zip(graph.source.tolist(), graph.target.tolist(), graph.weight.tolist(), strict=True))
    made.add_nodes_from(range(graph.nodes))
    adjacency = made.adj

    def links(node: int) -> list[tuple[int, float]]:
        return [(far, data["weight"]) for far, data in adjacency[node].items()]

    return lambda seeds, depth: _push(links, seeds, depth)


def igraph_engine(graph: SyntheticGraph) -> Engine:
    import igraph  # noqa: PLC0415 - optional

    made = igraph.Graph(n=graph.nodes, edges=np.stack([graph.source, graph.target], axis=1), directed=True)
    target, weight = graph.target.tolist(), graph.weight.tolist()

    def links(node: int) -> list[tuple[int, float]]:
        return [(target[edge], weight[edge]) for edge in made.incident(node)]

    return lambda seeds, depth: _push(links, seeds, depth)


def numba_engine(graph: SyntheticGraph) -> Engine:
    """Compressed rows, dense scratch arrays, nothing but the walk: the bound of what memory allows."""
    import numba  # noqa: PLC0415 - optional

    compiled = numba.njit(_bare_push)
    indptr, far = graph.indptr, graph.target[graph.order].astype(np.int32)
    weight = graph.weight[graph.order].astype(np.float32)
    scratch, total = np.zeros(graph.nodes), np.zeros(graph.nodes)

    def run(seeds: Seeds, depth: int) -> Any:
        return compiled(seeds, depth, (indptr, far, weight), scratch, total)

    run(np.arange(1), 1)
    return run


def _bare_push(seeds: Any, depth: Any, rows: Any, scratch: Any, total: Any) -> Any:
    """Compiled by numba; `scratch` and `total` are zero before and after."""
    indptr, far, weight = rows
    now, mass = seeds, np.full(len(seeds), 1.0 / len(seeds))
    reached = [seed for seed in seeds]  # noqa: C416 - numba has no list() of an array
    total[seeds] += mass
    for _ in range(depth):
        touched = [far[0] for _ in range(0)]
        for i in range(len(now)):
            start, end = indptr[now[i]], indptr[now[i] + 1]
            whole = weight[start:end].sum()
            for j in range(start, end):
                if scratch[far[j]] == 0.0:
                    touched.append(far[j])
                scratch[far[j]] += DECAY * mass[i] * weight[j] / whole
        kept = [node for node in touched if scratch[node] >= FLOOR]
        now, mass = np.empty(len(kept), np.int64), np.empty(len(kept))
        for i in range(len(kept)):
            now[i], mass[i] = kept[i], scratch[kept[i]]
            if total[kept[i]] == 0.0:
                reached.append(now[i])
            total[kept[i]] += mass[i]
        for node in touched:
            scratch[node] = 0.0
    places = np.array(reached)
    sums = total[places]
    total[places] = 0.0
    return places, sums


def as_mass(found: Any) -> Mass:
    """What an engine found, as a dictionary: for comparing, outside the measured time."""
    return found if isinstance(found, dict) else dict(zip(found[0].tolist(), found[1].tolist(), strict=True))
