"""The calibrated hybrid: every candidate's legs as one log-odds of being wanted, before any edge is walked.

ld = bias + margin (h - h5) + hybrid h + named + ... with h the blend of the scaled legs and h5 the fifth best of them; the
weights were fitted by logistic regression (graph/retrieve/weights.json says on what).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.model.observations import Observation
from graph.retrieve.pool import Pool, scaled
from graph.retrieve.weights import Floats, Weights

DOCUMENT, TURN = "document", "turn"
MARGIN_RANK = 5  # a candidate's margin is its distance from the fifth best


def shape_of(observation: Observation | None) -> str:
    """A turn of a conversation was said by somebody in a session; all else is read as a passage of a document."""
    said = observation is not None and observation.session and (observation.author or observation.role)
    return TURN if said else DOCUMENT


def blends(pool: Pool, shapes: Sequence[str], weights: Weights) -> Floats:
    """h per candidate: the weighted sum of its scaled legs, by the shape of its record."""
    legs = {
        "sparse": scaled(pool.sparse, 0.0),
        "passage": scaled(pool.passage, weights.number("floors", "passage")),
        "sentence": scaled(pool.sentence, weights.number("floors", "sentence")),
    }
    by_shape = {shape: np.sum([w * legs[leg] for leg, w in blend.items()], axis=0) for shape, blend in weights.blend.items()}
    return np.array([by_shape[shape][place] for place, shape in enumerate(shapes)], np.float64)


def fifth_best(h: Floats) -> float:
    """The fifth best value, or the least when there are fewer; 0 for none."""
    if not len(h):
        return 0.0
    return float(np.sort(h)[-min(MARGIN_RANK, len(h))])


@dataclass(frozen=True, slots=True)
class Direct:
    """Candidates with their blend `h`, their features and their log-odds `logit`; arrays follow `pool.ids`."""

    pool: Pool
    h: Floats
    h5: float
    features: Mapping[str, Floats]
    logit: Floats
    shapes: tuple[str, ...]

    def best(self, count: int) -> list[int]:
        """Places of the `count` most likely ones, best first; equal ones by id."""
        return [int(place) for place in np.argsort(-self.logit, kind="stable")[:count]]

    def by_id(self) -> dict[str, float]:
        return dict(zip(self.pool.ids, map(float, self.logit), strict=True))


def direct(pool: Pool, shapes: Sequence[str], h: Floats, extra: Mapping[str, Floats], weights: Weights) -> Direct:
    """The log-odds of every candidate from its legs and from what else is known of it (`extra`, by feature name)."""
    h5 = fifth_best(h)
    features = {"margin": h - h5, "hybrid": h, "named": pool.named, "fact": pool.fact, "effect": pool.effect, **extra}
    logit = np.empty(len(pool))
    for shape, model in weights.direct.items():
        places = np.array([place for place, own in enumerate(shapes) if own == shape], np.intp)
        if len(places):
            logit[places] = model.rows({name: values[places] for name, values in features.items()}, len(places))
    return Direct(pool, h, h5, features, logit, tuple(shapes))
