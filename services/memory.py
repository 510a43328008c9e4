"""The query service: all that a door may call. Scopes are named in every call; None means every scope, for the owner only."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph.curate.entities import EntityCurator
from graph.curate.rebuild import Part, requeue
from graph.errors import InvalidInput, TooLarge
from graph.model.entities import Entity, Fact
from graph.model.events import EventDraft, Receipt, ReceiptState
from graph.model.observations import Observation, Status
from graph.model.questions import Answer, Question
from graph.model.scopes import checked_scope
from graph.model.times import Window
from graph.model.views import View
from graph.text.names import name_key
from infra.container import Container
from infra.runner import Runner
from services import health, showing

Scopes = frozenset[str] | None
REACHED: dict[ReceiptState, int] = {state: place for place, state in enumerate(ReceiptState)}  # failed counts as reached
WAIT_SLICE = 0.5  # seconds between looks when nothing is heard


class MemoryService:
    """Remember, ask, look and tend, over one container. Safe to share between threads."""

    def __init__(self, container: Container, runner: Runner | None = None) -> None:
        self.container = container
        self.runner = runner

    # telling

    def remember(self, drafts: Sequence[EventDraft]) -> list[Receipt]:
        """Take drafts in, all or none; their receipts, in order, once they are on disk."""
        limit = self.container.settings.http.max_batch
        if len(drafts) > limit:
            raise TooLarge(f"{len(drafts)} items in one batch, at most {limit} are taken")
        return self.container.recorder.record(drafts)

    def reached(self, ids: Sequence[str], state: ReceiptState) -> tuple[bool, list[Receipt]]:
        """Whether every event has come to `state` (or failed, or is unknown), and the receipts in the order asked."""
        receipts = self.container.ledger.receipts(ids, limit=len(ids))
        return all(REACHED[receipt.state] >= REACHED[state] for receipt in receipts), receipts

    def wait(self, ids: Sequence[str], state: ReceiptState = ReceiptState.DONE, timeout: float = 60.0) -> list[Receipt]:
        """Wait until every event has come to `state` or failed, or `timeout` seconds; the receipts as they are then."""
        until = time.monotonic() + timeout
        while True:
            ticket = self.container.queue.ticket()
            there, receipts = self.reached(ids, state)
            left = until - time.monotonic()
            if there or left <= 0:
                return receipts
            self.container.queue.wait_settled(ticket, min(left, WAIT_SLICE))

    # asking

    def ask(self, question: Question) -> Answer:
        """Answer a question; one without scopes is asked in the default scope."""
        if not question.text.strip():
            raise InvalidInput("the question is empty")
        scopes = question.scopes if question.scopes is not None else (self.container.settings.scope,)
        asked_at = question.asked_at or self.container.clock.now()
        return self.container.asker.ask(question.model_copy(update={"scopes": scopes, "asked_at": asked_at}))

    def show(self, id_: str, scopes: Scopes) -> dict[str, Any]:
        return showing.item(self.container, id_, scopes)

    def facts(
        self,
        scopes: Scopes,
        *,
        about: str | None = None,
        predicate: str | None = None,
        as_of: datetime | None = None,
        include_inactive: bool = False,
        limit: int = 200,
    ) -> list[Fact]:
        """Facts, those about a named entity if given, as they held at `as_of` if given; by valid_from, then id."""
        view = View(scopes, showing.EVERY_STATUS, as_of=as_of) if include_inactive else View(scopes, as_of=as_of)
        subjects = [entity.id for entity in self.named(about, scopes)] if about else None
        if subjects == []:
            return []
        return self.container.lookup.facts(view, subject_ids=subjects, predicate=predicate, limit=limit)

    def timeline(
        self,
        scopes: Scopes,
        *,
        about: str | None = None,
        window: Window | None = None,
        session: str | None = None,
        newest_first: bool = False,
        limit: int = 100,
    ) -> list[Observation]:
        """Dated observations in order of time; of everything, or of a named entity."""
        view = View(scopes, window=window, sessions=frozenset({session}) if session else None)
        reader = self.container.reader
        if about is None:
            return reader.timeline(view, limit=limit, newest_first=newest_first)
        merged = {
            one.id: one
            for entity in self.named(about, scopes)
            for one in reader.timeline(view, entity_id=entity.id, limit=limit, newest_first=newest_first)
        }
        in_time = sorted(merged.values(), key=lambda one: (one.authored_at, one.id), reverse=newest_first)
        return in_time[:limit]

    def recent(self, scopes: Scopes, since: datetime, limit: int) -> list[Observation]:
        """Observations dated `since` or later, newest first."""
        return self.container.reader.timeline(View(scopes, window=Window(start=since)), limit=limit, newest_first=True)

    def named(self, name: str, scopes: Scopes) -> list[Entity]:
        """The entities that bear this name or alias."""
        return self.container.lookup.entities_by_key([name_key(name)], View(scopes))

    def entities(self, scopes: Scopes, *, prefix: str = "", limit: int = 100) -> list[Entity]:
        return self.container.lookup.entity_list(View(scopes), prefix=name_key(prefix) if prefix else "", limit=limit)

    # tending

    def receipts(
        self,
        scopes: Scopes,
        *,
        ids: Sequence[str] | None = None,
        states: frozenset[ReceiptState] | None = None,
        after: str | None = None,
        limit: int = 1000,
    ) -> list[Receipt]:
        found = self.container.ledger.receipts(ids, scopes=scopes, states=states, after=after, limit=limit)
        return [receipt for receipt in found if scopes is None or receipt.scope in scopes]

    def dead_letters(self, scopes: Scopes, *, after: str | None = None, limit: int = 1000) -> list[Receipt]:
        return self.receipts(scopes, states=frozenset({ReceiptState.FAILED}), after=after, limit=limit)

    def replay(self, scopes: Scopes, ids: Sequence[str] | None = None) -> int:
        """Queue dead letters again, all of the scopes or those named; how many were."""
        failed = [receipt.event_id for receipt in self.dead_letters(scopes, limit=100_000)]
        wanted = failed if ids is None else [id_ for id_ in failed if id_ in set(ids)]
        count = self.container.ledger.replay(wanted) if wanted else 0
        self._wake()
        return count

    def set_status(self, scope: str, ids: Sequence[str], status: Status, reason: str = "") -> list[str]:
        """Move items of one scope to a state (forgotten ones come back only to `active`); the ids that moved."""
        restore = status is Status.ACTIVE
        moved = self.container.writer.set_status(checked_scope(scope), ids, status, reason, restore=restore)
        for revision, owners in self._revisions(scope, moved).items():
            self.container.vectors.set_status(owners, status, revision)
        return moved

    def set_pinned(self, scope: str, ids: Sequence[str], pinned: bool) -> list[str]:
        return self.container.writer.set_pinned(checked_scope(scope), ids, pinned)

    @property
    def entity_curator(self) -> EntityCurator:
        """Merges, splits and undoes entities of a scope that the caller may change."""
        return EntityCurator(self.container.graph, self.container.lookup, self.container.vectors)

    def status(self, scopes: Scopes) -> dict[str, Any]:
        return health.status(self.container, self.runner, scopes)

    def doctor(self, *, repair: bool = False) -> dict[str, Any]:
        found = health.doctor(self.container, self.runner, repair=repair)
        if repair:
            self._wake()
        return found

    def rebuild(self, part: Part = Part.ALL) -> int:
        """Queue every event again, from the first step (all) or from the reading of it (links); how many were queued.

        Keyed writes make that safe at any time; what was forgotten stays so.
        """
        if part is Part.VECTORS:
            raise InvalidInput("vectors alone are not rebuilt here: `all` makes them anew with the rest")
        queued = requeue(self.container.ledger, part)
        self._wake()
        return queued

    def _revisions(self, scope: str, ids: Sequence[str]) -> dict[int, list[str]]:
        view = showing.everything_of(frozenset({scope}))
        found: dict[int, list[str]] = {}
        items: tuple[Observation | Entity | Fact, ...] = (
            *self.container.reader.observations(ids, view),
            *self.container.lookup.entities(ids, view),
            *self.container.lookup.facts(view, ids=ids, limit=max(1, len(ids))),
        )
        for item in items:
            found.setdefault(item.revision, []).append(item.id)
        return found

    def _wake(self) -> None:
        for step in self.container.steps:
            self.container.queue.hint(step)
