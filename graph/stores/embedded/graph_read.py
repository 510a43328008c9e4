"""Reading the graph: observations, records and walks, all under a view that is part of the query."""

from collections.abc import Sequence

from graph.model.edges import EdgeKind, Hop, Walked
from graph.model.observations import Observation, Record
from graph.model.views import View
from graph.stores.embedded.adjacency.keeper import AdjacencyKeeper
from graph.stores.embedded.database import Database
from graph.stores.embedded.expansion import expand_in_sql
from graph.stores.embedded.rows import (
    KIND_NO,
    OBSERVATION,
    OBSERVATION_COLUMNS,
    RECORD_COLUMNS,
    observation_from,
    record_from,
)
from graph.stores.embedded.values import as_list
from graph.stores.embedded.views import may_be_seen, observation_seen

_COUNTED = ("events", "observations", "entities", "facts", "edges", "records")
_NAMING = f"{KIND_NO[EdgeKind.MENTIONS]}, {KIND_NO[EdgeKind.ABOUT]}"


class GraphReading:
    """graph.ports.GraphReader over one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._adjacency = database.companion(AdjacencyKeeper)

    def observations(self, ids: Sequence[str], view: View) -> list[Observation]:
        """See GraphReader.observations. Kept in memory while the adjacency is loaded: treat their dictionaries as frozen."""
        found = self._adjacency.observations(ids, view)
        return found if found is not None else self.observations_in_sql(ids, view)

    def observations_in_sql(self, ids: Sequence[str], view: View) -> list[Observation]:
        """As `observations`, from the rows alone."""
        seen, names = observation_seen(view)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {OBSERVATION_COLUMNS} FROM json_each(:ids) a CROSS JOIN node n ON n.id = a.value "
                f"JOIN observation o ON o.no = n.no WHERE {seen} ORDER BY a.key",
                names | {"ids": as_list(ids)},
            ).fetchall()
        return [observation_from(row) for row in rows]

    def expand(self, frontier: Sequence[str], hops: Sequence[Hop], view: View) -> list[Walked]:
        """See GraphReader.expand. An edge's own scope and validity are held against the view too.

        Walked in memory where the adjacency is loaded, else in SQL: both give the same.
        """
        walked = self._adjacency.walk(frontier, hops, view)
        return walked if walked is not None else expand_in_sql(self._database, frontier, hops, view)

    def records(self, ids: Sequence[str], view: View) -> list[Record]:
        seen, names = may_be_seen(view)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {RECORD_COLUMNS} FROM json_each(:ids) a CROSS JOIN node n ON n.id = a.value "
                f"JOIN record r ON r.no = n.no WHERE {seen} ORDER BY a.key",
                names | {"ids": as_list(ids)},
            ).fetchall()
        return [record_from(row) for row in rows]

    def passages_of(self, record_ids: Sequence[str], view: View, limit: int = 500) -> list[Observation]:
        """See GraphReader.passages_of. Ties of (position, part) by id; `limit` bounds all records together."""
        seen, names = observation_seen(view)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {OBSERVATION_COLUMNS} FROM json_each(:ids) a CROSS JOIN node r ON r.id = a.value "
                f"CROSS JOIN observation o ON o.record = r.no JOIN node n ON n.no = o.no WHERE {seen} "
                "ORDER BY a.key, o.position, o.part, n.id LIMIT :limit",
                names | {"ids": as_list(record_ids), "limit": limit},
            ).fetchall()
        return [observation_from(row) for row in rows]

    def timeline(
        self, view: View, *, entity_id: str | None = None, limit: int = 100, newest_first: bool = False
    ) -> list[Observation]:
        """See GraphReader.timeline. `newest_first` turns the whole order round, ties included."""
        seen, names = observation_seen(view)
        order = "DESC" if newest_first else "ASC"
        naming = (
            f"SELECT source FROM edge WHERE kind IN ({_NAMING}) AND target = (SELECT no FROM node WHERE id = :entity)"
            if entity_id is not None
            else ""
        )
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {OBSERVATION_COLUMNS} FROM node n JOIN observation o ON o.no = n.no "
                f"WHERE n.label = {OBSERVATION} AND n.authored_at IS NOT NULL AND {seen} "
                f"{f'AND n.no IN ({naming})' if naming else ''} ORDER BY n.authored_at {order}, n.id {order} LIMIT :limit",
                names | {"entity": entity_id, "limit": limit},
            ).fetchall()
        return [observation_from(row) for row in rows]

    def scan(self, view: View, *, after: str | None = None, limit: int = 1000) -> list[Observation]:
        seen, names = observation_seen(view)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {OBSERVATION_COLUMNS} FROM node n CROSS JOIN observation o ON o.no = n.no "
                f"WHERE n.id > :after AND n.label = {OBSERVATION} AND {seen} ORDER BY n.id LIMIT :limit",
                names | {"after": after or "", "limit": limit},
            ).fetchall()
        return [observation_from(row) for row in rows]

    def counts(self, scopes: frozenset[str] | None) -> dict[str, int]:
        """See GraphReader.counts. Nodes are counted in every state, from running totals."""
        scoped = "1" if scopes is None else "scope IN (SELECT value FROM json_each(:scopes))"
        names = {"scopes": as_list(sorted(scopes or ()))}
        with self._database.read() as connection:
            found = dict(connection.execute(f"SELECT what, sum(n) FROM tally WHERE {scoped} GROUP BY what", names).fetchall())
            for what, condition in (("pending", "available_at IS NOT NULL"), ("dead_letters", "dead")):
                counted = connection.execute(f"SELECT count(*) FROM receipt WHERE {condition} AND {scoped}", names)
                found[what] = counted.fetchone()[0]
        return {what: int(found.get(what, 0)) for what in (*_COUNTED, "pending", "dead_letters")}
