"""Values for tests, with only the interesting fields given."""

from datetime import datetime
from typing import Any

from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Entity, Fact
from graph.model.events import Event, EventDraft
from graph.model.ids import EventId, content_hash, event_id
from graph.model.observations import Observation, Record
from graph.text.names import name_key
from tests.support.clock import START


def event(key: str = "k", *, text: str = "text", scope: str = "s", recorded_at: datetime = START, **fields: Any) -> Event:
    draft = EventDraft(text=text, scope=scope, **fields)
    return Event(
        id=event_id(scope, key),
        key=key,
        body_hash=content_hash(draft.model_dump(mode="json")),
        recorded_at=recorded_at,
        draft=draft,
    )


def observation(id_: str, *, scope: str = "s", text: str = "text", **fields: Any) -> Observation:
    defaults: dict[str, Any] = {
        "event_id": EventId("event-" + id_),
        "record_id": "record",
        "key": id_,
        "position": 0,
        "recorded_at": START,
    }
    return Observation(id=id_, scope=scope, text=text, **(defaults | fields))


def entity(id_: str, name: str = "Name", *, scope: str = "s", **fields: Any) -> Entity:
    return Entity(id=id_, scope=scope, name=name, name_key=name_key(name), **fields)


def fact(id_: str, *, scope: str = "s", **fields: Any) -> Fact:
    defaults: dict[str, Any] = {"subject": "a", "predicate": "uses", "phrase": "uses", "object": "b", "recorded_at": START}
    return Fact(id=id_, scope=scope, **(defaults | fields))


def record(id_: str, *, scope: str = "s", **fields: Any) -> Record:
    return Record(id=id_, scope=scope, key=id_, **fields)


def edge(kind: EdgeKind, source: str, target: str, *, scope: str = "s", **fields: Any) -> Edge:
    return Edge(kind, source, target, scope, **fields)
