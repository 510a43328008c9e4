"""HTTP to a daemon over its Unix socket, or to a URL: one connection, kept open, with repeats that are safe.

Every write is keyed by what it says, so a request may be sent again whenever the answer to it was lost.
"""

import contextlib
import http.client
import json
import socket
import threading
import time
from typing import Any

from backstory import daemon, places
from backstory.errors import BackstoryError, Unreachable, from_problem

TIMEOUT = 120.0  # seconds for one answer
ATTEMPTS = 4
PAUSE = 0.1  # seconds before the first repeat; each further one waits three times as long
JSON_HEADERS = {"Accept": "application/json", "Content-Type": "application/json"}
LOST = (OSError, http.client.HTTPException)


class _UnixConnection(http.client.HTTPConnection):
    """An HTTP connection over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Transport:
    """Sends requests to one service. With `start`, a local daemon that does not answer is started."""

    def __init__(self, directory: str | None, url: str | None, *, start: bool = True, timeout: float = TIMEOUT) -> None:
        self.directory = places.data_directory(directory)
        self.url = url
        self._start = start
        self._timeout = timeout
        self._connection: http.client.HTTPConnection | None = None
        self._lock = threading.Lock()

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON. Raises the error that the service tells of, or Unreachable."""
        with self._lock:
            return self._persistent(method, path, encoded(body))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _persistent(self, method: str, path: str, payload: bytes | None) -> Any:
        failure: BackstoryError = Unreachable("not tried")
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(PAUSE * 3 ** (attempt - 1))
            try:
                return self._once(method, path, payload)
            except LOST as error:
                self.close()
                failure = Unreachable(f"{self.url or 'the daemon'} does not answer: {str(error) or type(error).__name__}")
            except BackstoryError as error:
                if not error.retryable:
                    raise
                failure = error
        raise failure

    def _once(self, method: str, path: str, payload: bytes | None) -> Any:
        connection = self._connection or self._connected()
        with contextlib.suppress(BrokenPipeError):  # a refusal may come before the whole body is taken: read it
            connection.request(method, path, payload, JSON_HEADERS)
        response = connection.getresponse()
        text = response.read()
        if response.will_close:
            self.close()
        if response.status < 400:
            return json.loads(text) if text else None
        raise told(response.status, text)

    def _connected(self) -> http.client.HTTPConnection:
        if self.url:
            self._connection = _to_url(self.url, self._timeout)
        else:
            self._connection = self._to_daemon()
        return self._connection

    def _to_daemon(self) -> http.client.HTTPConnection:
        path = daemon.socket_of(self.directory)
        if path is not None:
            connection = _UnixConnection(path, self._timeout)
            try:
                connection.connect()
            except OSError:
                connection.close()
            else:
                return connection
        if not self._start:
            raise Unreachable(f"no daemon runs for {self.directory}")
        connection = _UnixConnection(daemon.start(self.directory), self._timeout)
        connection.connect()
        return connection


def encoded(body: Any) -> bytes | None:
    """A body as ASCII JSON, so that even a lone surrogate arrives as it was sent."""
    return None if body is None else json.dumps(body).encode()


def _to_url(url: str, timeout: float) -> http.client.HTTPConnection:
    from urllib.parse import urlsplit  # noqa: PLC0415  (a local client has no need of it)

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Unreachable(f"{url!r} is not an http or https URL")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname, parts.port, timeout=timeout)


def told(status: int, text: bytes) -> BackstoryError:
    """The error that a response of status 400 or above tells of."""
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        return BackstoryError(f"the service answered with status {status}", retryable=status in (429, 502, 503, 504))
    return from_problem(problem)
