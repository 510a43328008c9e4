"""The reply that is asked for, and its validation. What is not of this shape is no reply."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.model.entities import EntityType
from graph.model.extraction import RelationKind
from graph.model.observations import ObservationKind

_LENIENT = ConfigDict(frozen=True, extra="ignore")
MAX_ITEMS = 64  # of one list
MAX_CHARS = 2000  # of one string


class Cause(BaseModel):
    model_config = _LENIENT

    cause: str = Field(max_length=MAX_CHARS)
    effect: str = Field(max_length=MAX_CHARS)
    cue: str = Field(default="", max_length=MAX_CHARS)
    kind: RelationKind = RelationKind.CAUSE


class Decided(BaseModel):
    model_config = _LENIENT

    decided: str = Field(max_length=MAX_CHARS)
    alternatives: list[str] = Field(default_factory=list, max_length=MAX_ITEMS)
    reasons: list[str] = Field(default_factory=list, max_length=MAX_ITEMS)
    status: Literal["decided", "accepted", "rejected", "withdrawn", "deferred", "superseded", "reverted", "proposed"] = (
        "decided"
    )


class Stated(BaseModel):
    model_config = _LENIENT

    subject: str = Field(max_length=MAX_CHARS)
    phrase: str = Field(max_length=MAX_CHARS)
    object: str = Field(max_length=MAX_CHARS)


class Named(BaseModel):
    model_config = _LENIENT

    text: str = Field(max_length=MAX_CHARS)
    type: EntityType = EntityType.OTHER


class PassageReply(BaseModel):
    """What was read in the passage with this number."""

    model_config = _LENIENT

    passage: int = Field(ge=0)
    kind: ObservationKind | None = None
    decisions: list[Decided] = Field(default_factory=list, max_length=MAX_ITEMS)
    causes: list[Cause] = Field(default_factory=list, max_length=MAX_ITEMS)
    triples: list[Stated] = Field(default_factory=list, max_length=MAX_ITEMS)
    names: list[Named] = Field(default_factory=list, max_length=MAX_ITEMS)


class Reply(BaseModel):
    model_config = _LENIENT

    passages: list[PassageReply]


def schema() -> dict[str, Any]:
    """The JSON schema of a reply."""
    return Reply.model_json_schema()


def parsed(text: str) -> Reply | None:
    """The reply in a model's text, which may stand in a code fence; None when it is not of the wanted shape."""
    body = text.strip()
    if body.startswith("```"):
        body = body.split("\n", 1)[-1].rsplit("```", 1)[0]
    try:
        return Reply.model_validate_json(body)
    except ValidationError:
        return None
