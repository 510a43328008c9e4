"""Fusion: an observation's score is the best of its direct log-odds and its paths' log-odds (max, not sum: measured).

Ties break by the number of independent paths (distinct anchors and meta-paths), then by id.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from graph.retrieve.walk import Trail


@dataclass(frozen=True, slots=True)
class ScoredTrail:
    """A trail with its log-odds and the features that gave it."""

    trail: Trail
    score: float
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fused:
    """`best` is None for a direct hit; `paths` counts independent ways that lead here, the direct one not among them."""

    id: str
    score: float
    direct: float | None
    best: Trail | None
    paths: int
    by_path: Mapping[str, float]


def _probability(logit: float) -> float:
    return float(1.0 / (1.0 + np.exp(-logit)))


def _logit(probability: float) -> float:
    bounded = min(max(probability, 1e-12), 1 - 1e-12)
    return float(np.log(bounded / (1 - bounded)))


def fuse(direct: Mapping[str, float], trails: Iterable[ScoredTrail], *, add: bool = False) -> list[Fused]:
    """Every observation once, best first. With `add` probabilities are summed (the control of the published table)."""
    ways: dict[str, list[ScoredTrail]] = {id_: [] for id_ in direct}
    for scored in trails:
        ways.setdefault(scored.trail.end, []).append(scored)
    fused = [_one(id_, direct.get(id_), found, add) for id_, found in ways.items()]
    return sorted(fused, key=lambda hit: (-hit.score, -hit.paths, hit.id))


def _one(id_: str, direct: float | None, ways: list[ScoredTrail], add: bool) -> Fused:
    if not ways and direct is not None:
        return Fused(id_, direct, direct, None, 0, {})
    best = max(ways, key=lambda way: way.score, default=None)
    by_path: dict[str, float] = {}
    for way in ways:
        by_path[way.trail.path.name] = max(way.score, by_path.get(way.trail.path.name, way.score))
    scores = [way.score for way in ways] + ([] if direct is None else [direct])
    score = _logit(sum(map(_probability, scores))) if add else max(scores)
    by_edge = best is not None and (direct is None or best.score > direct)
    independent = len({(way.trail.anchor, way.trail.path.name) for way in ways})
    return Fused(id_, score, direct, best.trail if best and by_edge else None, independent, by_path)
