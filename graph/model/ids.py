"""Deterministic ids: uuid5 over the scope and what makes the thing itself, so that repeating a write changes nothing."""

import hashlib
import json
from typing import Any, NewType
from uuid import UUID, uuid5

EventId = NewType("EventId", str)
ObservationId = NewType("ObservationId", str)
RecordId = NewType("RecordId", str)
EntityId = NewType("EntityId", str)
FactId = NewType("FactId", str)

NAMESPACE = UUID("b7f5a5c2-2f0e-5d0b-9c0e-3a7d1f6e8b41")


def keyed(kind: str, scope: str, *parts: object) -> str:
    """Return the id of one `kind` of thing in `scope`; the parts are joined unambiguously (JSON), so order counts."""
    return str(uuid5(NAMESPACE, json.dumps([kind, scope, *map(str, parts)], ensure_ascii=False)))


def event_id(scope: str, key: str) -> EventId:
    return EventId(keyed("event", scope, key))


def observation_id(event: EventId, scope: str, part: int) -> ObservationId:
    return ObservationId(keyed("observation", scope, event, part))


def record_id(scope: str, key: str) -> RecordId:
    return RecordId(keyed("record", scope, key))


def entity_id(scope: str, type_: str, name_key: str) -> EntityId:
    return EntityId(keyed("entity", scope, type_, name_key))


def fact_id(scope: str, subject: str, predicate: str, object_: str) -> FactId:
    return FactId(keyed("fact", scope, subject, predicate, object_))


def point_id(space: str, scope: str, owner: str, ordinal: int = 0) -> str:
    """Return the id of a vector: its space, its owner and, where an owner has several, which one."""
    return keyed("point:" + space, scope, owner, ordinal)


def content_hash(body: dict[str, Any]) -> str:
    """Return the SHA-256 hex digest of a JSON body with sorted keys: equal bodies, equal digests."""
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
