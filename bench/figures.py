"""Figures of ranked answers: recall at k, hit at 1, reciprocal rank, and paired bootstrap intervals. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench.datasets import Asked

DEPTHS = (2, 5, 10)
DRAWS = 4000
SEED = 0
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question with its ranked keys (each once, best first), whether it was said to be answered, and the time.

    `fired` names the meta-paths that led anywhere, when the trace was asked for.
    """

    asked: Asked
    ranked: tuple[str, ...]
    answered: bool
    ms: float
    fired: frozenset[str] = frozenset()

    def figures(self) -> dict[str, float]:
        """Recall is the share of the gold found in the first k; the reciprocal rank is that of the best gold in ten."""
        gold, best = self.asked.gold, self.ranked
        if not gold:
            return {"abstained": float(not self.answered)}
        rank = next((place for place, key in enumerate(best[: max(DEPTHS)], 1) if key in gold), 0)
        found = {f"recall@{k}": len(gold & set(best[:k])) / len(gold) for k in DEPTHS}
        return {**found, "hit@1": float(rank == 1), "mrr": 1 / rank if rank else 0.0, "answered": float(self.answered)}


def mean(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Means over questions, rounded to four places; a figure that only some have is the mean of those."""
    columns: dict[str, list[float]] = {}
    for outcome in outcomes:
        for name, value in outcome.figures().items():
            columns.setdefault(name, []).append(value)
    return {name: round(float(np.mean(values)), 4) for name, values in columns.items()}


def by_group(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        for group in outcome.asked.groups:
            groups.setdefault(group, []).append(outcome)
    return dict(sorted(groups.items()))


def summary(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """`metrics`, `groups` and `ms` of one run."""
    times = [outcome.ms for outcome in outcomes] or [0.0]
    return {
        "metrics": mean([outcome for outcome in outcomes if outcome.asked.gold]),
        "groups": {name: {"n": len(found), **mean(found)} for name, found in by_group(outcomes).items()},
        "ms": {"p50": round(float(np.median(times)), 1), "p95": round(float(np.percentile(times, 95)), 1)},
    }


def bootstrap(differences: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of paired differences, by resampling questions."""
    values = np.asarray(differences, np.float64)
    if not len(values):
        return 0.0, 0.0
    draws: Floats = values[np.random.default_rng(SEED).integers(0, len(values), (DRAWS, len(values)))].mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return float(low), float(high)


def differences(one: Sequence[Outcome], other: Sequence[Outcome], figure: str) -> list[float]:
    """Per question `one` minus `other`; both over the same questions in the same order."""
    pairs = zip(one, other, strict=True)
    return [a.figures()[figure] - b.figures()[figure] for a, b in pairs if a.asked.gold]


def value(figures: Mapping[str, float], name: str) -> float:
    return figures.get(name, float("nan"))
