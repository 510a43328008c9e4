"""Records as evidence: a "why" usually finds the record and misses the passage, so the record is scored too.

RS(r) = best (scaled over records) + lexical (mean of its three best sparse scores) + mean (its mean cosine); the features
are RS - max RS and -ln(1 + rank). All passages of the best records become candidates.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.retrieve.pool import Pool, scaled
from graph.retrieve.weights import Floats, Weights

LEXICAL_PASSAGES = 3


@dataclass(frozen=True, slots=True)
class RecordScores:
    """Scores by record id, best first; `of` gives RS - max RS and rank from 0."""

    scores: Mapping[str, float]
    ranks: Mapping[str, int]
    top: float

    def gap(self, record: str) -> float:
        return self.scores.get(record, 0.0) - self.top if self.scores else 0.0

    def rank(self, record: str) -> int:
        return self.ranks.get(record, len(self.ranks))


def score_records(pool: Pool, h: Floats, record_of: Sequence[str], weights: Weights) -> RecordScores:
    """RS of every record that has a candidate. `record_of` follows `pool.ids`."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for place, record in enumerate(record_of):
        members[record].append(place)
    records = sorted(members)
    best = np.array([h[members[r]].max() for r in records])
    lexical = np.array([np.sort(pool.sparse[members[r]])[-LEXICAL_PASSAGES:].mean() for r in records])
    mean = np.array([pool.passage[members[r]].mean() for r in records])
    number = weights.numbers["record"]
    floor = weights.number("floors", "passage")
    total = (
        number["best"] * scaled(best, float(best.min()) if len(best) else 0.0)
        + number["lexical"] * scaled(lexical, 0.0)
        + number["mean"] * scaled(mean, floor)
    )
    order = sorted(range(len(records)), key=lambda i: (-total[i], records[i]))
    ranks = {records[i]: rank for rank, i in enumerate(order)}
    scores = {record: float(total[i]) for i, record in enumerate(records)}
    return RecordScores(scores, ranks, max(scores.values(), default=0.0))


def features(record_of: Sequence[str], scored: RecordScores) -> dict[str, Floats]:
    """The record features of every candidate, in the order of `record_of`."""
    return {
        "record": np.array([scored.gap(record) for record in record_of], np.float64),
        "record_rank": np.log1p(np.array([scored.rank(record) for record in record_of], np.float64)),
    }
