"""The pool: every candidate for a direct hit, with its score in each leg; missing scores are filled in, not guessed.

Arrays have shape (len(pool),) and follow `ids`, which are sorted, so that equal scores keep a settled order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graph.retrieve.weights import Floats

EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Legs:
    """What each leg found: scores by observation. A leg that was off or did not answer is empty.

    `best_sentence` and `best_fact` say which point won; `defined` gives the named entities that an observation is about.
    """

    passage: Mapping[str, float] = field(default_factory=dict)
    sentence: Mapping[str, float] = field(default_factory=dict)
    sparse: Mapping[str, float] = field(default_factory=dict)
    fact: Mapping[str, float] = field(default_factory=dict)
    effect: Mapping[str, float] = field(default_factory=dict)
    named: Mapping[str, float] = field(default_factory=dict)
    best_sentence: Mapping[str, int] = field(default_factory=dict)
    best_fact: Mapping[str, str] = field(default_factory=dict)
    defined: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def found(self) -> set[str]:
        """Every observation that some leg brought up."""
        return {*self.passage, *self.sentence, *self.sparse, *self.fact, *self.effect, *self.named}

    def by_name(self) -> dict[str, Mapping[str, float]]:
        return {
            "passage": self.passage,
            "sentence": self.sentence,
            "sparse": self.sparse,
            "facts": self.fact,
            "effects": self.effect,
            "entities": self.named,
        }


@dataclass(frozen=True, slots=True)
class Pool:
    ids: tuple[str, ...]
    passage: Floats
    sentence: Floats
    sparse: Floats
    fact: Floats
    effect: Floats
    named: Floats

    def __len__(self) -> int:
        return len(self.ids)

    def places(self) -> dict[str, int]:
        return {id_: place for place, id_ in enumerate(self.ids)}


def _column(ids: tuple[str, ...], scores: Mapping[str, float], absent: float) -> Floats:
    return np.array([scores.get(id_, absent) for id_ in ids], np.float64)


def pooled(ids: Iterable[str], legs: Legs, floors: Mapping[str, float]) -> Pool:
    """The candidates with their scores. A candidate without sentence vectors counts its passage as its best sentence."""
    order = tuple(sorted(ids))
    passage = _column(order, legs.passage, floors["passage"])
    sentence = _column(order, legs.sentence, np.nan)
    return Pool(
        ids=order,
        passage=passage,
        sentence=np.where(np.isnan(sentence), passage, sentence),
        sparse=_column(order, legs.sparse, 0.0),
        fact=_column(order, legs.fact, 0.0),
        effect=_column(order, legs.effect, 0.0),
        named=_column(order, legs.named, 0.0),
    )


def scaled(scores: Floats, floor: float) -> Floats:
    """Scores on [0, 1]: `floor` becomes 0 and the best one 1; all nought when none lies above the floor.

    Only the best candidates are needed, unlike min-max over the whole store.
    """
    if not len(scores):
        return scores
    top = float(scores.max())
    if top <= floor:
        return np.zeros(len(scores))
    clipped: Floats = np.clip((scores - floor) / (top - floor + EPSILON), 0.0, 1.0)
    return clipped
