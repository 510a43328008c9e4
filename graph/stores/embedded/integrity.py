"""Whether the SQLite file is whole: its pages, the words that are searched, the running totals; and mending what derives."""

import sqlite3
from collections.abc import Iterator

from graph.stores.embedded.database import Database
from graph.stores.embedded.rows import OBSERVATION_COLUMNS, observation_from
from graph.text.phrases import indexed_words

_COUNTED = {
    "events": "SELECT scope, count(*) FROM event GROUP BY scope",
    "edges": "SELECT s.text, count(*) FROM edge e JOIN symbol s ON s.no = e.scope GROUP BY s.no",
} | {
    f"{table[:-1]}ies" if table.endswith("y") else f"{table}s": (
        f"SELECT s.text, count(*) FROM {table} t JOIN node n ON n.no = t.no JOIN symbol s ON s.no = n.scope GROUP BY s.no"
    )
    for table in ("observation", "entity", "fact", "record")
}
_UNSEARCHED = "SELECT no FROM observation WHERE no NOT IN (SELECT rowid FROM phrase)"
_LEFT_OVER = "SELECT rowid FROM phrase WHERE rowid NOT IN (SELECT no FROM observation)"


def faults(database: Database) -> list[str]:
    """What is wrong, in words; empty when all is well. Reads the whole file: seconds for a large one."""
    with database.write() as connection:  # FTS5 checks itself by an insert
        found = [f"damaged: {row[0]}" for row in connection.execute("PRAGMA quick_check(10)") if row[0] != "ok"]
        return found + list(_derived_faults(connection))


def mend(database: Database) -> list[str]:
    """Make anew what derives from the rest, and return what is wrong still. A damaged page is beyond it: rebuild or restore."""
    with database.write() as connection:
        connection.execute("INSERT INTO phrase (phrase) VALUES ('rebuild')")
        connection.execute(f"DELETE FROM phrase WHERE rowid IN ({_LEFT_OVER})")
        for (no,) in connection.execute(_UNSEARCHED).fetchall():
            row = connection.execute(
                f"SELECT {OBSERVATION_COLUMNS} FROM observation o JOIN node n ON n.no = o.no WHERE o.no = ?", (no,)
            ).fetchone()
            words = indexed_words(observation_from(row).text)
            connection.execute("INSERT INTO phrase (rowid, words) VALUES (?, ?)", (no, words))
        connection.execute("DELETE FROM tally")
        for what, statement in _COUNTED.items():
            connection.executemany(
                "INSERT INTO tally (what, scope, n) VALUES (?, ?, ?)",
                ((what, scope, n) for scope, n in connection.execute(statement).fetchall()),
            )
    return faults(database)


def _derived_faults(connection: sqlite3.Connection) -> Iterator[str]:
    try:
        connection.execute("INSERT INTO phrase (phrase) VALUES ('integrity-check')")
    except sqlite3.DatabaseError:
        yield "the index of words does not match the words"
    for statement, said in (
        (_UNSEARCHED, "observations cannot be found by their words"),
        (_LEFT_OVER, "words have no observation"),
    ):
        count = connection.execute(f"SELECT count(*) FROM ({statement})").fetchone()[0]
        if count:
            yield f"{count} {said}"
    for what, statement in _COUNTED.items():
        told = dict(connection.execute("SELECT scope, n FROM tally WHERE what = ? AND n != 0", (what,)).fetchall())
        if told != dict(connection.execute(statement).fetchall()):
            yield f"the number of {what} is not what was counted"
