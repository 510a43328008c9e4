"""kill -9 of a writing process: every acknowledged event is there, once, and the file is whole."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graph.stores.embedded.database import Database
from graph.stores.embedded.ledger import SqliteLedger
from tests.support.clock import SetClock

KILLS = 12
SEED = 20261130
LONGEST_RUN_S = 0.25

WRITER = """
import sys
from pathlib import Path
from datetime import timedelta
from graph.model.events import ReceiptState, Step
from graph.stores.embedded.database import Database
from graph.stores.embedded.ledger import SqliteLedger
from tests.support.clock import SetClock
from tests.support.values import event

ledger = SqliteLedger(Database(Path(sys.argv[1])), SetClock())
print("ready", flush=True)
n = 0
while True:
    for receipt in ledger.append([event(f"{sys.argv[2]}-{n}-{part}") for part in range(3)]):
        print(receipt.event_id, flush=True)
    work = ledger.claim(Step.PROJECT, 2, timedelta(hours=1))
    ledger.advance(work, ReceiptState.RECALLABLE, Step.EXTRACT, {})
    n += 1
"""


def run_and_kill(path: Path, name: str, seconds: float) -> tuple[list[str], int]:
    """Ids acknowledged by a writer until it was killed, and how it ended. A last, half-written line is no acknowledgement."""
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(seconds)
    os.kill(child.pid, signal.SIGKILL)
    told = child.stdout.read()
    return told.split("\n")[:-1], child.wait()


@pytest.mark.slow
def test_every_acknowledged_event_survives_kill_minus_nine_once(tmp_path: Path) -> None:
    chance = random.Random(SEED)  # noqa: S311 - moments of a test
    path, acknowledged, killed = tmp_path / "m.db", list[str](), 0
    for round_ in range(KILLS):
        ids, code = run_and_kill(path, str(round_), chance.uniform(0, LONGEST_RUN_S))
        acknowledged += ids
        killed += code == -signal.SIGKILL
    assert killed == KILLS, "the fault did not happen, so the test proves nothing"
    assert len(acknowledged) > KILLS, "the writer acknowledged next to nothing"
    database = Database(path)
    stored = [e.id for e in SqliteLedger(database, SetClock()).events(limit=10**6)]
    assert len(stored) == len(set(stored))
    assert set(acknowledged) <= set(stored)
    assert {r.event_id for r in SqliteLedger(database, SetClock()).receipts(limit=10**6)} == set(stored)
    with database.read() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
