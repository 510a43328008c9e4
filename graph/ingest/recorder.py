"""The recorder: drafts become events in the ledger, each with an identity that makes saying it twice the same as once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from graph.errors import Conflict
from graph.ingest.validate import checked
from graph.model.events import Event, EventDraft, Receipt, Step
from graph.model.ids import content_hash, event_id
from graph.ports import Clock, Ledger, TaskQueue

HASH_KEY = "sha256:"
_TICK = timedelta(microseconds=1)


class Recorder:
    """Takes drafts in. When `record` returns, what it returns receipts for is on disk."""

    def __init__(self, ledger: Ledger, queue: TaskQueue, clock: Clock) -> None:
        self._ledger = ledger
        self._queue = queue
        self._clock = clock

    def record(self, drafts: Sequence[EventDraft]) -> list[Receipt]:
        """Store all drafts in one transaction and return their receipts in the order given; none is stored on an error.

        A draft that was taken in before, or stands twice in `drafts`, gives its receipt again with created=False. Raises
        InvalidInput (and its kinds), Conflict (same key, other body), and what the ledger raises.
        """
        if not drafts:
            return []
        now = self._clock.now()
        events = [to_event(draft, now + index * _TICK, f"item {index}") for index, draft in enumerate(drafts)]
        distinct = _distinct(events)
        receipts = {receipt.event_id: receipt for receipt in self._ledger.append(list(distinct.values()))}
        fresh = [receipt.event_id for receipt in receipts.values() if receipt.created]
        if fresh:
            self._queue.hint(Step.PROJECT, fresh)
        return [_as_seen(receipts[event.id], first=distinct[event.id] is event) for event in events]


def to_event(draft: EventDraft, recorded_at: datetime, place: str = "draft") -> Event:
    """Validate a draft and give it its identity: scope and key, or scope and the hash of its body where no key is given.

    Drafts of one batch are recorded a microsecond apart, so that their order is kept where they name no position.
    """
    clean, offset = checked(draft, place)
    digest = content_hash(body_of(clean, offset))
    key = clean.key or HASH_KEY + digest
    return Event(
        id=event_id(clean.scope, key),
        key=key,
        body_hash=digest,
        recorded_at=recorded_at,
        authored_offset=offset,
        draft=clean,
    )


def body_of(draft: EventDraft, offset: int | None) -> dict[str, Any]:
    """What makes an event itself. Where it lies is left out: the source always, the position when a key is given,

    because a file may be moved, and a keyed passage may move within it, and both stay what they are.
    """
    left_out = {"key", "source"} if draft.key is None else {"key", "source", "position"}
    return draft.model_dump(mode="json", exclude=left_out) | {"offset": offset}


def _distinct(events: Sequence[Event]) -> dict[str, Event]:
    """The first event of each id. Raises Conflict when two of one id differ."""
    distinct: dict[str, Event] = {}
    for event in events:
        first = distinct.setdefault(event.id, event)
        if first.body_hash != event.body_hash:
            raise Conflict(f"the key {event.key!r} stands twice with different bodies", key=event.key, scope=event.scope)
    return distinct


def _as_seen(receipt: Receipt, *, first: bool) -> Receipt:
    return receipt if first or not receipt.created else receipt.model_copy(update={"created": False})
