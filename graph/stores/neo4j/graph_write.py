"""Writing the graph: keyed merges in sorted order in one transaction, in which an older revision never wins."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from graph.model.edges import EdgeKind
from graph.model.observations import Status
from graph.ports.graph import GraphBatch
from graph.stores.neo4j.connection import Connection, Transaction, translated
from graph.stores.neo4j.rows import edge_row, entity_row, fact_row, observation_row, record_row

Rows = list[dict[str, Any]]

_NAMED = "UNWIND $ids AS id MERGE (n:Node {id: id})"
# The lock is taken before the revision is read, so that what another writer committed meanwhile is seen.
_NODE = """
UNWIND $rows AS row
MATCH (n:Node {{id: row.id}})
SET n.lock = true
WITH n, row, n.revision IS NULL AS fresh, coalesce(n.revision = row.revision, false) AS same
WHERE fresh OR n.revision <= row.revision
SET n:{label}, n += row.props, n.scope = row.scope, n.body = row.body, n.revision = row.revision,
    n.status = CASE WHEN fresh OR NOT (same OR coalesce(n.status = 'forgotten', false)) THEN row.status ELSE n.status END,
    n.many = CASE WHEN same THEN n.many + [x IN row.many WHERE NOT x IN n.many] ELSE row.many END
FOREACH (_ IN CASE WHEN same THEN [] ELSE [1] END | SET n += row.own)
RETURN row.id AS id, same
"""
_FORGET_KEYS = """
UNWIND $rows AS row
MATCH (k:{key})-[:NAMES]->(n:Node {{id: row.id}}) WHERE NOT k.key IN row.keys
DETACH DELETE k
"""
_KEYS = """
UNWIND $rows AS row UNWIND row.keys AS key
MATCH (n:Node {{id: row.id}})
MERGE (k:{key} {{id: row.id + '|' + key}}) ON CREATE SET k.key = key
MERGE (k)-[:NAMES]->(n)
"""
_DROP = "UNWIND $rows AS row MATCH (:Node {{id: row.source}})-[r:{kind}]->() WHERE r.scope = row.scope DELETE r"
_EDGE = """
UNWIND $rows AS row
MATCH (a:Node {{id: row.source}}) MATCH (b:Node {{id: row.target}})
MERGE (a)-[r:{kind} {{key: row.key}}]->(b)
SET r.lock = true
WITH r, row WHERE r.revision IS NULL OR r.revision <= row.revision
SET r += row.props
"""
_SET_STATUS = """
UNWIND $ids AS id
MATCH (n:Node {id: id}) WHERE n.scope = $scope AND (n:Observation OR n:Entity OR n:Fact)
SET n.lock = true
WITH n WHERE n.status <> $status AND ($restore OR n.status <> 'forgotten')
CREATE (:StatusChange {node: n.id, was: n.status, status: $status, revision: n.revision + 1, reason: $reason})
SET n.status = $status, n.revision = n.revision + 1
RETURN n.id AS id
"""
_SET_PINNED = """
UNWIND $ids AS id
MATCH (n:Observation {id: id}) WHERE n.scope = $scope
SET n.lock = true
WITH n WHERE n.pinned <> $pinned
SET n.pinned = $pinned, n.revision = n.revision + 1
RETURN n.id AS id
"""
_COUNT = """
UNWIND $ids AS id
MATCH (n:Entity {id: id}) WHERE n.scope = $scope
RETURN n.id AS id, COUNT { ()-[r:MENTIONS]->(n) WHERE r.scope = $scope } AS mentions,
       COUNT { ()-[r:ABOUT]->(n) WHERE r.scope = $scope } AS about
"""
_SET_COUNTS = """
UNWIND $rows AS row MATCH (n:Entity {id: row.id})
SET n.mentions = row.mentions, n.about = row.about, n.mention_weight = row.weight
"""
_OBSERVATIONS = "MATCH (o:Observation) WHERE o.scope = $scope RETURN count(o) AS total"


class GraphWriting:
    """graph.ports.GraphWriter over Neo4j.

    An entity written again at an equal revision keeps its counts (recount owns them) and the aliases known so far.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, batch: GraphBatch) -> None:
        with translated():
            ids = sorted(_ids(batch))
            records = _sorted(record_row(value) for value in batch.records)
            observations = _sorted(observation_row(value) for value in batch.observations)
            entities = _sorted(entity_row(value) for value in batch.entities)
            facts = _sorted(fact_row(value) for value in batch.facts)
            edges: dict[EdgeKind, Rows] = defaultdict(list)
            for edge in batch.edges:
                edges[edge.kind].append(edge_row(edge))

        def work(transaction: Transaction) -> None:
            _drop(transaction, batch.drop)
            transaction.run(_NAMED, ids=ids)
            _write_nodes(transaction, "Record", records, key="Identifier")
            _write_nodes(transaction, "Observation", observations)
            _write_nodes(transaction, "Entity", entities, key="Alias", keep_keys=True)
            _write_nodes(transaction, "Fact", facts)
            for kind in EdgeKind:
                if edges[kind]:
                    transaction.run(_EDGE.format(kind=kind.value), rows=sorted(edges[kind], key=lambda row: str(row["key"])))

        self._connection.write(work)

    def set_status(self, scope: str, ids: Sequence[str], status: Status, reason: str, *, restore: bool = False) -> list[str]:
        """See GraphWriter.set_status. The reason and the state left are kept as StatusChange nodes."""
        rows = self._connection.write(
            lambda t: t.run(_SET_STATUS, ids=sorted(set(ids)), scope=scope, status=status.value, reason=reason, restore=restore)
        )
        return _in_order(ids, rows)

    def set_pinned(self, scope: str, ids: Sequence[str], pinned: bool) -> list[str]:
        """See GraphWriter.set_pinned. A change raises the observation's revision."""
        rows = self._connection.write(lambda t: t.run(_SET_PINNED, ids=sorted(set(ids)), scope=scope, pinned=pinned))
        return _in_order(ids, rows)

    def recount(self, scope: str, entity_ids: Sequence[str]) -> None:
        """See GraphWriter.recount. The weight is kept at the entity, so its cost does not grow with the mentions."""

        def work(transaction: Transaction) -> None:
            total = int(transaction.run(_OBSERVATIONS, scope=scope)[0]["total"])
            counted = transaction.run(_COUNT, ids=sorted(set(entity_ids)), scope=scope)
            rows = [dict(row) | {"weight": mention_weight(total, row["mentions"])} for row in counted]
            transaction.run(_SET_COUNTS, rows=rows)

        if entity_ids:
            self._connection.write(work)


def mention_weight(observations: int, mentions: int) -> float:
    """ln(1 + n / (1 + df)) / ln(1 + n): near 1 for a rare entity, near 0 for one that stands everywhere."""
    n = max(observations, 1)
    return math.log1p(n / (1 + mentions)) / math.log1p(n)


def _write_nodes(transaction: Transaction, label: str, rows: Rows, *, key: str = "", keep_keys: bool = False) -> None:
    """Write nodes of one label; `key` names the label of what they are found by (aliases, identifiers).

    With `keep_keys` a write at an equal revision adds keys and takes none away.
    """
    if not rows:
        return
    complete = [{"many": None} | row for row in rows]
    written = {row["id"]: row["same"] for row in transaction.run(_NODE.format(label=label), rows=complete)}
    if key:
        kept = [row for row in rows if row["id"] in written]
        replaced = [row for row in kept if not (keep_keys and written[row["id"]])]
        transaction.run(_FORGET_KEYS.format(key=key), rows=replaced)
        transaction.run(_KEYS.format(key=key), rows=kept)


def _drop(transaction: Transaction, drops: Sequence[tuple[str, str, str]]) -> None:
    by_kind: dict[EdgeKind, Rows] = defaultdict(list)
    for scope, kind, source in sorted(drops):
        by_kind[EdgeKind(kind)].append({"scope": scope, "source": source})
    for kind, rows in by_kind.items():
        transaction.run(_DROP.format(kind=kind.value), rows=rows)


def _ids(batch: GraphBatch) -> set[str]:
    nodes = {value.id for values in (batch.records, batch.observations, batch.entities, batch.facts) for value in values}
    ends = {end for edge in batch.edges for end in (edge.source, edge.target)}
    return {str(id_) for id_ in nodes | ends}


def _sorted(rows: Iterable[dict[str, Any]]) -> Rows:
    """By id, the last one of an id; several revisions in one batch would race in the text's own order."""
    latest: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = latest.get(row["id"])
        if known is None or row["revision"] >= known["revision"]:
            latest[row["id"]] = row if known is None else row | _united(known, row)
    return [latest[id_] for id_ in sorted(latest)]


def _united(known: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    if known["revision"] != row["revision"] or "many" not in row:
        return {}
    return {
        "many": list(dict.fromkeys([*known["many"], *row["many"]])),
        "keys": sorted({*known["keys"], *row["keys"]}),
    }


def _in_order(ids: Sequence[str], rows: Sequence[Any]) -> list[str]:
    moved = {row["id"] for row in rows}
    return [id_ for id_ in dict.fromkeys(ids) if id_ in moved]
