"""The ledger is the truth: events as received, the outbox of work still to do, and receipts."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Protocol

from graph.model.events import Event, Receipt, ReceiptState, Step, Work


class Ledger(Protocol):
    def append(self, events: Sequence[Event]) -> list[Receipt]:
        """Store the events and their first outbox rows in one durable transaction; return when it is on disk.

        Order: receipts in the order of `events`. Idempotent: an event whose id and body hash are known returns its receipt
        with created=False. Raises Conflict, storing nothing, if an id is known with another body hash; StoreUnavailable,
        StoreReadOnly, StoreFull.
        """
        ...

    def claim(self, step: Step, limit: int, lease: timedelta) -> list[Work]:
        """Lease up to `limit` due pieces of one step, oldest first (ties by event id), and count an attempt for each.

        A piece is due when nobody holds it (no lease, or one that ran out) and its retry time has come. Two callers never
        hold the same piece at once. Attempts are durable before the caller sees the work. A piece that was claimed at this
        step before comes alone: should it have killed its worker, no other piece loses an attempt by it.
        """
        ...

    def advance(
        self, work: Sequence[Work], state: ReceiptState, then: Step | None, marks: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Record that leased work succeeded: set the state, and queue the step that follows (None: the event is finished).

        `marks` (by event id) are merged into the receipts. Work whose lease was lost to another is ignored. A state never
        goes backwards.
        """
        ...

    def fail(self, work: Work, reason: str, retry_in: timedelta | None, reached: ReceiptState | None = None) -> None:
        """Give leased work back for a later try, or, with `retry_in` None, put it on the dead-letter list as failed.

        `reached` records a state that was reached before the failure (stored, but not yet recallable).
        """
        ...

    def receipts(
        self,
        ids: Sequence[str] | None = None,
        *,
        scopes: frozenset[str] | None = None,
        states: frozenset[ReceiptState] | None = None,
        limit: int = 1000,
        after: str | None = None,
    ) -> list[Receipt]:
        """Receipts by id (in the order asked, unknown ones left out), or those that match, ordered by (recorded_at, id).

        `after` is the id of the last one seen; `failed` is the dead-letter list.
        """
        ...

    def replay(self, ids: Sequence[str], at: Step | None = None) -> int:
        """Queue events again, attempts back to zero; return how many were queued.

        Without `at`: failed ones, at the step that failed. With it: those that failed, are finished or are past that step,
        at that step, with the state that goes before it; work that is under way on them loses its lease.
        """
        ...

    def events(self, ids: Sequence[str] | None = None, *, after: str | None = None, limit: int = 500) -> list[Event]:
        """Events by id in the order asked, or all of them by (recorded_at, id) in pages after the id `after`."""
        ...
