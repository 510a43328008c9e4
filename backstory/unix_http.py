"""HTTP/1.1 over a Unix socket, as much of it as our own daemon speaks: one request, one answer with a Content-Length.

The standard library's client would cost a command half of its start: it loads the machinery of e-mail and TLS.
"""

import contextlib
import socket

HEAD_LIMIT = 65_536
CHUNK = 262_144


class Gone(OSError):
    """The connection ended before the answer did."""


class UnixConnection:
    """A connection that is kept open between requests. Raises OSError whenever the exchange does not come to its end."""

    def __init__(self, path: str, timeout: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise

    def exchange(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, bool]:
        """Send a request; return the answer's status, its body, and whether the connection stays open."""
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body or b'')}", "", ""]
        with contextlib.suppress(BrokenPipeError):  # a refusal may come before the whole body is taken: read it
            self._socket.sendall("\r\n".join(lines).encode("ascii") + (body or b""))
        return self._answer()

    def close(self) -> None:
        self._socket.close()

    def _answer(self) -> tuple[int, bytes, bool]:
        head, rest = self._head()
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = int(first.split(" ", 2)[1])
        body = self._body(rest, int(fields["content-length"]))
        return status, body, fields.get("connection", "").lower() != "close"

    def _head(self) -> tuple[bytes, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            if len(data) > HEAD_LIMIT:
                raise Gone("the answer has no end of its headers")
            data += self._some()
        head, _, rest = data.partition(b"\r\n\r\n")
        return head, rest

    def _body(self, begun: bytes, length: int) -> bytes:
        parts, missing = [begun], length - len(begun)
        while missing > 0:
            parts.append(self._some())
            missing -= len(parts[-1])
        return b"".join(parts)

    def _some(self) -> bytes:
        data = self._socket.recv(CHUNK)
        if not data:
            raise Gone("the connection was closed")
        return data
