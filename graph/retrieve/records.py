"""Records as evidence: a "why" usually finds the record and misses the passage, so the record is scored too.

RS(r) = best (scaled over records) + lexical (mean of its three best sparse scores) + mean (its mean cosine); the features
are RS - max RS and -ln(1 + rank). All passages of the best records become candidates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graph.retrieve.pool import Pool, scaled
from graph.retrieve.weights import Floats, Weights

LEXICAL_PASSAGES = 3


@dataclass(frozen=True, slots=True)
class RecordScores:
    """By record id: RS, its part that is the best passage (scaled to [0, 1]), and the rank from 0."""

    scores: Mapping[str, float]
    best: Mapping[str, float]
    ranks: Mapping[str, int]
    top: float

    def gap(self, record: str) -> float:
        return self.scores.get(record, 0.0) - self.top if self.scores else 0.0

    def rank(self, record: str) -> int:
        return self.ranks.get(record, len(self.ranks))


def score_records(pool: Pool, h: Floats, record_of: Sequence[str], weights: Weights) -> RecordScores:
    """RS of every record that has a candidate. `record_of` follows `pool.ids`."""
    records, owner = np.unique(np.array(record_of, np.str_), return_inverse=True)
    counts = np.bincount(owner, minlength=len(records))
    best = np.full(len(records), -np.inf)
    np.maximum.at(best, owner, h)
    lexical = _mean_of_best(pool.sparse, owner, counts)
    mean = np.bincount(owner, pool.passage, len(records)) / counts
    number = weights.numbers["record"]
    floor = weights.number("floors", "passage")
    scaled_best = scaled(best, float(best.min()) if len(best) else 0.0)
    total = number["best"] * scaled_best + number["lexical"] * scaled(lexical, 0.0) + number["mean"] * scaled(mean, floor)
    names = records.tolist()
    order = np.argsort(-total, kind="stable").tolist()  # records are sorted, so equal scores stay in the order of ids
    ranks = {names[i]: rank for rank, i in enumerate(order)}
    scores = dict(zip(names, total.tolist(), strict=True))
    by_best = dict(zip(names, scaled_best.tolist(), strict=True))
    return RecordScores(scores, by_best, ranks, max(scores.values(), default=0.0))


def _mean_of_best(scores: Floats, owner: npt.NDArray[np.intp], counts: npt.NDArray[np.intp]) -> Floats:
    """Per owner the mean of its LEXICAL_PASSAGES highest scores, or of as many as it has."""
    order = np.lexsort((-scores, owner))
    rank = np.arange(len(scores)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = order[rank < LEXICAL_PASSAGES]
    sums = np.bincount(owner[kept], scores[kept], len(counts)).astype(np.float64)
    means: Floats = sums / np.minimum(counts, LEXICAL_PASSAGES)
    return means


def features(record_of: Sequence[str], scored: RecordScores) -> dict[str, Floats]:
    """The record features of every candidate, in the order of `record_of`."""
    return {
        "record_best": np.array([scored.best[record] for record in record_of], np.float64),
        "record": np.array([scored.gap(record) for record in record_of], np.float64),
        "record_rank": np.log1p(np.array([scored.rank(record) for record in record_of], np.float64)),
    }
