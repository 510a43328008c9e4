"""One Neo4j database: transactions that are retried where that is safe, and its errors in the house's words."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self, TypeVar

import neo4j
from neo4j import exceptions as failures
from pydantic_core import PydanticSerializationError

from graph.errors import BackstoryError, ConfigError, InvalidInput, StoreError, StoreUnavailable

T = TypeVar("T")

MAX_WRITERS = 4  # more concurrent merges only add deadlocks
CONNECT_TIMEOUT_S = 2.0
ACQUIRE_TIMEOUT_S = 10.0
RETRY_TIME_S = 20.0
UNKNOWN_OUTCOME_TRIES = 3

Row = Mapping[str, Any]


class Transaction:
    """What a unit of work may do: run one of our fixed texts with parameters and take all its rows."""

    def __init__(self, transaction: neo4j.ManagedTransaction) -> None:
        self._transaction = transaction

    def run(self, text: str, **parameters: Any) -> list[Row]:
        return [record.data() for record in self._transaction.run(text, parameters)]


class Connection:
    """A driver bound to one database. Safe to share between threads; never across a fork.

    `write` retries transient failures (deadlocks among them) and, since every write here is keyed, commits whose outcome
    is unknown. Raises StoreUnavailable when the database does not answer in its time, ConfigError for a refused login.
    """

    def __init__(self, uri: str, user: str = "", password: str = "", database: str = "neo4j") -> None:
        self._database = database
        self._writers = threading.BoundedSemaphore(MAX_WRITERS)
        with translated():
            self._driver = neo4j.GraphDatabase.driver(
                uri,
                auth=(user, password) if user else None,
                connection_timeout=CONNECT_TIMEOUT_S,
                connection_acquisition_timeout=ACQUIRE_TIMEOUT_S,
                max_transaction_retry_time=RETRY_TIME_S,
                notifications_min_severity="OFF",
            )

    def read(self, text: str, **parameters: Any) -> list[Row]:
        """All rows of one query, in its order."""
        return self.reading(lambda transaction: transaction.run(text, **parameters))

    def reading(self, work: Callable[[Transaction], T]) -> T:
        with translated(), self._driver.session(database=self._database) as session:
            return session.execute_read(_wrapped(work))

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction; it may run several times and must be repeatable."""
        with self._writers, translated():
            for _ in range(UNKNOWN_OUTCOME_TRIES - 1):
                try:
                    return self._write_once(work)
                except failures.IncompleteCommit:
                    continue  # it may or may not be stored: every write is keyed, so it is simply made again
            return self._write_once(work)

    def _write_once(self, work: Callable[[Transaction], T]) -> T:
        with self._driver.session(database=self._database) as session:
            return session.execute_write(_wrapped(work))

    def define(self, text: str) -> list[Row]:
        """Run a schema command, which Neo4j wants in a transaction of its own."""
        with translated(), self._driver.session(database=self._database) as session:
            return [record.data() for record in session.run(text)]

    def ping(self) -> None:
        with translated():
            self._driver.verify_connectivity()

    def close(self) -> None:
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _wrapped(work: Callable[[Transaction], T]) -> Callable[[neo4j.ManagedTransaction], T]:
    return lambda transaction: work(Transaction(transaction))


def mapped(error: Exception) -> BackstoryError:
    """The house's error for a driver's."""
    if isinstance(error, failures.AuthError | failures.ConfigurationError):
        return ConfigError(f"Neo4j refused the login or the settings: {type(error).__name__}")
    if isinstance(error, failures.Neo4jError):
        kind = StoreUnavailable if error.is_retryable() or isinstance(error, failures.DatabaseError) else StoreError
        return kind(f"Neo4j: {error.code}: {error.message}", neo4j=error.code)
    return StoreUnavailable(f"Neo4j does not answer: {type(error).__name__}")


@contextmanager
def translated() -> Iterator[None]:
    """Raise graph.errors instead of the driver's; text that is not Unicode (a lone surrogate) is InvalidInput."""
    try:
        yield
    except (failures.Neo4jError, failures.DriverError) as error:
        raise mapped(error) from error
    except OSError as error:
        raise StoreUnavailable(f"Neo4j does not answer: {type(error).__name__}") from error
    except (UnicodeEncodeError, PydanticSerializationError) as error:
        raise InvalidInput("the text holds a lone surrogate, which is not Unicode text and cannot be stored") from error
