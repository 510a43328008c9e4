"""Questions, and answers with the path that led to each hit."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from graph.model.edges import Direction, EdgeKind
from graph.model.events import Text
from graph.model.scopes import Scope
from graph.model.times import Window

FROZEN = ConfigDict(frozen=True)
MAX_QUESTION_CHARS = 8_000  # reading and embedding a question grows with its length


class Intent(StrEnum):
    WHY = "WHY"
    WHEN = "WHEN"
    ENTITY = "ENTITY"
    WHAT = "WHAT"


class IntentGuess(BaseModel):
    """One intent of a question; `clause` is the part of the question that asks it, `fired` the rule that said so."""

    model_config = FROZEN

    intent: Intent
    confidence: float = Field(ge=0, le=1)
    fired: str
    clause: str


class Question(BaseModel):
    """`asked_at` is the asker's clock, aware; None means the service's. `without` switches legs or edge kinds off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Text = Field(max_length=MAX_QUESTION_CHARS)
    scopes: tuple[Scope, ...] | None = None
    intent: Intent | None = None
    limit: int = Field(default=10, ge=1, le=200)
    asked_at: datetime | None = None
    window: Window | None = None
    as_of: datetime | None = None
    session: Text | None = None
    author: Text | None = None
    include_inactive: bool = False
    without: frozenset[str] = frozenset()
    trace: bool = False


class PathStep(BaseModel):
    """One edge on the way from anchor to hit: `direction` is `out` along the stored edge, `in` against it.

    `label` and `sentence` make it readable: the entity's name, or the words that state the edge.
    """

    model_config = FROZEN

    source: str = Field(serialization_alias="from")
    target: str = Field(serialization_alias="to")
    kind: EdgeKind
    direction: Direction
    weight: float
    label: str = ""
    sentence: str = ""
    evidence: str | None = None


class Hit(BaseModel):
    """A result. `score` is a log-odds of being wanted; `path` is empty for a direct hit."""

    model_config = FROZEN

    id: str
    key: str
    text: str
    score: float
    kind: str
    title: str = ""
    section: str = ""
    authored_at: datetime | None = None
    author: str | None = None
    source: str | None = None
    record: str | None = None
    session: str | None = None
    scope: str
    status: str
    metadata: dict[str, Any] = Field(default_factory=dict)
    path: tuple[PathStep, ...] = ()
    anchor: str | None = None
    paths: int = 0
    explanation: str = ""
    breakdown: dict[str, float] = Field(default_factory=dict)


class DatedItem(BaseModel):
    """An entry of a WHEN answer: the date, how exact it is, and the hit that says so."""

    model_config = FROZEN

    hit: str
    start: datetime
    end: datetime | None
    text: str


class FactLine(BaseModel):
    """A fact as answered: the triple, its interval and its evidence."""

    model_config = FROZEN

    id: str
    subject: str
    predicate: str
    object: str
    valid_from: datetime | None
    valid_to: datetime | None
    status: str
    score: float = 0.0
    evidence: tuple[str, ...] = ()


class Answer(BaseModel):
    """Results best first. `degraded` names legs that did not answer; `answered` is False when nothing is good enough."""

    model_config = FROZEN

    question: str
    intents: tuple[IntentGuess, ...]
    window: Window | None = None
    results: tuple[Hit, ...]
    dates: tuple[DatedItem, ...] = ()
    facts: tuple[FactLine, ...] = ()
    answered: bool = True
    tied: bool = False
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    score_basis: str = "log_odds"
    trace: dict[str, Any] | None = None
    ms: dict[str, float] = Field(default_factory=dict)
