"""Finding nodes by what they are called: names and aliases, identifiers, triples, words in a row."""

from collections.abc import Sequence

from graph.model.entities import Entity, Fact
from graph.model.observations import Record
from graph.model.views import View
from graph.stores.neo4j.connection import Connection
from graph.stores.neo4j.rows import entity_from, fact_from, record_from
from graph.stores.neo4j.views import HOLDS, MAY_BE_SEEN, OBSERVATION_SEEN, view_parameters
from graph.text.names import identifier_key
from graph.text.phrases import phrase_query

_ENTITIES = f"""
UNWIND range(0, size($ids) - 1) AS place
MATCH (n:Node {{id: $ids[place]}}) WHERE n:Entity AND {MAY_BE_SEEN}
RETURN n {{.*}} AS n ORDER BY place
"""
_BY_KEY = f"""
MATCH (k:Alias) WHERE k.key IN $keys
MATCH (k)-[:NAMES]->(n:Entity) WHERE {MAY_BE_SEEN}
WITH DISTINCT n RETURN n {{.*}} AS n ORDER BY n.name_key, n.id
"""
_LIST = f"""
MATCH (n:Entity) WHERE n.name_key STARTS WITH $prefix AND {MAY_BE_SEEN}
RETURN n {{.*}} AS n ORDER BY n.mentions DESC, n.name_key, n.id LIMIT $limit
"""
_BY_IDENTIFIER = f"""
UNWIND range(0, size($keys) - 1) AS place
MATCH (k:Identifier {{key: $keys[place]}})-[:NAMES]->(n:Record) WHERE {MAY_BE_SEEN}
RETURN place, n {{.*}} AS n ORDER BY place, n.id
"""
# An unknown valid_from or authored_at comes first: Cypher sorts null last, so the missing ones are told apart.
_IN_TIME = "n.valid_from IS NOT NULL, n.valid_from, n.authored_at IS NOT NULL, n.authored_at, n.id"
_NARROWED = f"({MAY_BE_SEEN}) AND {HOLDS} AND ($predicate IS NULL OR n.predicate = $predicate)"
_FACTS = f"MATCH (n:Fact) WHERE {_NARROWED} RETURN n {{.*}} AS n ORDER BY {_IN_TIME} LIMIT $limit"
_FACTS_BY_ID = f"""
UNWIND range(0, size($ids) - 1) AS place
MATCH (n:Node {{id: $ids[place]}}) WHERE n:Fact AND {_NARROWED}
  AND ($subjects IS NULL OR n.subject_id IN $subjects OR n.object_id IN $subjects)
RETURN n {{.*}} AS n ORDER BY place LIMIT $limit
"""
_FACTS_OF = f"""
CALL () {{
  MATCH (n:Fact) WHERE n.subject_id IN $subjects RETURN n
  UNION
  MATCH (n:Fact) WHERE n.object_id IN $subjects RETURN n
}}
WITH n WHERE {_NARROWED}
RETURN n {{.*}} AS n ORDER BY {_IN_TIME} LIMIT $limit
"""
_MENTIONING = f"""
CALL db.index.fulltext.queryNodes('phrase_words', $phrase) YIELD node AS n
WITH n WHERE {OBSERVATION_SEEN}
RETURN n.id AS id ORDER BY id LIMIT $limit
"""


class Neo4jLookup:
    """graph.ports.Lookup over Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def entities(self, ids: Sequence[str], view: View) -> list[Entity]:
        return self._entities(_ENTITIES, view, ids=list(ids))

    def entities_by_key(self, name_keys: Sequence[str], view: View) -> list[Entity]:
        return self._entities(_BY_KEY, view, keys=sorted(set(name_keys)))

    def entity_list(self, view: View, *, prefix: str = "", limit: int = 100) -> list[Entity]:
        return self._entities(_LIST, view, prefix=prefix, limit=limit)

    def records_by_identifier(self, identifiers: Sequence[str], view: View) -> dict[str, list[Record]]:
        """See Lookup.records_by_identifier. Identifiers that no visible record bears are absent."""
        keys = [identifier_key(identifier) for identifier in identifiers]
        found: dict[str, dict[str, Record]] = {}
        for row in self._connection.read(_BY_IDENTIFIER, keys=keys, **view_parameters(view)):
            record = record_from(row["n"])
            found.setdefault(identifiers[row["place"]], {})[record.id] = record
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
        text = _FACTS if subject_ids is None else _FACTS_OF
        rows = self._connection.read(
            text if ids is None else _FACTS_BY_ID,
            ids=None if ids is None else list(ids),
            subjects=None if subject_ids is None else list(subject_ids),
            predicate=predicate,
            limit=limit,
            **view_parameters(view),
        )
        return [fact_from(row["n"]) for row in rows]

    def mentioning(self, phrase_words: Sequence[str], view: View, limit: int = 200) -> list[str]:
        """See Lookup.mentioning. In scripts without spaces the characters in a row count, wherever a word may end."""
        phrase = phrase_query(phrase_words)
        if phrase is None:
            return []
        rows = self._connection.read(_MENTIONING, phrase=phrase, limit=limit, **view_parameters(view))
        return [row["id"] for row in rows]

    def _entities(self, text: str, view: View, **parameters: object) -> list[Entity]:
        return [entity_from(row["n"]) for row in self._connection.read(text, **parameters, **view_parameters(view))]
