"""Faults of the SQLite file are found by name, and what derives from the rest is made anew."""

import sqlite3
from pathlib import Path

import pytest

from graph.model.edges import EdgeKind
from graph.model.views import View
from graph.ports.graph import GraphBatch
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.integrity import faults, mend
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.lookup import SqliteLookup
from graph.stores.embedded.schema import MIGRATIONS
from tests.support.clock import SetClock
from tests.support.values import edge, entity, event, fact, observation, record

ALL = View(scopes=None)


@pytest.fixture
def filled(database: Database) -> Database:
    SqliteLedger(database, SetClock()).append([event("a"), event("b", scope="t")])
    SqliteGraph(database).write(
        GraphBatch(
            records=[record("r")],
            observations=[observation("o", text="some words"), observation("p", scope="t", text="other words")],
            entities=[entity("e")],
            facts=[fact("f")],
            edges=[edge(EdgeKind.ABOUT, "o", "e"), edge(EdgeKind.NEXT, "o", "p")],
        )
    )
    SqliteGraph(database).write(GraphBatch(drop=[("s", "NEXT", "o")]))
    return database


def test_a_whole_file_has_no_faults(filled: Database) -> None:
    assert faults(filled) == []


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (
            "DELETE FROM phrase WHERE rowid = (SELECT no FROM node WHERE id = 'o')",
            "1 observations cannot be found by their words",
        ),
        ("INSERT INTO phrase (rowid, words) VALUES (999, 'ghost')", "1 words have no observation"),
        ("UPDATE tally SET n = 7 WHERE what = 'entities'", "the number of entities is not what was counted"),
        ("DELETE FROM tally WHERE what = 'events'", "the number of events is not what was counted"),
        ("UPDATE phrase_content SET c0 = 'changed' WHERE c0 = 'some words'", "the index of words does not match the words"),
    ],
)
def test_what_derives_is_found_wrong_and_mended(filled: Database, damage: str, fault: str) -> None:
    counts = SqliteGraph(filled).counts(None)
    with filled.write() as connection:
        connection.execute(damage)
    assert faults(filled) == [fault]
    assert mend(filled) == []
    assert SqliteGraph(filled).counts(None) == counts


def test_words_are_searched_again_after_mending(filled: Database) -> None:
    with filled.write() as connection:
        connection.execute("DELETE FROM phrase")
    assert SqliteLookup(filled).mentioning(["some", "words"], ALL) == []
    mend(filled)
    assert SqliteLookup(filled).mentioning(["some", "words"], ALL) == ["o"]


def test_an_older_file_is_brought_to_the_newest_schema_and_keeps_its_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.db"
    monkeypatch.setattr("graph.stores.embedded.schema.MIGRATIONS", MIGRATIONS[:2])
    old = Database(path)
    SqliteGraph(old).write(GraphBatch(observations=[observation("o")], edges=[edge(EdgeKind.NEXT, "o", "o")]))
    old.close()
    monkeypatch.undo()
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (2,)
    database = Database(path)
    assert faults(database) == []
    assert SqliteGraph(database).observations(["o"], ALL) == [observation("o")]
    with database.read() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    database.close()
