"""The trace: every leg's candidates and scores, the records, the bridges, and which meta-paths fired."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from graph.retrieve.retrieval import Found

SHOWN = 20  # candidates of each leg


def _top(scores: Mapping[str, float]) -> list[dict[str, Any]]:
    order = sorted(scores, key=lambda id_: (-scores[id_], id_))[:SHOWN]
    return [{"id": id_, "score": round(scores[id_], 6)} for id_ in order]


def trace(found: Found) -> dict[str, Any]:
    """One intent's retrieval as JSON data; scores are what the leg itself gives (cosine, BM25, rarity, log-odds)."""
    fired = Counter(scored.trail.path.name for scored in found.trails)
    best: dict[str, float] = {}
    for scored in found.trails:
        name = scored.trail.path.name
        best[name] = max(scored.score, best.get(name, scored.score))
    return {
        "intent": found.query.intent.value,
        "legs": {name: _top(scores) for name, scores in found.legs.by_name().items()},
        "named": [{"id": n.entity.id, "name": n.entity.name, "nested": n.nested} for n in found.named],
        "direct": _top(found.direct.by_id()),
        "records": _top(found.records.scores),
        "bridges": _top(found.bridges.chosen),
        "paths": {name: {"trails": fired[name], "best": round(best[name], 6)} for name in sorted(fired)},
        "fused": _top({hit.id: hit.score for hit in found.fused}),
    }
