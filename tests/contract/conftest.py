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
from graph.stores.neo4j.connection import Connection
from graph.stores.neo4j.graph import Neo4jGraph
from graph.stores.neo4j.ledger import Neo4jLedger
from graph.stores.neo4j.lookup import Neo4jLookup
from graph.stores.neo4j.schema import migrate
from tests.support.clock import SetClock
from tests.support.servers import neo4j_server


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


@pytest.fixture(scope="session")
def neo4j_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    with neo4j_server(tmp_path_factory.mktemp("neo4j")) as uri:
        opened = Connection(uri)
        migrate(opened)
        yield opened
        opened.close()


@pytest.fixture
def neo4j_connection(neo4j_database: Connection) -> Connection:
    """The same server for all tests, empty for each."""
    neo4j_database.write(lambda transaction: transaction.run("MATCH (n) WHERE NOT n:Schema DETACH DELETE n"))
    return neo4j_database


@pytest.fixture(params=["embedded", "neo4j"])
def ledger_backend(request: pytest.FixtureRequest) -> LedgerBackend:
    clock = SetClock()
    if request.param == "neo4j":
        return LedgerBackend(Neo4jLedger(request.getfixturevalue("neo4j_connection"), clock), clock)
    database: Database = request.getfixturevalue("database")
    return LedgerBackend(SqliteLedger(database, clock), clock)


@pytest.fixture
def ledger(ledger_backend: LedgerBackend) -> Ledger:
    return ledger_backend.ledger


@pytest.fixture
def clock(ledger_backend: LedgerBackend) -> SetClock:
    return ledger_backend.clock


@pytest.fixture(params=["embedded", "neo4j"])
def graph_backend(request: pytest.FixtureRequest) -> GraphBackend:
    if request.param == "neo4j":
        connection: Connection = request.getfixturevalue("neo4j_connection")
        server = Neo4jGraph(connection)
        return GraphBackend(server, server, Neo4jLookup(connection), Neo4jLedger(connection, SetClock()))
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
