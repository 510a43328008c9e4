"""Observations are the things remembered; records are the documents, commits, tickets and sessions they are part of."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from graph.model.ids import EventId, ObservationId, RecordId


class ObservationKind(StrEnum):
    DECISION = "decision"
    PREFERENCE = "preference"
    FACT = "fact"
    PROBLEM = "problem"
    MILESTONE = "milestone"
    DISCOVERY = "discovery"
    FEATURE = "feature"
    PLAN = "plan"
    QUESTION = "question"
    CORRECTION = "correction"
    NOTE = "note"


class Status(StrEnum):
    """Every state but `forgotten` can be searched on request; every one can be left again."""

    ACTIVE = "active"
    SNOOZED = "snoozed"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"
    FORGOTTEN = "forgotten"


class Span(BaseModel):
    """Half-open character range [start, end) in an observation's text."""

    model_config = ConfigDict(frozen=True)

    start: int = Field(ge=0)
    end: int = Field(ge=0)

    def of(self, text: str) -> str:
        return text[self.start : self.end]


class Observation(BaseModel):
    """A thing remembered: one passage or turn, at most as long as the embedder reads at once.

    `revision` rises with every change; `priors` holds per intent the log-odds that a passage of this shape is wanted.
    """

    model_config = ConfigDict(frozen=True)

    id: ObservationId
    scope: str
    event_id: EventId
    record_id: RecordId
    key: str
    position: int
    part: int = 0
    kind: ObservationKind = ObservationKind.NOTE
    text: str
    title: str = ""
    section: str = ""
    author: str | None = None
    role: str | None = None
    authored_at: datetime | None = None
    authored_offset: int | None = None
    session: str | None = None
    source: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_at: datetime
    confidence: float = Field(default=1.0, ge=0, le=1)
    importance: float = Field(default=0.5, ge=0, le=1)
    status: Status = Status.ACTIVE
    pinned: bool = False
    revision: int = 1
    sentences: tuple[Span, ...] = ()
    priors: dict[str, float] = Field(default_factory=dict)
    marks: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)


class Record(BaseModel):
    """What observations are part of. `identifiers` are the names by which other texts cite it."""

    model_config = ConfigDict(frozen=True)

    id: RecordId
    scope: str
    key: str
    kind: str = "document"
    title: str = ""
    identifiers: tuple[str, ...] = ()
    author: str | None = None
    authored_at: datetime | None = None
    source: str | None = None
    revision: int = 1
