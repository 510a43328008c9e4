"""A data directory of one test: the embedded ledger on a clock that stands still until it is moved."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from graph.ingest.projector import Projector
from graph.ingest.recorder import Recorder
from graph.model.events import Step
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.vectors import EdgeVectors
from infra.models.minilm import MiniLM
from tests.support.clock import SetClock


class Hints:
    """A queue that remembers what it was told."""

    def __init__(self) -> None:
        self.sent: list[tuple[Step, str]] = []

    def hint(self, step: Step, event_ids: Sequence[str]) -> bool:
        self.sent.extend((step, event_id) for event_id in event_ids)
        return True


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def hints() -> Hints:
    return Hints()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "backstory.db")
    yield database
    database.close()


@pytest.fixture
def ledger(database: Database, clock: SetClock) -> SqliteLedger:
    return SqliteLedger(database, clock)


@pytest.fixture
def recorder(ledger: SqliteLedger, hints: Hints, clock: SetClock) -> Recorder:
    return Recorder(ledger, hints, clock)


@pytest.fixture(scope="session")
def embedder() -> MiniLM:
    return MiniLM()


@pytest.fixture
def graph(database: Database) -> SqliteGraph:
    return SqliteGraph(database)


@pytest.fixture
def vectors(tmp_path: Path, embedder: MiniLM) -> Iterator[EdgeVectors]:
    opened = EdgeVectors(tmp_path / "vectors", embedder.dim, embedder.id)
    yield opened
    opened.close()


@pytest.fixture
def projector(ledger: SqliteLedger, graph: SqliteGraph, vectors: EdgeVectors, embedder: MiniLM, clock: SetClock) -> Projector:
    return Projector(ledger, graph, vectors, embedder, clock)
