"""One SQLite file: a writer that is durable when it returns, readers that never wait for it, errors in our words."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from graph.errors import StoreReadOnly, StoreUnavailable
from graph.stores.embedded.failures import mapped, translated
from graph.stores.embedded.schema import MIGRATIONS, check_version, migrate

T = TypeVar("T")

BUSY_TIMEOUT_MS = 10_000
CACHE_KIB = 32_768
WAL_LIMIT_BYTES = 64 * 1024 * 1024
IDLE_READERS = 8


class Database:
    """A SQLite file in WAL mode with `synchronous=FULL`: what `write` has left is on disk.

    One writer connection, used by one thread at a time, and a pool of readers; each reader sees the last commit. Safe to
    share between threads, and to carry across a fork (the child opens its own connections). Raises SchemaTooNew,
    StoreReadOnly, StoreFull, StoreUnavailable.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._left_behind: list[sqlite3.Connection] = []
        self._after_commit: list[Callable[[], None]] = []
        self._before_close: list[Callable[[], None]] = []
        self._companions: dict[Callable[[Database], Any], Any] = {}
        self._companions_lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._start()
        with translated():
            if read_only:
                self._check_readable()
            else:
                self._writer = self._open_writer()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._write_lock = threading.Lock()
        self._pool_lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._writer = None
        self._closed = False

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction; durable when the block is left, undone when it raises. Blocks while another thread writes."""
        if self.read_only:
            raise StoreReadOnly(f"{self.path} was opened for reading only")
        self._follow_fork()
        with self._write_lock, translated():
            if self._writer is None:
                self._writer = self._open_writer()
            yield from self._transaction(self._writer)

    def _transaction(self, connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException as error:
            self._after_commit.clear()
            self._undo(connection, error)
            raise
        actions, self._after_commit = self._after_commit, []
        for action in actions:
            action()

    def after_commit(self, action: Callable[[], None]) -> None:
        """Inside `write`: do this once the transaction is durable, before the next one may begin."""
        self._after_commit.append(action)

    def companion(self, kind: Callable[["Database"], T]) -> T:
        """The one object of a kind that goes with this database, made from it when it is first asked for."""
        with self._companions_lock:
            if kind not in self._companions:
                self._companions[kind] = kind(self)
            found: T = self._companions[kind]
            return found

    def before_close(self, action: Callable[[], None]) -> None:
        """Do this when the database is closed, while it can still be read."""
        self._before_close.append(action)

    def _undo(self, connection: sqlite3.Connection, error: BaseException) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        finally:
            # After an I/O error the connection's view of the file cannot be trusted: the next write opens another.
            if isinstance(error, sqlite3.OperationalError) and isinstance(mapped(error), StoreUnavailable):
                connection.close()
                self._writer = None

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees every commit made before; each statement reads one snapshot."""
        self._follow_fork()
        with translated():
            connection = self._take_reader()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            self._give_back(connection)

    def close(self) -> None:
        """Close every connection that this process opened; fold the log into the file. Safe to call twice."""
        self._follow_fork()
        actions, self._before_close = self._before_close, []
        for action in actions:
            action()
        self._closed = True
        with self._pool_lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        with self._write_lock, translated():
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def _take_reader(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreUnavailable(f"{self.path} is closed")
        with self._pool_lock:
            if self._idle:
                return self._idle.pop()
        return self._open_reader()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._pool_lock:
            if not self._closed and len(self._idle) < IDLE_READERS:
                self._idle.append(connection)
                return
        connection.close()

    def _follow_fork(self) -> None:
        """SQLite connections must not be used, nor closed, in a forked child: keep the parent's ones aside, start anew."""
        if os.getpid() != self._pid:
            self._left_behind += [*self._idle, *([self._writer] if self._writer is not None else [])]
            self._start()

    def _open_writer(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreUnavailable(f"{self.path} is closed")
        self._refuse_unwritable()
        connection = _connect(f"{self.path.absolute().as_uri()}?mode=rwc")
        try:
            check_version(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}")
            migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _refuse_unwritable(self) -> None:
        """A clear word instead of SQLite's "unable to open database file"."""
        directory = self.path.parent
        if not directory.is_dir():
            raise StoreUnavailable(f"the directory {directory} does not exist")
        if not os.access(directory, os.W_OK | os.X_OK) or (self.path.exists() and not os.access(self.path, os.W_OK)):
            raise StoreReadOnly(f"{self.path} cannot be written: its directory or the file is read-only")

    def _open_reader(self) -> sqlite3.Connection:
        uri = self.path.absolute().as_uri()
        try:
            connection = _connect(f"{uri}?mode=ro")
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        except sqlite3.OperationalError:
            # A file in WAL mode in a directory that cannot be written: readable only as it stands, when no log is left.
            if not self.read_only or not self.path.exists() or self.path.with_name(self.path.name + "-wal").exists():
                raise
            connection = _connect(f"{uri}?immutable=1")
        return connection

    def _check_readable(self) -> None:
        with self.read() as connection:
            version = check_version(connection)
        if version < len(MIGRATIONS):
            raise StoreUnavailable(
                f"{self.path} has schema {version}: open it for writing once to bring it to {len(MIGRATIONS)}"
            )


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection
