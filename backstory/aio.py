"""The asynchronous client: the same calls as `backstory.client`, over httpx, which is imported when one is opened."""

import asyncio
import os
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from backstory import calls, daemon, places, results
from backstory.calls import Call
from backstory.client import BATCH, ORDER
from backstory.errors import BackstoryError, Unreachable
from backstory.results import Answer, Fact, Observation, Receipt
from backstory.transport import ATTEMPTS, JSON_HEADERS, PAUSE, TIMEOUT, encoded, told

if TYPE_CHECKING:
    from types import TracebackType

    import httpx


class AsyncBackstory:
    """A memory, asked without blocking. See `Backstory`; use it as an asynchronous context manager."""

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
        self._directory = places.data_directory(data)
        self._url = places.url(url)
        self._start = start
        self._timeout = timeout
        self._client: httpx.AsyncClient | None = None

    async def remember(self, text: str, *, wait: bool | str | None = None, scope: str | None = None, **details: Any) -> Receipt:
        found = await self.remember_all([{"text": text, "scope": scope or self.scope, **details}], wait=wait)
        return found[0]

    async def remember_all(
        self, events: Iterable[dict[str, Any]], *, wait: bool | str | None = None, timeout: float = 600.0
    ) -> list[Receipt]:
        drafts = [{"scope": self.scope, **event} for event in events]
        found: list[Receipt] = []
        for start in range(0, len(drafts), BATCH):
            body = await self._send(calls.remember(drafts[start : start + BATCH]))
            found += [Receipt.read(one) for one in body["receipts"]]
        if not wait:
            return found
        waited = await self.wait([one.event_id for one in found], state=calls.state_of(wait), timeout=timeout)
        later = {one.event_id: one for one in waited}
        return [results.with_state(one, later.get(one.event_id, one)) for one in found]

    async def wait(self, ids: Sequence[str], *, state: str = "done", timeout: float = 600.0) -> list[Receipt]:
        until = time.monotonic() + timeout
        found: list[Receipt] = []
        for start in range(0, len(ids), calls.IDS_PER_WAIT):
            found += await self._wait_some(list(ids[start : start + calls.IDS_PER_WAIT]), state, until)
        return found

    async def ask(self, question: str, *, scopes: Sequence[str] | None = None, **options: Any) -> Answer:
        return results.answer(await self._send(calls.ask(question, self._scopes(scopes), **options)))

    async def why(self, question: str, **options: Any) -> Answer:
        return await self.ask(question, intent="WHY", **options)

    async def when(self, question: str, **options: Any) -> Answer:
        return await self.ask(question, intent="WHEN", **options)

    async def who(self, question: str, **options: Any) -> Answer:
        return await self.ask(question, intent="ENTITY", **options)

    async def what(self, question: str, **options: Any) -> Answer:
        return await self.ask(question, intent="WHAT", **options)

    async def recall(
        self, question: str, *, profile: str | None = None, scopes: Sequence[str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Ask by rules: a profile (router-7, router-13, router-modes) names the backend. The envelope of what happened."""
        body: dict[str, Any] = await self._send(calls.recall(question, self._scopes(scopes), profile, **options))
        return body

    async def search(
        self, question: str, *, backend: str = "hybrid", scopes: Sequence[str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Ask one backend: keyword, vector, hybrid, graph, recent, decisions, observations. An envelope like recall's."""
        body: dict[str, Any] = await self._send(calls.search(question, self._scopes(scopes), backend, **options))
        return body

    async def similar(self, id_: str, *, limit: int = 10, scopes: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Observations nearest in meaning to one. Raises NotFound."""
        return list((await self._send(calls.similar(id_, self._scopes(scopes), limit)))["similar"])

    async def causes(
        self, id_: str, *, direction: str = "in", depth: int = 5, scopes: Sequence[str] | None = None
    ) -> list[dict[str, Any]]:
        """The chain of causes behind an observation ("in") or of effects after it ("out"). Raises NotFound."""
        return list((await self._send(calls.causes(id_, self._scopes(scopes), direction, depth)))["chain"])

    async def show(self, id_: str, *, scopes: Sequence[str] | None = None) -> dict[str, Any]:
        shown: dict[str, Any] = await self._send(calls.show(id_, self._scopes(scopes)))
        return shown

    async def facts(self, about: str | None = None, *, scopes: Sequence[str] | None = None, **options: Any) -> list[Fact]:
        """`options`: predicate, as_of, history, limit."""
        body = await self._send(calls.facts(self._scopes(scopes), about=about, **options))
        return [Fact.read(one) for one in body["facts"]]

    async def timeline(
        self, about: str | None = None, *, scopes: Sequence[str] | None = None, **options: Any
    ) -> list[Observation]:
        """`options`: since, until, session, newest_first, limit."""
        body = await self._send(calls.timeline(self._scopes(scopes), about=about, **options))
        return [Observation.read(one) for one in body["timeline"]]

    async def receipts(self, ids: Sequence[str] | None = None, *, state: str | None = None, limit: int = 100) -> list[Receipt]:
        body = await self._send(calls.receipts([self.scope], id=list(ids) if ids else None, state=state, limit=limit))
        return [Receipt.read(one) for one in body["receipts"]]

    async def dead_letters(self, *, limit: int = 100) -> list[Receipt]:
        body = await self._send(calls.dead_letters([self.scope], limit=limit))
        return [Receipt.read(one) for one in body["receipts"]]

    async def replay(self, ids: Sequence[str] | None = None) -> int:
        return int((await self._send(calls.replay([self.scope], list(ids) if ids is not None else None)))["replayed"])

    async def forget(self, *ids: str, reason: str = "") -> list[str]:
        return await self.set_status(ids, "forgotten", reason=reason)

    async def restore(self, *ids: str, reason: str = "") -> list[str]:
        return await self.set_status(ids, "active", reason=reason)

    async def set_status(self, ids: Sequence[str], status: str, *, reason: str = "") -> list[str]:
        return list((await self._send(calls.set_status(self.scope, list(ids), status, reason)))["moved"])

    async def pin(self, *ids: str, pinned: bool = True) -> list[str]:
        return list((await self._send(calls.pin(self.scope, list(ids), pinned=pinned)))["changed"])

    async def status(self) -> dict[str, Any]:
        body: dict[str, Any] = await self._send(calls.status())
        return body

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def __aenter__(self) -> "AsyncBackstory":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        await self.close()

    def _scopes(self, scopes: Sequence[str] | None) -> list[str]:
        return [self.scope] if scopes is None else list(scopes)

    async def _wait_some(self, ids: list[str], state: str, until: float) -> list[Receipt]:
        while True:
            left = until - time.monotonic()
            body = await self._send(calls.wait(ids, state, max(0.0, left)))
            found = [Receipt.read(one) for one in body["receipts"]]
            if left <= 0 or all(ORDER.index(one.state) >= ORDER.index(state) for one in found):
                return found

    async def _send(self, call: Call) -> Any:
        failure: BackstoryError = Unreachable("not tried")
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(PAUSE * 3 ** (attempt - 1))
            try:
                return await self._once(call)
            except OSError as error:
                await self.close()
                failure = Unreachable(f"{self._url or 'the daemon'} does not answer: {str(error) or type(error).__name__}")
            except BackstoryError as error:
                if not error.retryable:
                    raise
                failure = error
        raise failure

    async def _once(self, call: Call) -> Any:
        import httpx  # noqa: PLC0415  (only asynchronous callers need it)

        client = self._client or await self._opened()
        try:
            response = await client.request(call.method, call.path, content=encoded(call.body), headers=JSON_HEADERS)
        except httpx.InvalidURL as error:
            raise Unreachable(f"{self._url!r} is not an http or https URL") from error
        except httpx.TransportError as error:
            raise OSError(str(error)) from error
        if response.status_code >= 400:
            raise told(response.status_code, response.content)
        return response.json()

    async def _opened(self) -> "httpx.AsyncClient":
        import httpx  # noqa: PLC0415  (see above)

        if self._url:
            self._client = httpx.AsyncClient(base_url=self._url, timeout=self._timeout)
            return self._client
        path = daemon.socket_of(self._directory)
        if path is None or not daemon.answers(path):
            if not self._start:
                raise Unreachable(f"no daemon runs for {self._directory}")
            path = await asyncio.to_thread(daemon.start, self._directory)
        transport = httpx.AsyncHTTPTransport(uds=path)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=self._timeout)
        return self._client
