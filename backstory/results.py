"""What the client gives back: light frozen values read from the service's JSON; fields it does not know are left out."""

from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar, TypeVar, cast

T = TypeVar("T", bound="Value")


class Value:
    """Base of results. `moments` names the fields that hold times (ISO 8601 on the wire, aware datetimes here)."""

    moments: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def read(cls: type[T], body: dict[str, Any]) -> T:
        known = {name: body[name] for name in names_of(cast(Any, cls)) if name in body}
        for name in cls.moments & known.keys():
            known[name] = moment(known[name])
        return cls(**known)


@lru_cache
def names_of(cls: Any) -> tuple[str, ...]:
    """The field names of a result class."""
    return tuple(one.name for one in fields(cls))


def moment(value: str | None) -> datetime | None:
    """An aware datetime from ISO 8601."""
    return None if value is None else datetime.fromisoformat(value)


@dataclass(frozen=True, slots=True)
class Step(Value):
    """One step of a path. `direction` is `out` along the stored edge, `in` against it."""

    source: str
    target: str
    kind: str
    direction: str
    weight: float
    label: str = ""
    sentence: str = ""
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Hit(Value):
    """A result; `path` leads from the anchor to it and is empty for a direct hit."""

    moments: ClassVar[frozenset[str]] = frozenset({"authored_at"})

    id: str
    text: str
    score: float
    scope: str
    status: str
    key: str = ""
    kind: str = ""
    title: str = ""
    section: str = ""
    authored_at: datetime | None = None
    author: str | None = None
    source: str | None = None
    record: str | None = None
    session: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    path: tuple[Step, ...] = ()
    anchor: str | None = None
    paths: int = 0
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class DatedItem(Value):
    """An entry of a WHEN answer."""

    moments: ClassVar[frozenset[str]] = frozenset({"start", "end"})

    hit: str
    start: datetime
    end: datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class Fact(Value):
    """A triple with the interval in which it held (None: open) and the observations that say so."""

    moments: ClassVar[frozenset[str]] = frozenset({"valid_from", "valid_to", "authored_at"})

    id: str
    subject: str
    predicate: str
    object: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    authored_at: datetime | None = None
    status: str = "active"
    negated: bool = False
    confidence: float = 0.0
    score: float = 0.0
    sentence: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation(Value):
    """A thing remembered."""

    moments: ClassVar[frozenset[str]] = frozenset({"authored_at", "recorded_at", "valid_from", "valid_to"})

    id: str
    scope: str
    text: str
    kind: str = "note"
    title: str = ""
    section: str = ""
    author: str | None = None
    authored_at: datetime | None = None
    recorded_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    session: str | None = None
    source: str | None = None
    status: str = "active"
    pinned: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Receipt(Value):
    """How far an event has come: accepted, stored, recallable, linked, done, or failed (with the reason)."""

    moments: ClassVar[frozenset[str]] = frozenset({"recorded_at", "changed_at"})

    event_id: str
    scope: str
    state: str
    created: bool = True
    attempts: int = 0
    reason: str | None = None
    recorded_at: datetime | None = None
    changed_at: datetime | None = None
    marks: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer(Value):
    """An answer: `intents` most confident first, `results` best first. `degraded` names what did not answer."""

    question: str
    intents: tuple[str, ...]
    results: tuple[Hit, ...]
    dates: tuple[DatedItem, ...] = ()
    facts: tuple[Fact, ...] = ()
    answered: bool = True
    tied: bool = False
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    score_basis: str = "log_odds"
    guesses: tuple[dict[str, Any], ...] = ()
    trace: dict[str, Any] | None = None


def answer(body: dict[str, Any]) -> Answer:
    """An Answer from the service's JSON."""
    lists = {name: tuple(body.get(name) or ()) for name in ("intents", "degraded", "warnings", "guesses")}
    nested = {
        "results": tuple(_hit(one) for one in body.get("results", ())),
        "dates": tuple(DatedItem.read(one) for one in body.get("dates", ())),
        "facts": tuple(Fact.read(one) for one in body.get("facts", ())),
    }
    return Answer.read(body | lists | nested)


def _hit(body: dict[str, Any]) -> Hit:
    return Hit.read(body | {"path": tuple(_step(one) for one in body.get("path", ()))})


def _step(body: dict[str, Any]) -> Step:
    return Step.read(body | {"source": body["from"], "target": body["to"]})


def with_state(first: Receipt, later: Receipt) -> Receipt:
    """The later receipt, still saying whether the first call created the event."""
    return replace(later, created=first.created)
