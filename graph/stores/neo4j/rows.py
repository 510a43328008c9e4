"""Nodes and edges as properties: what is filtered or changes on its own is a property, the rest one JSON body."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graph.model.edges import Edge, EdgeKind, Origin
from graph.model.entities import Entity, Fact
from graph.model.observations import Observation, Record
from graph.model.times import from_micros, to_micros
from graph.text.names import identifier_key, name_key
from graph.text.phrases import indexed_words

_OWN: dict[type, set[str]] = {
    Observation: {"status", "pinned", "revision"},
    Entity: {"status", "revision", "mentions", "about", "aliases"},
    Fact: {"status", "revision", "evidence"},
    Record: {"revision"},
}


def observation_row(value: Observation) -> dict[str, Any]:
    return _row(value) | {
        "own": {"pinned": value.pinned},
        "props": _timed(value)
        | {
            "record_id": value.record_id,
            "position": value.position,
            "part": value.part,
            "session": value.session,
            "author": value.author,
            "words": indexed_words(value.text),
        },
    }


def entity_row(value: Entity) -> dict[str, Any]:
    keys = sorted({value.name_key, *(name_key(alias) for alias in value.aliases)})
    return _row(value) | {
        "own": {"mentions": value.mentions, "about": value.about},
        "props": {"name_key": value.name_key},
        "many": list(value.aliases),
        "keys": keys,
    }


def fact_row(value: Fact) -> dict[str, Any]:
    return _row(value) | {
        "own": {},
        "props": _timed(value) | {"subject_id": value.subject_id, "object_id": value.object_id, "predicate": value.predicate},
        "many": list(value.evidence),
        "keys": [],
    }


def record_row(value: Record) -> dict[str, Any]:
    return _row(value) | {"own": {}, "props": {}, "keys": sorted({identifier_key(name) for name in value.identifiers})}


def observation_from(n: Mapping[str, Any]) -> Observation:
    return Observation.model_validate_json(_joined(n, {"pinned": n["pinned"]}))


def entity_from(n: Mapping[str, Any]) -> Entity:
    return Entity.model_validate_json(
        _joined(n, {"mentions": n["mentions"], "about": n["about"], "aliases": n.get("many") or []})
    )


def fact_from(n: Mapping[str, Any]) -> Fact:
    return Fact.model_validate_json(_joined(n, {"evidence": n.get("many") or []}))


def record_from(n: Mapping[str, Any]) -> Record:
    return Record.model_validate_json(f'{n["body"][:-1]},"revision":{n["revision"]}}}')


def edge_row(edge: Edge) -> dict[str, Any]:
    """`key` is unique among the edges of one kind."""
    return {
        "source": edge.source,
        "target": edge.target,
        "key": f"{edge.source}|{edge.target}|{edge.scope}",
        "revision": edge.revision,
        "props": {
            "scope": edge.scope,
            "weight": edge.weight,
            "origin": edge.origin.value,
            "evidence": edge.evidence,
            "sentence": edge.sentence,
            "nested": edge.nested,
            "note": edge.note,
            "valid_from": micros(edge.valid_from),
            "valid_to": micros(edge.valid_to),
            "revision": edge.revision,
        },
    }


def edge_from(kind: EdgeKind, source: str, target: str, r: Mapping[str, Any], weight: float) -> Edge:
    return Edge(
        kind,
        source,
        target,
        r["scope"],
        weight,
        Origin(r["origin"]),
        r.get("evidence"),
        r["sentence"],
        r["nested"],
        r["note"],
        moment(r.get("valid_from")),
        moment(r.get("valid_to")),
        r["revision"],
    )


def micros(value: datetime | None) -> int | None:
    return None if value is None else to_micros(value)


def moment(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)


def _row(value: Observation | Entity | Fact | Record) -> dict[str, Any]:
    body = value.model_dump_json(exclude=_OWN[type(value)])
    body.encode("utf-8")
    status = getattr(value, "status", None)
    return {
        "id": value.id,
        "scope": value.scope,
        "revision": value.revision,
        "status": None if status is None else status.value,
        "body": body,
    }


def _timed(value: Observation | Fact) -> dict[str, Any]:
    return {name: micros(getattr(value, name)) for name in ("authored_at", "valid_from", "valid_to")}


def _joined(n: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """The body with the properties that change on their own, as one JSON text."""
    more = json.dumps({"status": n["status"], "revision": n["revision"]} | dict(own), ensure_ascii=False)
    return f"{n['body'][:-1]},{more[1:]}"
