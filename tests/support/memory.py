"""A whole embedded memory in a folder, everything between a draft and the graph, and one scope of it as a test's own room."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path

from graph.ingest.projector import Projector
from graph.ingest.recorder import Recorder
from graph.link.annotator import Annotator
from graph.link.linker import Linker
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.entities import Entity, Fact
from graph.model.events import EventDraft, Receipt, Step
from graph.model.observations import Observation, Status
from graph.model.views import View
from graph.ports import Extractor
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.lookup import SqliteLookup
from graph.stores.embedded.vectors import EdgeVectors
from infra.clock import SystemClock
from infra.models.cache import CachedEmbedder
from infra.models.minilm import MiniLM
from infra.queue import LocalQueue

LEASE = timedelta(minutes=10)
MANY = 100_000


@cache
def minilm() -> MiniLM:
    """One model for all tests of a process."""
    return MiniLM()


class Memory:
    """The write side of an embedded memory; `work` runs the steps to the end in batches."""

    def __init__(self, directory: Path, extractor: Extractor) -> None:
        self.database = Database(directory / "memory.sqlite")
        self.clock = SystemClock()
        self.ledger = SqliteLedger(self.database, self.clock)
        self.graph = SqliteGraph(self.database)
        self.lookup = SqliteLookup(self.database)
        self.embedder = CachedEmbedder(minilm(), directory / "embeddings.sqlite")
        self.vectors = EdgeVectors(directory / "vectors", minilm().dim, f"{minilm().id}:{minilm().revision}")
        self.extractor = extractor
        ports = (self.ledger, self.graph, self.graph, self.lookup, self.vectors, self.embedder, extractor, self.clock)
        self.recorder = Recorder(self.ledger, LocalQueue(), self.clock)
        self.steps = {
            Step.PROJECT: Projector(self.ledger, self.graph, self.vectors, self.embedder, self.clock),
            Step.EXTRACT: Annotator(*ports),
            Step.LINK: Linker(*ports),
        }

    def work(self, batch: int = 32, steps: Iterable[Step] = tuple(Step)) -> None:
        """Run each step on all that waits for it, in batches."""
        for step in steps:
            while work := self.ledger.claim(step, batch, LEASE):
                self.steps[step].run(work)

    def again(self, scope: str, step: Step = Step.EXTRACT) -> None:
        """Send all events of a scope through a step, and what follows it, once more."""
        receipts = self.ledger.receipts(scopes=frozenset({scope}), limit=MANY)
        self.ledger.replay([receipt.event_id for receipt in receipts], step)
        self.work()

    def close(self) -> None:
        self.vectors.close()
        self.database.close()


@dataclass(frozen=True)
class Room:
    """One scope of a memory. Opening shards costs seconds, so tests of a module share a memory and take a room each."""

    memory: Memory
    scope: str

    @property
    def view(self) -> View:
        return View(scopes=frozenset({self.scope}), statuses=frozenset(Status))

    def record(self, *texts: str, **fields: object) -> list[Receipt]:
        """Record texts, each an event of its own with the same fields."""
        drafts = [EventDraft.model_validate({"text": text, "scope": self.scope, **fields}) for text in texts]
        return self.memory.recorder.record(drafts)

    def tell(self, *texts: str, **fields: object) -> None:
        """Record texts and work them to the end."""
        self.record(*texts, **fields)
        self.memory.work()

    def observations(self) -> list[Observation]:
        return self.memory.graph.scan(self.view, limit=MANY)

    def named(self, beginning: str) -> Observation:
        """The one observation whose text begins so."""
        (found,) = [one for one in self.observations() if one.text.startswith(beginning)]
        return found

    def edges(self, kind: EdgeKind, sources: Sequence[str] | None = None) -> list[Edge]:
        """Edges of one kind that leave these nodes (by default all observations), by source and target."""
        ids = sources if sources is not None else [one.id for one in self.observations()]
        walked = self.memory.graph.expand(ids, [Hop(kind, Direction.OUT, fanout=MANY)], self.view)
        return sorted((step.edge for step in walked), key=lambda edge: (edge.source, edge.target))

    def told(self, kind: EdgeKind) -> set[tuple[str, str]]:
        """Edges between observations as pairs of their texts."""
        texts = {one.id: one.text for one in self.observations()}
        return {(texts[edge.source], texts[edge.target]) for edge in self.edges(kind)}

    def entities(self) -> list[Entity]:
        return self.memory.lookup.entity_list(self.view, limit=MANY)

    def facts(self) -> list[Fact]:
        return self.memory.lookup.facts(self.view, limit=MANY)

    def names(self, kind: EdgeKind, beginning: str) -> set[str]:
        """Names of the entities that an observation mentions or is about."""
        targets = [edge.target for edge in self.edges(kind, [self.named(beginning).id])]
        return {entity.name for entity in self.memory.lookup.entities(targets, self.view)}


@contextmanager
def opened(directory: Path, extractor: Extractor) -> Iterator[Memory]:
    directory.mkdir(parents=True, exist_ok=True)
    memory = Memory(directory, extractor)
    try:
        yield memory
    finally:
        memory.close()
