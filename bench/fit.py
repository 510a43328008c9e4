"""Fits the weights of retrieval on the dev parts: `python -m bench.fit --data DIR [SET ...] [--write]`.

Logistic regression (L2 on standardised features, Newton's method): first the direct log-odds per shape of record, then one
logit per meta-path with the fitted direct log-odds of the anchor as a feature. Each set weighs as 100 questions. Figures are
printed leave-one-set-out: a set is asked with weights that were fitted on the others.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench import figures
from bench.datasets import Asked, DataSet, load
from bench.recall import ask_all, event_key
from bench.store import Store, cache_folder, opened
from graph.model.questions import Question
from graph.retrieve.retrieval import Found
from graph.retrieve.weights import Weights, parse, raw

Floats = npt.NDArray[np.float64]
FITTED = ("musique_val", "2wiki_val", "hotpotqa_val", "why", "locomo")
PATHS = ("about", "co_mention", "cites")
PENALTY = 1.0
STEPS = 40
SET_WEIGHT = 100.0
KEPT_DIRECT = 80  # candidates of a question that are fitted on, the most likely ones, besides those with the gold
DECIMALS = 2
HELD = "prior"  # its weight is fixed at 1: priors are log-odds already


@dataclass(slots=True)
class Rows:
    """Rows of one model: features by name, labels, and the weight of each row's question."""

    features: list[Mapping[str, float]] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def add(self, features: Mapping[str, float], *, label: bool, weight: float) -> None:
        self.features.append(features)
        self.labels.append(label)
        self.weights.append(weight)


def logistic(x: Floats, y: Floats, weight: Floats, offset: Floats) -> Floats:
    """Bias and coefficients of a penalised logistic regression; columns of x are standardised for the penalty only."""
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    z = np.hstack([np.ones((len(x), 1)), (x - mean) / spread])
    penalty = np.diag([1e-6, *[PENALTY] * x.shape[1]])
    beta = np.zeros(z.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(z @ beta + offset, -30, 30)))
        gradient = z.T @ (weight * (p - y)) + penalty @ beta
        hessian = (z * (weight * p * (1 - p))[:, None]).T @ z + penalty
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if float(np.abs(step).max()) < 1e-8:
            break
    coefficients = beta[1:] / spread
    return np.array([beta[0] - float(coefficients @ mean), *coefficients])


def fit(rows: Rows, names: Sequence[str]) -> dict[str, float]:
    """A logit as JSON data: `bias` and the weights of `names`; a held feature keeps the weight 1."""
    free = [name for name in names if name != HELD]
    x = np.array([[row.get(name, 0.0) for name in free] for row in rows.features])
    offset = np.array([row.get(HELD, 0.0) if HELD in names else 0.0 for row in rows.features])
    found = logistic(x, np.array(rows.labels, float), np.array(rows.weights), offset)
    fitted = {"bias": float(found[0]), **dict(zip(free, map(float, found[1:]), strict=True))}
    if HELD in names:
        fitted[HELD] = 1.0
    return {name: round(value, DECIMALS) for name, value in fitted.items()}


@dataclass(frozen=True, slots=True)
class Sample:
    """One question's retrieval with its gold observations."""

    asked: Asked
    found: Found
    gold: frozenset[str]
    weight: float


def collect(data: DataSet, store: Store, weights: Weights) -> list[Sample]:
    asker = store.asker(weights)
    asked = [question for question in data.questions if question.gold]
    samples = []
    for question in asked:
        scope = question.scope or data.name
        found = asker.retrieve(Question(text=question.text, scopes=(scope,), asked_at=question.asked_at))[0]
        gold = {id_ for id_, o in found.observations.items() if event_key(o.key) in question.gold}
        samples.append(Sample(question, found, frozenset(gold), SET_WEIGHT / len(asked)))
    return samples


def direct_rows(samples: Iterable[Sample], shape: str) -> Rows:
    rows = Rows()
    for sample in samples:
        direct = sample.found.direct
        kept = set(direct.best(KEPT_DIRECT)) | {p for p, id_ in enumerate(direct.pool.ids) if id_ in sample.gold}
        for place in sorted(kept):
            if direct.shapes[place] == shape:
                features = {name: float(values[place]) for name, values in direct.features.items()}
                rows.add(features, label=direct.pool.ids[place] in sample.gold, weight=sample.weight)
    return rows


def path_rows(samples: Iterable[Sample], name: str, direct: Mapping[str, Any]) -> Rows:
    """Rows of one meta-path; the anchor's log-odds is that of the weights just fitted."""
    logits = parse({**raw(), "direct": dict(direct)}).direct
    rows = Rows()
    for sample in samples:
        pool = sample.found.direct
        places = pool.pool.places()
        for scored in sample.found.trails:
            if scored.trail.path.name == name:
                place = places[scored.trail.anchor]
                own = {feature: float(values[place]) for feature, values in pool.features.items()}
                anchor = logits[pool.shapes[place]](own)
                label = scored.trail.end in sample.gold
                rows.add({**scored.features, "anchor": anchor}, label=label, weight=sample.weight)
    return rows


def fitted_weights(samples: Sequence[Sample]) -> dict[str, Any]:
    """The shipped weights with the logits that these samples say something about fitted anew."""
    data = raw()
    for shape, terms in data["direct"].items():
        rows = direct_rows(samples, shape)
        if any(rows.labels):
            data["direct"][shape] = fit(rows, [name for name in terms if name != "bias"])
    for name in PATHS:
        rows = path_rows(samples, name, data["direct"])
        if sum(rows.labels) >= 2:
            data["paths"][name] = fit(rows, [term for term in data["paths"][name] if term != "bias"])
    return data


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fit", description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(FITTED))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", default="dev")
    parser.add_argument("--figures", action="store_true", help="leave-one-set-out figures too")
    given = parser.parse_args(arguments)
    samples: defaultdict[str, list[Sample]] = defaultdict(list)
    sets = {name: load(given.data, name, given.split) for name in given.sets}
    for name, data in sets.items():
        with opened(f"{name}-{given.split}", data.drafts, cache_folder()) as store:
            samples[name] = collect(data, store, parse(raw()))
    whole = fitted_weights([sample for found in samples.values() for sample in found])
    print(json.dumps({key: whole[key] for key in ("direct", "paths")}, indent=2))
    for name in given.sets if given.figures else ():
        others = [sample for other, found in samples.items() if other != name for sample in found]
        data = sets[name]
        with opened(f"{name}-{given.split}", data.drafts, cache_folder()) as store:
            outcomes = ask_all(data, store, frozenset(), parse(fitted_weights(others)))
        print(name, json.dumps(figures.summary(outcomes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
