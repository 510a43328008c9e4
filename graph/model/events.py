"""An event is what was received, as it was received; a receipt says how far the work on it has come."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from graph.model.ids import EventId
from graph.model.scopes import DEFAULT_SCOPE, Scope

MAX_TEXT_CHARS = 20_000_000


def well_formed(value: Any) -> Any:
    """A string with surrogate pairs joined and lone surrogates replaced by U+FFFD; anything else unchanged."""
    if not isinstance(value, str) or value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


Text = Annotated[str, BeforeValidator(well_formed)]


class EventDraft(BaseModel):
    """What a door hands over. Only `text` is required; unknown fields are refused.

    `key` is the caller's idempotency key (default: the hash of the body); `record` names the document, commit, ticket or
    session that this is part of, `position` its place there; `identifiers` are the record's own names ("PEP 208", "#12").
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Text
    scope: Scope = DEFAULT_SCOPE
    key: Text | None = Field(default=None, max_length=512)
    author: Text | None = Field(default=None, max_length=512)
    role: Text | None = Field(default=None, max_length=64)
    authored_at: datetime | None = None
    session: Text | None = Field(default=None, max_length=512)
    record: Text | None = Field(default=None, max_length=1024)
    record_kind: Text = Field(default="document", max_length=64)
    identifiers: tuple[Text, ...] = ()
    position: int | None = None
    title: Text | None = Field(default=None, max_length=2048)
    section: Text | None = Field(default=None, max_length=2048)
    source: Text | None = Field(default=None, max_length=2048)
    metadata: dict[str, Any] = Field(default_factory=dict)


class Event(BaseModel):
    """A validated draft with its identity. `authored_at` is UTC or unknown (None), never "now"."""

    model_config = ConfigDict(frozen=True)

    id: EventId
    key: str
    body_hash: str
    recorded_at: datetime
    authored_offset: int | None = None
    draft: EventDraft

    @property
    def scope(self) -> str:
        return self.draft.scope


class ReceiptState(StrEnum):
    """How far an event has come; in this order, and never backwards except by replay."""

    ACCEPTED = "accepted"
    STORED = "stored"
    RECALLABLE = "recallable"
    LINKED = "linked"
    DONE = "done"
    FAILED = "failed"


class Step(StrEnum):
    """The next piece of background work on an event; in this order.

    PROJECT makes it recallable (graph.ingest.Projector), EXTRACT reads out what it says (graph.link.Annotator), LINK joins
    it to what is already known (graph.link.Linker).
    """

    PROJECT = "project"
    EXTRACT = "extract"
    LINK = "link"


class Receipt(BaseModel):
    """The state of one event. `created` is False when the same key and body had been taken in before."""

    model_config = ConfigDict(frozen=True)

    event_id: EventId
    scope: str
    state: ReceiptState
    created: bool = True
    attempts: int = 0
    reason: str | None = None
    recorded_at: datetime
    changed_at: datetime
    marks: dict[str, Any] = Field(default_factory=dict)


class Work(BaseModel):
    """A leased piece of work. Whoever holds it must settle it before `leased_until`, or another may take it."""

    model_config = ConfigDict(frozen=True)

    event_id: EventId
    scope: str
    step: Step
    attempts: int
    leased_until: datetime
    lease: str
