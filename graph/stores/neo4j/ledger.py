"""The ledger in Neo4j: an event and its receipt, which is the outbox row, are made in one transaction."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import takewhile
from typing import Any

from graph.errors import Conflict
from graph.model.events import Event, EventDraft, Receipt, ReceiptState, Step, Work
from graph.model.ids import EventId
from graph.model.times import MICROSECOND, from_micros, to_micros
from graph.ports.clock import Clock
from graph.stores.neo4j import ledger_texts as texts
from graph.stores.neo4j.connection import Connection, Row, Transaction, translated

_STATES = tuple(ReceiptState)
_STEPS = tuple(Step)
_BEFORE = {
    Step.PROJECT: ReceiptState.ACCEPTED,
    Step.EXTRACT: ReceiptState.RECALLABLE,
    Step.LINK: ReceiptState.LINKED,
}


class Neo4jLedger:
    """graph.ports.Ledger over Neo4j. A lease is the number of the claim, so a holder that lost it can change nothing."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    def append(self, events: Sequence[Event]) -> list[Receipt]:
        """See Ledger.append. An id given twice in one call is taken in once; with another body it is a Conflict."""
        if not events:
            return []
        with translated():
            rows = list({event.id: _event_row(event) for event in sorted(events, key=lambda e: e.id)}.values())
        created = self._connection.write(lambda transaction: _append(transaction, events, rows))
        stored = {receipt.event_id: receipt for receipt in self.receipts([event.id for event in events])}
        receipts = []
        for event in events:
            receipts.append(stored[event.id].model_copy(update={"created": event.id in created}))
            created.discard(event.id)
        return receipts

    def claim(self, step: Step, limit: int, lease: timedelta) -> list[Work]:
        now, number = self._now(), _STEPS.index(step)

        def work(transaction: Transaction) -> list[Row]:
            locked = transaction.run(texts.LOCK_DUE, limit=max(limit, 0), step=number, now=now)
            untried = list(takewhile(lambda row: row["attempts"] == 0, locked))
            ids = sorted(row["id"] for row in untried or locked[:1])
            return transaction.run(texts.CLAIM, ids=ids, step=number, now=now, until=now + lease // MICROSECOND)

        if not self._connection.read(texts.ANY_DUE, step=number, now=now):
            return []  # an idle poll costs no write
        return [
            Work(
                event_id=EventId(row["id"]),
                scope=row["scope"],
                step=step,
                attempts=row["attempts"],
                leased_until=from_micros(now) + lease,
                lease=str(row["claims"]),
            )
            for row in self._connection.write(work)
        ]

    def advance(
        self, work: Sequence[Work], state: ReceiptState, then: Step | None, marks: Mapping[str, Mapping[str, Any]]
    ) -> None:
        if not work:
            return
        leases = {piece.event_id: _lease(piece) for piece in work}
        names = {"state": _STATES.index(state), "then": None if then is None else _STEPS.index(then), "now": self._now()}

        def settle(transaction: Transaction) -> None:
            known = {row["id"]: row["marks"] for row in transaction.run(texts.LOCK, ids=sorted(leases), now=names["now"])}
            rows = [leases[i] | {"marks": _merged(known[i], marks.get(i))} for i in sorted(leases) if i in known]
            transaction.run(texts.ADVANCE, rows=rows, **names)

        self._connection.write(settle)

    def fail(self, work: Work, reason: str, retry_in: timedelta | None, reached: ReceiptState | None = None) -> None:
        now = self._now()
        names = _lease(work) | {
            "state": _STATES.index(reached or ReceiptState.ACCEPTED),
            "available_at": None if retry_in is None else max(now + retry_in // MICROSECOND, 0),
            "dead": retry_in is None,
            "reason": reason.encode("utf-8", "replace").decode("utf-8"),  # giving work back must not fail for its text
            "now": now,
        }

        def settle(transaction: Transaction) -> None:
            transaction.run(texts.LOCK, ids=[work.event_id], now=now)
            transaction.run(texts.FAIL, **names)

        self._connection.write(settle)

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
        if ids is not None:
            found = [_receipt(row["r"]) for row in self._connection.read(texts.RECEIPTS_BY_ID, ids=list(ids))]
            wanted = [r for r in found if (scopes is None or r.scope in scopes) and (states is None or r.state in states)]
            return wanted[:limit]
        rows = self._connection.read(
            texts.RECEIPTS,
            after=after,
            scopes=None if scopes is None else sorted(scopes),
            states=None if states is None else sorted(_STATES.index(state) for state in states),
            failed=_STATES.index(ReceiptState.FAILED),
            limit=limit,
        )
        return [_receipt(row["r"]) for row in rows]

    def replay(self, ids: Sequence[str], at: Step | None = None) -> int:
        names: dict[str, Any] = {"ids": sorted(set(ids)), "now": self._now()}
        if at is not None:
            names |= {"step": _STEPS.index(at), "state": _STATES.index(_BEFORE[at])}

        def work(transaction: Transaction) -> list[Row]:
            transaction.run(texts.LOCK, ids=names["ids"], now=names["now"])
            return transaction.run(texts.REPLAY if at is None else texts.REPLAY_AT, **names)

        rows = self._connection.write(work)
        return int(rows[0]["n"]) if rows else 0

    def events(self, ids: Sequence[str] | None = None, *, after: str | None = None, limit: int = 500) -> list[Event]:
        """See Ledger.events. An unknown `after` has nothing behind it; `limit` bounds pages, not ids."""
        if ids is not None:
            return [_event(row["e"]) for row in self._connection.read(texts.EVENTS_BY_ID, ids=list(ids))]
        return [_event(row["e"]) for row in self._connection.read(texts.EVENTS, after=after, limit=limit)]

    def _now(self) -> int:
        return to_micros(self._clock.now())


def _append(transaction: Transaction, events: Sequence[Event], rows: list[dict[str, Any]]) -> set[str]:
    """Merge the events; the ids that were new. Raises Conflict, which undoes the transaction."""
    found = transaction.run(texts.APPEND, rows=rows, call=f"{rows[0]['id']}/{len(rows)}")
    stored = {row["id"]: row["body_hash"] for row in found}
    for event in events:
        if stored[event.id] != event.body_hash:
            raise Conflict(f"key {event.key!r} was stored before with another body", key=event.key, event_id=event.id)
    return {row["id"] for row in found if row["created"]}


def _event_row(event: Event) -> dict[str, Any]:
    recorded = to_micros(event.recorded_at)
    draft = event.draft.model_dump_json()
    draft.encode("utf-8")
    return {
        "id": event.id,
        "event": {
            "scope": event.scope,
            "key": event.key,
            "body_hash": event.body_hash,
            "recorded_at": recorded,
            "authored_offset": event.authored_offset,
            "draft": draft,
        },
        "receipt": {
            "scope": event.scope,
            "recorded_at": recorded,
            "changed_at": recorded,
            "state": 0,
            "dead": False,
            "step": 0,
            "attempts": 0,
            "available_at": 0,
            "claims": 0,
            "held": False,
            "marks": "{}",
        },
    }


def _event(row: Mapping[str, Any]) -> Event:
    return Event(
        id=EventId(row["id"]),
        key=row["key"],
        body_hash=row["body_hash"],
        recorded_at=from_micros(row["recorded_at"]),
        authored_offset=row.get("authored_offset"),
        draft=EventDraft.model_validate_json(row["draft"]),
    )


def _receipt(row: Mapping[str, Any]) -> Receipt:
    return Receipt(
        event_id=EventId(row["id"]),
        scope=row["scope"],
        state=ReceiptState.FAILED if row["dead"] else _STATES[row["state"]],
        attempts=row["attempts"],
        reason=row.get("reason"),
        recorded_at=from_micros(row["recorded_at"]),
        changed_at=from_micros(row["changed_at"]),
        marks=json.loads(row["marks"]),
    )


def _lease(work: Work) -> dict[str, Any]:
    return {"id": work.event_id, "step": _STEPS.index(work.step), "claims": int(work.lease)}


def _merged(known: str, more: Mapping[str, Any] | None) -> str:
    return json.dumps(json.loads(known) | dict(more or {}), ensure_ascii=False)
