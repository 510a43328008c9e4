"""The weights of retrieval as data: read once from `weights.json`, which carries the date and the figures of their fit.

Every score is a log-odds of being wanted; a `Logit` is a bias and one weight per named feature.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Number = TypeVar("Number", float, Floats)


@dataclass(frozen=True, slots=True)
class Logit:
    """A linear log-odds. Features that are not given count as nought, features without a weight are ignored."""

    bias: float
    terms: Mapping[str, float]

    def __call__(self, features: Mapping[str, float]) -> float:
        return self.bias + sum(weight * features[name] for name, weight in self.terms.items() if name in features)

    def rows(self, features: Mapping[str, Floats], count: int) -> Floats:
        """The same for `count` candidates at once; every feature has shape (count,)."""
        total = np.full(count, self.bias)
        for name, weight in self.terms.items():
            if name in features:
                total += weight * features[name]
        return total


@dataclass(frozen=True, slots=True)
class Weights:
    """Logits of direct hits by shape of the record, logits of paths by name, and the plain numbers by group."""

    direct: Mapping[str, Logit]
    paths: Mapping[str, Logit]
    numbers: Mapping[str, Mapping[str, float]]
    blend: Mapping[str, Mapping[str, float]]
    fit: Mapping[str, Any]

    def number(self, group: str, name: str) -> float:
        return self.numbers[group][name]

    def count(self, group: str, name: str) -> int:
        return int(self.numbers[group][name])


GROUPS = ("legs", "floors", "record", "bridge", "reserve", "rank", "answer")


def _logit(terms: Mapping[str, float]) -> Logit:
    return Logit(terms["bias"], {name: weight for name, weight in terms.items() if name != "bias"})


def parse(data: Mapping[str, Any]) -> Weights:
    """Weights from the parsed JSON; raises KeyError when a group is missing."""
    return Weights(
        direct={shape: _logit(terms) for shape, terms in data["direct"].items()},
        paths={name: _logit(terms) for name, terms in data["paths"].items()},
        numbers={group: dict(data[group]) for group in GROUPS},
        blend=data["blend"],
        fit=data["fit"],
    )


def raw() -> dict[str, Any]:
    """The shipped weights as JSON data, for fitting."""
    loaded: dict[str, Any] = json.loads(files("graph.retrieve").joinpath("weights.json").read_text("utf-8"))
    return loaded


@lru_cache(maxsize=1)
def shipped() -> Weights:
    return parse(raw())
