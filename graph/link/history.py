"""Settling facts against the stored ones: the timelines that a fresh observation touches are worked out anew."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from graph.link.facts import CAUSAL_PREDICATES, edges_of, identity
from graph.link.intervals import Settled, ceased, contradiction, returns, settle
from graph.link.ports import LinkPorts, whole
from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.entities import Fact
from graph.model.observations import Observation

MAX_TIMELINE = 200  # facts of one subject and predicate that are ordered in time
MAX_EVIDENCE = 64  # facts that one observation is evidence of


def settled_facts(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> Settled:
    """What changes in the intervals of facts because of the fresh observations, and what contradicts what."""
    facts = _facts_of(ports, scope, fresh)
    done = Settled([], [])
    for timeline in _functional(ports, scope, facts):
        _extend(done, settle(timeline, _dates(ports, scope, timeline)))
    for pair in _pairs(ports, scope, [fact for fact in facts if not fact.functional]):
        denial = next(fact for fact in pair if fact.negated)
        if ceased(denial):
            _extend(done, settle(pair, _dates(ports, scope, pair)))
        else:
            done.edges.extend(contradiction(*pair))
    return done


def _extend(done: Settled, more: Settled) -> None:
    done.facts.extend(more.facts)
    done.edges.extend(more.edges)
    done.edges.extend(
        edge for fact in more.facts if returns(fact) for source in fact.evidence for edge in edges_of(fact, source)
    )


def _facts_of(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> list[Fact]:
    """The triples that the observations are evidence of (a stated cause has no interval)."""
    ids = [observation.id for observation in fresh]
    walked = ports.reader.expand(ids, [Hop(EdgeKind.EVIDENCE, Direction.IN, fanout=MAX_EVIDENCE)], whole(scope)) if ids else []
    facts = sorted({step.to for step in walked})
    found = ports.lookup.facts(whole(scope), ids=facts, limit=len(facts)) if facts else []
    return [fact for fact in found if fact.predicate not in CAUSAL_PREDICATES]


def _functional(ports: LinkPorts, scope: str, facts: Iterable[Fact]) -> list[list[Fact]]:
    """For each functional predicate of a subject that is touched: all its facts."""
    touched = sorted({(fact.subject_id, fact.predicate) for fact in facts if fact.functional and fact.subject_id})
    timelines = []
    for subject, predicate in touched:
        found = ports.lookup.facts(whole(scope), subject_ids=[subject], predicate=predicate, limit=MAX_TIMELINE)
        timelines.append([fact for fact in found if fact.subject_id == subject])
    return timelines


def _pairs(ports: LinkPorts, scope: str, facts: Sequence[Fact]) -> list[tuple[Fact, Fact]]:
    """Triples that are both asserted and denied, once each, those that came first among the stored ones included."""
    other = {identity(scope, fact.subject, fact.predicate, fact.object, negated=not fact.negated): fact for fact in facts}
    stored = ports.lookup.facts(whole(scope), ids=sorted(other), limit=len(other)) if other else []
    pairs = {tuple(sorted((fact.id, other[fact.id].id))): (fact, other[fact.id]) for fact in stored}
    return [pairs[key] for key in sorted(pairs)]


def _dates(ports: LinkPorts, scope: str, facts: Iterable[Fact]) -> dict[str, datetime | None]:
    """When each piece of evidence was authored."""
    ids = sorted({source for fact in facts for source in fact.evidence})
    return {observation.id: observation.authored_at for observation in ports.reader.observations(ids, whole(scope))}
