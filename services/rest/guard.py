"""What every request must pass before it is read: its host, its origin, its size."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from graph.errors import BackstoryError, Forbidden, InvalidInput, TooLarge
from infra.settings import HttpSettings
from services import problems, wire

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """ASGI middleware. Over TCP the Host must be one of ours (DNS rebinding); an Origin must be loopback on any door;

    a body may not be encoded, and no more of it is read than `max_body_bytes`, whatever Content-Length says.
    """

    def __init__(self, app: App, http: HttpSettings, seen: Callable[[], None]) -> None:
        self._app = app
        self._http = http
        self._seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._seen()
        try:
            self._check(scope)
        except BackstoryError as error:
            await _refuse(error, scope, send)
            return
        body = _Counted(receive, send, self._http.max_body_bytes)
        await self._app(scope, body.receive, body.send)
        if body.too_large:
            await _refuse(self._too_large(), scope, send)

    def _check(self, scope: Scope) -> None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        over_tcp = isinstance(scope.get("server"), (tuple, list)) and scope["server"][1] is not None
        if over_tcp and _host(headers.get("host", "")) not in self._http.allowed_hosts:
            raise Forbidden("this Host is not served here")
        if "origin" in headers and (urlsplit(headers["origin"]).hostname or "") not in self._http.allowed_hosts:
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


def _host(header: str) -> str:
    """The host of a Host header without its port; brackets of an IPv6 address stay."""
    if header.startswith("["):
        return header.partition("]")[0] + "]"
    return header.rpartition(":")[0] or header


async def _refuse(error: BackstoryError, scope: Scope, send: Send) -> None:
    body = wire.encoded(problems.problem(error, scope["path"]))
    headers = [(b"content-type", problems.MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": problems.status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})
