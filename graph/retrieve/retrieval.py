"""One intent's retrieval: anchors, direct log-odds, records, walk, path log-odds, fusion.

Every judgement is a pure function elsewhere in this room; this object holds the order of the steps and what one question
has brought up so far.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.model.edges import EdgeKind
from graph.model.observations import Observation
from graph.model.points import Space
from graph.model.questions import Intent
from graph.retrieve import context, records
from graph.retrieve.anchors import Anchors
from graph.retrieve.bridges import Bridges, Relevance
from graph.retrieve.causes import causal_hops, in_order, time_before, told_effect
from graph.retrieve.fusion import Fused, ScoredTrail, fuse
from graph.retrieve.hybrid import TURN, Direct, blends, direct, shape_of
from graph.retrieve.memory import Guard, Memory
from graph.retrieve.meta_paths import HOLDS, active, co_mention_cap
from graph.retrieve.named import Named
from graph.retrieve.pool import Legs, Pool, pooled
from graph.retrieve.query import Query
from graph.retrieve.records import RecordScores
from graph.retrieve.walk import Trail, Walker
from graph.retrieve.weights import Floats, Weights

ADDED = "max"  # `without={"max"}` adds probabilities over paths instead: the control of the published table
RELEVANCE = "relevance"
NEIGHBOURED = 60  # turns whose neighbours become candidates


@dataclass(frozen=True, slots=True)
class Found:
    """What one intent's retrieval came to, with everything that led there (for hits, explanation and trace)."""

    query: Query
    named: Sequence[Named]
    legs: Legs
    direct: Direct
    records: RecordScores
    bridges: Bridges
    trails: Sequence[ScoredTrail]
    fused: Sequence[Fused]
    observations: Mapping[str, Observation]


class Retrieval:
    """Runs one query against a memory of `size` observations. One use each."""

    def __init__(self, memory: Memory, query: Query, weights: Weights, guard: Guard, size: int) -> None:
        self._memory = memory
        self._query = query
        self._weights = weights
        self._guard = guard
        self._size = size
        self._anchors = Anchors(memory, query, weights, guard)
        self._known: dict[str, Observation] = {}
        self._legs = Legs()
        self._pool: Pool = pooled((), self._legs, weights.numbers["floors"])

    def run(self) -> Found:
        named = self._anchors.names()
        self._legs = self._anchors.find(named, self._size)
        self._widen(self._legs.found())
        self._open_records()
        around = self._neighbours()
        hits, scores = self._direct(around)
        bridges = self._bridges(named, hits)
        trails = self._scored(self._walk(bridges), hits, scores, bridges)
        fused = fuse(hits.by_id(), trails, add=ADDED in self._query.without)
        raised = self._reserved(named, hits, fused)
        if raised:
            fused = fuse({**hits.by_id(), **raised}, trails, add=ADDED in self._query.without)
        return Found(self._query, named, self._legs, hits, scores, bridges, trails, fused, self._known)

    # -- candidates

    def _load(self, ids: Iterable[str]) -> None:
        wanted = sorted(set(ids) - self._known.keys())
        if wanted:
            found = self._guard.run("graph", lambda: self._memory.reader.observations(wanted, self._query.beyond), list)
            self._known.update({observation.id: observation for observation in found})

    def _widen(self, ids: set[str]) -> None:
        """Make the visible ones among `ids` candidates, with all their scores."""
        self._load(ids)
        candidates = {id_ for id_ in {*self._pool.ids, *ids} if id_ in self._known}
        self._legs = self._anchors.fill(self._legs, candidates)
        self._pool = pooled(candidates, self._legs, self._weights.numbers["floors"])

    def _shapes(self) -> list[str]:
        return [shape_of(self._known[id_]) for id_ in self._pool.ids]

    def _h(self) -> Floats:
        return blends(self._pool, self._shapes(), self._weights)

    def _owners(self) -> list[str]:
        return [self._known[id_].record_id for id_ in self._pool.ids]

    def _graph_uses(self, *names: str) -> bool:
        return self._query.walks and self._query.uses(*names)

    def _open_records(self) -> None:
        """All passages of the best records become candidates: the record is found, the passage in it may not be."""
        if not self._graph_uses(EdgeKind.PART_OF.value, "record"):
            return
        owners = self._owners()
        scored = records.score_records(self._pool, self._h(), owners, self._weights)
        sessions = {owner for owner, shape in zip(owners, self._shapes(), strict=True) if shape == TURN}
        documents = [record for record in scored.ranks if record not in sessions][: self._weights.count("record", "opened")]
        talks = [record for record in scored.ranks if record in sessions][: self._weights.count("record", "talks")]
        best = documents + talks
        steps = self._guard.run("graph", lambda: self._memory.reader.expand(best, [HOLDS], self._query.view), list)
        opened = {step.to for step in steps}
        if not opened <= set(self._pool.ids):
            self._widen(opened)

    def _neighbours(self) -> dict[str, list[str]]:
        """The turns before and after every candidate turn; those of the best become candidates too."""
        if not self._graph_uses(EdgeKind.NEXT.value, "next"):
            return {}
        shapes, h = self._shapes(), self._h()
        turns = [self._pool.ids[int(i)] for i in np.argsort(-h, kind="stable") if shapes[int(i)] == TURN]
        around = self._guard.run("graph", lambda: context.neighbours(self._memory.reader, turns, self._query.beyond), dict)
        beside = {other for turn in turns[:NEIGHBOURED] for other in around.get(turn, ())} - set(self._pool.ids)
        if beside:
            self._widen(beside)
            more = sorted(beside)
            around |= self._guard.run("graph", lambda: context.neighbours(self._memory.reader, more, self._query.beyond), dict)
        return around

    # -- direct hits

    def _direct(self, around: Mapping[str, Sequence[str]]) -> tuple[Direct, RecordScores]:
        h, owners = self._h(), self._owners()
        known = [self._known[id_] for id_ in self._pool.ids]
        scored = records.score_records(self._pool, h, owners, self._weights)
        intent = self._query.intent.value
        prior = np.array([o.priors.get(intent, 0.0) for o in known], np.float64)
        extra: dict[str, Floats] = {"prior": prior, **context.shapes(known)}
        effect = told_effect(self._pool, known) if self._query.intent is Intent.WHY else None
        if effect is not None:  # what happened before it counts then, not which record is near
            extra |= time_before(effect, known)
        elif self._graph_uses(EdgeKind.PART_OF.value, "record"):
            extra |= records.features(owners, scored)
        if around:
            extra["context"] = context.context(self._pool.ids, h, around)
            extra["context_beyond"] = context.context(self._pool.ids, h, context.beyond(around))
        if self._graph_uses("speaker"):
            extra["speaker"] = context.spoken_by_named(known, self._query.words)
        return direct(self._pool, self._shapes(), h, extra, self._weights), scored

    # -- the walk

    def _bridges(self, named: Sequence[Named], hits: Direct) -> Bridges:
        number = self._weights.numbers["bridge"]
        places = hits.best(self._weights.count("legs", "anchors"))
        anchors = [hits.pool.ids[place] for place in places]
        walks = self._query.walks and bool(anchors)
        vectors = self._memory.vectors
        return Bridges(
            query=self._query,
            lookup=self._memory.lookup,
            named=frozenset(found.entity.id for found in named),
            margins={hits.pool.ids[place]: float(hits.h[place] - hits.h5) for place in places},
            sentences=self._guard.run("graph", lambda: vectors.vectors(Space.SENTENCE, anchors), dict) if walks else {},
            size=self._size,
            cap=co_mention_cap(self._size, number["share"], number["least"], number["most"]),
            weights=self._weights,
            tied=set(self._legs.named) & set(anchors),
        )

    def _walk(self, bridges: Bridges) -> list[Trail]:
        if not self._query.walks:
            return []
        paths = list(active(self._query.intent, self._query.without, bridges.cap))
        anchors = list(bridges.margins)
        walker = Walker(self._memory.reader)
        trails = self._guard.run("graph", lambda: walker.walk(anchors, paths, self._query.beyond, bridges), list)
        causal = {node for trail in trails if trail.path.causal for node in trail.nodes()}
        self._load({trail.end for trail in trails} | causal)
        return [trail for trail in trails if self._passes(trail, bridges)]

    def _passes(self, trail: Trail, bridges: Bridges) -> bool:
        """The gates: a visible end, a tie to the question for co-mentions, causes not after their effects."""
        if trail.end not in self._known:
            return False
        if trail.path.name == "co_mention" and trail.anchor not in bridges.tied:
            return False
        return not trail.path.causal or in_order(trail, self._known)

    def _scored(self, trails: Sequence[Trail], hits: Direct, scores: RecordScores, bridges: Bridges) -> list[ScoredTrail]:
        """Every trail with its log-odds."""
        fits = self._fits(trails)
        logits, intent = hits.by_id(), self._query.intent.value
        passages = {(o.record_id, o.event_id) for o in self._known.values() if not o.session}  # parts of a text are one
        held = Counter(record for record, _ in passages)
        scored = []
        for trail, fit in zip(trails, fits, strict=True):
            target = self._known[trail.end]
            features = {
                "anchor": logits[trail.anchor],
                RELEVANCE: fit,
                "rarity": bridges.rarity(trail.entity),
                "weight": trail.weight,
                "hops": float(max(causal_hops(trail) - 1, 0)),
                "prior": target.priors.get(intent, 0.0),
                "record": scores.gap(target.record_id),
                "several": float(max(held[target.record_id], held[self._known[trail.anchor].record_id]) > 1),
            }
            scored.append(ScoredTrail(trail, self._weights.paths[trail.path.name](features), features))
        return scored

    def _fits(self, trails: Sequence[Trail]) -> list[float]:
        """How well each trail's end fits what is still asked; nought where the trail's logit does not ask for it."""
        asking = [place for place, t in enumerate(trails) if RELEVANCE in self._weights.paths[t.path.name].terms]
        relevance = Relevance(self._memory.vectors, self._query, self._weights.number("bridge", "name"))
        found = self._guard.run("graph", lambda: relevance.of([trails[place] for place in asking]), list)
        fits = [0.0] * len(trails)
        for place, fit in zip(asking, found, strict=False):
            fits[place] = fit
        return fits

    def _reserved(self, named: Sequence[Named], hits: Direct, fused: Sequence[Fused]) -> dict[str, float]:
        """Raised log-odds: of the few passages about a named entity the best by h is kept just under the top."""
        if not fused or not self._query.walks:
            return {}
        number = self._weights.numbers["reserve"]
        few = {n.entity.id for n in named if not n.nested and 1 <= n.entity.about <= number["most_units"]}
        places, logits = self._pool.places(), hits.by_id()
        best: dict[str, str] = {}
        for id_, entities in sorted(self._legs.defined.items()):
            for entity in few.intersection(entities) if id_ in places else ():
                if entity not in best or hits.h[places[id_]] > hits.h[places[best[entity]]]:
                    best[entity] = id_
        under = fused[0].score - number["below_top"]
        return {id_: max(logits[id_], under + number["per_logit"] * logits[id_]) for id_ in best.values()}
