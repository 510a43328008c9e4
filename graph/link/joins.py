"""Finding what a fresh observation may be joined to, as cause or as effect, with a bounded number of searches."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graph.link.causes import MIN_COSINE, Telling, Told, edge_of, edge_of_previous, grounds, states, telling
from graph.link.ports import LinkPorts, whole
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.observations import Observation
from graph.model.points import Space, Vector
from graph.model.views import View

NEAREST = 8  # candidates of one search
NEAREST_IN_SESSION = 4
MAX_PARTNERS = 24  # observations that a fresh one is compared with, the nearest first
NO_VECTORS = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class Causal:
    """CAUSES edges that hold, and stored ones between the same observations that do not hold any more."""

    edges: list[Edge]
    stale: list[Edge]


def causal_edges(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> Causal:
    """CAUSES edges of the fresh observations, found from either side, and what changes with them for older claims.

    A claim is judged over all who state its cause; so when one more does, the claim's other edges are judged again.
    """
    company = _Company(ports, scope)
    company.add(_tellings(ports, fresh))
    held = _held(ports, scope, [observation.id for observation in fresh])
    partners = {id_: {*_partners(ports, scope, company.known[id_]), *edges} for id_, edges in held.items()}
    company.load({id_ for ids in partners.values() for id_ in ids})
    touched = _touched(company, partners)
    older = _held(ports, scope, sorted(touched.keys()))
    company.load({id_ for edges in older.values() for id_ in edges})
    circles = partners | {id_: {*touched[id_], *older[id_]} for id_ in touched}
    edges = [edge_of(ground) for id_, ids in sorted(circles.items()) for ground in grounds(company.known[id_], company.of(ids))]
    edges += _from_previous(ports, scope, company.of(circles))
    held |= older
    stored = {(edge.source, edge.target): edge for id_ in circles for edge in held[id_].values()}
    kept = _strongest(edges)
    hold = {(edge.source, edge.target) for edge in kept}
    return Causal(kept, [edge for key, edge in sorted(stored.items()) if key not in hold and edge.evidence in circles])


@dataclass(slots=True)
class _Company:
    """Observations with their words and vectors, each read once."""

    ports: LinkPorts
    scope: str
    known: dict[str, Telling] = field(default_factory=dict)

    def add(self, tellings: Iterable[Telling]) -> None:
        self.known |= {one.observation.id: one for one in tellings}

    def load(self, ids: Iterable[str]) -> None:
        missing = sorted(set(ids) - self.known.keys())
        self.add(_tellings(self.ports, self.ports.reader.observations(missing, whole(self.scope))) if missing else ())

    def of(self, ids: Iterable[str]) -> list[Telling]:
        return [self.known[id_] for id_ in sorted(ids) if id_ in self.known]


def _touched(company: _Company, partners: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Older observations whose claims a fresh one has a bearing on, with those fresh ones."""
    touched: defaultdict[str, set[str]] = defaultdict(set)
    for id_, ids in partners.items():
        for other in company.of(ids - partners.keys()):
            if grounds(other, [company.known[id_]]):
                touched[other.observation.id].add(id_)
    return dict(touched)


def _held(ports: LinkPorts, scope: str, ids: Sequence[str]) -> dict[str, dict[str, Edge]]:
    """For each observation its stored CAUSES edges of either direction, by the observation at the other end."""
    held: dict[str, dict[str, Edge]] = {id_: {} for id_ in ids}
    hops = [Hop(EdgeKind.CAUSES, direction, fanout=MAX_PARTNERS) for direction in Direction]
    for step in ports.reader.expand(list(ids), hops, whole(scope)) if ids else ():
        held[step.at][step.to] = step.edge
    return held


def _tellings(ports: LinkPorts, observations: Sequence[Observation]) -> list[Telling]:
    owners = [observation.id for observation in observations]
    if not owners:
        return []
    sentences, causes, effects = (ports.vectors.vectors(space, owners) for space in (Space.SENTENCE, Space.CAUSE, Space.EFFECT))
    sentences |= _untitled(ports, [observation for observation in observations if observation.title])
    return [
        telling(o, sentences.get(o.id, NO_VECTORS), causes.get(o.id, NO_VECTORS), effects.get(o.id, NO_VECTORS))
        for o in observations
    ]


def _untitled(ports: LinkPorts, observations: Sequence[Observation]) -> dict[str, Vector]:
    """Sentence vectors, rows by ordinal, of observations whose stored ones bear a title, which no claim repeats."""
    told = [(observation, number, text) for observation in observations for number, text in states(observation)]
    vectors = ports.embedder.embed([text for *_, text in told]) if told else NO_VECTORS
    found: dict[str, Vector] = {o.id: np.zeros((len(o.sentences), vectors.shape[1]), np.float32) for o in observations}
    for (observation, number, _), vector in zip(told, vectors, strict=True):
        found[observation.id][number] = vector
    return found


def _partners(ports: LinkPorts, scope: str, one: Telling) -> list[str]:
    """Ids of observations that say something like what this one says, best first: its session, then anywhere."""
    best: defaultdict[str, float] = defaultdict(float)
    for space, told in _questions(one):
        for view, limit in _views(scope, one.observation, told):
            for hit in ports.vectors.search(space, told.vector, view, limit):
                if hit.owner != one.observation.id and hit.score >= MIN_COSINE:
                    best[hit.owner] = max(best[hit.owner], hit.score)
    return sorted(best, key=lambda owner: (-best[owner], owner))[:MAX_PARTNERS]


def _questions(one: Telling) -> Iterator[tuple[Space, Told]]:
    """What is looked for where: who states my causes, who tells my effects, whom my sentences and effects explain."""
    for told in one.causes:
        yield Space.SENTENCE, told
        yield Space.EFFECT, told
    for told in one.effects:
        yield Space.SENTENCE, told
        yield Space.CAUSE, told
    for told in one.plain:
        yield Space.CAUSE, told
        yield Space.EFFECT, told


def _views(scope: str, observation: Observation, told: Told) -> list[tuple[View, int]]:
    """The whole scope; for claims also the own session, whose few candidates a large scope would crowd out."""
    everywhere = whole(scope)
    views = [(everywhere, NEAREST)]
    if observation.session and told.claim >= 0:
        session = View(everywhere.scopes, everywhere.statuses, sessions=frozenset({observation.session}))
        views.append((session, NEAREST_IN_SESSION))
    return views


def _from_previous(ports: LinkPorts, scope: str, tellings: Sequence[Telling]) -> Iterator[Edge]:
    """Edges of claims that begin with "As a result" or the like: their cause is the passage before in the record."""
    waiting: dict[str, Telling] = {
        one.observation.id: one for one in tellings if any(claim["strict"] and claim["cause_before"] for claim in one.claims)
    }
    previous = previous_of(ports, scope, list(waiting))
    for id_, before in previous.items():
        for claim in waiting[id_].claims:
            if claim["strict"] and claim["cause_before"] and not claim["effect_before"]:
                edge = edge_of_previous(before, waiting[id_].observation, claim)
                if edge is not None:
                    yield edge


def previous_of(ports: LinkPorts, scope: str, ids: Sequence[str]) -> dict[str, Observation]:
    """The passage before each observation in its record, where there is one."""
    if not ids:
        return {}
    walked = ports.reader.expand(list(ids), [Hop(EdgeKind.NEXT, Direction.IN, fanout=1)], whole(scope))
    found: dict[str, Observation] = {
        o.id: o for o in ports.reader.observations(sorted({step.to for step in walked}), whole(scope))
    }
    return {step.at: found[step.to] for step in walked if step.to in found}


def _strongest(edges: Iterable[Edge]) -> list[Edge]:
    """One edge per key, the heaviest; of equal ones the first by its words."""
    best: dict[tuple[str, str], Edge] = {}
    for edge in sorted(edges, key=lambda e: (-e.weight, e.evidence or "", e.note)):
        best.setdefault((edge.source, edge.target), edge)
    return list(best.values())
