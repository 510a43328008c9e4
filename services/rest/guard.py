"""What every request must pass before it is read: its host, its origin, its size."""

import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from graph.errors import BackstoryError, Busy, Forbidden, InvalidInput, TooLarge
from infra.settings import Settings
from services import problems, wire
from services.rest.grants import Unauthorised, authenticated
from services.rest.metrics import Metrics

UNAUTHORISED = 401
_REQUEST_ID = re.compile(r"[\w.:-]{1,128}", re.ASCII)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """ASGI middleware. Over TCP the Host must be one of ours (DNS rebinding); an Origin must be loopback on any door;

    a token must be shown where tokens are configured; a body may not be encoded, and no more of it is read than
    `max_body_bytes`, whatever Content-Length says. Every answer carries a request id, the caller's or one of ours.
    """

    def __init__(self, app: App, settings: Settings, seen: Callable[[], None], metrics: Metrics) -> None:
        self._app = app
        self._http = settings.http
        self._default_scope = settings.scope
        self._seen = seen
        self._metrics = metrics
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._seen()
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        named = self._told(_named(send, headers.get("x-request-id", "")), scope, time.perf_counter())
        try:
            self._check(scope, headers)
            scope["backstory.grant"] = authenticated(self._http, self._default_scope, scope, headers)
        except BackstoryError as error:
            await _refuse(error, scope, named)
            return
        self._under_way += 1
        try:
            await self._passed(scope, receive, named)
        finally:
            self._under_way -= 1

    def _told(self, send: Send, scope: Scope, began: float) -> Send:
        """`send` that counts the answer when it begins."""

        async def counted(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                route = str(getattr(scope.get("route"), "path", "none"))
                self._metrics.observe(scope["method"], route, message["status"], time.perf_counter() - began)
            await send(message)

        return counted

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _Counted(receive, send, self._http.max_body_bytes)
        await self._app(scope, body.receive, body.send)
        if body.too_large:
            await _refuse(self._too_large(), scope, send)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        if self._under_way >= self._http.max_at_once:
            raise Busy(f"{self._under_way} requests are under way")
        over_tcp = isinstance(scope.get("server"), (tuple, list)) and scope["server"][1] is not None
        if over_tcp and _host(headers.get("host", "")) not in self._http.allowed_hosts:
            raise Forbidden("this Host is not served here")
        if "origin" in headers and _origin(headers["origin"]) not in self._http.allowed_hosts:
            raise Forbidden("this Origin is not served here")
        if headers.get("content-encoding", "identity") != "identity":
            raise InvalidInput("bodies are taken as they are, with no Content-Encoding")
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._http.max_body_bytes:
            raise self._too_large()

    def _too_large(self) -> TooLarge:
        return TooLarge(f"a request may have at most {self._http.max_body_bytes} bytes")


class _Counted:
    """A body that ends with an error once it is too large; what the application then answers is not sent."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive, self._send, self._left = receive, send, limit
        self.too_large = False

    async def receive(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.too_large = True
            raise OSError("the body is too large")
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if not self.too_large:
            await self._send(message)


def _origin(value: str) -> str:
    """The host of an Origin; empty for what is no URL."""
    try:
        return urlsplit(value).hostname or ""
    except ValueError:
        return ""


def _host(header: str) -> str:
    """The host of a Host header without its port; brackets of an IPv6 address stay."""
    if header.startswith("["):
        return header.partition("]")[0] + "]"
    return header.rpartition(":")[0] or header


def _named(send: Send, given: str) -> Send:
    """`send` with the request's id on the answer: the caller's where it is usable, else a new one."""
    name = given if _REQUEST_ID.fullmatch(given) else uuid4().hex

    async def with_name(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), (b"x-request-id", name.encode())]
        await send(message)

    return with_name


async def _refuse(error: BackstoryError, scope: Scope, send: Send) -> None:
    unknown = isinstance(error, Unauthorised)
    status = UNAUTHORISED if unknown else problems.status_of(error)
    body = wire.encoded(problems.problem(error, scope["path"]) | {"status": status})
    told = {"content-type": problems.MEDIA_TYPE, "content-length": str(len(body))} | problems.headers(error)
    told |= {"www-authenticate": "Bearer"} if unknown else {}
    headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
