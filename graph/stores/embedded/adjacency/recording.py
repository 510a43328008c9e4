"""What a writing transaction changes in the graph, gathered for the adjacency while the transaction is open."""

import sqlite3
from collections.abc import Iterable, Sequence

from graph.stores.embedded.adjacency.arrays import Change, EdgeRow
from graph.stores.embedded.adjacency.keeper import AdjacencyKeeper
from graph.stores.embedded.adjacency.load import EDGE_COLUMNS
from graph.stores.embedded.adjacency.nodes import NODE_COLUMNS
from graph.stores.embedded.database import Database
from graph.stores.embedded.values import as_list

EdgeKey = tuple[int, int, int, int]  # kind, source, target, scope as numbers
Gone = tuple[int, int, int, int]  # no, kind, source, target

_NODES = f"SELECT n.no, n.id, {NODE_COLUMNS} FROM node n LEFT JOIN entity e ON e.no = n.no"
_BY_KEY = """
SELECT e.no FROM json_each(?) k CROSS JOIN edge e ON e.kind = json_extract(k.value, '$[0]')
  AND e.source = json_extract(k.value, '$[1]') AND e.target = json_extract(k.value, '$[2]')
  AND e.scope = json_extract(k.value, '$[3]')
WHERE e.no <= ?
"""


class Recording:
    """Opened after edges were dropped and before anything is inserted, so that what is new has higher numbers."""

    def __init__(self, database: Database, connection: sqlite3.Connection) -> None:
        self._database = database
        self._connection = connection
        self._keeper = database.companion(AdjacencyKeeper)
        self._last_node = self._last("node")
        self._last_edge = self._last("edge")

    def _last(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT coalesce(max(no), 0) FROM {table}").fetchone()[0])

    def close(self, touched: Iterable[int], edges: Sequence[EdgeKey] = (), gone: Sequence[Gone] = ()) -> None:
        """Count the change, and tell the adjacency once it is committed. `touched` are numbers of nodes written to."""
        (version,) = self._connection.execute("UPDATE graph_version SET n = n + 1 RETURNING n").fetchone()
        if self._keeper.listening:
            rows = self._edges(edges)
            change = Change(version, self._nodes(touched), rows, [*gone, *self._replaced(rows)])
            self._database.after_commit(lambda: self._keeper.changed(change))

    def _nodes(self, touched: Iterable[int]) -> list[tuple[int, str, tuple[object, ...]]]:
        told = as_list(set(touched))
        rows = self._connection.execute(
            f"{_NODES} WHERE n.no > :last "
            f"UNION ALL {_NODES} WHERE n.no <= :last AND n.no IN (SELECT value FROM json_each(:told))",
            {"last": self._last_node, "told": told},
        )
        return [(no, id_, tuple(rest)) for no, id_, *rest in rows]

    def _edges(self, keys: Sequence[EdgeKey]) -> list[EdgeRow]:
        select = f"SELECT {EDGE_COLUMNS} FROM edge"
        new = [EdgeRow(*row) for row in self._connection.execute(f"{select} WHERE no > ?", (self._last_edge,))]
        distinct = set(keys)
        if len(new) == len(distinct):
            return new
        asked = as_list(list(distinct))
        old = self._connection.execute(f"{select} WHERE no IN ({_BY_KEY})", (asked, self._last_edge))
        return [EdgeRow(*row) for row in old] + new

    def _replaced(self, rows: Sequence[EdgeRow]) -> list[Gone]:
        """Edges written again: the links they had give way to those of now."""
        return [(row.no, row.kind, row.source, row.target) for row in rows if row.no <= self._last_edge]
