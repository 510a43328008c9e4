"""The SQLite file: durable, refused when it must be, and every driver error in the house's words."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.errors import SchemaTooNew, StoreError, StoreFull, StoreReadOnly, StoreUnavailable
from graph.stores.embedded import database as database_module
from graph.stores.embedded.database import Database
from graph.stores.embedded.ledger import SqliteLedger
from tests.support.clock import SetClock
from tests.support.values import event

NOBODY = 65534


def ledger_at(path: Path, *, read_only: bool = False) -> SqliteLedger:
    return SqliteLedger(Database(path, read_only=read_only), SetClock())


def test_what_was_stored_is_there_after_reopening(tmp_path: Path) -> None:
    first = Database(tmp_path / "m.db")
    SqliteLedger(first, SetClock()).append([event("a")])
    first.close()
    first.close()
    assert [e.key for e in ledger_at(tmp_path / "m.db").events()] == ["a"]
    with pytest.raises(StoreUnavailable):
        SqliteLedger(first, SetClock()).events()


def test_every_commit_is_synced_and_the_log_is_write_ahead(database: Database) -> None:
    with database.write() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_newer_schema_is_refused_for_writing_and_reading(tmp_path: Path) -> None:
    database = Database(tmp_path / "m.db")
    with database.write() as connection:
        connection.execute("PRAGMA user_version = 999")
    database.close()
    for read_only in (False, True):
        with pytest.raises(SchemaTooNew) as caught:
            Database(tmp_path / "m.db", read_only=read_only)
        assert caught.value.fields["found"] == 999


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(b"these are notes, not a database\n" * 100)
    with pytest.raises(StoreError):
        Database(tmp_path / "m.db")
    assert (tmp_path / "m.db").read_bytes().startswith(b"these are notes")


def test_opened_for_reading_it_reads_and_refuses_to_write(tmp_path: Path) -> None:
    ledger_at(tmp_path / "m.db").append([event("a")])
    reader = ledger_at(tmp_path / "m.db", read_only=True)
    assert len(reader.events()) == 1
    with pytest.raises(StoreReadOnly):
        reader.append([event("b")])


def test_a_missing_file_is_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        Database(tmp_path / "none.db", read_only=True)
    with pytest.raises(StoreUnavailable):
        Database(tmp_path / "none" / "m.db")
    assert list(tmp_path.iterdir()) == []


IN_A_READ_ONLY_DIRECTORY = """
import os, sys
from pathlib import Path
from graph.errors import StoreReadOnly
from graph.stores.embedded.database import Database
if os.geteuid() == 0:
    os.setgid({nobody}); os.setuid({nobody})
path = Path(sys.argv[1])
for name in ("m.db", "new.db"):
    try:
        Database(path / name)
    except StoreReadOnly:
        print("refused", name)
with Database(path / "m.db", read_only=True).read() as connection:
    print(connection.execute("SELECT count(*) FROM event").fetchone()[0], "readable")
"""


def test_a_read_only_directory_is_refused_for_writing_and_can_be_read() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data"
        path.mkdir()
        database = Database(path / "m.db")
        SqliteLedger(database, SetClock()).append([event("a")])
        database.close()
        (path / "m.db").chmod(0o444)
        path.chmod(0o555)
        Path(folder).chmod(0o755)
        script = IN_A_READ_ONLY_DIRECTORY.format(nobody=NOBODY)
        done = subprocess.run(
            [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False, timeout=60
        )
        path.chmod(0o755)
    assert done.stdout.split("\n")[:3] == ["refused m.db", "refused new.db", "1 readable"], done.stderr


def test_a_full_disk_is_told_and_what_was_acknowledged_stays(database: Database) -> None:
    ledger = SqliteLedger(database, SetClock())
    ledger.append([event("before")])
    with database.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 4}")
    with pytest.raises(StoreFull):
        ledger.append([event(str(n), text="x" * 4000) for n in range(100)])
    assert [e.key for e in ledger.events()] == ["before"]
    with database.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    assert len(ledger.append([event(str(n)) for n in range(100)])) == 100


def test_a_lock_held_elsewhere_is_unavailable_and_worth_a_retry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_MS", 50)
    ledger = ledger_at(tmp_path / "m.db")
    other = sqlite3.connect(tmp_path / "m.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable) as caught:
        ledger.append([event("a")])
    assert caught.value.retryable
    assert ledger.events() == []
    other.execute("ROLLBACK")
    assert len(ledger.append([event("a")])) == 1


def test_a_failed_write_leaves_nothing_and_the_next_works(database: Database) -> None:
    def failing_write() -> None:
        with database.write() as connection:
            connection.execute("INSERT INTO symbol (text) VALUES ('half')")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        failing_write()
    with database.write() as connection:
        assert connection.execute("SELECT count(*) FROM symbol").fetchone() == (0,)


def test_threads_write_and_read_at_once_without_an_error(database: Database) -> None:
    ledger = SqliteLedger(database, SetClock())
    errors: list[BaseException] = []

    def run(job: Callable[[int], object]) -> None:
        try:
            for n in range(15):
                job(n)
        except BaseException as error:  # noqa: BLE001 - the test's finding
            errors.append(error)

    def writer(name: str) -> Callable[[int], object]:
        return lambda n: ledger.append([event(f"{name}{n}")])

    threads = [threading.Thread(target=run, args=(writer(name),)) for name in "abcd"]
    threads += [threading.Thread(target=run, args=(lambda _: ledger.receipts(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(ledger.events()) == 60


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_opens_its_own_connections(database: Database) -> None:
    ledger = SqliteLedger(database, SetClock())
    ledger.append([event("parent")])
    child = os.fork()
    if child == 0:
        try:
            ledger.append([event("child")])
            os._exit(len(ledger.events()))
        finally:
            os._exit(99)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 2
    ledger.append([event("parent again")])
    assert len(ledger.events()) == 3
