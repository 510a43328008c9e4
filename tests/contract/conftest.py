"""The backends that every contract runs over: a new one adds its name to a fixture's params and a branch here."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graph.ports import GraphReader, GraphWriter, Ledger, Lookup
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.lookup import SqliteLookup
from tests.support.clock import SetClock


@dataclass(frozen=True)
class LedgerBackend:
    """A fresh ledger and the clock that it reads."""

    ledger: Ledger
    clock: SetClock


@dataclass(frozen=True)
class GraphBackend:
    """A fresh graph: what writes it, what reads it and what finds in it, and the ledger beside it."""

    writer: GraphWriter
    reader: GraphReader
    lookup: Lookup
    ledger: Ledger


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "memory.db")
    yield opened
    opened.close()


@pytest.fixture(params=["embedded"])
def ledger_backend(request: pytest.FixtureRequest) -> LedgerBackend:
    clock = SetClock()
    database: Database = request.getfixturevalue("database")
    return LedgerBackend(SqliteLedger(database, clock), clock)


@pytest.fixture
def ledger(ledger_backend: LedgerBackend) -> Ledger:
    return ledger_backend.ledger


@pytest.fixture
def clock(ledger_backend: LedgerBackend) -> SetClock:
    return ledger_backend.clock


@pytest.fixture(params=["embedded"])
def graph_backend(request: pytest.FixtureRequest) -> GraphBackend:
    database: Database = request.getfixturevalue("database")
    graph = SqliteGraph(database)
    return GraphBackend(graph, graph, SqliteLookup(database), SqliteLedger(database, SetClock()))


@pytest.fixture
def writer(graph_backend: GraphBackend) -> GraphWriter:
    return graph_backend.writer


@pytest.fixture
def reader(graph_backend: GraphBackend) -> GraphReader:
    return graph_backend.reader


@pytest.fixture
def lookup(graph_backend: GraphBackend) -> Lookup:
    return graph_backend.lookup
