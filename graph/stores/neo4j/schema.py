"""Constraints, indexes and the version of the schema. Nothing is served before all of them are there and online."""

from typing import LiteralString

from graph.errors import SchemaTooNew, StoreError
from graph.stores.neo4j.connection import Connection, Transaction

# One uniqueness constraint per merged label, on the id: the scope is part of every id (graph.model.ids).
_UNIQUE: dict[str, LiteralString] = {
    "event_id": "CREATE CONSTRAINT event_id IF NOT EXISTS FOR (n:Event) REQUIRE n.id IS UNIQUE",
    "receipt_id": "CREATE CONSTRAINT receipt_id IF NOT EXISTS FOR (n:Receipt) REQUIRE n.id IS UNIQUE",
    "node_id": "CREATE CONSTRAINT node_id IF NOT EXISTS FOR (n:Node) REQUIRE n.id IS UNIQUE",
    "alias_id": "CREATE CONSTRAINT alias_id IF NOT EXISTS FOR (n:Alias) REQUIRE n.id IS UNIQUE",
    "identifier_id": "CREATE CONSTRAINT identifier_id IF NOT EXISTS FOR (n:Identifier) REQUIRE n.id IS UNIQUE",
    "schema_id": "CREATE CONSTRAINT schema_id IF NOT EXISTS FOR (n:Schema) REQUIRE n.id IS UNIQUE",
}
# Relationship types come from graph.model.edges.EdgeKind; each has its own key, so that concurrent merges make no twins.
_EDGE_KEYS: dict[str, LiteralString] = {
    "edge_causes": "CREATE CONSTRAINT edge_causes IF NOT EXISTS FOR ()-[r:CAUSES]-() REQUIRE r.key IS UNIQUE",
    "edge_next": "CREATE CONSTRAINT edge_next IF NOT EXISTS FOR ()-[r:NEXT]-() REQUIRE r.key IS UNIQUE",
    "edge_similar": "CREATE CONSTRAINT edge_similar IF NOT EXISTS FOR ()-[r:SIMILAR]-() REQUIRE r.key IS UNIQUE",
    "edge_supports": "CREATE CONSTRAINT edge_supports IF NOT EXISTS FOR ()-[r:SUPPORTS]-() REQUIRE r.key IS UNIQUE",
    "edge_contradicts": "CREATE CONSTRAINT edge_contradicts IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() REQUIRE r.key IS UNIQUE",
    "edge_supersedes": "CREATE CONSTRAINT edge_supersedes IF NOT EXISTS FOR ()-[r:SUPERSEDES]-() REQUIRE r.key IS UNIQUE",
    "edge_derived_from": "CREATE CONSTRAINT edge_derived_from IF NOT EXISTS FOR ()-[r:DERIVED_FROM]-() REQUIRE r.key IS UNIQUE",
    "edge_cites": "CREATE CONSTRAINT edge_cites IF NOT EXISTS FOR ()-[r:CITES]-() REQUIRE r.key IS UNIQUE",
    "edge_part_of": "CREATE CONSTRAINT edge_part_of IF NOT EXISTS FOR ()-[r:PART_OF]-() REQUIRE r.key IS UNIQUE",
    "edge_mentions": "CREATE CONSTRAINT edge_mentions IF NOT EXISTS FOR ()-[r:MENTIONS]-() REQUIRE r.key IS UNIQUE",
    "edge_about": "CREATE CONSTRAINT edge_about IF NOT EXISTS FOR ()-[r:ABOUT]-() REQUIRE r.key IS UNIQUE",
    "edge_subject": "CREATE CONSTRAINT edge_subject IF NOT EXISTS FOR ()-[r:SUBJECT]-() REQUIRE r.key IS UNIQUE",
    "edge_object": "CREATE CONSTRAINT edge_object IF NOT EXISTS FOR ()-[r:OBJECT]-() REQUIRE r.key IS UNIQUE",
    "edge_evidence": "CREATE CONSTRAINT edge_evidence IF NOT EXISTS FOR ()-[r:EVIDENCE]-() REQUIRE r.key IS UNIQUE",
}
_INDEXES: dict[str, LiteralString] = {
    "receipt_due": "CREATE INDEX receipt_due IF NOT EXISTS FOR (n:Receipt) ON (n.step, n.available_at)",
    "receipt_order": "CREATE INDEX receipt_order IF NOT EXISTS FOR (n:Receipt) ON (n.recorded_at)",
    "receipt_dead": "CREATE INDEX receipt_dead IF NOT EXISTS FOR (n:Receipt) ON (n.dead)",
    "event_order": "CREATE INDEX event_order IF NOT EXISTS FOR (n:Event) ON (n.recorded_at)",
    "observation_time": "CREATE INDEX observation_time IF NOT EXISTS FOR (n:Observation) ON (n.authored_at)",
    "observation_id": "CREATE INDEX observation_id IF NOT EXISTS FOR (n:Observation) ON (n.id)",
    "observation_record": "CREATE INDEX observation_record IF NOT EXISTS FOR (n:Observation) ON (n.record_id)",
    "alias_key": "CREATE INDEX alias_key IF NOT EXISTS FOR (n:Alias) ON (n.key)",
    "entity_mentions": "CREATE INDEX entity_mentions IF NOT EXISTS FOR (n:Entity) ON (n.mentions)",
    "identifier_key": "CREATE INDEX identifier_key IF NOT EXISTS FOR (n:Identifier) ON (n.key)",
    "fact_subject": "CREATE INDEX fact_subject IF NOT EXISTS FOR (n:Fact) ON (n.subject_id)",
    "fact_object": "CREATE INDEX fact_object IF NOT EXISTS FOR (n:Fact) ON (n.object_id)",
    "fact_predicate": "CREATE INDEX fact_predicate IF NOT EXISTS FOR (n:Fact) ON (n.predicate)",
    "phrase_words": (
        "CREATE FULLTEXT INDEX phrase_words IF NOT EXISTS FOR (n:Observation) ON EACH [n.words] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}}"
    ),
}

MIGRATIONS: tuple[dict[str, LiteralString], ...] = (_UNIQUE | _EDGE_KEYS | _INDEXES,)


def migrate(connection: Connection) -> None:
    """Bring the database to the newest schema, step by step; each step is repeatable, so a crash between two is harmless."""
    for number in range(_version(connection), len(MIGRATIONS)):
        for text in MIGRATIONS[number].values():
            connection.define(text)
        connection.define("CALL db.awaitIndexes(60)")
        _set_version(connection, number + 1)
    check(connection)


def check(connection: Connection) -> None:
    """Refuse to start on a database that lacks a constraint or an index, naming the commands that are missing."""
    _version(connection)
    there = {row["name"] for row in connection.define("SHOW CONSTRAINTS YIELD name")}
    there |= {row["name"] for row in connection.define("SHOW INDEXES YIELD name, state WHERE state = 'ONLINE' RETURN name")}
    missing = [text for step in MIGRATIONS for name, text in step.items() if name not in there]
    if missing:
        raise StoreError("the database lacks what the graph relies on; run: " + "; ".join(missing), missing=missing)


def _set_version(connection: Connection, version: int) -> None:
    def work(transaction: Transaction) -> None:
        transaction.run("MERGE (s:Schema {id: 'backstory'}) SET s.version = $version", version=version)

    connection.write(work)


def _version(connection: Connection) -> int:
    rows = connection.read("MATCH (s:Schema {id: 'backstory'}) RETURN s.version AS version")
    version = int(rows[0]["version"]) if rows else 0
    if version > len(MIGRATIONS):
        raise SchemaTooNew(
            f"the data has schema {version}, this program knows {len(MIGRATIONS)}: use the newer program",
            found=version,
            known=len(MIGRATIONS),
        )
    return version
