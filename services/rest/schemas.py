"""What REST callers send, and examples of it for the OpenAPI document."""

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from graph.model.events import EventDraft, Receipt, ReceiptState
from graph.model.observations import Status
from graph.model.questions import Question
from graph.model.scopes import DEFAULT_SCOPE, Scope

STRICT = ConfigDict(frozen=True, extra="forbid")
MAX_IDS = 10_000

DRAFT_EXAMPLE: dict[str, Any] = {
    "text": "We moved the billing service to Postgres because the nightly vacuum of the old store blocked invoices.",
    "scope": "global",
    "author": "ana",
    "authored_at": "2026-03-02T09:30:00+01:00",
    "session": "standup-2026-03-02",
    "record": "notes/2026-03-02.md",
    "source": "notes/2026-03-02.md",
}
QUESTION_EXAMPLE: dict[str, Any] = {"text": "Why did we move billing to Postgres?", "scopes": ["global"], "limit": 5}


class EventsIn(BaseModel):
    """A batch of things to remember; all are taken or none."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra={"examples": [{"events": [DRAFT_EXAMPLE]}]})

    events: list[EventDraft] = Field(min_length=1)


class ReceiptsOut(BaseModel):
    receipts: list[Receipt]


class WaitIn(BaseModel):
    """Receipts to wait for: until all have come to `state` or failed, or `timeout` seconds."""

    model_config = STRICT

    ids: list[str] = Field(min_length=1, max_length=MAX_IDS)
    state: ReceiptState = ReceiptState.DONE
    timeout: float = Field(default=10.0, ge=0)


class StatusIn(BaseModel):
    """Items of one scope to move to a state; `active` restores."""

    model_config = STRICT

    scope: Scope = DEFAULT_SCOPE
    ids: list[str] = Field(min_length=1, max_length=MAX_IDS)
    status: Status
    reason: str = Field(default="", max_length=2048)


class PinIn(BaseModel):
    model_config = STRICT

    scope: Scope = DEFAULT_SCOPE
    ids: list[str] = Field(min_length=1, max_length=MAX_IDS)
    pinned: bool = True


class ReplayIn(BaseModel):
    """Dead letters to queue again: those named, or all of the scopes."""

    model_config = STRICT

    ids: list[str] | None = Field(default=None, max_length=MAX_IDS)
    scopes: list[Scope] | None = None


class ContextIn(BaseModel):
    """What a hook asks: the block for a prompt, or, without one, for a session's start."""

    model_config = STRICT

    prompt: str | None = Field(default=None, max_length=200_000)
    scopes: list[Scope] | None = Field(default=None, min_length=1)
    session: str | None = Field(default=None, max_length=512)
    profile: Literal["speed", "balanced", "deep"] = "balanced"


class RecallIn(Question):
    """A question, and the rule profile that routes it; without a profile it goes the ordinary way."""

    profile: Literal["router-7", "router-13", "router-modes"] | None = None


class SearchIn(Question):
    """A question to one backend, by its name (keyword, vector, hybrid, graph, recent, decisions, observations) or an alias."""

    backend: str = Field(default="hybrid", max_length=64)


class RebuildIn(BaseModel):
    model_config = STRICT

    part: Literal["all", "links"] = "all"


ScopesQuery = Annotated[
    list[Scope] | None,
    Query(alias="scope", description="Scope to look in; may be repeated. Default: the default scope."),
]
LimitQuery = Annotated[int, Query(ge=1, le=1000)]
