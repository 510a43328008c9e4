"""A made memory of any size for measuring speed: texts, vectors, names, facts and edges in the proportions of real ones.

Vectors lie around the embeddings of some hundred made sentences, so that real questions land among them; embedding a million
texts would take a day. Everything is written through the product's own stores. Seeded.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zlib import crc32

import numpy as np
import numpy.typing as npt

from graph.model import ids
from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Entity, EntityType, Fact
from graph.model.observations import Observation, ObservationKind, Record, Span
from graph.model.points import Point, Space, Vector
from graph.ports import Embedder
from graph.ports.graph import GraphBatch
from graph.text.names import name_key
from graph.text.terms import document_sparse

SEED = 20261130
MAIN, SIDE = "work", "side"
SIDE_SHARE = 0.1  # of observations that belong to the small scope
PER_RECORD = 8  # observations in a record
NAMES = 4  # names mentioned by an observation
ENTITY_SHARE = 0.3  # entities per observation
SIMILAR = 8
CAUSAL_SHARE, FACT_SHARE = 0.1, 0.4  # of observations
NOISE = 0.75  # length of the noise added to a unit vector
START = datetime(2020, 1, 1, tzinfo=UTC)
MINUTES = 20  # between observations

ACTIONS = (
    "moved to a smaller cluster|lost its lease twice|was rewritten in another language|ran out of disk space|dropped old "
    "messages|got a second replica|was put behind the gateway|failed its nightly backup|started to time out|was handed to the "
    "platform team|doubled its memory|stopped accepting uploads|was rolled back on Friday|got a cache in front of it|leaked "
    "connections|was split in two|hit the rate limit|moved to another region|got a new owner|was frozen for the audit"
).split("|")
REASONS = (
    "the disks were full|a certificate had expired|the budget was cut|customers complained about the delay|the index had grown "
    "too large|two writers held the same lock|the vendor raised its price|a migration had been skipped|the queue fell behind|"
    "the old library was abandoned|nobody owned the alerts|a deploy went out untested|the review asked for it|traffic had "
    "tripled since spring|the schema had drifted"
).split("|")
FORMS = ("{a} {action} because {reason}", "{reason}, so {a} {action}", "{a} {action} together with {b}", "{a} depends on {b}")
SYLLABLES = "ka lo mi ren tas vor zel qui bar den fos gru hal jin kel lum nar pol ris sten tor ul vex wen yar zu".split()

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Batch:
    graph: GraphBatch
    points: list[Point]


def name_of(entity: int) -> str:
    """A made name, one for each number."""
    digits = []
    rest = entity
    for _ in range(4):
        rest, digit = divmod(rest, len(SYLLABLES))
        digits.append(SYLLABLES[digit])
    return ("".join(digits[:2]) + " " + "".join(digits[2:])).title() + (f" {rest}" if rest else "")


class Made:
    """The memory of `size` observations, batch by batch."""

    def __init__(self, size: int, embedder: Embedder) -> None:
        self.size = size
        self._random = np.random.default_rng(SEED)
        self.topics = [(action, reason) for action in ACTIONS for reason in REASONS]
        self._centres = embedder.embed(
            [f"The service {action} because {reason}." for action, reason in self.topics]
            + [f"The service {action}." for action, _ in self.topics]
        )
        self._entities = max(int(size * ENTITY_SHARE), 50)
        ranks = self._random.zipf(1.35, size=(size, NAMES)) - 1
        spread = self._random.integers(0, self._entities, size=(size, NAMES))
        self.names: Ints = np.where(ranks < self._entities // 50, ranks, spread)  # a few common ones, most rare
        self.topic: Ints = self._random.integers(0, len(self.topics), size)
        self._mentions = np.bincount(self.names.ravel(), minlength=self._entities)
        self._about = self._random.integers(0, size, self._entities)  # the observation that defines each entity
        self._defines: dict[int, list[int]] = {}
        for entity, observation in enumerate(self._about.tolist()):
            self._defines.setdefault(observation, []).append(entity)
        order = np.argsort(self.topic, kind="stable")
        self._alike = order
        self._place = np.empty(size, np.int64)
        self._place[order] = np.arange(size)
        self._ids: dict[tuple[int, str], ids.EntityId] = {}

    def batches(self, length: int) -> Iterator[Batch]:
        for start in range(0, self.size, length):
            yield self._batch(range(start, min(start + length, self.size)))

    def scope(self, number: int) -> str:
        """Whole records belong to one scope."""
        return SIDE if (number // PER_RECORD) % int(1 / SIDE_SHARE) == 0 else MAIN

    def id(self, number: int) -> ids.ObservationId:
        return ids.observation_id(ids.EventId(f"event-{number}"), self.scope(number), 0)

    def entity(self, entity: int, scope: str) -> ids.EntityId:
        if (entity, scope) not in self._ids:
            self._ids[entity, scope] = ids.entity_id(scope, EntityType.SERVICE.value, name_key(name_of(entity)))
        return self._ids[entity, scope]

    def sentences(self, number: int) -> list[str]:
        """Two to six; 3.6 on average, as in the sets that retrieval was measured on."""
        action, reason = self.topics[self.topic[number]]
        pick = np.random.default_rng(SEED + number)
        count = int(pick.choice([2, 3, 4, 5, 6], p=[0.2, 0.3, 0.25, 0.2, 0.05]))
        names = [name_of(int(entity)) for entity in self.names[number]]
        return [
            FORMS[int(pick.integers(len(FORMS)))].format(
                a=names[n % NAMES], b=names[(n + 1) % NAMES], action=action, reason=reason
            )
            + "."
            for n in range(count)
        ]

    def _batch(self, numbers: range) -> Batch:
        points: list[Point] = []
        nodes: list[Observation] = []
        edges: list[Edge] = []
        facts: list[Fact] = []
        entities: dict[str, Entity] = {}
        vectors = iter(self._near(numbers))
        for number in numbers:
            texts = self.sentences(number)
            observation = self._observation(number, texts)
            nodes.append(observation)
            edges += self._edges(number, observation)
            own = self._named(number, observation.scope)
            entities.update(own)
            rows = [next(vectors) for _ in texts]
            points += self._points(observation, texts, rows)
            if number % round(1 / FACT_SHARE) == 0:
                facts.append(self._fact(number, observation))
                points.append(self._fact_point(facts[-1], rows[0], observation))
        points += [self._name_point(entity, numbers.start) for entity in entities.values()]
        edges += [edge for fact in facts for edge in _fact_edges(fact)]
        records = [self._record(number) for number in numbers if number % PER_RECORD == 0]
        return Batch(GraphBatch(records, nodes, list(entities.values()), facts, edges), points)

    def _near(self, numbers: range) -> Vector:
        """A vector for every sentence of these observations: near one of its topic's two centres."""
        counts = [len(self.sentences(number)) for number in numbers]
        topics = np.repeat(self.topic[numbers.start : numbers.stop], counts)
        pick = np.random.default_rng([SEED, numbers.start])
        centres = self._centres[topics + len(self.topics) * pick.integers(0, 2, len(topics))]
        noise = pick.normal(size=centres.shape).astype(np.float32) * np.float32(NOISE / math.sqrt(centres.shape[1]))
        return _unit(centres + noise)

    def _observation(self, number: int, texts: list[str]) -> Observation:
        scope, text, spans, at = self.scope(number), " ".join(texts), [], 0
        for sentence in texts:
            spans.append(Span(start=at, end=at + len(sentence)))
            at += len(sentence) + 1
        when = START + timedelta(minutes=MINUTES * number)
        return Observation(
            id=self.id(number),
            scope=scope,
            event_id=ids.EventId(f"event-{number}"),
            record_id=ids.record_id(scope, f"record-{number // PER_RECORD}"),
            key=f"note-{number}",
            position=number % PER_RECORD,
            kind=ObservationKind.DECISION if number % 5 == 0 else ObservationKind.NOTE,
            text=text,
            title=f"Notes {number // PER_RECORD}",
            author=f"author {number % 23}",
            authored_at=when,
            recorded_at=when,
            sentences=tuple(spans),
            priors={"WHY": 0.5} if number % 3 == 0 else {},
        )

    def _record(self, number: int) -> Record:
        scope, key = self.scope(number), f"record-{number // PER_RECORD}"
        return Record(id=ids.record_id(scope, key), scope=scope, key=key, title=f"Notes {number // PER_RECORD}")

    def _named(self, number: int, scope: str) -> dict[str, Entity]:
        """The entities of one observation, with their final counts."""
        return {
            id_: Entity(
                id=id_,
                scope=scope,
                name=name_of(entity),
                name_key=name_key(name_of(entity)),
                type=EntityType.SERVICE,
                mentions=int(self._mentions[entity]),
                about=1,
            )
            for entity in {*self.names[number].tolist(), *self._defines.get(number, [])}
            for id_ in [self.entity(entity, scope)]
        }

    def _edges(self, number: int, observation: Observation) -> Iterator[Edge]:
        scope, source = observation.scope, observation.id
        yield Edge(EdgeKind.PART_OF, source, observation.record_id, scope)
        if number + 1 < self.size and (number + 1) % PER_RECORD:
            yield Edge(EdgeKind.NEXT, source, self.id(number + 1), scope)
        for place, entity in enumerate(dict.fromkeys(self.names[number].tolist())):
            weight = math.log(1 + self.size / (1 + self._mentions[entity])) / math.log(1 + self.size)
            yield Edge(
                EdgeKind.MENTIONS, source, self.entity(entity, scope), scope, min(max(weight, 1e-3), 1.0), sentence=place % 2
            )
        for entity in self._defines.get(number, []):
            yield Edge(EdgeKind.ABOUT, source, self.entity(entity, scope), scope)
        others = [int(other) for other in self._around(number) if self.scope(int(other)) == scope]
        for rank, other in enumerate(others[:SIMILAR]):
            yield Edge(EdgeKind.SIMILAR, source, self.id(other), scope, weight=0.9 - 0.04 * rank)
        if others and number % round(1 / CAUSAL_SHARE) == 0:
            cause, effect = sorted((number, others[-1]))
            yield Edge(
                EdgeKind.CAUSES, self.id(cause), self.id(effect), scope, weight=0.8, evidence=self.id(effect), note="because"
            )

    def _around(self, number: int) -> Ints:
        """Observations of the same topic that stand beside this one in a shuffled order."""
        place = int(self._place[number])
        window = np.arange(place - SIMILAR, place + SIMILAR + 1) % self.size
        beside = self._alike[window]
        alike: Ints = beside[(beside != number) & (self.topic[beside] == self.topic[number])]
        return alike

    def _points(self, observation: Observation, texts: list[str], rows: list[Vector]) -> list[Point]:
        whole = _unit(np.mean(rows, axis=0, keepdims=True))[0]
        sparse = document_sparse(f"{observation.title} {observation.text}")
        points = [self._point(Space.PASSAGE, observation, whole, sparse=sparse)]
        points += [self._point(Space.SENTENCE, observation, row, ordinal=n) for n, row in enumerate(rows)]
        if "because" in texts[0]:
            points += [self._point(space, observation, rows[0]) for space in (Space.CAUSE, Space.EFFECT)]
        return points

    def _point(self, space: Space, observation: Observation, vector: Vector, **fields: object) -> Point:
        ordinal = int(fields.get("ordinal", 0))  # type: ignore[call-overload]  # always an int
        return Point(
            id=ids.point_id(space.value, observation.scope, observation.id, ordinal),
            space=space,
            owner=observation.id,
            scope=observation.scope,
            dense=vector,
            authored_at=observation.authored_at,
            author=observation.author,
            **fields,  # type: ignore[arg-type]  # ordinal, sparse
        )

    def _name_point(self, entity: Entity, seed: int) -> Point:
        noise = np.random.default_rng([seed, len(entity.id), crc32(entity.name_key.encode())]).normal(
            size=self._centres.shape[1]
        )
        vector = _unit((self._centres[0] + noise / 16)[None, :].astype(np.float32))[0]
        return Point(ids.point_id("name", entity.scope, entity.id), Space.NAME, entity.id, entity.scope, vector)

    def _fact(self, number: int, observation: Observation) -> Fact:
        subject, other = (int(entity) for entity in self.names[number][:2])
        scope = observation.scope
        return Fact(
            id=ids.fact_id(scope, name_of(subject), "depends_on", f"{name_of(other)} {number}"),
            scope=scope,
            subject=name_of(subject),
            subject_id=self.entity(subject, scope),
            predicate="depends_on",
            phrase="depends on",
            object=name_of(other),
            object_id=self.entity(other, scope),
            authored_at=observation.authored_at,
            recorded_at=observation.recorded_at,
            evidence=(observation.id,),
        )

    def _fact_point(self, fact: Fact, vector: Vector, observation: Observation) -> Point:
        return Point(
            id=ids.point_id("fact", fact.scope, fact.id),
            space=Space.FACT,
            owner=fact.id,
            scope=fact.scope,
            dense=vector,
            sparse=document_sparse(fact.sentence),
            authored_at=observation.authored_at,
        )


def _fact_edges(fact: Fact) -> Iterator[Edge]:
    yield Edge(EdgeKind.SUBJECT, fact.id, fact.subject_id or "", fact.scope)
    yield Edge(EdgeKind.OBJECT, fact.id, fact.object_id or "", fact.scope)
    yield Edge(EdgeKind.EVIDENCE, fact.id, fact.evidence[0], fact.scope)


def _unit(vectors: Vector) -> Vector:
    unit: Vector = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
