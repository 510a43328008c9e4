"""What doors send: domain values as JSON-ready tables, the same on every door."""

from collections.abc import Iterable
from typing import Any

from pydantic_core import to_json

from graph.model.edges import Walked
from graph.model.entities import Entity, Fact
from graph.model.events import Receipt
from graph.model.observations import Observation
from graph.model.questions import Answer

INTERNAL = {"priors", "sentences"}  # of an observation: what the memory keeps for itself


def answer(value: Answer) -> dict[str, Any]:
    """An answer. `intents` are names, most confident first; `guesses` say what fired and for which clause."""
    body = value.model_dump(mode="json", by_alias=True)
    guesses = body.pop("intents")
    return {"intents": [guess["intent"] for guess in guesses], "guesses": guesses, **body}


def receipt(value: Receipt) -> dict[str, Any]:
    return value.model_dump(mode="json")


def receipts(values: Iterable[Receipt]) -> dict[str, Any]:
    return {"receipts": [receipt(value) for value in values]}


def observation(value: Observation) -> dict[str, Any]:
    return value.model_dump(mode="json", exclude=INTERNAL)


def entity(value: Entity) -> dict[str, Any]:
    return value.model_dump(mode="json")


def fact(value: Fact) -> dict[str, Any]:
    return value.model_dump(mode="json") | {"sentence": value.sentence}


def link(walked: Walked) -> dict[str, Any]:
    """An edge as seen from the item shown: `direction` is `out` along the stored edge, `in` against it."""
    edge = walked.edge
    return {
        "from": walked.at,
        "to": walked.to,
        "kind": edge.kind.value,
        "direction": walked.hop.direction.value,
        "weight": edge.weight,
        "origin": edge.origin.value,
        "evidence": edge.evidence,
        "note": edge.note,
    }


def encoded(body: Any) -> bytes:
    """UTF-8 JSON; numbers that JSON cannot say become null."""
    return to_json(body, inf_nan_mode="null", by_alias=True)
