"""HTTP to a URL, over the standard library's client."""

import contextlib
import http.client
from urllib.parse import urlsplit

from backstory.errors import Unreachable


class UrlConnection:
    """A connection that is kept open between requests. Raises OSError when an exchange does not come to its end."""

    def __init__(self, url: str, timeout: float) -> None:
        try:
            parts = urlsplit(url)
        except ValueError as error:
            raise Unreachable(f"{url!r} is not a URL") from error
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreachable(f"{url!r} is not an http or https URL")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._prefix = parts.path.rstrip("/")

    def exchange(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, bool]:
        """Send a request; return the answer's status, its body, and whether the connection stays open."""
        try:
            with contextlib.suppress(BrokenPipeError):  # a refusal may come before the whole body is taken: read it
                self._connection.request(method, self._prefix + path, body, headers)
            response = self._connection.getresponse()
            return response.status, response.read(), not response.will_close
        except http.client.HTTPException as error:
            raise OSError(str(error) or type(error).__name__) from error

    def close(self) -> None:
        self._connection.close()
