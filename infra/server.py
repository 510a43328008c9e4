"""The server mode: the same use cases over Neo4j, Qdrant and Celery."""

import time
from contextlib import ExitStack
from typing import Any

from qdrant_client import QdrantClient

from graph.errors import ConfigError
from graph.model.events import Step
from graph.stores.neo4j.connection import Connection
from graph.stores.neo4j.graph import Neo4jGraph
from graph.stores.neo4j.ledger import Neo4jLedger
from graph.stores.neo4j.lookup import Neo4jLookup
from graph.stores.neo4j.schema import migrate
from graph.stores.qdrant.vectors import QdrantVectors
from infra.broker import CeleryQueue, application
from infra.clock import SystemClock
from infra.container import Container, assembled, model_of
from infra.settings import ServerSettings, Settings

QDRANT_TIMEOUT_S = 10


class Nobody:
    """The ownership of a mode in which no process owns anything."""

    def announce(self, **facts: Any) -> None:
        """Nothing is owned, so nobody looks for the owner."""

    def holds(self) -> bool:
        return True

    def release(self) -> None:
        """There is nothing to give back."""


class ServerQueue(CeleryQueue):
    """Hints to the workers. Nothing is heard of work that other processes settle: waiting is looking again."""

    def ticket(self) -> int:
        return 0

    def wait_settled(self, ticket: int, timeout: float) -> None:  # noqa: ARG002 (there is nothing to compare it with)
        time.sleep(timeout)


class NoQueue:
    """For workers that claim from the ledger: the relay tells the others, within a second."""

    def hint(self, step: Step, event_ids: object = ()) -> bool:  # noqa: ARG002
        return False

    def ticket(self) -> int:
        return 0

    def wait_settled(self, ticket: int, timeout: float) -> None:  # noqa: ARG002
        time.sleep(timeout)


def open_server(settings: Settings, *, hints: bool = True) -> Container:
    """Connect to the servers that the settings name; the schema is brought up to date and checked.

    Raises ConfigError when one is not named, StoreUnavailable when one does not answer, SchemaTooNew, ModelMismatch.
    """
    server = settings.server
    if server is None:
        raise ConfigError("the server mode needs `server`: neo4j_uri, qdrant_url and broker_url")
    with ExitStack() as building:
        container = _opened(settings, server, building.enter_context(ExitStack()), hints)
        building.pop_all()
        return container


def _opened(settings: Settings, server: ServerSettings, stack: ExitStack, hints: bool) -> Container:
    connection = Connection(
        server.neo4j_uri, server.neo4j_user, server.neo4j_password.get_secret_value(), server.neo4j_database
    )
    stack.callback(connection.close)
    migrate(connection)
    embedder, clock = model_of(settings), SystemClock()
    client = QdrantClient(
        url=server.qdrant_url, api_key=server.qdrant_api_key.get_secret_value() or None, timeout=QDRANT_TIMEOUT_S
    )
    stack.callback(client.close)
    vectors = QdrantVectors(client, server.qdrant_prefix, f"{embedder.id}@{embedder.revision}", embedder.dim)
    queue: ServerQueue | NoQueue = NoQueue()
    if hints:
        queue = ServerQueue(application(server.broker_url.get_secret_value()))
        stack.callback(queue.close)
    return assembled(
        settings,
        stack,
        owner=Nobody(),
        queue=queue,
        ledger=Neo4jLedger(connection, clock),
        graph=Neo4jGraph(connection),
        lookup=Neo4jLookup(connection),
        vectors=vectors,
        embedder=embedder,
        clock=clock,
    )
