"""Fit the weights of the causal decision: `python -m bench.extract.fit_causality --data DIR [--write] [--date YYYY-MM-DD]`.

Prints 5-fold figures through the very path that ships; --write stores weights fitted on all rows, with those figures.
"""

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.extract.causality import NEWS, SEMEVAL, claims_of, score_news, score_semeval, token_f1
from bench.extract.logistic import Array, fit
from bench.extract.report import Report, read_rows
from graph.extract.causality import decision
from graph.extract.causality.arguments import arguments
from graph.extract.causality.decision import Profile, Profiles, profile_of
from graph.extract.causality.features import features
from graph.extract.causality.grammar import relations
from graph.extract.parsing import Parsed, parse
from graph.model.extraction import CausalClaim

FOLDS = 5
SEED = 0
CUTS = {"things": -0.4, "wide": -0.1}  # log-odds
DIGITS = 3
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled sentence: the features of its relations, the mean token vector, and how right each relation is.

    `rights[i]` is None where the gold holds several relations, so that none can be judged by itself.
    """

    row: Row
    parsed: Parsed
    names: list[set[str]]
    rights: list[float | None]
    vector: Array


def cases_of(rows: list[Row]) -> list[Case]:
    found = []
    for row, parsed in zip(rows, parse([row["text"] for row in rows]), strict=True):
        names, rights = [], []
        for _, (a, b) in parsed.parsed_sentences():
            for relation in relations(parsed.doc, a, b):
                told = arguments(relation, parsed.doc, a, b)
                spans = [parsed.span(*side) if side else None for side in (told.cause, told.effect)]
                names.append(features(relation))
                rights.append(_rightness(row, spans))
        tensor = np.asarray(parsed.doc.tensor, dtype=np.float64)
        found.append(Case(row, parsed, names, rights, tensor.mean(axis=0)))
    return found


def _rightness(row: Row, spans: Sequence[Any]) -> float | None:
    cause, effect = spans
    if not row["causal"]:
        return 0.0
    if "relations" in row:
        if len(row["relations"]) != 1:
            return None
        gold = row["relations"][0]
        return (token_f1(row["text"], cause, gold["cause"]) + token_f1(row["text"], effect, gold["effect"])) / 2
    touched = (
        span is not None and span.start < gold["end"] and gold["start"] < span.end
        for span, gold in ((cause, row["cause_span"]), (effect, row["effect_span"]))
    )
    return float(all(touched))


def fitted(cases: Sequence[Case], cut: float) -> dict[str, Any]:
    """The stored form of a profile (graph.extract.causality.decision.profile_of)."""
    vectors = np.stack([case.vector for case in cases])
    mean, scale = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    union = [set().union(*case.names) if case.names else set() for case in cases]
    sentence = fit(union, [float(case.row["causal"]) for case in cases], dense=(vectors - mean) / scale)
    judged = [(n, r) for case in cases for n, r in zip(case.names, case.rights, strict=True) if r is not None]
    relation = fit([n for n, _ in judged], [r for _, r in judged])
    return {
        "cut": cut,
        "sentence": {"bias": round(sentence.bias, DIGITS), "weights": _rounded(sentence.weights)},
        "relation": {"bias": round(relation.bias, DIGITS), "weights": _rounded(relation.weights)},
        "vector": {
            "mean": [round(float(x), 4) for x in mean],
            "scale": [round(float(x), 4) for x in scale],
            "weights": [round(float(x), 4) for x in sentence.dense],
        },
    }


def _rounded(weights: dict[str, float]) -> dict[str, float]:
    return {name: round(value, DIGITS) for name, value in weights.items() if abs(value) >= 10**-DIGITS}


def cross_validated(sets: dict[str, list[Case]]) -> dict[str, Report]:
    """Figures of both sets, each row judged by weights that were fitted without its fold."""
    chance = random.Random(SEED)  # noqa: S311  # folds, not secrets
    folds = {name: [chance.randrange(FOLDS) for _ in cases] for name, cases in sets.items()}
    told: dict[str, dict[int, list[CausalClaim]]] = {name: {} for name in sets}
    for fold in range(FOLDS):
        parts = {name: [c for c, f in zip(cases, folds[name], strict=True) if f != fold] for name, cases in sets.items()}
        profiles = profiles_of({name: fitted(cases, CUTS[name]) for name, cases in parts.items()})
        for name, cases in sets.items():
            kept = [i for i, f in enumerate(folds[name]) if f == fold]
            rows, parses = [cases[i].row for i in kept], [cases[i].parsed for i in kept]
            told[name].update(zip(kept, claims_of(rows, parses, profiles), strict=True))
    reports = {}
    for name, score in (("things", score_semeval), ("wide", score_news)):
        cases = sets[name]
        reports[name] = score([c.row for c in cases], [told[name][i] for i in range(len(cases))], f"dev, {FOLDS}-fold")
    return reports


def profiles_of(data: dict[str, dict[str, Any]]) -> Profiles:
    made: dict[str, Profile] = {name: profile_of(data[name]) for name in ("things", "wide")}
    return Profiles(made["things"], made["wide"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true", help="store the weights fitted on all rows")
    parser.add_argument("--date", default="", help="the day to note beside the figures")
    options = parser.parse_args()
    sets = {
        "things": cases_of(read_rows(options.data, *SEMEVAL, "dev", "data.jsonl")),
        "wide": cases_of(read_rows(options.data, *NEWS, "dev", "data.jsonl")),
    }
    reports = cross_validated(sets)
    for report in reports.values():
        print(report.as_text(), end="\n\n")
    if options.write:
        note = {"date": options.date, **{name: {k: round(v, 4) for k, v in r.scores.items()} for name, r in reports.items()}}
        body = {"fit": note, **{name: fitted(cases, CUTS[name]) for name, cases in sets.items()}}
        target = Path(str(decision.__file__)).with_name(decision.WEIGHTS)
        target.write_text(json.dumps(body, indent=0, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
