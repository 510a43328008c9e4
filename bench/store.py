"""An embedded store built from drafts by the product's own way in, kept in a cache folder and used again.

The folder's name is a hash of the drafts, of the code that writes stores, and of the embedding model.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from graph.extract.rules import RuleExtractor
from graph.ingest.projector import Projector
from graph.ingest.recorder import Recorder
from graph.link.annotator import Annotator
from graph.link.linker import Linker
from graph.model.events import EventDraft, Step, Work
from graph.ports import Embedder, GraphReader, Lookup, VectorStore
from graph.retrieve.asker import Asker
from graph.retrieve.weights import Weights
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.lookup import SqliteLookup
from graph.stores.embedded.vectors import EdgeVectors
from infra.clock import SystemClock
from infra.models.cache import CachedEmbedder
from infra.models.minilm import MiniLM
from infra.queue import LocalQueue

_HOUSE = Path(__file__).resolve().parents[1]
WRITING_ROOMS = ("graph/model", "graph/ingest", "graph/extract", "graph/link", "graph/stores/embedded", "graph/text")
BATCH = 256  # pieces of work in one call of a use case
LEASE = timedelta(hours=6)
DATABASE, VECTORS, FINISHED = "memory.sqlite", "vectors", "finished"


class UseCase(Protocol):
    """What does a step of the way in."""

    def run(self, work: Sequence[Work]) -> None: ...


@dataclass(frozen=True, slots=True)
class Store:
    """An opened store: the ports that questions are asked of."""

    reader: GraphReader
    lookup: Lookup
    vectors: VectorStore
    embedder: Embedder

    def asker(self, weights: Weights | None = None) -> Asker:
        return Asker(self.reader, self.lookup, self.vectors, self.embedder, SystemClock(), weights=weights)


def cache_folder() -> Path:
    """Where stores and vectors are kept: $BACKSTORY_BENCH_CACHE, else the user's cache folder."""
    given = os.environ.get("BACKSTORY_BENCH_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "backstory-bench"


def cached_embedder(cache: Path) -> CachedEmbedder:
    return CachedEmbedder(MiniLM(), cache / "vectors.sqlite")


def _code_digest() -> str:
    digest = hashlib.sha256()
    for room in WRITING_ROOMS:
        for path in sorted((_HOUSE / room).rglob("*")):
            if path.suffix in {".py", ".json", ".sql"}:
                digest.update(path.relative_to(_HOUSE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def store_key(name: str, drafts: Sequence[EventDraft], embedder: Embedder) -> str:
    """The name of the folder in which a store of these drafts is kept."""
    digest = hashlib.sha256(f"{_code_digest()}|{embedder.id}|{embedder.revision}".encode())
    for draft in drafts:
        digest.update(draft.model_dump_json().encode("utf-8", "surrogatepass"))
    return f"{name}-{digest.hexdigest()[:16]}"


@contextmanager
def opened(name: str, drafts: Sequence[EventDraft], cache: Path) -> Iterator[Store]:
    """The store of these drafts, built if it is not in the cache. Other stores of the same name are removed then."""
    embedder = cached_embedder(cache)
    folder = cache / "stores" / store_key(name, drafts, embedder)
    if not (folder / FINISHED).exists():
        for old in folder.parent.glob(f"{name}-*"):
            shutil.rmtree(old)
        folder.mkdir(parents=True)
        _build(folder, drafts, embedder)
    database = Database(folder / DATABASE)
    vectors = EdgeVectors(folder / VECTORS, embedder.dim, f"{embedder.id}|{embedder.revision}")
    with closing(database), closing(vectors):
        vectors.settle()  # an index that takes over between two questions would change figures
        yield Store(SqliteGraph(database), SqliteLookup(database), vectors, embedder)


def _build(folder: Path, drafts: Sequence[EventDraft], embedder: Embedder) -> None:
    clock = SystemClock()
    database = Database(folder / DATABASE)
    vectors = EdgeVectors(folder / VECTORS, embedder.dim, f"{embedder.id}|{embedder.revision}")
    with closing(database), closing(vectors):
        ledger, graph, lookup = SqliteLedger(database, clock), SqliteGraph(database), SqliteLookup(database)
        recorder = Recorder(ledger, LocalQueue(), clock)
        for at in range(0, len(drafts), BATCH):
            recorder.record(drafts[at : at + BATCH])
        ports = (ledger, graph, graph, lookup, vectors, embedder, RuleExtractor(), clock)
        steps: dict[Step, UseCase] = {
            Step.PROJECT: Projector(ledger, graph, vectors, embedder, clock),
            Step.EXTRACT: Annotator(*ports),
            Step.LINK: Linker(*ports),
        }
        for step, use_case in steps.items():
            _drain(ledger, step, use_case)
        vectors.flush()
        vectors.settle()
    (folder / FINISHED).touch()


def _drain(ledger: SqliteLedger, step: Step, use_case: UseCase) -> None:
    """Run one step until nothing is left of it; a failure ends the build."""
    done = 0
    while work := ledger.claim(step, BATCH, LEASE):
        use_case.run(work)
        done += len(work)
        print(f"\r{step.value}: {done}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
