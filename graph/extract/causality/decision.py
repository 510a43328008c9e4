"""The decision: is a sentence causal, and which of its relations says so? Weights are data with their fit recorded.

Two logistic models per profile, over the features of the relations that fired: one for the sentence (with the mean of the
parser's token vectors beside them), one for a relation and its two arguments. The profiles are `things` (one happening
brings about another; what may be stored as an edge) and `wide` (also purposes, reactions, occasions; for recall).
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

WEIGHTS = "weights.json"


@dataclass(frozen=True, slots=True)
class Linear:
    """A log-odds: the bias and the weights of the binary features that hold; unknown features weigh nothing."""

    bias: float
    weights: dict[str, float]

    def log_odds(self, features: Collection[str]) -> float:
        return self.bias + sum(self.weights.get(name, 0.0) for name in sorted(features))


@dataclass(frozen=True, slots=True)
class Profile:
    """`vector` holds one weight per dimension of the mean token vector, after it is standardised by `mean` and `scale`.

    A sentence is causal above `cut` (log-odds).
    """

    sentence: Linear
    relation: Linear
    mean: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float64]
    vector: npt.NDArray[np.float64]
    cut: float

    def causal(self, features: Collection[str], tokens: npt.NDArray[np.float32]) -> float:
        """Log-odds above the cut that a sentence with these features is causal; `tokens` has the shape (tokens, dim)."""
        place = (tokens.mean(axis=0) - self.mean) / self.scale if len(tokens) else np.zeros_like(self.mean)
        return self.sentence.log_odds(features) + float(place @ self.vector) - self.cut

    def confidence(self, features: Collection[str]) -> float:
        """The chance that a relation with these features is right, both of its arguments included."""
        return 1 / (1 + exp(-self.relation.log_odds(features)))


def profile_of(data: dict[str, Any]) -> Profile:
    """A profile from its stored form; see bench.extract.fit_causality."""
    vector = data["vector"]
    return Profile(
        sentence=Linear(data["sentence"]["bias"], data["sentence"]["weights"]),
        relation=Linear(data["relation"]["bias"], data["relation"]["weights"]),
        mean=np.array(vector["mean"]),
        scale=np.array(vector["scale"]),
        vector=np.array(vector["weights"]),
        cut=data["cut"],
    )


@dataclass(frozen=True, slots=True)
class Profiles:
    things: Profile
    wide: Profile


@lru_cache(maxsize=1)
def fitted() -> Profiles:
    """The profiles that ship with the package."""
    data = json.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
    return Profiles(profile_of(data["things"]), profile_of(data["wide"]))
