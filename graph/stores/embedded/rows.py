"""Nodes and edges as rows: enumerations as numbers, values as JSON bodies without the columns that change on their own."""

from typing import Any

from graph.model.edges import Direction, Edge, EdgeKind, Hop, Origin, Walked
from graph.model.entities import Entity, Fact
from graph.model.observations import Observation, Record, Status
from graph.stores.embedded.values import moment, numbered

OBSERVATION, ENTITY, FACT, RECORD = 1, 2, 3, 4

KINDS, KIND_NO = numbered(EdgeKind)
ORIGINS, ORIGIN_NO = numbered(Origin)
STATUSES, STATUS_NO = numbered(Status)
FORGOTTEN = STATUS_NO[Status.FORGOTTEN]

Row = tuple[Any, ...]

OBSERVATION_COLUMNS = "o.body, n.status, o.pinned, n.revision"
ENTITY_COLUMNS = "e.body, n.status, n.revision, e.mentions, e.about"
FACT_COLUMNS = "f.body, n.status, n.revision"
RECORD_COLUMNS = "r.body, n.revision"

_OWN_COLUMNS: dict[type, set[str]] = {
    Observation: {"status", "pinned", "revision"},
    Entity: {"status", "revision", "mentions", "about"},
    Fact: {"status", "revision"},
    Record: {"revision"},
}


def body_of(value: Observation | Entity | Fact | Record) -> str:
    """The value as JSON, without what has a column of its own."""
    return value.model_dump_json(exclude=_OWN_COLUMNS[type(value)])


def observation_from(row: Row) -> Observation:
    """From OBSERVATION_COLUMNS. The columns are joined to the JSON, so that one pass of the parser reads all."""
    body, status, pinned, revision = row
    more = f'"status":"{STATUSES[status]}","pinned":{"true" if pinned else "false"},"revision":{revision}'
    return Observation.model_validate_json(f"{body[:-1]},{more}}}")


def entity_from(row: Row) -> Entity:
    """From ENTITY_COLUMNS."""
    body, status, revision, mentions, about = row
    more = f'"status":"{STATUSES[status]}","revision":{revision},"mentions":{mentions},"about":{about}'
    return Entity.model_validate_json(f"{body[:-1]},{more}}}")


def fact_from(row: Row) -> Fact:
    """From FACT_COLUMNS."""
    body, status, revision = row
    return Fact.model_validate_json(f'{body[:-1]},"status":"{STATUSES[status]}","revision":{revision}}}')


def record_from(row: Row) -> Record:
    """From RECORD_COLUMNS."""
    body, revision = row
    return Record.model_validate_json(f'{body[:-1]},"revision":{revision}}}')


def edge_from(kind: EdgeKind, row: Row) -> Edge:
    """From (source, target, scope, weight, origin, evidence, sentence, nested, note, valid_from, valid_to, revision)."""
    source, target, scope, weight, origin, evidence, sentence, nested, note, valid_from, valid_to, revision = row
    return Edge(
        kind,
        source,
        target,
        scope,
        weight,
        ORIGINS[origin],
        evidence,
        sentence,
        bool(nested),
        note,
        moment(valid_from),
        moment(valid_to),
        revision,
    )


def walked_from(at: str, to: str, hop: Hop, row: Row) -> Walked:
    """From (scope, weight, ...) as in edge_from; the ends are known from the walk."""
    source, target = (at, to) if hop.direction is Direction.OUT else (to, at)
    return Walked(at, to, hop, edge_from(hop.kind, (source, target, *row)))
