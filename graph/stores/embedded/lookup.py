"""Finding nodes by what they are called: names and aliases, identifiers, triples, words in a row."""

from collections.abc import Sequence
from typing import Any

from graph.model.entities import Entity, Fact
from graph.model.observations import Record
from graph.model.views import View
from graph.stores.embedded.database import Database
from graph.stores.embedded.rows import ENTITY_COLUMNS, FACT_COLUMNS, RECORD_COLUMNS, entity_from, fact_from, record_from
from graph.stores.embedded.values import as_list
from graph.stores.embedded.views import holds, may_be_seen, observation_seen
from graph.text.names import identifier_key
from graph.text.phrases import phrase_query

_LAST_CHARACTER = "\U0010ffff"


class SqliteLookup:
    """graph.ports.Lookup over one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entities(self, ids: Sequence[str], view: View) -> list[Entity]:
        return self._entities(
            "json_each(:ids) a CROSS JOIN node n ON n.id = a.value", "1", "a.key", view, {"ids": as_list(ids)}
        )

    def entities_by_key(self, name_keys: Sequence[str], view: View) -> list[Entity]:
        named = "n.no IN (SELECT entity FROM alias WHERE key IN (SELECT value FROM json_each(:keys)))"
        return self._entities("node n", named, "e.name_key, n.id", view, {"keys": as_list(name_keys)})

    def entity_list(self, view: View, *, prefix: str = "", limit: int = 100) -> list[Entity]:
        named, names = "1", dict[str, Any](limit=limit)
        if prefix:
            named = "e.name_key >= :prefix AND e.name_key < :beyond"
            names |= {"prefix": prefix, "beyond": prefix + _LAST_CHARACTER}
        return self._entities("node n", named, "e.mentions DESC, e.name_key, n.id LIMIT :limit", view, names)

    def records_by_identifier(self, identifiers: Sequence[str], view: View) -> dict[str, list[Record]]:
        """See Lookup.records_by_identifier. Identifiers that no visible record bears are absent."""
        seen, names = may_be_seen(view)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT a.key, {RECORD_COLUMNS} FROM json_each(:keys) a CROSS JOIN identifier i ON i.key = a.value "
                f"JOIN record r ON r.no = i.record JOIN node n ON n.no = r.no WHERE {seen} ORDER BY a.key, n.id",
                names | {"keys": as_list(map(identifier_key, identifiers))},
            ).fetchall()
        found: dict[str, dict[str, Record]] = {}
        for place, *row in rows:
            record = record_from(tuple(row))
            found.setdefault(identifiers[place], {})[record.id] = record
        return {identifier: list(records.values()) for identifier, records in found.items()}

    def facts(
        self,
        view: View,
        *,
        ids: Sequence[str] | None = None,
        subject_ids: Sequence[str] | None = None,
        predicate: str | None = None,
        limit: int = 200,
    ) -> list[Fact]:
        """See Lookup.facts. An unknown valid_from or authored_at comes first; what is given narrows together."""
        seen, names = may_be_seen(view)
        valid, valid_names = holds(view, "n")
        clauses = [seen, valid]
        if subject_ids is not None:
            numbers = "SELECT no FROM node WHERE id IN (SELECT value FROM json_each(:subjects))"
            clauses.append(f"(f.subject IN ({numbers}) OR f.object IN ({numbers}))")
            names["subjects"] = as_list(subject_ids)
        if predicate is not None:
            clauses.append("f.predicate = :predicate")
            names["predicate"] = predicate
        source, order = "node n", "n.valid_from, n.authored_at, n.id"
        if ids is not None:
            source, order = "json_each(:ids) a CROSS JOIN node n ON n.id = a.value", "a.key"
            names["ids"] = as_list(ids)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {FACT_COLUMNS} FROM {source} JOIN fact f ON f.no = n.no WHERE {' AND '.join(clauses)} "
                f"ORDER BY {order} LIMIT :limit",
                names | valid_names | {"limit": limit},
            ).fetchall()
        return [fact_from(row) for row in rows]

    def mentioning(self, phrase_words: Sequence[str], view: View, limit: int = 200) -> list[str]:
        """See Lookup.mentioning. In scripts without spaces the characters in a row count, wherever a word may end."""
        phrase = phrase_query(phrase_words)
        if phrase is None:
            return []
        seen, names = observation_seen(view)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT n.id FROM phrase p CROSS JOIN node n ON n.no = p.rowid WHERE p.words MATCH :phrase AND {seen} "
                "ORDER BY n.id LIMIT :limit",
                names | {"phrase": phrase, "limit": limit},
            ).fetchall()
        return [id_ for (id_,) in rows]

    def _entities(self, source: str, condition: str, order: str, view: View, names: dict[str, Any]) -> list[Entity]:
        seen, seen_names = may_be_seen(view)
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {ENTITY_COLUMNS} FROM {source} JOIN entity e ON e.no = n.no "
                f"WHERE {condition} AND {seen} ORDER BY {order}",
                seen_names | names,
            ).fetchall()
        return [entity_from(row) for row in rows]
