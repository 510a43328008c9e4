"""The backends that every contract runs over: a new one adds its name to a fixture's params and a branch here."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graph.ports import Ledger
from graph.stores.embedded.database import Database
from graph.stores.embedded.ledger import SqliteLedger
from tests.support.clock import SetClock


@dataclass(frozen=True)
class LedgerBackend:
    """A fresh ledger and the clock that it reads."""

    ledger: Ledger
    clock: SetClock


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
