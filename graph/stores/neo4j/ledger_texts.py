"""The Cypher of the ledger. `step` and `state` are numbers of the enumerations, times whole microseconds."""

from typing import LiteralString

APPEND: LiteralString = """
UNWIND $rows AS row
MERGE (e:Event {id: row.id})
ON CREATE SET e += row.event, e.fresh = $call
MERGE (r:Receipt {id: row.id})
ON CREATE SET r += row.receipt
WITH e, row, coalesce(e.fresh = $call, false) AS created
REMOVE e.fresh
RETURN row.id AS id, e.body_hash AS body_hash, created
"""
ANY_DUE: LiteralString = "MATCH (r:Receipt) WHERE r.step = $step AND r.available_at <= $now RETURN 1 AS one LIMIT 1"
# Locks first, judges after: what another transaction committed meanwhile is seen by the second statement.
LOCK_DUE: LiteralString = """
MATCH (r:Receipt) WHERE r.step = $step AND r.available_at <= $now
WITH r ORDER BY r.recorded_at, r.id LIMIT $limit
SET r.locked_at = $now
WITH r WHERE r.step = $step AND r.available_at <= $now
RETURN r.id AS id, r.attempts AS attempts, r.recorded_at AS recorded_at ORDER BY recorded_at, id
"""
CLAIM: LiteralString = """
UNWIND $ids AS id
MATCH (r:Receipt {id: id}) WHERE r.step = $step AND r.available_at <= $now
SET r.attempts = r.attempts + 1, r.claims = r.claims + 1, r.held = true, r.available_at = $until, r.changed_at = $now
RETURN r.id AS id, r.scope AS scope, r.attempts AS attempts, r.claims AS claims, r.recorded_at AS recorded_at
ORDER BY recorded_at, id
"""
LOCK: LiteralString = """
UNWIND $ids AS id
MATCH (r:Receipt {id: id}) SET r.locked_at = $now
RETURN r.id AS id, r.marks AS marks
"""
ADVANCE: LiteralString = """
UNWIND $rows AS row
MATCH (r:Receipt {id: row.id}) WHERE r.held AND r.step = row.step AND r.claims = row.claims
SET r.state = CASE WHEN r.state > $state THEN r.state ELSE $state END,
    r.step = $then, r.available_at = CASE WHEN $then IS NULL THEN null ELSE 0 END,
    r.attempts = CASE WHEN $then IS NULL THEN r.attempts ELSE 0 END,
    r.held = false, r.reason = null, r.changed_at = $now, r.marks = row.marks
"""
FAIL: LiteralString = """
MATCH (r:Receipt {id: $id}) WHERE r.held AND r.step = $step AND r.claims = $claims
SET r.state = CASE WHEN r.state > $state THEN r.state ELSE $state END, r.available_at = $available_at, r.dead = $dead,
    r.held = false, r.reason = $reason, r.changed_at = $now
"""
REPLAY: LiteralString = """
UNWIND $ids AS id
MATCH (r:Receipt {id: id}) WHERE r.dead
SET r.dead = false, r.available_at = 0, r.attempts = 0, r.reason = null, r.changed_at = $now
RETURN count(r) AS n
"""
REPLAY_AT: LiteralString = """
UNWIND $ids AS id
MATCH (r:Receipt {id: id}) WHERE r.dead OR r.step IS NULL OR r.step > $step
SET r.dead = false, r.step = $step, r.state = $state, r.available_at = 0, r.attempts = 0, r.held = false,
    r.claims = r.claims + 1, r.reason = null, r.changed_at = $now
RETURN count(r) AS n
"""
RECEIPTS_BY_ID: LiteralString = """
UNWIND range(0, size($ids) - 1) AS i
MATCH (r:Receipt {id: $ids[i]})
RETURN r {.*} AS r ORDER BY i
"""
RECEIPTS: LiteralString = """
OPTIONAL MATCH (a:Receipt {id: $after})
WITH a WHERE $after IS NULL OR a IS NOT NULL
MATCH (r:Receipt)
WHERE r.recorded_at IS NOT NULL AND ($scopes IS NULL OR r.scope IN $scopes)
  AND ($after IS NULL OR r.recorded_at > a.recorded_at OR (r.recorded_at = a.recorded_at AND r.id > a.id))
  AND ($states IS NULL OR (CASE WHEN r.dead THEN $failed ELSE r.state END) IN $states)
RETURN r {.*} AS r ORDER BY r.recorded_at, r.id LIMIT $limit
"""
EVENTS_BY_ID: LiteralString = """
UNWIND range(0, size($ids) - 1) AS i
MATCH (e:Event {id: $ids[i]})
RETURN e {.*} AS e ORDER BY i
"""
EVENTS: LiteralString = """
OPTIONAL MATCH (a:Event {id: $after})
WITH a WHERE $after IS NULL OR a IS NOT NULL
MATCH (e:Event)
WHERE e.recorded_at IS NOT NULL
  AND ($after IS NULL OR e.recorded_at > a.recorded_at OR (e.recorded_at = a.recorded_at AND e.id > a.id))
RETURN e {.*} AS e ORDER BY e.recorded_at, e.id LIMIT $limit
"""
