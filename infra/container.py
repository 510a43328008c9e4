"""Wiring: builds the adapters and use cases of the embedded mode once, hands them out, closes them in order."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TypeVar

from graph.ingest.projector import Projector
from graph.ingest.recorder import Recorder
from graph.link.annotator import Annotator
from graph.link.linker import Linker
from graph.model.events import Step
from graph.ports import Embedder, Extractor
from graph.retrieve.asker import Asker
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.lookup import SqliteLookup
from graph.stores.embedded.vectors import EdgeVectors
from infra import owner
from infra.clock import SystemClock
from infra.models.cache import CachedEmbedder
from infra.models.minilm import MiniLM
from infra.queue import LocalQueue
from infra.settings import Settings
from infra.step_worker import UseCase

T = TypeVar("T")


@dataclass(frozen=True)
class Container:
    """Everything that doors and the runner use. Holds the ownership of the data directory until `close`."""

    settings: Settings
    owner: owner.Owner
    clock: SystemClock
    queue: LocalQueue
    database: Database
    ledger: SqliteLedger
    graph: SqliteGraph
    lookup: SqliteLookup
    vectors: EdgeVectors
    embedder: Embedder
    recorder: Recorder
    asker: Asker
    steps: Mapping[Step, Callable[[], UseCase]]
    stack: ExitStack

    @property
    def reader(self) -> SqliteGraph:
        return self.graph

    @property
    def writer(self) -> SqliteGraph:
        return self.graph

    def use_case(self, step: Step) -> UseCase:
        """The use case that does a step; built at its first call, because a language model takes a second to load."""
        return self.steps[step]()

    def release_leases(self) -> int:
        """Free the work that a former owner held when it died; the number of pieces. Only for the owner, before it works."""
        return self.ledger.release_leases()

    def close(self) -> None:
        """Close in the reverse order of opening; the ownership goes last. Idempotent."""
        self.stack.close()


def open_embedded(settings: Settings) -> Container:
    """Open a data directory and own it.

    Raises AlreadyOwned, StoreReadOnly, StoreFull, SchemaTooNew, ModelMismatch; nothing stays open when it raises.
    """
    with ExitStack() as stack:
        container = _opened(settings, stack)
        stack.pop_all()
        return container


def _opened(settings: Settings, building: ExitStack) -> Container:
    stack = building.enter_context(ExitStack())
    held = stack.enter_context(owner.take(settings.data))
    database = Database(settings.database)
    stack.callback(database.close)
    embedder = _embedder(settings)
    vectors = EdgeVectors(settings.vectors, embedder.dim, f"{embedder.id}@{embedder.revision}")
    stack.callback(vectors.close)
    clock, queue, graph = SystemClock(), LocalQueue(), SqliteGraph(database)
    ledger, lookup = SqliteLedger(database, clock), SqliteLookup(database)
    extractor = _once(_rule_extractor)
    return Container(
        settings=settings,
        owner=held,
        clock=clock,
        queue=queue,
        database=database,
        ledger=ledger,
        graph=graph,
        lookup=lookup,
        vectors=vectors,
        embedder=embedder,
        recorder=Recorder(ledger, queue, clock),
        asker=Asker(graph, lookup, vectors, embedder, clock),
        steps={
            Step.PROJECT: _once(lambda: Projector(ledger, graph, vectors, embedder, clock)),
            Step.EXTRACT: _once(lambda: Annotator(ledger, graph, graph, lookup, vectors, embedder, extractor(), clock)),
            Step.LINK: _once(lambda: Linker(ledger, graph, graph, lookup, vectors, embedder, extractor(), clock)),
        },
        stack=stack,
    )


def _embedder(settings: Settings) -> Embedder:
    return CachedEmbedder(MiniLM(), settings.embedding_cache) if settings.embedding_cache else MiniLM()


def _rule_extractor() -> Extractor:
    from graph.extract.rules import RuleExtractor  # noqa: PLC0415  (loads spaCy: a second that questions need not wait for)

    return RuleExtractor()


def _once(build: Callable[[], T]) -> Callable[[], T]:
    """`build`, called at most once, whichever thread comes first."""
    lock, built = Lock(), cache(build)

    def get() -> T:
        with lock:
            return built()

    return get
