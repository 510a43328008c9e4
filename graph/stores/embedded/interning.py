"""Small numbers for long names: node ids, scopes, sessions and authors, given out inside the writing transaction."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from graph.stores.embedded.values import as_list


@dataclass(slots=True)
class StoredNode:
    """What a write must know of a node that is there: its number, label (0: only named so far), state and revision."""

    no: int
    label: int
    status: int
    revision: int


def intern_nodes(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, StoredNode]:
    """The nodes of these ids; unknown ids get a number and wait for their node."""
    asked = as_list(dict.fromkeys(ids))
    connection.execute("INSERT OR IGNORE INTO node (id) SELECT value FROM json_each(?)", (asked,))
    return known_nodes(connection, asked)


def known_nodes(connection: sqlite3.Connection, asked: str) -> dict[str, StoredNode]:
    """The nodes among the JSON list of ids `asked` that have a number."""
    rows = connection.execute(
        "SELECT n.id, n.no, n.label, n.status, n.revision FROM json_each(?) a JOIN node n ON n.id = a.value", (asked,)
    )
    return {id_: StoredNode(no, label, status, revision) for id_, no, label, status, revision in rows}


def intern_symbols(connection: sqlite3.Connection, texts: Iterable[str | None]) -> dict[str | None, int | None]:
    """Numbers of scopes, sessions and authors; None has none."""
    asked = as_list({text for text in texts if text is not None})
    connection.execute("INSERT OR IGNORE INTO symbol (text) SELECT value FROM json_each(?)", (asked,))
    rows = connection.execute("SELECT s.text, s.no FROM json_each(?) a JOIN symbol s ON s.text = a.value", (asked,))
    numbers: dict[str | None, int | None] = {None: None}
    numbers.update(rows.fetchall())
    return numbers
