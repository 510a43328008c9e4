"""Facts: triples kept once with all their evidence, and the edges that tie them to entities and observations."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Entity, Fact
from graph.model.extraction import CausalClaim, RelationKind, Triple
from graph.model.ids import FactId, fact_id
from graph.model.observations import Observation
from graph.text.names import name_key

CAUSAL = {  # predicates of claims; a purpose or a condition is no fact
    RelationKind.CAUSE: "caused",
    RelationKind.REACTION: "caused",
    RelationKind.ENABLEMENT: "enabled",
    RelationKind.PREVENTION: "prevented",
}
CAUSAL_PREDICATES = frozenset(CAUSAL.values())
MAX_FACTS = 48  # facts kept of one observation, the most certain first
NOTE_CHARS = 200
MIN_WEIGHT = 1e-4
TEAM = "we"
FIRST_PERSON = frozenset({"i", "me", "my", "mine", "myself"})
FIRST_PERSONS = frozenset({"we", "us", "our", "ours", "ourselves"})
UNCLEAR = frozenset(
    "you your yours he him his she her hers it its they them their theirs this that these those who whom which what there one "
    "someone something everyone everything anyone anything nobody nothing".split()
)


def subject_of(triple: Triple, observation: Observation) -> str:
    """The subject as kept: the author for "I" where one is known, "we" for all forms of the team, else the text's words."""
    key = name_key(triple.subject)
    if key in FIRST_PERSONS:
        return TEAM
    speaker = observation.author or (observation.role if observation.role == "user" else None)
    return speaker if speaker and key in FIRST_PERSON else triple.subject


def stated(observation: Observation, triples: Sequence[Triple], causes: Sequence[CausalClaim]) -> list[Fact]:
    """The facts that one observation asserts, without their entities: strict causes first, then triples by confidence."""
    told = [claim for claim in causes if claim.strict and claim.kind in CAUSAL and not (claim.negated or claim.hypothetical)]
    claims = [claim for claim in told if _keepable(claim.cause_text, claim.effect_text)]
    certain = sorted((t for t in triples if not t.hypothetical), key=lambda t: (-t.confidence, t.sentence))
    facts = [_of_claim(observation, claim) for claim in claims]
    facts += [_of_triple(observation, t) for t in certain if _keepable(subject_of(t, observation), t.object)]
    return united(facts)[:MAX_FACTS]


def _keepable(subject: str, object_: str) -> bool:
    return bool(name_key(subject)) and bool(name_key(object_)) and name_key(subject) not in UNCLEAR


def identity(scope: str, subject: str, predicate: str, object_: str, *, negated: bool, run: int = 0) -> FactId:
    """The id of a fact; a denial is another fact, and so is a value that comes back after it was given up."""
    again = f" #{run + 1}" if run else ""
    return fact_id(scope, name_key(subject), ("not " if negated else "") + predicate, name_key(object_) + again)


def _of_triple(observation: Observation, triple: Triple) -> Fact:
    subject = subject_of(triple, observation)
    return Fact(
        id=identity(observation.scope, subject, triple.predicate, triple.object, negated=triple.negated),
        scope=observation.scope,
        subject=subject,
        predicate=triple.predicate,
        phrase=triple.phrase,
        object=triple.object,
        functional=triple.functional,
        negated=triple.negated,
        valid_from=triple.valid_from,
        valid_to=triple.valid_to,
        authored_at=observation.authored_at,
        recorded_at=observation.recorded_at,
        confidence=triple.confidence,
        evidence=(observation.id,),
    )


def _of_claim(observation: Observation, claim: CausalClaim) -> Fact:
    predicate = CAUSAL[claim.kind]
    return Fact(
        id=identity(observation.scope, claim.cause_text, predicate, claim.effect_text, negated=False),
        scope=observation.scope,
        subject=claim.cause_text,
        predicate=predicate,
        phrase=predicate,
        object=claim.effect_text,
        authored_at=observation.authored_at,
        recorded_at=observation.recorded_at,
        confidence=claim.confidence,
        evidence=(observation.id,),
    )


def united(facts: Iterable[Fact]) -> list[Fact]:
    """One fact per id, in the order of first appearance, each with the evidence of all."""
    kept: dict[str, Fact] = {}
    for fact in facts:
        kept[fact.id] = merged(kept[fact.id], fact) if fact.id in kept else fact
    return list(kept.values())


def merged(one: Fact, other: Fact) -> Fact:
    """Two tellings of one fact as one; the same whichever comes first, and when a telling is told again."""
    first = min(one, other, key=lambda fact: (fact.subject, fact.phrase, fact.object))
    return first.model_copy(
        update={
            "subject_id": one.subject_id or other.subject_id,
            "object_id": one.object_id or other.object_id,
            "functional": one.functional or other.functional,
            "valid_from": _first(min, one.valid_from, other.valid_from),
            "valid_to": _first(min, one.valid_to, other.valid_to),
            "authored_at": _first(min, one.authored_at, other.authored_at),
            "recorded_at": min(one.recorded_at, other.recorded_at),
            "confidence": max(one.confidence, other.confidence),
            "evidence": tuple(sorted({*one.evidence, *other.evidence})),
            "status": one.status,
            "revision": max(one.revision, other.revision),
        }
    )


def _first(choose: Callable[..., datetime], *moments: datetime | None) -> datetime | None:
    known = [moment for moment in moments if moment is not None]
    return choose(known) if known else None


def with_entities(fact: Fact, find: Callable[[str], Entity | None]) -> Fact:
    """The fact with the entities that its subject and object name, where each is known and clear."""
    if fact.predicate in CAUSAL_PREDICATES:
        return fact
    subject, object_ = find(fact.subject), find(fact.object)
    return fact.model_copy(update={"subject_id": subject and subject.id, "object_id": object_ and object_.id})


def edges_of(fact: Fact, source: str) -> list[Edge]:
    """EVIDENCE to the observation that states it, with the interval stated there, and SUBJECT and OBJECT where known."""
    begin, end = fact.valid_from, fact.valid_to
    weight = max(fact.confidence, MIN_WEIGHT)
    edges = [Edge(EdgeKind.EVIDENCE, fact.id, source, fact.scope, weight, evidence=source, valid_from=begin, valid_to=end)]
    for kind, id_, words in ((EdgeKind.SUBJECT, fact.subject_id, fact.subject), (EdgeKind.OBJECT, fact.object_id, fact.object)):
        if id_:
            edges.append(Edge(kind, fact.id, id_, fact.scope, evidence=source, note=words[:NOTE_CHARS]))
    return edges
