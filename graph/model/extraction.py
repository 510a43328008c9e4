"""What an extractor is given and what it returns. Spans are character ranges in the passage's text."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from graph.model.entities import EntityType
from graph.model.ids import ObservationId
from graph.model.observations import ObservationKind, Span
from graph.model.times import Granularity

FROZEN = ConfigDict(frozen=True)


class Passage(BaseModel):
    """One observation as the extractor sees it, with what it needs to read it in context."""

    model_config = FROZEN

    id: ObservationId
    text: str
    title: str = ""
    section: str = ""
    author: str | None = None
    role: str | None = None
    authored_at: datetime | None = None
    authored_offset: int | None = None
    previous: str = ""


class RelationKind(StrEnum):
    CAUSE = "cause"
    PURPOSE = "purpose"
    REACTION = "reaction"
    CONDITION = "condition"
    ENABLEMENT = "enablement"
    PREVENTION = "prevention"


class CausalClaim(BaseModel):
    """`cause` and `effect` as the text states them. `strict` claims become CAUSES edges; wide ones only help recall.

    `likely` ones are held for causal by the profile that stores, strict or on a cue too weak to store.

    `cause_text` and `effect_text` are readable forms (they may complete an ellipsis); the spans stay exact. A span of the
    previous passage is None.
    """

    model_config = FROZEN

    cause: Span | None
    effect: Span | None
    cause_text: str
    effect_text: str
    cue: str
    kind: RelationKind = RelationKind.CAUSE
    sentence: int
    confidence: float = Field(ge=0, le=1)
    strict: bool = True
    likely: bool = True
    negated: bool = False
    hypothetical: bool = False


class Triple(BaseModel):
    model_config = FROZEN

    subject: str
    predicate: str
    phrase: str
    object: str
    sentence: int
    confidence: float = Field(ge=0, le=1)
    functional: bool = False
    negated: bool = False
    hypothetical: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None


class NameSeen(BaseModel):
    """A name in the text; `defines` when the passage is about it ("X is a ...", a title)."""

    model_config = FROZEN

    text: str
    type: EntityType
    sentence: int
    span: Span | None
    defines: bool = False
    aliases: tuple[str, ...] = ()


class TimeMention(BaseModel):
    """A time expression resolved against authored_at: [start, end) in UTC, None where it cannot be known."""

    model_config = FROZEN

    text: str
    span: Span
    sentence: int
    start: datetime | None
    end: datetime | None
    granularity: Granularity | None


class ReferenceKind(StrEnum):
    CITES = "cites"
    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded_by"
    REVERTS = "reverts"
    REQUIRES = "requires"


class Reference(BaseModel):
    """Another record named by its identifier ("PEP 495", "#2618", a commit's sha)."""

    model_config = FROZEN

    kind: ReferenceKind
    identifier: str
    span: Span | None
    sentence: int


class Decision(BaseModel):
    model_config = FROZEN

    decided: str
    alternatives: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    status: str = "decided"
    sentence: int


class Extraction(BaseModel):
    """All that was found in one passage. `priors` per intent are log-odds that a passage of this shape is wanted."""

    model_config = FROZEN

    id: ObservationId
    sentences: tuple[Span, ...]
    kind: ObservationKind = ObservationKind.NOTE
    confidence: float = Field(default=0.5, ge=0, le=1)
    decisions: tuple[Decision, ...] = ()
    causes: tuple[CausalClaim, ...] = ()
    triples: tuple[Triple, ...] = ()
    names: tuple[NameSeen, ...] = ()
    times: tuple[TimeMention, ...] = ()
    references: tuple[Reference, ...] = ()
    priors: dict[str, float] = Field(default_factory=dict)
    marks: dict[str, Any] = Field(default_factory=dict)
