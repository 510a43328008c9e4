"""The ledger in SQLite: events as received, the outbox of work still to do, receipts."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import takewhile
from typing import Any

from graph.errors import Conflict
from graph.model.events import Event, EventDraft, Receipt, ReceiptState, Step, Work
from graph.model.ids import EventId
from graph.model.times import MICROSECOND, from_micros, to_micros
from graph.ports.clock import Clock
from graph.stores.embedded.database import Database
from graph.stores.embedded.failures import translated
from graph.stores.embedded.values import as_list

_STATES = tuple(ReceiptState)
_STEPS = tuple(Step)
_STATE_NO = {state: number for number, state in enumerate(_STATES)}
_STEP_NO = {step: number for number, step in enumerate(_STEPS)}
_FAILED = _STATE_NO[ReceiptState.FAILED]
_FIRST_STEP = _STEP_NO[Step.PROJECT]

_RECEIPT = "event_id, scope, state, dead, attempts, reason, recorded_at, changed_at, marks"
_EVENT = "event.id, event.key, body_hash, recorded_at, authored_offset, draft"

_INSERT_EVENT = """
INSERT INTO event (id, scope, key, body_hash, recorded_at, authored_offset, draft)
VALUES (:id, :scope, :key, :body_hash, :recorded_at, :authored_offset, :draft)
"""
_INSERT_RECEIPT = """
INSERT INTO receipt (event_id, scope, recorded_at, changed_at, state, step, available_at)
VALUES (:id, :scope, :recorded_at, :recorded_at, 0, :step, 0)
"""
# Pieces whose lease or wait ran out join those that were never claimed, so that one index gives the oldest of both.
_MATURE = "UPDATE receipt SET available_at = 0 WHERE step = :step AND available_at > 0 AND available_at <= :now"
_IS_DUE = "SELECT 1 FROM receipt WHERE step = :step AND available_at <= :now LIMIT 1"
_OLDEST = """
SELECT event_id, attempts FROM receipt WHERE step = :step AND available_at = 0 ORDER BY recorded_at, event_id LIMIT :limit
"""
_CLAIM = """
UPDATE receipt SET attempts = attempts + 1, claims = claims + 1, held = 1, available_at = :until, changed_at = :now
WHERE event_id IN (SELECT value FROM json_each(:ids)) RETURNING recorded_at, event_id, scope, attempts, claims
"""
_HELD = "held = 1 AND step = :step AND claims = :claims AND event_id = :id"
_ADVANCE = f"""
UPDATE receipt SET state = max(state, :state), step = :then, available_at = CASE WHEN :then IS NULL THEN NULL ELSE 0 END,
  attempts = CASE WHEN :then IS NULL THEN attempts ELSE 0 END, held = 0, reason = NULL, changed_at = :now, marks = :marks
WHERE {_HELD}
"""
_FAIL = f"""
UPDATE receipt SET state = max(state, :state), available_at = :available_at, dead = :dead, held = 0, reason = :reason,
  changed_at = :now WHERE {_HELD}
"""
_RELEASE = "UPDATE receipt SET held = 0, available_at = 0 WHERE available_at > 0 AND held = 1"
_REPLAY = """
UPDATE receipt SET dead = 0, available_at = 0, attempts = 0, reason = NULL, changed_at = :now
WHERE dead AND event_id IN (SELECT value FROM json_each(:ids))
"""


_REPLAY_AT = """
UPDATE receipt SET dead = 0, step = :step, state = :state, available_at = 0, attempts = 0, held = 0, claims = claims + 1,
  reason = NULL, changed_at = :now
WHERE (dead OR step IS NULL OR step > :step) AND event_id IN (SELECT value FROM json_each(:ids))
"""
_BEFORE = {
    Step.PROJECT: ReceiptState.ACCEPTED,
    Step.EXTRACT: ReceiptState.RECALLABLE,
    Step.LINK: ReceiptState.LINKED,
}


class SqliteLedger:
    """graph.ports.Ledger over one SQLite file.

    A receipt's attempts are those of the step at hand; a step that succeeds begins the next one at zero. A lease is the
    number of the claim, so a holder that lost its lease can change nothing. Replay goes back to the state reached before.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def append(self, events: Sequence[Event]) -> list[Receipt]:
        """See Ledger.append. An id given twice in one call is taken in once; with another body it is a Conflict."""
        if not events:
            return []
        with translated():
            rows = [_event_row(event) for event in events]
        with self._database.write() as connection:
            known = _known_hashes(connection, [event.id for event in events])
            created = [_is_new(event, known) for event in events]
            fresh = [row for row, new in zip(rows, created, strict=True) if new]
            connection.executemany(_INSERT_EVENT, fresh)
            connection.executemany(_INSERT_RECEIPT, fresh)
            stored = {receipt.event_id: receipt for receipt in _receipts_of(connection, [event.id for event in events])}
        return [stored[e.id].model_copy(update={"created": new}) for e, new in zip(events, created, strict=True)]

    def claim(self, step: Step, limit: int, lease: timedelta) -> list[Work]:
        now = self._now()
        names = {"step": _STEP_NO[step], "now": now, "until": now + lease // MICROSECOND, "limit": max(limit, 0)}
        with self._database.read() as connection:
            if connection.execute(_IS_DUE, names).fetchone() is None:
                return []  # an idle poll costs no write
        with self._database.write() as connection:
            connection.execute(_MATURE, names)
            ids = claimable(connection.execute(_OLDEST, names).fetchall())
            rows = sorted(connection.execute(_CLAIM, names | {"ids": as_list(ids)}).fetchall())
        return [
            Work(event_id=event, scope=scope, step=step, attempts=attempts, leased_until=from_micros(now) + lease, lease=str(n))
            for _, event, scope, attempts, n in rows
        ]

    def advance(
        self, work: Sequence[Work], state: ReceiptState, then: Step | None, marks: Mapping[str, Mapping[str, Any]]
    ) -> None:
        if not work:
            return
        settled = {"state": _STATE_NO[state], "then": None if then is None else _STEP_NO[then], "now": self._now()}
        with self._database.write() as connection:
            known = dict(
                connection.execute(
                    "SELECT event_id, marks FROM receipt WHERE event_id IN (SELECT value FROM json_each(?))",
                    (as_list(piece.event_id for piece in work),),
                )
            )
            connection.executemany(
                _ADVANCE,
                (
                    settled | _lease(piece) | {"marks": _merged(known.get(piece.event_id, "{}"), marks.get(piece.event_id))}
                    for piece in work
                ),
            )

    def fail(self, work: Work, reason: str, retry_in: timedelta | None, reached: ReceiptState | None = None) -> None:
        now = self._now()
        settled = {
            "state": _STATE_NO[reached or ReceiptState.ACCEPTED],
            "available_at": None if retry_in is None else max(now + retry_in // MICROSECOND, 0),
            "dead": retry_in is None,
            "reason": reason.encode("utf-8", "replace").decode("utf-8"),  # giving work back must not fail for its text
            "now": now,
        }
        with self._database.write() as connection:
            connection.execute(_FAIL, settled | _lease(work))

    def receipts(
        self,
        ids: Sequence[str] | None = None,
        *,
        scopes: frozenset[str] | None = None,
        states: frozenset[ReceiptState] | None = None,
        limit: int = 1000,
        after: str | None = None,
    ) -> list[Receipt]:
        """See Ledger.receipts. Filters apply to ids too; an unknown `after` has nothing behind it."""
        with self._database.read() as connection:
            if ids is not None:
                found = _receipts_of(connection, ids)
                return [r for r in found if _wanted(r, scopes, states)][:limit]
            clauses, names = _filters(scopes, states, after)
            rows = connection.execute(
                f"SELECT {_RECEIPT} FROM receipt WHERE {' AND '.join(clauses)} ORDER BY recorded_at, event_id LIMIT :limit",
                names | {"limit": limit},
            ).fetchall()
        return [_receipt(row) for row in rows]

    def replay(self, ids: Sequence[str], at: Step | None = None) -> int:
        names: dict[str, Any] = {"ids": as_list(ids), "now": self._now()}
        if at is not None:
            names |= {"step": _STEP_NO[at], "state": _STATE_NO[_BEFORE[at]]}
        with self._database.write() as connection:
            return connection.execute(_REPLAY if at is None else _REPLAY_AT, names).rowcount

    def events(self, ids: Sequence[str] | None = None, *, after: str | None = None, limit: int = 500) -> list[Event]:
        """See Ledger.events. An unknown `after` has nothing behind it; `limit` bounds pages, not ids."""
        with self._database.read() as connection:
            if ids is not None:
                rows = connection.execute(
                    f"SELECT {_EVENT} FROM json_each(?) asked JOIN event ON event.id = asked.value ORDER BY asked.key",
                    (as_list(ids),),
                ).fetchall()
            else:
                behind = "(recorded_at, event.id) > (SELECT recorded_at, id FROM event WHERE id = :after)"
                rows = connection.execute(
                    f"SELECT {_EVENT} FROM event WHERE {'1' if after is None else behind} "
                    "ORDER BY recorded_at, event.id LIMIT :limit",
                    {"after": after, "limit": limit},
                ).fetchall()
        return [_event(row) for row in rows]

    def release_leases(self) -> int:
        """Make all leased work due at once and return how much it was: for the one owner, before it claims anything.

        The leases of an owner that died would otherwise hold its work until they run out. Attempts stay counted.
        """
        with self._database.write() as connection:
            return connection.execute(_RELEASE).rowcount

    def _now(self) -> int:
        return to_micros(self._clock.now())


def claimable(oldest: Sequence[tuple[str, int]]) -> list[str]:
    """Of due pieces (id, attempts), oldest first: the first alone if it was tried before, else the untried ones before it."""
    untried = list(takewhile(lambda piece: piece[1] == 0, oldest))
    return [event_id for event_id, _ in untried or oldest[:1]]


def _event_row(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "scope": event.scope,
        "key": event.key,
        "body_hash": event.body_hash,
        "recorded_at": to_micros(event.recorded_at),
        "authored_offset": event.authored_offset,
        "draft": event.draft.model_dump_json(),
        "step": _FIRST_STEP,
    }


def _event(row: tuple[Any, ...]) -> Event:
    id_, key, body_hash, recorded_at, offset, draft = row
    return Event(
        id=id_,
        key=key,
        body_hash=body_hash,
        recorded_at=from_micros(recorded_at),
        authored_offset=offset,
        draft=EventDraft.model_validate_json(draft),
    )


def _receipt(row: tuple[Any, ...]) -> Receipt:
    event_id, scope, state, dead, attempts, reason, recorded_at, changed_at, marks = row
    return Receipt(
        event_id=EventId(event_id),
        scope=scope,
        state=ReceiptState.FAILED if dead else _STATES[state],
        attempts=attempts,
        reason=reason,
        recorded_at=from_micros(recorded_at),
        changed_at=from_micros(changed_at),
        marks=json.loads(marks),
    )


def _known_hashes(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, str]:
    found = connection.execute("SELECT id, body_hash FROM event WHERE id IN (SELECT value FROM json_each(?))", (as_list(ids),))
    return dict(found.fetchall())


def _is_new(event: Event, known: dict[str, str]) -> bool:
    """Whether the event is unknown; from now on it is known. Raises Conflict when its id has another body."""
    stored = known.setdefault(event.id, "")
    if stored and stored != event.body_hash:
        raise Conflict("the same key was stored before with another body", event_id=event.id, scope=event.scope)
    known[event.id] = event.body_hash
    return not stored


def _receipts_of(connection: sqlite3.Connection, ids: Iterable[str]) -> list[Receipt]:
    rows = connection.execute(
        f"SELECT {_RECEIPT} FROM json_each(?) asked JOIN receipt ON event_id = asked.value ORDER BY asked.key",
        (as_list(ids),),
    )
    return [_receipt(row) for row in rows.fetchall()]


def _wanted(receipt: Receipt, scopes: frozenset[str] | None, states: frozenset[ReceiptState] | None) -> bool:
    return (scopes is None or receipt.scope in scopes) and (states is None or receipt.state in states)


def _filters(
    scopes: frozenset[str] | None, states: frozenset[ReceiptState] | None, after: str | None
) -> tuple[list[str], dict[str, Any]]:
    clauses, names = ["1"], dict[str, Any]()
    if scopes is not None:
        clauses.append("scope IN (SELECT value FROM json_each(:scopes))")
        names["scopes"] = as_list(sorted(scopes))
    if states is not None:
        alive = as_list(sorted(_STATE_NO[state] for state in states - {ReceiptState.FAILED}))
        either = {True: "dead", False: "0"}[ReceiptState.FAILED in states]
        only_dead = states == {ReceiptState.FAILED}
        clauses.append("dead" if only_dead else f"({either} OR NOT dead AND state IN (SELECT value FROM json_each(:states)))")
        names["states"] = alive
    if after is not None:
        clauses.append("(recorded_at, event_id) > (SELECT recorded_at, event_id FROM receipt WHERE event_id = :after)")
        names["after"] = after
    return clauses, names


def _lease(work: Work) -> dict[str, Any]:
    return {"id": work.event_id, "step": _STEP_NO[work.step], "claims": int(work.lease) if work.lease.isdecimal() else -1}


def _merged(stored: str, more: Mapping[str, Any] | None) -> str:
    return json.dumps(json.loads(stored) | dict(more)) if more else stored
