"""Entities (who and what was involved) and facts (subject, predicate, object, with validity and evidence)."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from graph.model.ids import EntityId, FactId, ObservationId
from graph.model.observations import Status


class EntityType(StrEnum):
    PERSON = "person"
    ORGANISATION = "organisation"
    PROJECT = "project"
    SERVICE = "service"
    TOOL = "tool"
    CONCEPT = "concept"
    LOCATION = "location"
    DOCUMENT = "document"
    EVENT = "event"
    TOPIC = "topic"
    OTHER = "other"


class Entity(BaseModel):
    """A named thing of one scope.

    `name_key` is the folded form by which text is matched (graph.text.names); `mentions` and `about` count the
    observations that name it and that define it, as of the last link step.
    """

    model_config = ConfigDict(frozen=True)

    id: EntityId
    scope: str
    name: str
    name_key: str
    type: EntityType = EntityType.OTHER
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    about: int = 0
    status: Status = Status.ACTIVE
    revision: int = 1


class Fact(BaseModel):
    """An SPO triple. `predicate` is normalised, `phrase` the words of the text; the object may be an entity or a literal.

    A functional predicate holds one value at a time: a newer value closes `valid_to` of the older.
    """

    model_config = ConfigDict(frozen=True)

    id: FactId
    scope: str
    subject: str
    subject_id: EntityId | None = None
    predicate: str
    phrase: str
    object: str
    object_id: EntityId | None = None
    functional: bool = False
    negated: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    authored_at: datetime | None = None
    recorded_at: datetime
    confidence: float = Field(default=0.5, ge=0, le=1)
    evidence: tuple[ObservationId, ...] = ()
    status: Status = Status.ACTIVE
    revision: int = 1

    @property
    def sentence(self) -> str:
        """The triple as words, for embedding and for reading."""
        return f"{self.subject} {self.phrase} {self.object}".strip()
