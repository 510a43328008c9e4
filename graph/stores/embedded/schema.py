"""Tables of the embedded stores, as numbered migrations; the file's version is the number of those it has seen.

Nodes carry an integer `no`, so that edges and indexes stay small, and everything a view filters by, so that a hop
needs no other table. Scopes, sessions and authors are interned in `symbol`. Times are microseconds since 1970.
"""

import sqlite3
from collections.abc import Iterator

from graph.errors import SchemaTooNew

_LEDGER = """
CREATE TABLE event (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  authored_offset INTEGER,
  draft TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX event_in_order ON event (recorded_at, id);

-- The receipt is also the outbox: `step` is the work still to do (NULL: finished), `available_at` when it may be claimed
-- (0: at once; the end of a lease or of a retry's wait; NULL: dead letter), `claims` the fencing number of the lease.
CREATE TABLE receipt (
  event_id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  state INTEGER NOT NULL,
  dead INTEGER NOT NULL DEFAULT 0,
  step INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  available_at INTEGER,
  claims INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  marks TEXT NOT NULL DEFAULT '{}'
) WITHOUT ROWID;
CREATE INDEX receipt_due ON receipt (step, available_at, recorded_at, event_id) WHERE available_at IS NOT NULL;
CREATE INDEX receipt_in_order ON receipt (recorded_at, event_id);
CREATE INDEX receipt_pending ON receipt (scope) WHERE available_at IS NOT NULL;
CREATE INDEX receipt_dead ON receipt (recorded_at, event_id, scope) WHERE dead;
"""

_GRAPH = """
CREATE TABLE symbol (no INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

-- label: 0 named by an edge but not written yet, 1 observation, 2 entity, 3 fact, 4 record
CREATE TABLE node (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  label INTEGER NOT NULL DEFAULT 0,
  scope INTEGER,
  status INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0,
  authored_at INTEGER,
  valid_from INTEGER,
  valid_to INTEGER,
  session INTEGER,
  author INTEGER
);
CREATE INDEX node_in_time ON node (authored_at, id) WHERE label = 1 AND authored_at IS NOT NULL;

CREATE TABLE observation (
  no INTEGER PRIMARY KEY,
  record INTEGER NOT NULL,
  position INTEGER NOT NULL,
  part INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX observation_in_record ON observation (record, position, part);

CREATE TABLE entity (
  no INTEGER PRIMARY KEY,
  name_key TEXT NOT NULL,
  mentions INTEGER NOT NULL,
  about INTEGER NOT NULL,
  mention_weight REAL,
  body TEXT NOT NULL
);
CREATE INDEX entity_by_name ON entity (name_key);
CREATE INDEX entity_by_mentions ON entity (mentions DESC, name_key);
CREATE TABLE alias (key TEXT NOT NULL, entity INTEGER NOT NULL, PRIMARY KEY (key, entity)) WITHOUT ROWID;
CREATE INDEX alias_of ON alias (entity);

CREATE TABLE fact (
  no INTEGER PRIMARY KEY,
  subject INTEGER,
  object INTEGER,
  predicate TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX fact_by_subject ON fact (subject) WHERE subject IS NOT NULL;
CREATE INDEX fact_by_object ON fact (object) WHERE object IS NOT NULL;
CREATE INDEX fact_by_predicate ON fact (predicate);

CREATE TABLE record (no INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE identifier (key TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (key, record)) WITHOUT ROWID;
CREATE INDEX identifier_of ON identifier (record);

CREATE TABLE edge (
  no INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  weight REAL NOT NULL,
  origin INTEGER NOT NULL,
  evidence INTEGER,
  sentence INTEGER NOT NULL,
  nested INTEGER NOT NULL,
  note TEXT NOT NULL,
  valid_from INTEGER,
  valid_to INTEGER,
  revision INTEGER NOT NULL
);
CREATE UNIQUE INDEX edge_out ON edge (kind, source, target, scope);
CREATE INDEX edge_in ON edge (kind, target);

-- Every change of state is kept, so that it can be explained and undone.
CREATE TABLE status_change (
  no INTEGER PRIMARY KEY,
  node INTEGER NOT NULL,
  was INTEGER NOT NULL,
  status INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reason TEXT NOT NULL
);
CREATE INDEX status_change_of ON status_change (node);

-- Folded words of observations, in order, separated by spaces (graph.text.phrases); rowid is the node's no.
CREATE VIRTUAL TABLE phrase USING fts5 (words, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co Cn'");
"""

_TALLY = """
CREATE TABLE tally (
  what TEXT NOT NULL, scope TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (what, scope)
) WITHOUT ROWID;
"""
_COUNTED = """
CREATE TRIGGER {table}_counted AFTER INSERT ON {table} BEGIN
  INSERT INTO tally (what, scope, n) VALUES ('{what}', {scope_new}, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER {table}_discounted AFTER DELETE ON {table} BEGIN
  UPDATE tally SET n = n - 1 WHERE what = '{what}' AND scope = {scope_old};
END;
"""
_OF_NODE = "(SELECT s.text FROM node n JOIN symbol s ON s.no = n.scope WHERE n.no = {row}.no)"
_OF_EDGE = "(SELECT text FROM symbol WHERE no = {row}.scope)"
_OF_EVENT = "{row}.scope"
_SCOPES = {
    "event": ("events", _OF_EVENT),
    "observation": ("observations", _OF_NODE),
    "entity": ("entities", _OF_NODE),
    "fact": ("facts", _OF_NODE),
    "record": ("records", _OF_NODE),
    "edge": ("edges", _OF_EDGE),
}


def _triggers() -> str:
    """Triggers that keep `tally`, so that counting never scans a table."""
    return "".join(
        _COUNTED.format(table=table, what=what, scope_new=scope.format(row="NEW"), scope_old=scope.format(row="OLD"))
        for table, (what, scope) in _SCOPES.items()
    )


# The number of the last change to the graph, and which file this is: what was derived from the file is held against both.
_VERSION = """
CREATE TABLE graph_version (n INTEGER NOT NULL, file TEXT NOT NULL);
INSERT INTO graph_version (n, file) VALUES (0, hex(randomblob(16)));
"""

# Counting the mentions of a common name reads the index alone.
_COVERING = """
DROP INDEX edge_in;
CREATE INDEX edge_in ON edge (kind, target, scope, source);
"""

MIGRATIONS: tuple[str, ...] = (_LEDGER + _GRAPH + _TALLY + _triggers(), _VERSION, _COVERING)


def check_version(connection: sqlite3.Connection) -> int:
    """The file's version. Raises SchemaTooNew when a newer program wrote it."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise SchemaTooNew(
            f"the data has schema {version}, this program knows {len(MIGRATIONS)}: use the newer program",
            found=version,
            known=len(MIGRATIONS),
        )
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest schema; each step is one transaction, so a crash leaves a whole version."""
    while check_version(connection) < len(MIGRATIONS):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Read again under the lock: another process may have migrated meanwhile.
            version = check_version(connection)
            for statement in _statements("".join(MIGRATIONS[version : version + 1])):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {min(version + 1, len(MIGRATIONS))}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _statements(script: str) -> Iterator[str]:
    """The single statements of a script; a trigger's own semicolons do not end it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
