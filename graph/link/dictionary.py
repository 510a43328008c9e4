"""The name dictionary in both directions: known names in new texts, and new names in texts that were there before."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graph.link.entities import entity_keys
from graph.link.mentions import Candidate, Match, candidates, first_of_each, matches, needs_mark
from graph.link.ports import LinkPorts, current, whole
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.entities import Entity
from graph.model.observations import Observation
from graph.text.names import name_words, usable_name

OLDER_TEXTS = 200  # earlier observations that are read for a new name; a name in more of them is a common one anyway
NAMES_OF_ONE = 400  # entities followed from one observation


@dataclass(slots=True)
class Found:
    """Entities that observations name, edges to be written, and edges that are stored already."""

    entities: dict[str, Entity] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    stored: list[Edge] = field(default_factory=list)


def known_names(ports: LinkPorts, scope: str, observations: Sequence[Observation]) -> Found:
    """Names of the dictionary that stand in these observations, beside those that the extractor saw there."""
    found = Found(stored=_stored_edges(ports, scope, observations))
    offered = {observation.id: candidates(observation.text, observation.sentences) for observation in observations}
    keys = sorted({candidate.key for group in offered.values() for candidate in group})
    by_key = _dictionary(ports.lookup.entities_by_key(keys, current(scope)) if keys else [])
    seen = {(edge.source, edge.target) for edge in found.stored if edge.kind is EdgeKind.MENTIONS}
    for observation in observations:
        for match, entity in _matched(offered[observation.id], observation, by_key):
            found.entities[entity.id] = entity
            if (observation.id, entity.id) not in seen:
                found.edges.append(_edge(observation, match, entity))
    missing = sorted({edge.target for edge in found.stored} - found.entities.keys())
    found.entities |= {entity.id: entity for entity in ports.lookup.entities(missing, current(scope))}
    return found


def _stored_edges(ports: LinkPorts, scope: str, observations: Sequence[Observation]) -> list[Edge]:
    hops = [Hop(kind, Direction.OUT, fanout=NAMES_OF_ONE) for kind in (EdgeKind.MENTIONS, EdgeKind.ABOUT)]
    ids = [observation.id for observation in observations]
    return [step.edge for step in ports.reader.expand(ids, hops, whole(scope))] if ids else []


def _dictionary(entities: Iterable[Entity]) -> dict[str, list[Entity]]:
    """Entities by key; where a name and an alias compete, the name; where several names do, all of them."""
    by_key: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        for key in entity_keys(entity):
            by_key[key].append(entity)
    return {key: [e for e in held if e.name_key == key] or held for key, held in by_key.items()}


def _matched(
    offered: Sequence[Candidate], observation: Observation, by_key: Mapping[str, Sequence[Entity]]
) -> list[tuple[Match, Entity]]:
    """Places where exactly one entity is meant."""
    marks = {
        candidate.key: needs_mark([entity.name for entity in by_key[candidate.key]])
        for candidate in offered
        if candidate.key in by_key
    }
    best = first_of_each(matches(offered, observation.sentences, marks))
    return [(match, by_key[key][0]) for key, match in best.items() if len(by_key[key]) == 1]


def _edge(observation: Observation, match: Match, entity: Entity) -> Edge:
    return Edge(
        EdgeKind.MENTIONS,
        observation.id,
        entity.id,
        observation.scope,
        evidence=observation.id,
        sentence=match.sentence,
        nested=match.nested,
        note=observation.text[match.start : match.end][:200],
    )


def names_in_older_texts(ports: LinkPorts, scope: str, entities: Iterable[Entity]) -> list[Edge]:
    """Mentions of names that were never looked for in what was stored before (their count is still nought)."""
    wanted = {entity.id: entity for entity in entities if entity.mentions == 0}
    places = {id_: _older(ports, scope, entity) for id_, entity in sorted(wanted.items())}
    texts = ports.reader.observations(sorted({place for found in places.values() for place in found}), whole(scope))
    by_id: dict[str, Observation] = {observation.id: observation for observation in texts}
    firsts: defaultdict[str, set[str]] = defaultdict(set)
    for id_, found in places.items():
        for place in found:
            firsts[place].update(key.split(" ")[0] for key in entity_keys(wanted[id_]))
    read = {o.id: candidates(o.text, o.sentences, firsts[o.id]) for o in texts}  # once each, where a wanted name may begin
    edges: list[Edge] = []
    for id_, found in places.items():
        by_key = {key: [wanted[id_]] for key in entity_keys(wanted[id_])}
        for observation in (by_id[place] for place in found if place in by_id):
            offered = [c for c in read[observation.id] if c.key in by_key]
            edges += [_edge(observation, match, entity) for match, entity in _matched(offered, observation, by_key)]
    return edges


def _older(ports: LinkPorts, scope: str, entity: Entity) -> list[str]:
    """Ids of observations whose words hold one of the entity's names."""
    keys = [name_words(key) for key in entity_keys(entity)]
    found = {id_ for key in keys if usable_name(key) for id_ in ports.lookup.mentioning(key, whole(scope), OLDER_TEXTS)}
    return sorted(found)
