"""Requests to a daemon over its Unix socket, or to a URL: one connection, kept open, with repeats that are safe.

Every write is keyed by what it says, so a request may be sent again whenever the answer to it was lost.
"""

import json
import threading
import time
from typing import Any, Protocol

from backstory import daemon, places
from backstory.errors import BackstoryError, Unreachable, from_problem
from backstory.unix_http import UnixConnection

TIMEOUT = 120.0  # seconds for one answer
ATTEMPTS = 4
PAUSE = 0.1  # seconds before the first repeat; each further one waits three times as long
JSON_HEADERS = {"Accept": "application/json", "Content-Type": "application/json"}


class Connection(Protocol):
    """An open way to a service."""

    def exchange(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, bool]: ...
    def close(self) -> None: ...


class Transport:
    """Sends requests to one service. With `start`, a local daemon that does not answer is started."""

    def __init__(self, directory: str | None, url: str | None, *, start: bool = True, timeout: float = TIMEOUT) -> None:
        self.directory = places.data_directory(directory)
        self.url = url
        self._start = start
        self._timeout = timeout
        self._connection: Connection | None = None
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
            except OSError as error:
                self.close()
                failure = Unreachable(f"{self.url or 'the daemon'} does not answer: {str(error) or type(error).__name__}")
            except BackstoryError as error:
                if not error.retryable:
                    raise
                failure = error
        raise failure

    def _once(self, method: str, path: str, payload: bytes | None) -> Any:
        if self._connection is None:
            self._connection = self._connected()
        try:
            status, text, stays = self._connection.exchange(method, path, payload, JSON_HEADERS)
        except BaseException:
            self.close()  # an answer that was not read must not be taken for the next one's
            raise
        if not stays:
            self.close()
        if status < 400:
            return json.loads(text) if text else None
        raise told(status, text)

    def _connected(self) -> Connection:
        if self.url:
            from backstory.url_http import UrlConnection  # noqa: PLC0415  (a local client has no need of it)

            return UrlConnection(self.url, self._timeout)
        path = daemon.socket_of(self.directory)
        if path is not None:
            try:
                return UnixConnection(path, self._timeout)
            except OSError:
                pass  # whoever named this socket is gone
        if not self._start:
            raise Unreachable(f"no daemon runs for {self.directory}")
        return UnixConnection(daemon.start(self.directory), self._timeout)


def encoded(body: Any) -> bytes | None:
    """A body as ASCII JSON, so that even a lone surrogate arrives as it was sent."""
    return None if body is None else json.dumps(body).encode()


def told(status: int, text: bytes) -> BackstoryError:
    """The error that a response of status 400 or above tells of."""
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        return BackstoryError(f"the service answered with status {status}", retryable=status in (429, 502, 503, 504))
    return from_problem(problem)
