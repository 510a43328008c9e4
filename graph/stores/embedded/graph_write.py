"""Writing the graph: keyed upserts in one transaction, in which an older revision never wins."""

import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Entity, Fact
from graph.model.observations import Observation, Record, Status
from graph.ports.graph import GraphBatch
from graph.stores.embedded.adjacency.recording import Recording
from graph.stores.embedded.database import Database
from graph.stores.embedded.interning import StoredNode, intern_nodes, intern_symbols, known_nodes
from graph.stores.embedded.rows import (
    ENTITY,
    FACT,
    FORGOTTEN,
    KIND_NO,
    OBSERVATION,
    ORIGIN_NO,
    RECORD,
    STATUS_NO,
    body_of,
)
from graph.stores.embedded.values import as_list, micros
from graph.text.names import identifier_key, name_key
from graph.text.phrases import indexed_words

Node = TypeVar("Node", Observation, Entity, Fact, Record)
Nodes = Mapping[str, StoredNode]
Symbols = Mapping[str | None, int | None]

_DROP = """
DELETE FROM edge WHERE kind = ? AND source = (SELECT no FROM node WHERE id = ?)
  AND scope = (SELECT no FROM symbol WHERE text = ?) RETURNING no, kind, source, target
"""
_NODE = """
UPDATE node SET label = :label, scope = :scope, status = :status, revision = :revision, authored_at = :authored_at,
  valid_from = :valid_from, valid_to = :valid_to, session = :session, author = :author WHERE no = :no
"""
_OBSERVATION = """
INSERT INTO observation (no, record, position, part, pinned, body)
VALUES (:no, :record, :position, :part, :pinned, :body)
ON CONFLICT (no) DO UPDATE SET record = excluded.record, position = excluded.position, part = excluded.part,
  body = excluded.body, pinned = CASE WHEN :same THEN pinned ELSE excluded.pinned END
"""
_ENTITY = """
INSERT INTO entity (no, name_key, mentions, about, body) VALUES (:no, :name_key, :mentions, :about, :body)
ON CONFLICT (no) DO UPDATE SET name_key = excluded.name_key, body = excluded.body,
  mentions = CASE WHEN :same THEN mentions ELSE excluded.mentions END,
  about = CASE WHEN :same THEN about ELSE excluded.about END
"""
_FACT = """
INSERT INTO fact (no, subject, object, predicate, body) VALUES (:no, :subject, :object, :predicate, :body)
ON CONFLICT (no) DO UPDATE SET subject = excluded.subject, object = excluded.object, predicate = excluded.predicate,
  body = excluded.body
"""
_RECORD = "INSERT INTO record (no, body) VALUES (:no, :body) ON CONFLICT (no) DO UPDATE SET body = excluded.body"
_EDGE = """
INSERT INTO edge (kind, source, target, scope, weight, origin, evidence, sentence, nested, note, valid_from, valid_to, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (kind, source, target, scope) DO UPDATE SET weight = excluded.weight, origin = excluded.origin,
  evidence = excluded.evidence, sentence = excluded.sentence, nested = excluded.nested, note = excluded.note,
  valid_from = excluded.valid_from, valid_to = excluded.valid_to, revision = excluded.revision
WHERE excluded.revision >= edge.revision
"""
_MOVED = "INSERT INTO status_change (node, was, status, revision, reason) VALUES (?, ?, ?, ?, ?)"


class GraphWriting:
    """graph.ports.GraphWriter over one SQLite file.

    An entity written again at an equal revision keeps its counts (recount owns them) and the aliases known so far.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, batch: GraphBatch) -> None:
        with self._database.write() as connection:
            gone = [
                row
                for scope, kind, source in batch.drop
                for row in connection.execute(_DROP, (KIND_NO[EdgeKind(kind)], source, scope)).fetchall()
            ]
            recording = Recording(self._database, connection)
            nodes = intern_nodes(connection, _ids(batch))
            symbols = intern_symbols(connection, _symbols(batch))
            _write_records(connection, batch.records, nodes, symbols)
            _write_observations(connection, batch.observations, nodes, symbols)
            _write_entities(connection, batch.entities, nodes, symbols)
            _write_facts(connection, batch.facts, nodes, symbols)
            edges = [_edge_row(edge, nodes, symbols) for edge in batch.edges]
            connection.executemany(_EDGE, edges)
            recording.close((nodes[id_].no for id_ in _written_ids(batch)), [row[:4] for row in edges], gone)

    def set_status(self, scope: str, ids: Sequence[str], status: Status, reason: str, *, restore: bool = False) -> list[str]:
        """See GraphWriter.set_status. The reason and the state left are kept in `status_change`."""
        with self._database.write() as connection:
            nodes = _of_scope(connection, ids, scope, (OBSERVATION, ENTITY, FACT))
            moved = [
                (id_, node)
                for id_, node in nodes.items()
                if node.status != STATUS_NO[status] and (restore or node.status != FORGOTTEN)
            ]
            connection.executemany(
                "UPDATE node SET status = ?, revision = revision + 1 WHERE no = ?",
                ((STATUS_NO[status], node.no) for _, node in moved),
            )
            connection.executemany(
                _MOVED, ((node.no, node.status, STATUS_NO[status], node.revision + 1, reason) for _, node in moved)
            )
            Recording(self._database, connection).close(node.no for _, node in moved)
        return [id_ for id_, _ in moved]

    def set_pinned(self, scope: str, ids: Sequence[str], pinned: bool) -> list[str]:
        """See GraphWriter.set_pinned. A change raises the observation's revision."""
        with self._database.write() as connection:
            nodes = _of_scope(connection, ids, scope, (OBSERVATION,))
            changed = [
                id_
                for id_, node in nodes.items()
                if connection.execute(
                    "UPDATE observation SET pinned = :pinned WHERE no = :no AND pinned != :pinned",
                    {"pinned": pinned, "no": node.no},
                ).rowcount
            ]
            connection.executemany(
                "UPDATE node SET revision = revision + 1 WHERE no = ?", ((nodes[id_].no,) for id_ in changed)
            )
            Recording(self._database, connection).close(nodes[id_].no for id_ in changed)
        return changed

    def recount(self, scope: str, entity_ids: Sequence[str]) -> None:
        """See GraphWriter.recount. The weight is kept at the entity, so its cost does not grow with the mentions."""
        with self._database.write() as connection:
            nodes = _of_scope(connection, entity_ids, scope, (ENTITY,))
            row = connection.execute("SELECT n FROM tally WHERE what = 'observations' AND scope = ?", (scope,)).fetchone()
            total = row[0] if row else 0
            for node in nodes.values():
                mentions, about = (
                    _edges_into(connection, kind, node.no, scope) for kind in (EdgeKind.MENTIONS, EdgeKind.ABOUT)
                )
                connection.execute(
                    "UPDATE entity SET mentions = ?, about = ?, mention_weight = ? WHERE no = ?",
                    (mentions, about, mention_weight(total, mentions), node.no),
                )
            Recording(self._database, connection).close(node.no for node in nodes.values())


def mention_weight(observations: int, mentions: int) -> float:
    """ln(1 + n / (1 + df)) / ln(1 + n): near 1 for a rare entity, near 0 for one that stands everywhere."""
    n = max(observations, 1)
    return math.log1p(n / (1 + mentions)) / math.log1p(n)


def _written_ids(batch: GraphBatch) -> Iterator[str]:
    for nodes in (batch.records, batch.observations, batch.entities, batch.facts):
        yield from (node.id for node in nodes)


def _ids(batch: GraphBatch) -> Iterator[str]:
    yield from _written_ids(batch)
    yield from (observation.record_id for observation in batch.observations)
    for fact in batch.facts:
        yield from (id_ for id_ in (fact.subject_id, fact.object_id) if id_ is not None)
    for edge in batch.edges:
        yield from (id_ for id_ in (edge.source, edge.target, edge.evidence) if id_ is not None)


def _symbols(batch: GraphBatch) -> Iterator[str | None]:
    for observation in batch.observations:
        yield from (observation.scope, observation.session, observation.author)
    for scoped in (batch.records, batch.entities, batch.facts, batch.edges):
        yield from (one.scope for one in scoped)


def _of_scope(connection: sqlite3.Connection, ids: Sequence[str], scope: str, labels: tuple[int, ...]) -> dict[str, StoredNode]:
    """The stored nodes among `ids` that belong to `scope` and have one of the labels, in the order asked."""
    asked = as_list(dict.fromkeys(ids))
    rows = connection.execute(
        "SELECT n.id FROM json_each(?) a JOIN node n ON n.id = a.value JOIN symbol s ON s.no = n.scope "
        f"WHERE s.text = ? AND n.label IN ({','.join(map(str, labels))}) ORDER BY a.key",
        (asked, scope),
    ).fetchall()
    nodes = known_nodes(connection, asked)
    return {id_: nodes[id_] for (id_,) in rows}


def _edges_into(connection: sqlite3.Connection, kind: EdgeKind, target: int, scope: str) -> int:
    counted = connection.execute(
        "SELECT count(*) FROM edge WHERE kind = ? AND target = ? AND scope = (SELECT no FROM symbol WHERE text = ?)",
        (KIND_NO[kind], target, scope),
    )
    return int(counted.fetchone()[0])


def _accepted(values: Iterable[Node], nodes: Nodes, label: int) -> Iterator[tuple[Node, dict[str, Any]]]:
    """Values that may be written, with their node's row; `same` says that the stored revision is equal.

    A lower revision is left out; at an equal one the stored state stays; a forgotten item stays forgotten at any.
    """
    for value in values:
        stored = nodes[value.id]
        if stored.label and value.revision < stored.revision:
            continue
        same = bool(stored.label) and value.revision == stored.revision
        status = STATUS_NO[getattr(value, "status", Status.ACTIVE)]
        if same or (stored.label and stored.status == FORGOTTEN):
            status = stored.status
        stored.label, stored.status, stored.revision = label, status, value.revision
        yield value, {"no": stored.no, "label": label, "status": status, "revision": value.revision, "same": same}


def _node_row(value: Observation | Entity | Fact | Record, row: dict[str, Any], symbols: Symbols) -> dict[str, Any]:
    """All columns of the node: what views filter by, empty where the value has no such field."""
    timed = {name: micros(getattr(value, name, None)) for name in ("authored_at", "valid_from", "valid_to")}
    company = {name: symbols.get(getattr(value, name, None)) for name in ("session", "author")}
    return row | timed | company | {"scope": symbols[value.scope], "body": body_of(value)}


def _write_records(connection: sqlite3.Connection, records: Sequence[Record], nodes: Nodes, symbols: Symbols) -> None:
    for record, accepted in _accepted(records, nodes, RECORD):
        row = _node_row(record, accepted, symbols)
        connection.execute(_NODE, row)
        connection.execute(_RECORD, row)
        connection.execute("DELETE FROM identifier WHERE record = ?", (row["no"],))
        keys = {identifier_key(identifier) for identifier in record.identifiers}
        connection.executemany("INSERT INTO identifier (key, record) VALUES (?, ?)", ((key, row["no"]) for key in keys))


def _write_observations(connection: sqlite3.Connection, values: Sequence[Observation], nodes: Nodes, symbols: Symbols) -> None:
    rows = [
        _node_row(value, accepted, symbols)
        | {
            "record": nodes[value.record_id].no,
            "position": value.position,
            "part": value.part,
            "pinned": value.pinned,
            "words": indexed_words(value.text),
        }
        for value, accepted in _accepted(values, nodes, OBSERVATION)
    ]
    connection.executemany(_NODE, rows)
    connection.executemany(_OBSERVATION, rows)
    # The words are rewritten only where they changed: most writes of a stored observation leave its text alone.
    asked = as_list(row["no"] for row in rows)
    known = dict(
        connection.execute(
            "SELECT rowid, words FROM phrase WHERE rowid IN (SELECT value FROM json_each(?))", (asked,)
        ).fetchall()
    )
    changed = list({row["no"]: row for row in rows if known.get(row["no"]) != row["words"]}.values())
    connection.executemany("DELETE FROM phrase WHERE rowid = :no", (row for row in changed if row["no"] in known))
    connection.executemany("INSERT INTO phrase (rowid, words) VALUES (:no, :words)", changed)


def _write_entities(connection: sqlite3.Connection, values: Sequence[Entity], nodes: Nodes, symbols: Symbols) -> None:
    for value, accepted in _accepted(values, nodes, ENTITY):
        entity = _with_known_aliases(connection, value, accepted["no"]) if accepted["same"] else value
        row = _node_row(entity, accepted, symbols) | {
            "name_key": entity.name_key,
            "mentions": entity.mentions,
            "about": entity.about,
        }
        connection.execute(_NODE, row)
        connection.execute(_ENTITY, row)
        connection.execute("DELETE FROM alias WHERE entity = ?", (row["no"],))
        keys = {entity.name_key, *(name_key(alias) for alias in entity.aliases)}
        connection.executemany("INSERT INTO alias (key, entity) VALUES (?, ?)", ((key, row["no"]) for key in keys))


def _with_known_aliases(connection: sqlite3.Connection, entity: Entity, no: int) -> Entity:
    (body,) = connection.execute("SELECT body FROM entity WHERE no = ?", (no,)).fetchone()
    known = Entity.model_validate_json(body).aliases
    return entity.model_copy(update={"aliases": tuple(dict.fromkeys((*known, *entity.aliases)))})


def _write_facts(connection: sqlite3.Connection, values: Sequence[Fact], nodes: Nodes, symbols: Symbols) -> None:
    for value, accepted in _accepted(values, nodes, FACT):
        fact = _with_known_evidence(connection, value, accepted["no"]) if accepted["same"] else value
        row = _node_row(fact, accepted, symbols) | {
            "subject": None if fact.subject_id is None else nodes[fact.subject_id].no,
            "object": None if fact.object_id is None else nodes[fact.object_id].no,
            "predicate": fact.predicate,
        }
        connection.execute(_NODE, row)
        connection.execute(_FACT, row)


def _with_known_evidence(connection: sqlite3.Connection, fact: Fact, no: int) -> Fact:
    (body,) = connection.execute("SELECT body FROM fact WHERE no = ?", (no,)).fetchone()
    known = Fact.model_validate_json(body).evidence
    return fact.model_copy(update={"evidence": tuple(dict.fromkeys((*known, *fact.evidence)))})


def _edge_row(edge: Edge, nodes: Nodes, symbols: Symbols) -> tuple[Any, ...]:
    """The columns of _EDGE; the first four are the key."""
    return (
        KIND_NO[edge.kind],
        nodes[edge.source].no,
        nodes[edge.target].no,
        symbols[edge.scope],
        edge.weight,
        ORIGIN_NO[edge.origin],
        None if edge.evidence is None else nodes[edge.evidence].no,
        edge.sentence,
        edge.nested,
        edge.note,
        micros(edge.valid_from),
        micros(edge.valid_to),
        edge.revision,
    )
