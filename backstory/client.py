"""The synchronous client."""

import os
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any

from backstory import calls, places, results
from backstory.calls import Call
from backstory.results import Answer, Fact, Observation, Receipt
from backstory.transport import TIMEOUT, Transport

BATCH = 200
ORDER = ("accepted", "stored", "recallable", "linked", "done", "failed")


class Backstory:
    """A memory. Without a URL it is the data directory's daemon, which is started when none runs.

    `scope` is what is written to and asked in unless a call names another. Safe to share between threads. Errors are
    those of `backstory.errors`; a request whose answer was lost is repeated, which is safe because writes are keyed.
    """

    def __init__(
        self,
        data: str | os.PathLike[str] | None = None,
        *,
        url: str | None = None,
        scope: str | None = None,
        start: bool = True,
        timeout: float = TIMEOUT,
    ) -> None:
        self.scope = places.scope(scope)
        self._transport = Transport(places.data_directory(data), places.url(url), start=start, timeout=timeout)

    # telling

    def remember(self, text: str, *, wait: bool | str | None = None, scope: str | None = None, **details: Any) -> Receipt:
        """Remember one text. `details`: key, author, role, authored_at, session, record, title, section, source, metadata.

        Returns once it is safely stored; with `wait` once all is linked, or has come as far as said ("recallable", "linked").
        """
        return self.remember_all([{"text": text, "scope": scope or self.scope, **details}], wait=wait)[0]

    def remember_all(
        self, events: Iterable[dict[str, Any]], *, wait: bool | str | None = None, timeout: float = 600.0
    ) -> list[Receipt]:
        """Remember many; receipts in order. Batches are stored one by one: after an error, repeat the whole call."""
        drafts = [{"scope": self.scope, **event} for event in events]
        found: list[Receipt] = []
        for start in range(0, len(drafts), BATCH):
            body = self._send(calls.remember(drafts[start : start + BATCH]))
            found += [Receipt.read(one) for one in body["receipts"]]
        return self._waited(found, calls.state_of(wait), timeout) if wait else found

    def wait(self, ids: Sequence[str], *, state: str = "done", timeout: float = 600.0) -> list[Receipt]:
        """Wait until events have come to a state or failed, or the time is over; their receipts, as they are then."""
        until = time.monotonic() + timeout
        found: list[Receipt] = []
        for start in range(0, len(ids), calls.IDS_PER_WAIT):
            some = list(ids[start : start + calls.IDS_PER_WAIT])
            found += self._wait_some(some, state, until)
        return found

    # asking

    def ask(self, question: str, *, scopes: Sequence[str] | None = None, **options: Any) -> Answer:
        """Answer a question. `options`: intent, limit, asked_at, as_of, session, author, include_inactive, trace."""
        return results.answer(self._send(calls.ask(question, self._scopes(scopes), **options)))

    def why(self, question: str, **options: Any) -> Answer:
        return self.ask(question, intent="WHY", **options)

    def when(self, question: str, **options: Any) -> Answer:
        return self.ask(question, intent="WHEN", **options)

    def who(self, question: str, **options: Any) -> Answer:
        return self.ask(question, intent="ENTITY", **options)

    def what(self, question: str, **options: Any) -> Answer:
        return self.ask(question, intent="WHAT", **options)

    def recall(
        self, question: str, *, profile: str | None = None, scopes: Sequence[str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Ask by rules: a profile (router-7, router-13, router-modes) names the backend. The envelope of what happened."""
        body: dict[str, Any] = self._send(calls.recall(question, self._scopes(scopes), profile, **options))
        return body

    def search(
        self, question: str, *, backend: str = "hybrid", scopes: Sequence[str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Ask one backend: keyword, vector, hybrid, graph, recent, decisions, observations. An envelope like recall's."""
        body: dict[str, Any] = self._send(calls.search(question, self._scopes(scopes), backend, **options))
        return body

    def similar(self, id_: str, *, limit: int = 10, scopes: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Observations nearest in meaning to one. Raises NotFound."""
        return list((self._send(calls.similar(id_, self._scopes(scopes), limit)))["similar"])

    def causes(
        self, id_: str, *, direction: str = "in", depth: int = 5, scopes: Sequence[str] | None = None
    ) -> list[dict[str, Any]]:
        """The chain of causes behind an observation ("in") or of effects after it ("out"). Raises NotFound."""
        return list((self._send(calls.causes(id_, self._scopes(scopes), direction, depth)))["chain"])

    def show(self, id_: str, *, scopes: Sequence[str] | None = None) -> dict[str, Any]:
        """One item by its id (observation, entity, fact, record, event) with its links. Raises NotFound."""
        shown: dict[str, Any] = self._send(calls.show(id_, self._scopes(scopes)))
        return shown

    def facts(
        self,
        about: str | None = None,
        *,
        predicate: str | None = None,
        as_of: datetime | None = None,
        history: bool = False,
        limit: int = 200,
        scopes: Sequence[str] | None = None,
    ) -> list[Fact]:
        """Facts, about a name if given, as they held at `as_of` if given; `history` shows superseded ones too."""
        call = calls.facts(self._scopes(scopes), about=about, predicate=predicate, as_of=as_of, history=history, limit=limit)
        return [Fact.read(one) for one in self._send(call)["facts"]]

    def timeline(
        self,
        about: str | None = None,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        session: str | None = None,
        newest_first: bool = False,
        limit: int = 100,
        scopes: Sequence[str] | None = None,
    ) -> list[Observation]:
        """Dated observations in order of time, within [since, until), about a name or of a session if given."""
        call = calls.timeline(
            self._scopes(scopes),
            about=about,
            since=since,
            until=until,
            session=session,
            newest_first=newest_first,
            limit=limit,
        )
        return [Observation.read(one) for one in self._send(call)["timeline"]]

    # tending

    def receipts(self, ids: Sequence[str] | None = None, *, state: str | None = None, limit: int = 100) -> list[Receipt]:
        """Receipts by id, or the scope's, in the order they were recorded."""
        call = calls.receipts([self.scope], id=list(ids) if ids else None, state=state, limit=limit)
        return [Receipt.read(one) for one in self._send(call)["receipts"]]

    def dead_letters(self, *, limit: int = 100) -> list[Receipt]:
        """Events of the scope whose work failed for good."""
        return [Receipt.read(one) for one in self._send(calls.dead_letters([self.scope], limit=limit))["receipts"]]

    def replay(self, ids: Sequence[str] | None = None) -> int:
        """Queue the scope's dead letters again, all or those named; how many were."""
        return int(self._send(calls.replay([self.scope], list(ids) if ids is not None else None))["replayed"])

    def forget(self, *ids: str, reason: str = "") -> list[str]:
        """Hide items from every answer; nothing is deleted. The ids that moved."""
        return self.set_status(ids, "forgotten", reason=reason)

    def restore(self, *ids: str, reason: str = "") -> list[str]:
        return self.set_status(ids, "active", reason=reason)

    def set_status(self, ids: Sequence[str], status: str, *, reason: str = "") -> list[str]:
        """Move items to active, snoozed, archived, superseded, invalidated or forgotten; the ids that moved."""
        return list(self._send(calls.set_status(self.scope, list(ids), status, reason))["moved"])

    def pin(self, *ids: str, pinned: bool = True) -> list[str]:
        return list(self._send(calls.pin(self.scope, list(ids), pinned=pinned))["changed"])

    def status(self) -> dict[str, Any]:
        """Counts, backlog, degradation, model and version, over all scopes."""
        body: dict[str, Any] = self._send(calls.status())
        return body

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> "Backstory":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _send(self, call: Call) -> Any:
        return self._transport.request(*call)

    def _scopes(self, scopes: Sequence[str] | None) -> list[str]:
        return [self.scope] if scopes is None else list(scopes)

    def _waited(self, found: list[Receipt], state: str, timeout: float) -> list[Receipt]:
        later = {one.event_id: one for one in self.wait([one.event_id for one in found], state=state, timeout=timeout)}
        return [results.with_state(one, later.get(one.event_id, one)) for one in found]

    def _wait_some(self, ids: list[str], state: str, until: float) -> list[Receipt]:
        while True:
            left = until - time.monotonic()
            body = self._send(calls.wait(ids, state, max(0.0, left)))
            found = [Receipt.read(one) for one in body["receipts"]]
            if left <= 0 or all(ORDER.index(one.state) >= ORDER.index(state) for one in found):
                return found
