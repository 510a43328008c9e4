"""References between records: an observation CITES the record that it names, a newer record SUPERSEDES an older.

Both sides may arrive first. A reference is kept in its observation's marks and as a mention of the identifier, so that a
record that arrives later finds those who named it. A superseded record stays active; its passages are marked as valid up to
the day of the newer one.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.link.ports import LinkPorts, whole
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.extraction import Reference, ReferenceKind
from graph.model.observations import Observation, Record
from graph.text.names import name_key

REFERENCES = "references"
MAX_REFERENCES = 64  # references kept of one observation
MAX_CITING = 1000  # earlier observations that are looked at when a record arrives
NEWER_FIRST = {ReferenceKind.SUPERSEDES, ReferenceKind.REVERTS}  # the citing record is the newer one


@dataclass(frozen=True, slots=True)
class Links:
    """Edges of references, and older observations that are no longer valid without end."""

    edges: list[Edge]
    closed: list[Observation]


def kept(references: Sequence[Reference]) -> list[dict[str, Any]]:
    """References as an observation keeps them."""
    return [
        {"kind": reference.kind.value, "identifier": reference.identifier, "sentence": reference.sentence}
        for reference in references[:MAX_REFERENCES]
    ]


def reference_links(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> Links:
    """What the fresh observations cite, who cited their records before they came, and what that supersedes."""
    view = whole(scope)
    own = ports.reader.records(sorted({o.record_id for o in fresh}), view)
    records: dict[str, Record] = {record.id: record for record in own}
    earlier = _citing(ports, scope, records.values())
    cited = ports.lookup.records_by_identifier(sorted(_identifiers([*fresh, *earlier])), view)
    records |= {record.id: record for found in cited.values() for record in found}
    others = sorted({o.record_id for o in earlier} - records.keys())
    records |= {record.id: record for record in ports.reader.records(others, view)}
    edges = [edge for observation in _distinct([*fresh, *earlier]) for edge in _edges(observation, records, cited)]
    return Links(edges, _closed(ports, scope, fresh, edges, records))


def _identifiers(observations: Iterable[Observation]) -> set[str]:
    return {reference["identifier"] for observation in observations for reference in observation.marks.get(REFERENCES, ())}


def _distinct(observations: Iterable[Observation]) -> list[Observation]:
    return list({observation.id: observation for observation in observations}.values())


def _citing(ports: LinkPorts, scope: str, records: Iterable[Record]) -> list[Observation]:
    """Stored observations that mention an identifier of these records."""
    keys = sorted({name_key(name) for record in records for name in record.identifiers})
    if not keys:
        return []
    entities = sorted({entity.id for entity in ports.lookup.entities_by_key(keys, whole(scope))})
    walked = ports.reader.expand(entities, [Hop(EdgeKind.MENTIONS, Direction.IN, fanout=MAX_CITING)], whole(scope))
    return ports.reader.observations(sorted({step.to for step in walked}), whole(scope))


def _edges(observation: Observation, records: Mapping[str, Record], cited: Mapping[str, list[Record]]) -> list[Edge]:
    edges: list[Edge] = []
    for reference in observation.marks.get(REFERENCES, ()):
        for record in cited.get(reference["identifier"], ()):
            if record.id == observation.record_id:
                continue
            kind = ReferenceKind(reference["kind"])
            edges.append(
                Edge(
                    EdgeKind.CITES,
                    observation.id,
                    record.id,
                    observation.scope,
                    evidence=observation.id,
                    sentence=reference["sentence"],
                    note=f"{kind.value} {reference['identifier']}",
                )
            )
            edges += _superseding(observation, kind, record, records)
    return _one_per_key(edges)


def _superseding(observation: Observation, kind: ReferenceKind, record: Record, records: Mapping[str, Record]) -> list[Edge]:
    if kind in NEWER_FIRST:
        newer, older = observation.record_id, record.id
    elif kind is ReferenceKind.SUPERSEDED_BY:
        newer, older = record.id, observation.record_id
    else:
        return []
    if newer not in records or older not in records:
        return []
    return [Edge(EdgeKind.SUPERSEDES, newer, older, observation.scope, evidence=observation.id, note=kind.value)]


def _one_per_key(edges: Iterable[Edge]) -> list[Edge]:
    """One edge per key; a CITES that says more than "cites" wins over one that does not."""
    best: dict[tuple[str, str, str], Edge] = {}
    for edge in sorted(edges, key=lambda e: (e.note.startswith("cites "), e.sentence, e.note)):
        best.setdefault((edge.kind, edge.source, edge.target), edge)
    return list(best.values())


def _closed(
    ports: LinkPorts, scope: str, fresh: Sequence[Observation], edges: Sequence[Edge], records: Mapping[str, Record]
) -> list[Observation]:
    """Passages of superseded records, with the end of their validity: the day of the earliest record that replaces them."""
    view = whole(scope)
    ends: defaultdict[str, set[datetime]] = defaultdict(set)
    for edge in edges:
        if edge.kind is EdgeKind.SUPERSEDES and (moment := records[edge.source].authored_at) is not None:
            ends[edge.target].add(moment)
    own = sorted({observation.record_id for observation in fresh})
    newer = ports.reader.expand(own, [Hop(EdgeKind.SUPERSEDES, Direction.IN)], view)
    replacing = ports.reader.records(sorted({step.to for step in newer}), view)
    dates: dict[str, datetime | None] = {record.id: record.authored_at for record in replacing}
    for step in newer:
        if (moment := dates.get(step.to)) is not None:
            ends[step.at].add(moment)
    found = ports.reader.passages_of(sorted(ends), view)
    return [
        observation.model_copy(update={"valid_to": end})
        for observation in found
        if (end := _end(observation, ends[observation.record_id])) != observation.valid_to
    ]


def _end(observation: Observation, ends: Iterable[datetime]) -> datetime | None:
    after = [end for end in ends if observation.authored_at is None or end > observation.authored_at]
    bounds = [*after, *([observation.valid_to] if observation.valid_to else [])]
    return min(bounds) if bounds else None
