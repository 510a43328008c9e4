"""A small real memory written by hand: SQLite, Qdrant Edge, MiniLM vectors, and exactly the edges that a test needs."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from graph.errors import StoreError
from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Entity, EntityType, Fact
from graph.model.ids import EventId, entity_id, event_id, fact_id, observation_id, point_id, record_id
from graph.model.observations import Observation, Record, Span
from graph.model.points import Point, Space, Vector
from graph.model.questions import Answer, Question
from graph.ports import Embedder
from graph.ports.graph import GraphBatch
from graph.retrieve.asker import Asker
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.lookup import SqliteLookup
from graph.stores.embedded.vectors import EdgeVectors
from graph.text.names import name_key
from graph.text.terms import document_sparse
from infra.models.minilm import MiniLM
from tests.support.clock import START, SetClock

HOME = "home"


@cache
def minilm() -> MiniLM:
    return MiniLM()


class SmallMemory:
    """Written with `tell`, `name`, `edge` and `state`; asked with `ask`."""

    def __init__(self, folder: Path, embedder: Embedder | None = None) -> None:
        self.database = Database(folder / "memory.sqlite")
        self.graph = SqliteGraph(self.database)
        self.lookup = SqliteLookup(self.database)
        self.embedder = embedder or minilm()
        self.vectors = EdgeVectors(folder / "vectors", self.embedder.dim, "test")
        self.asker = Asker(self.graph, self.lookup, self.vectors, self.embedder, SetClock())
        self.ids: dict[str, str] = {}

    def close(self) -> None:
        with suppress(StoreError):  # a test may have closed a part of it
            self.vectors.close()
        self.database.close()

    def tell(
        self,
        key: str,
        text: str,
        *,
        days_ago: float | None = 10,
        scope: str = HOME,
        author: str | None = "Ana",
        session: str | None = None,
        record: str | None = None,
        title: str = "",
        priors: dict[str, float] | None = None,
    ) -> str:
        """One observation of one sentence, with its PASSAGE and SENTENCE points; returns its id."""
        event: EventId = event_id(scope, key)
        owner = record_id(scope, record or key)
        observation = Observation(
            id=observation_id(event, scope, 0),
            scope=scope,
            event_id=event,
            record_id=owner,
            key=key,
            position=len(self.ids),
            text=text,
            title=title,
            author=author,
            authored_at=None if days_ago is None else START - timedelta(days=days_ago),
            session=session,
            recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
            sentences=(Span(start=0, end=len(text)),),
            priors=priors or {},
        )
        part = Edge(EdgeKind.PART_OF, observation.id, owner, scope)
        self.graph.write(
            GraphBatch(
                records=[Record(id=owner, scope=scope, key=record or key, title=title)],
                observations=[observation],
                edges=[part],
            )
        )
        vector = self.embedder.embed([f"{title}. {text}" if title else text])[0]
        self._point(Space.PASSAGE, observation.id, scope, vector, text=f"{title}\n{text}", observation=observation)
        self._point(Space.SENTENCE, observation.id, scope, vector, observation=observation)
        self.ids[key] = observation.id
        return str(observation.id)

    def _point(
        self,
        space: Space,
        owner: str,
        scope: str,
        vector: Vector,
        *,
        text: str | None = None,
        observation: Observation | None = None,
    ) -> None:
        self.vectors.upsert(
            [
                Point(
                    id=point_id(space, scope, owner),
                    space=space,
                    owner=owner,
                    scope=scope,
                    dense=vector,
                    sparse=document_sparse(text) if text is not None else None,
                    authored_at=observation.authored_at if observation else None,
                    session=observation.session if observation else None,
                    author=observation.author if observation else None,
                )
            ]
        )

    def name(self, name: str, mentioned_in: Sequence[str] = (), about: Sequence[str] = (), scope: str = HOME) -> str:
        """An entity with its NAME point and its edges from observations (by key)."""
        key = name_key(name)
        entity = Entity(
            id=entity_id(scope, EntityType.OTHER, key),
            scope=scope,
            name=name,
            name_key=key,
            mentions=len(mentioned_in),
            about=len(about),
        )
        edges = [Edge(EdgeKind.MENTIONS, self.ids[k], entity.id, scope, weight=0.8, sentence=0) for k in mentioned_in]
        edges += [Edge(EdgeKind.ABOUT, self.ids[k], entity.id, scope) for k in about]
        self.graph.write(GraphBatch(entities=[entity], edges=edges))
        self._point(Space.NAME, entity.id, scope, self.embedder.embed([name])[0])
        self.ids[name] = entity.id
        return str(entity.id)

    def edge(self, kind: EdgeKind, source: str, target: str, weight: float = 0.9, *, evidence: str = "") -> None:
        """An edge between observations, entities or records, by key (records: "record:KEY")."""
        ends = [
            record_id(HOME, key.removeprefix("record:")) if key.startswith("record:") else self.ids[key]
            for key in (source, target)
        ]
        stated = self.ids.get(evidence, ends[0])
        self.graph.write(GraphBatch(edges=[Edge(kind, *ends, HOME, weight=weight, evidence=stated, sentence=0)]))

    def state(self, subject: str, phrase: str, object_: str, evidence: str, **fields: datetime | None) -> None:
        """A fact about a named entity, with its FACT point."""
        fact = Fact(
            id=fact_id(HOME, subject, phrase, object_),
            scope=HOME,
            subject=subject,
            subject_id=self.ids.get(subject),
            predicate=phrase,
            phrase=phrase,
            object=object_,
            recorded_at=START,
            evidence=(self.ids[evidence],),
            **fields,
        )
        edges = [Edge(EdgeKind.EVIDENCE, fact.id, self.ids[evidence], HOME)]
        if fact.subject_id:
            edges.append(Edge(EdgeKind.SUBJECT, fact.id, fact.subject_id, HOME))
        self.graph.write(GraphBatch(facts=[fact], edges=edges))
        self._point(Space.FACT, fact.id, HOME, self.embedder.embed([fact.sentence])[0], text=fact.sentence)

    def ask(self, text: str, **fields: object) -> Answer:
        return self.asker.ask(Question.model_validate({"text": text, "scopes": (HOME,), **fields}))

    def keys(self, answer: Answer) -> list[str]:
        """The keys of an answer's results, best first."""
        return [hit.key for hit in answer.results]
