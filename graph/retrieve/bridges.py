"""Bridge entities: which names seen in the anchors are worth walking through, and how a target fits what is still asked.

Priority of a name = margin (h - h5 of its anchor) + sentence (cosine of the question and the sentence it stands in) + nested
+ rarity. The residual question is the unit vector of q + N[e]: the second hop need not resemble the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graph.model.entities import Entity
from graph.model.points import Space, Vector
from graph.ports.lookup import Lookup
from graph.ports.vectors import VectorStore
from graph.retrieve.named import rarity
from graph.retrieve.query import Query
from graph.retrieve.walk import Trail
from graph.retrieve.weights import Weights

LEADS_SOMEWHERE = 2  # observations that an entity must lead to
HALF = 0.5
TINY = 1e-9


@dataclass(slots=True)
class Bridges:
    """Chooses bridge entities for one question; called by the walk with every trail that stands at an entity.

    `margins` are h - h5 by anchor, `sentences` the anchors' sentence vectors. Afterwards `chosen` holds priorities by entity,
    and `tied` the anchors that mention an entity which the question names.
    """

    query: Query
    lookup: Lookup
    named: frozenset[str]
    margins: Mapping[str, float]
    sentences: Mapping[str, Vector]
    size: int
    cap: int
    weights: Weights
    known: dict[str, Entity] = field(default_factory=dict)
    chosen: dict[str, float] = field(default_factory=dict)
    tied: set[str] = field(default_factory=set)

    def __call__(self, trails: Sequence[Trail]) -> list[Trail]:
        """The trails through the best entities, each entity by its best anchor only."""
        ends = sorted({trail.end for trail in trails} - self.known.keys())
        self.known.update({entity.id: entity for entity in self.lookup.entities(ends, self.query.beyond)} if ends else {})
        self.tied.update(trail.anchor for trail in trails if self._ties(trail))
        best: dict[str, tuple[float, str]] = {}
        for trail in trails:
            priority = self._priority(trail)
            if priority is not None and (trail.end not in best or priority > best[trail.end][0]):
                best[trail.end] = (priority, trail.anchor)
        order = sorted(best, key=lambda entity: (-best[entity][0], entity))[: self.weights.count("bridge", "kept")]
        self.chosen.update({entity: best[entity][0] for entity in order})
        kept = set(order)
        return [trail for trail in trails if trail.end in kept and trail.anchor == best[trail.end][1]]

    def rarity(self, entity: str | None) -> float:
        found = self.known.get(entity or "")
        return rarity(found.mentions if found else 0, self.size)

    def _ties(self, trail: Trail) -> bool:
        found = self.known.get(trail.end)
        return found is not None and found.id in self.named and found.mentions <= self.cap

    def _priority(self, trail: Trail) -> float | None:
        """None for a name that the question has already, that is everywhere, or that leads nowhere."""
        entity = self.known.get(trail.end)
        if entity is None or entity.id in self.named or self.query.words.issuperset(entity.name_key.split()):
            return None
        if (entity.mentions > self.cap and not entity.about) or entity.mentions + entity.about < LEADS_SOMEWHERE:
            return None
        edge, number = trail.walked[-1].edge, self.weights.numbers["bridge"]
        return (
            number["margin"] * self.margins.get(trail.anchor, 0.0)
            + number["sentence"] * self._sentence(trail.anchor, edge.sentence)
            + number["nested"] * edge.nested
            + number["rarity"] * rarity(entity.mentions, self.size)
        )

    def _sentence(self, anchor: str, sentence: int) -> float:
        rows = self.sentences.get(anchor)
        if self.query.vector is None or rows is None or not len(rows):
            return 0.0
        place = sentence if 0 <= sentence < len(rows) else 0
        return float(rows[place] @ self.query.vector)


class Relevance:
    """How well targets fit the residual question: half the best sentence's cosine, half the passage's."""

    def __init__(self, vectors: VectorStore, query: Query, lean: float) -> None:
        self._vectors = vectors
        self._query = query
        self._lean = lean

    def of(self, trails: Sequence[Trail]) -> list[float]:
        """One number per trail, in order; 0 where there is no vector to compare with."""
        if self._query.vector is None or not trails:
            return [0.0] * len(trails)
        ends = sorted({trail.end for trail in trails})
        passages = self._vectors.vectors(Space.PASSAGE, ends)
        sentences = self._vectors.vectors(Space.SENTENCE, ends)
        names = self._vectors.vectors(Space.NAME, sorted({e for trail in trails if (e := trail.entity)}))
        plain = self._query.vector
        residual = {entity: residual_question(plain, rows[0], self._lean) for entity, rows in names.items()}
        found = []
        for trail in trails:
            vector = residual.get(trail.entity or "", plain)
            passage = float(np.max(passages[trail.end] @ vector)) if trail.end in passages else 0.0
            sentence = float(np.max(sentences[trail.end] @ vector)) if trail.end in sentences else passage
            found.append(HALF * passage + HALF * sentence)
        return found


def residual_question(question: Vector, name: Vector, lean: float) -> Vector:
    """The unit vector of the question plus `lean` times the name walked through."""
    total = question + lean * name
    unit: Vector = (total / max(float(np.linalg.norm(total)), TINY)).astype(np.float32)
    return unit
