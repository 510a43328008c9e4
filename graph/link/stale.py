"""What an earlier reading left behind: taken away in the same write that brings the new one, so nothing is missing between.

Only what rules made is ever taken away; what a user said stays. A fact that loses its last evidence is invalidated, not
removed, and comes back when a text states it again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graph.link.entities import entity_keys
from graph.link.intervals import returns
from graph.link.mentions import candidates
from graph.link.naming import Reading
from graph.link.ports import LinkPorts, everything
from graph.model.edges import Direction, Edge, EdgeKind, Hop, Origin
from graph.model.entities import Fact
from graph.model.observations import Observation, Status

MANY = 100_000
NAMING = (EdgeKind.MENTIONS, EdgeKind.ABOUT)


@dataclass(slots=True)
class Sweep:
    """Drops as (scope, kind, source), what leaves those sources and stays, and facts that lost a piece of evidence."""

    drop: set[tuple[str, str, str]] = field(default_factory=set)
    edges: list[Edge] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)


def sweep(ports: LinkPorts, scope: str, kinds: Sequence[EdgeKind], sources: Iterable[str], stale: Iterable[Edge]) -> Sweep:
    """How to let single edges go: all edges of their kind and source are dropped, and the others written again."""
    gone = {(edge.kind, edge.source, edge.target) for edge in stale if edge.origin is not Origin.USER}
    done = Sweep()
    touched = {(kind, source) for kind, source, _ in gone}
    asked = sorted({source for _, source in touched} & set(sources)) if touched else []
    if not asked:
        return done
    walked = ports.reader.expand(asked, [Hop(kind, Direction.OUT, fanout=MANY) for kind in kinds], everything(scope))
    done.drop = {(scope, kind.value, source) for kind, source in touched}
    done.edges = [
        step.edge
        for step in walked
        if (step.edge.kind, step.edge.source) in touched and (step.edge.kind, step.edge.source, step.edge.target) not in gone
    ]
    return done


def earlier_names(ports: LinkPorts, scope: str, readings: Sequence[Reading]) -> Sweep:
    """Names that observations were read to bear and do not bear any more. A name of the dictionary in the text stays."""
    again = {reading.observation.id: reading for reading in readings if reading.observation.sentences}
    if not again:
        return Sweep()
    hops = [Hop(kind, Direction.OUT, fanout=MANY) for kind in NAMING]
    held = [step.edge for step in ports.reader.expand(sorted(again), hops, everything(scope))]
    fresh = {(edge.kind, edge.source, edge.target) for reading in readings for edge in reading.edges}
    old = [edge for edge in held if (edge.kind, edge.source, edge.target) not in fresh]
    standing = _standing(ports, scope, old, {id_: reading.observation for id_, reading in again.items()})
    stale = [edge for edge in old if edge.kind is EdgeKind.ABOUT or (edge.source, edge.target) not in standing]
    return sweep(ports, scope, NAMING, again, stale)


def _standing(ports: LinkPorts, scope: str, edges: Sequence[Edge], texts: Mapping[str, Observation]) -> set[tuple[str, str]]:
    """Observation and entity of mentions that the dictionary finds in the text by itself."""
    entities = ports.lookup.entities(sorted({edge.target for edge in edges}), everything(scope))
    keys: dict[str, tuple[str, ...]] = {entity.id: entity_keys(entity) for entity in entities}
    offered = {
        source: {one.key for one in candidates(texts[source].text, texts[source].sentences)}
        for source in {edge.source for edge in edges}
    }
    return {(e.source, e.target) for e in edges if offered[e.source].intersection(keys.get(e.target, ()))}


def earlier_facts(ports: LinkPorts, scope: str, readings: Sequence[Reading]) -> Sweep:
    """Facts that observations were read to state and do not state any more."""
    again = {reading.observation.id: reading for reading in readings if reading.observation.sentences}
    if not again:
        return Sweep()
    hop = Hop(EdgeKind.EVIDENCE, Direction.IN, fanout=MANY)
    held = [step.edge for step in ports.reader.expand(sorted(again), [hop], everything(scope))]
    fresh = {(fact.id, reading.observation.id) for reading in again.values() for fact in reading.facts}
    stored = ports.lookup.facts(everything(scope), ids=sorted({edge.source for edge in held}), limit=MANY) if held else []
    base: dict[str, Fact] = {fact.id: fact for fact in stored if not returns(fact)}
    stale = [edge for edge in held if edge.source in base and (edge.source, edge.target) not in fresh]
    done = sweep(ports, scope, (EdgeKind.EVIDENCE,), [edge.source for edge in stale], stale)
    done.facts = [_without(base[id_], {e.target for e in stale if e.source == id_}) for id_ in {e.source for e in stale}]
    return done


def _without(fact: Fact, gone: set[str]) -> Fact:
    left = tuple(source for source in fact.evidence if source not in gone)
    status = fact.status if left else Status.INVALIDATED
    return fact.model_copy(update={"evidence": left, "status": status, "revision": fact.revision + 1})


def revived(fact: Fact) -> Fact:
    """A fact that had lost all its evidence, stated again."""
    if fact.evidence or fact.status is not Status.INVALIDATED:
        return fact
    return fact.model_copy(update={"status": Status.ACTIVE, "revision": fact.revision + 1})
