"""Wiring: the use cases over the adapters of a mode, built once, handed out, closed in order; and the embedded mode."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Protocol, TypeVar

from graph.ingest.projector import Projector
from graph.ingest.recorder import Recorder
from graph.link.annotator import Annotator
from graph.link.linker import Linker
from graph.model.events import Step
from graph.ports import Embedder, Extractor, GraphReader, GraphWriter, Ledger, Lookup, VectorStore
from graph.retrieve.asker import Asker
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.integrity import faults, mend
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.lookup import SqliteLookup
from graph.stores.embedded.vectors import EdgeVectors
from infra import owner
from infra.clock import SystemClock
from infra.extracting import ChildExtractor
from infra.models.cache import CachedEmbedder
from infra.models.minilm import MiniLM
from infra.models.sentence import SentenceModel
from infra.queue import LocalQueue
from infra.reading import with_model
from infra.settings import Settings
from infra.step_worker import Policy, UseCase

CHILD_SHARE = 0.9  # of the step's deadline: the child is stopped before its caller is given up
T = TypeVar("T")


class Graph(GraphReader, GraphWriter, Protocol):
    """A store that reads and writes the graph."""


class Ownership(Protocol):
    """Whoever holds what the stores lie on; the server mode holds nothing."""

    def announce(self, *, socket: str, url: str | None = None) -> None: ...
    def holds(self) -> bool: ...
    def release(self) -> None: ...


class Hints(Protocol):
    """A TaskQueue that also tells when work was settled, as far as it hears of it."""

    def hint(self, step: Step, event_ids: Sequence[str] = ()) -> bool: ...
    def ticket(self) -> int: ...
    def wait_settled(self, ticket: int, timeout: float) -> None: ...


@dataclass(frozen=True)
class Container:
    """Everything that doors, workers and the runner use. What it opened stays open until `close`."""

    settings: Settings
    owner: Ownership
    clock: SystemClock
    queue: Hints
    ledger: Ledger
    graph: Graph
    lookup: Lookup
    vectors: VectorStore
    embedder: Embedder
    recorder: Recorder
    asker: Asker
    steps: Mapping[Step, Callable[[], UseCase]]
    stack: ExitStack
    release_leases: Callable[[], int]
    store_faults: Callable[[bool], list[str]]

    @property
    def reader(self) -> Graph:
        return self.graph

    @property
    def writer(self) -> Graph:
        return self.graph

    def use_case(self, step: Step) -> UseCase:
        """The use case that does a step; built at its first call, because a language model takes a second to load."""
        return self.steps[step]()

    def close(self) -> None:
        """Close in the reverse order of opening; an ownership goes last. Idempotent."""
        self.stack.close()


def assembled(
    settings: Settings,
    stack: ExitStack,
    *,
    owner: Ownership,
    queue: Hints,
    ledger: Ledger,
    graph: Graph,
    lookup: Lookup,
    vectors: VectorStore,
    embedder: Embedder,
    clock: SystemClock,
    release_leases: Callable[[], int] = lambda: 0,
    store_faults: Callable[[bool], list[str]] = lambda _mend: [],
) -> Container:
    """The use cases over the given adapters: the one place where both modes are put together.

    `release_leases` frees the work that a former owner held when it died; only one owner of all may offer it. `store_faults`
    says what is wrong with a store that has no server of its own to look after it, after mending what can be made anew.
    """
    extractor = _extractor(settings, stack)
    return Container(
        settings=settings,
        owner=owner,
        clock=clock,
        queue=queue,
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
        release_leases=release_leases,
        store_faults=store_faults,
    )


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
    embedder = model_of(settings)
    vectors = EdgeVectors(settings.vectors, embedder.dim, f"{embedder.id}@{embedder.revision}")
    stack.callback(vectors.close)
    clock = SystemClock()
    ledger = SqliteLedger(database, clock)
    return assembled(
        settings,
        stack,
        owner=held,
        queue=LocalQueue(),
        ledger=ledger,
        graph=SqliteGraph(database),
        lookup=SqliteLookup(database),
        vectors=vectors,
        embedder=embedder,
        clock=clock,
        release_leases=ledger.release_leases,
        store_faults=lambda repair: mend(database) if repair else faults(database),
    )


def model_of(settings: Settings) -> Embedder:
    """The embedding model that the settings name."""
    model: Embedder = MiniLM() if settings.model == "minilm" else SentenceModel(settings.model)
    return CachedEmbedder(model, settings.embedding_cache) if settings.embedding_cache else model


def _extractor(settings: Settings, stack: ExitStack) -> Callable[[], Extractor]:
    """Reading by rules in a child, or here, where it is built when it is first needed; and with a model where one is set."""
    if settings.extract_in_child:
        policy = Policy(settings.runner, settings.runner.extract_deadline * CHILD_SHARE)
        child = ChildExtractor(policy.seconds_for)
        stack.callback(child.close)
        return _once(lambda: with_model(settings.extract, child, stack))
    return _once(lambda: with_model(settings.extract, _rule_extractor(), stack))


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
