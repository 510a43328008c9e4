"""The traversal beside others: the same forward push over the same graph in networkx, igraph and a bare numba walk.

Ours has every filter on (scope, state, window, validity, session, author) and sees fresh edges; the others have none. All
engines run in turn on the same seeds, each in one thread; their figures are medians of the processor's time, which on an idle
machine is the time on the wall and on a busy one does not count the others' work. What is not installed is left out.
`python -m bench.traversal --nodes N --edges M [--json]`.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bench.traversal_engines import Engine, SyntheticGraph, as_mass, igraph_engine, networkx_engine, numba_engine, synthetic
from bench.traversal_store import add_hub, hub_ms, insert_ms, node_id, number_of, open_ms, ours_engine, stored

DEPTHS = (2, 3)
SEEDS = 20
RUNS = 31
HUB_EDGES = 50_000
SEED = 20261130
OTHERS: Mapping[str, Callable[[SyntheticGraph], Engine]] = {
    "igraph": igraph_engine,
    "numba": numba_engine,
    "networkx": networkx_engine,
}


def measured(nodes: int, edges: int, folder: Path, others: Sequence[str] = tuple(OTHERS)) -> dict[str, Any]:
    """All figures: milliseconds per engine and depth, ours divided by theirs, and what a hub, an insert and opening cost."""
    graph = synthetic(nodes, edges, SEED)
    path = folder / "memory.db"
    with stored(graph, path) as database:
        engines: dict[str, Any] = {"ours": ours_engine(database)}
        engines |= {name: make(graph) for name, make in OTHERS.items() if name in others and find_spec(name)}
        ms = {name: {str(depth): 0.0 for depth in DEPTHS} for name in engines}
        for depth in DEPTHS:
            taken = _interleaved(engines, nodes, depth)
            for name, times in taken.items():
                ms[name][str(depth)] = round(float(np.median(times)) * 1000, 4)
        durable, adjacency = insert_ms(database, nodes)
        add_hub(database, nodes, min(HUB_EDGES, nodes - 1))
        ordinary, hub = hub_ms(database, nodes, RUNS)
    ours = ms["ours"]
    return {
        "nodes": nodes,
        "edges": len(graph.source),
        "ms": ms,
        "ratios": {name: {d: round(ours[d] / ms[name][d], 3) for d in ours} for name in ms if name != "ours"},
        "hub_ratio": round(hub / ordinary, 3),
        "insert_ms": round(durable, 3),
        "insert_adjacency_ms": round(adjacency, 3),
        "open_ms": round(open_ms(path), 1),
    }


def _interleaved(engines: Mapping[str, Any], nodes: int, depth: int) -> dict[str, list[float]]:
    """Processor seconds per engine and run. Raises when two engines do not agree on what arrives where."""
    chance = np.random.default_rng(SEED)
    taken: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(RUNS):
        seeds = chance.choice(nodes, SEEDS, replace=False)
        list(map(node_id, seeds.tolist()))  # a caller has its ids already
        found = {}
        for name, engine in engines.items():
            started = time.thread_time()
            found[name] = engine(seeds, depth)
            taken[name].append(time.thread_time() - started)
        _check(found)
    return taken


def _check(found: Mapping[str, Any]) -> None:
    masses = {name: as_mass(one) for name, one in found.items() if name != "ours"}
    pushed = found["ours"]
    ours = dict(zip(map(number_of, pushed.ids.tolist()), pushed.mass.tolist(), strict=True))
    for name, theirs in masses.items():
        strong = {node for mass in (ours, theirs) for node, m in mass.items() if m > 2e-4}  # clear of the floor
        if any(abs(ours.get(node, 0) - theirs.get(node, 0)) > 2e-4 for node in strong):
            raise RuntimeError(f"{name} walked to other nodes than ours")


def _table(figures: Mapping[str, Any]) -> str:
    lines = [
        f"{figures['nodes']:,} nodes, {figures['edges']:,} edges; {SEEDS} seeds; medians of {RUNS} runs (processor's time)",
        "",
    ]
    lines += ["| engine | 2 hops ms | 3 hops ms | ours / theirs, 2 | 3 |", "|---|---|---|---|---|"]
    for name, ms in figures["ms"].items():
        ratio = figures["ratios"].get(name, {"2": "", "3": ""})
        label = "ours, every filter on" if name == "ours" else name
        lines.append(f"| {label} | {ms['2']:.2f} | {ms['3']:.2f} | {ratio['2']} | {ratio['3']} |")
    lines += [
        "",
        f"One hop with a hub of {HUB_EDGES:,} edges in the frontier: {figures['hub_ratio']} times one without.",
        f"Insert of an edge, durable and visible: {figures['insert_ms']} ms, in memory {figures['insert_adjacency_ms']} ms.",
        f"Opening until the first walk in memory: {figures['open_ms']} ms.",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.traversal", description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--others", nargs="*", choices=list(OTHERS), default=list(OTHERS), help="engines to set beside ours")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(asked.nodes, asked.edges, Path(folder), asked.others)
    print(json.dumps(figures) if asked.json else _table(figures))


if __name__ == "__main__":
    main()
