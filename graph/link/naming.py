"""The names that a text bears, as MENTIONS and ABOUT edges to their entities.

An observation is ABOUT what its lead defines and what its title names. Every passage of a record bears the title, but only
the first is sure to be about it: the others say so with a small weight. Identifiers (of records, and in references) are
entities of their own.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graph.link.entities import Resolver, homonyms
from graph.link.facts import TEAM
from graph.link.mentions import sentence_at
from graph.link.ports import LinkPorts, current
from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Entity, EntityType, Fact
from graph.model.extraction import Extraction, NameSeen
from graph.model.observations import Observation, Record
from graph.text.entities import plain_key
from graph.text.names import name_key, name_words, usable_name

TITLE_NOTE = "title"
IDENTIFIER_NOTE = "identifier"
FIRST_OF_RECORD = 1.0
LATER_IN_RECORD = 0.25
SHORT_FORM = 0.5  # weight of ABOUT to a shorter form of the defined name
MAX_SHORT_FORMS = 12
MAX_IDENTIFIER_WORDS = 4
MAX_NAMES = 200  # names kept of one observation
NOTE_CHARS = 200
NOWHERE = -1


@dataclass(slots=True)
class Reading:
    """One observation with its extraction, on its way into the graph."""

    observation: Observation
    extraction: Extraction
    previous: Observation | None
    record: Record | None
    facts: list[Fact] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    ambiguous: set[str] = field(default_factory=set)

    @property
    def first(self) -> bool:
        return self.previous is None


def names_of(reading: Reading) -> list[NameSeen]:
    """All names of a reading: those seen in the text and title, identifiers, and subjects of functional facts."""
    seen = list(reading.extraction.names[:MAX_NAMES])
    seen += [_identifier(one.identifier, one.sentence, defines=False) for one in reading.extraction.references]
    borne = reading.record.identifiers if reading.record else ()
    seen += [_identifier(name, NOWHERE, defines=True) for name in borne if speakable(name)]
    known = {name_key(name.text) for name in seen}
    for fact in reading.facts:
        words = name_words(fact.subject)
        if fact.functional and name_key(fact.subject) not in known and (usable_name(words) or words == (TEAM,)):
            kind = EntityType.ORGANISATION if words == (TEAM,) else EntityType.CONCEPT
            seen.append(NameSeen(text=fact.subject, type=kind, sentence=NOWHERE, span=None))
            known.add(name_key(fact.subject))
    return [name for name in seen if name_key(name.text)]


def speakable(identifier: str) -> bool:
    """Whether people would name a record so ("PEP 484", "JIRA-12"): letters and digits, short, no path and no digest."""
    words = name_words(identifier)
    if not usable_name(words) or len(words) > MAX_IDENTIFIER_WORDS or re.search(r"[/\\:]|\.\w+$", identifier):
        return False
    joined = "".join(words)
    return bool(re.search(r"\d", joined) and re.search(r"[^\W\d_]", joined)) and not re.search(r"[0-9a-f]{7,}", joined)


def _identifier(identifier: str, sentence: int, *, defines: bool) -> NameSeen:
    return NameSeen(text=identifier, type=EntityType.DOCUMENT, sentence=sentence, span=None, defines=defines)


def keys_of(reading: Reading) -> set[str]:
    """Every key that resolving a reading may ask for."""
    names = names_of(reading)
    keys = {name_key(text) for name in names for text in (name.text, *name.aliases)}
    keys |= {plain_key(name.text, name.type) for name in names}
    return keys | {name_key(end) for fact in reading.facts for end in (fact.subject, fact.object)}


def name_edges(reading: Reading, resolver: Resolver, unclear: frozenset[str] | set[str]) -> list[Edge]:
    """MENTIONS and ABOUT edges of a reading, one per kind and entity; names that could be several are put aside."""
    identifiers = {name_key(name) for name in reading.record.identifiers} if reading.record else set()
    edges: dict[tuple[EdgeKind, str], Edge] = {}
    for seen in names_of(reading):
        entity = resolver.resolve(seen)
        if entity is None or name_key(seen.text) in unclear:
            reading.ambiguous.add(seen.text)
        if entity is None:
            continue
        titled = seen.span is None and seen.defines
        if not titled:
            _keep(edges, _mention(reading, entity, seen))
        if seen.defines:
            note = "" if not titled else IDENTIFIER_NOTE if entity.name_key in identifiers else TITLE_NOTE
            weight = FIRST_OF_RECORD if not titled or reading.first else LATER_IN_RECORD
            _keep(edges, _about(reading, entity, weight, note))
            for short in _short_forms(seen, resolver):
                _keep(edges, _about(reading, short, weight * SHORT_FORM, note or "short form"))
    return list(edges.values())


def _short_forms(seen: NameSeen, resolver: Resolver) -> list[Entity]:
    """Entities of the other forms of a defined name. A form of fewer words is a name of its own: it may mean others too."""
    found = []
    for alias in seen.aliases[:MAX_SHORT_FORMS]:
        if usable_name(name_words(alias)):
            entity = resolver.resolve(NameSeen(text=alias, type=EntityType.OTHER, sentence=NOWHERE, span=None))
            if entity is not None:
                found.append(entity)
    return found


def _keep(edges: dict[tuple[EdgeKind, str], Edge], edge: Edge) -> None:
    """The heavier of two edges with one key; of equal ones the first that stands in a sentence, not nested."""
    held = edges.get((edge.kind, edge.target))
    if held is None or (-edge.weight, edge.nested, edge.sentence < 0) < (-held.weight, held.nested, held.sentence < 0):
        edges[edge.kind, edge.target] = edge


def _mention(reading: Reading, entity: Entity, seen: NameSeen) -> Edge:
    observation = reading.observation
    sentence = sentence_at(reading.extraction.sentences, seen.span.start) if seen.span else seen.sentence
    return Edge(
        EdgeKind.MENTIONS,
        observation.id,
        entity.id,
        observation.scope,
        evidence=observation.id,
        sentence=sentence,
        nested=_nested(seen, reading.extraction.names),
        note=seen.text[:NOTE_CHARS],
    )


def _nested(seen: NameSeen, others: Iterable[NameSeen]) -> bool:
    """Whether the name stands inside a longer one."""
    if seen.span is None:
        return False
    start, end = seen.span.start, seen.span.end
    return any(
        other.span is not None
        and other.span.start <= start
        and end <= other.span.end
        and other.span.end - other.span.start > end - start
        for other in others
    )


def _about(reading: Reading, entity: Entity, weight: float, note: str) -> Edge:
    id_, scope = reading.observation.id, reading.observation.scope
    return Edge(EdgeKind.ABOUT, id_, entity.id, scope, weight, evidence=id_, sentence=NOWHERE, note=note)


def unclear_names(ports: LinkPorts, scope: str, readings: Sequence[Reading]) -> set[str]:
    """Bare given names that two or more persons of the scope begin with."""
    bare: Mapping[str, list[Observation]] = {
        name_key(name.text): []
        for reading in readings
        for name in reading.extraction.names
        if name.type is EntityType.PERSON and len(name_words(name.text)) == 1
    }
    return homonyms(ports.lookup, current(scope), bare)
