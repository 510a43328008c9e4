"""Frames between the daemon and its extracting child: a length (4 bytes, big endian) and so many bytes of JSON."""

import socket
import struct

from pydantic import TypeAdapter

from graph.model.extraction import Extraction, Passage

PASSAGES: TypeAdapter[list[Passage]] = TypeAdapter(list[Passage])
EXTRACTIONS: TypeAdapter[list[Extraction]] = TypeAdapter(list[Extraction])
_LENGTH = struct.Struct(">I")


def send(to: socket.socket, body: bytes) -> None:
    to.sendall(_LENGTH.pack(len(body)) + body)


def receive(source: socket.socket) -> bytes | None:
    """The next frame's body; None when the other side has gone."""
    head = _exactly(source, _LENGTH.size)
    return None if head is None else _exactly(source, _LENGTH.unpack(head)[0])


def _exactly(source: socket.socket, count: int) -> bytes | None:
    parts: list[bytes] = []
    while count:
        part = source.recv(min(count, 1 << 20))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
