"""Anchors: where a question meets the memory. Dense (passage, best sentence), sparse, facts, stated effects, named entities.

Each leg may fail alone: its name goes to `degraded` and the others still answer.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graph.model.edges import EdgeKind
from graph.model.points import Scored, Space, Sparse, Vector
from graph.model.questions import Intent
from graph.retrieve.memory import Guard, Memory
from graph.retrieve.meta_paths import DEFINED_BY
from graph.retrieve.named import Named, entities_named, named_scores
from graph.retrieve.pool import Legs
from graph.retrieve.query import Query
from graph.retrieve.weights import Weights

SENTENCES_PER_PASSAGE = 12  # how many sentence points per candidate a fill asks for, at most
Best = tuple[dict[str, float], dict[str, int]]


def best_by_owner(found: Sequence[Scored]) -> Best:
    """The best score of each owner and the ordinal of the point that has it (the first one of equals)."""
    scores: dict[str, float] = {}
    ordinals: dict[str, int] = {}
    for hit in found:
        if hit.owner not in scores or hit.score > scores[hit.owner]:
            scores[hit.owner], ordinals[hit.owner] = hit.score, hit.ordinal
    return scores, ordinals


def _by_observation(defined: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    entities: defaultdict[str, list[str]] = defaultdict(list)
    for entity, observations in defined.items():
        for observation in observations:
            entities[observation].append(entity)
    return dict(entities)


@dataclass(frozen=True, slots=True)
class Anchors:
    """Finds candidates for direct hits of one query."""

    memory: Memory
    query: Query
    weights: Weights
    guard: Guard

    def names(self) -> list[Named]:
        """The entities that the question names."""
        if not self.query.uses("entities"):
            return []
        return self.guard.run("entities", lambda: entities_named(self.query.text, self.memory.lookup, self.query.beyond), list)

    def find(self, named: Sequence[Named], size: int) -> Legs:
        """Every leg's best candidates, and every leg's score for all of them."""
        sentence, best_sentence = best_by_owner(self._dense(Space.SENTENCE, "sentences"))
        fact, best_fact = self.guard.run("facts", self._facts, lambda: ({}, {}))
        defined = self.guard.run("entities", lambda: self._defined(named), dict) if named else {}
        legs = Legs(
            passage=best_by_owner(self._dense(Space.PASSAGE, "passages"))[0],
            sentence=sentence,
            sparse=best_by_owner(self._sparse())[0],
            fact=fact,
            effect=best_by_owner(self._effects())[0],
            named=named_scores(defined, named, size),
            best_sentence=best_sentence,
            best_fact=best_fact,
            defined=_by_observation(defined),
        )
        return self.fill(legs, legs.found())

    def fill(self, legs: Legs, ids: set[str]) -> Legs:
        """The same legs with the dense and sparse scores of `ids` that were not among the best."""
        passage, sentence, sparse = dict(legs.passage), dict(legs.sentence), dict(legs.sparse)
        ordinals = dict(legs.best_sentence)
        if self.query.vector is not None and self.query.uses("dense"):
            passage.update(self._among(Space.PASSAGE, self.query.vector, ids - passage.keys(), "dense")[0])
            if self.query.uses("sentences"):
                more, places = self._among(Space.SENTENCE, self.query.vector, ids - sentence.keys(), "dense")
                sentence.update(more)
                ordinals.update(places)
        if len(self.query.sparse.indices) and self.query.uses("sparse"):
            sparse.update(self._among(Space.PASSAGE, self.query.sparse, ids - sparse.keys(), "sparse")[0])
        return replace(legs, passage=passage, sentence=sentence, sparse=sparse, best_sentence=ordinals)

    def _among(self, space: Space, vector: Vector | Sparse, ids: set[str], leg: str) -> Best:
        if not ids:
            return {}, {}
        owners = sorted(ids)
        limit = len(owners) * (SENTENCES_PER_PASSAGE if space is Space.SENTENCE else 1)
        search = self.memory.vectors.search
        found = self.guard.run(leg, lambda: search(space, vector, self.query.beyond, limit, among=owners), list)
        return best_by_owner(found)

    def _dense(self, space: Space, limit: str) -> list[Scored]:
        vector = self.query.vector
        if vector is None or not self.query.uses("dense", limit):
            return []
        count = self.weights.count("legs", limit)
        return self.guard.run("dense", lambda: self.memory.vectors.search(space, vector, self.query.view, count), list)

    def _sparse(self) -> list[Scored]:
        terms = self.query.sparse
        if not len(terms.indices) or not self.query.uses("sparse"):
            return []
        count = self.weights.count("legs", "sparse")
        return self.guard.run("sparse", lambda: self.memory.vectors.search(Space.PASSAGE, terms, self.query.view, count), list)

    def _facts(self) -> tuple[dict[str, float], dict[str, str]]:
        """Question to triple: by observation the best fact that it is evidence for, and which."""
        if self.query.vector is None or not self.query.uses("facts"):
            return {}, {}
        count = self.weights.count("legs", "facts")
        scores, _ = best_by_owner(self.memory.vectors.search(Space.FACT, self.query.vector, self.query.view, count))
        evidence: dict[str, float] = {}
        best: dict[str, str] = {}
        for fact in self.memory.lookup.facts(self.query.view, ids=list(scores)) if scores else ():
            for observation in fact.evidence:
                if scores[fact.id] > evidence.get(observation, -1.0):
                    evidence[observation], best[observation] = scores[fact.id], fact.id
        visible = {o.id for o in self.memory.reader.observations(sorted(evidence), self.query.view)}
        return {id_: score for id_, score in evidence.items() if id_ in visible}, best

    def _effects(self) -> list[Scored]:
        """For WHY: observations that state the effect asked about, and with it a cause."""
        vector = self.query.vector
        if vector is None or self.query.intent is not Intent.WHY or not self.query.uses("effects"):
            return []
        count = self.weights.count("legs", "effects")
        search = self.memory.vectors.search
        return self.guard.run("effects", lambda: search(Space.EFFECT, vector, self.query.view, count), list)

    def _defined(self, named: Sequence[Named]) -> dict[str, list[str]]:
        """By named entity, the observations that are about it."""
        defined: defaultdict[str, list[str]] = defaultdict(list)
        if self.query.uses("entities", EdgeKind.ABOUT.value):
            most = self.weights.count("legs", "named")
            frontier = [found.entity.id for found in named][:most]
            for step in self.memory.reader.expand(frontier, [DEFINED_BY], self.query.view):
                defined[step.at].append(step.to)
        return dict(defined)
