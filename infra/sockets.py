"""The daemon's listening sockets: a private Unix socket, and a TCP door on loopback when one is asked for."""

import hashlib
import ipaddress
import os
import socket
import tempfile
from pathlib import Path

from graph.errors import ConfigError, StoreUnavailable

SOCKET_NAME = "daemon.sock"
MAX_SOCKET_PATH = 100  # bytes; the kernel's limit is 104 to 108
BACKLOG = 128
PRIVATE_DIRECTORY = 0o700
PRIVATE_UMASK = 0o177


def socket_path(directory: Path) -> Path:
    """Where the daemon of a data directory listens: in it, or, where that path is too long, in a private runtime directory."""
    inside = directory / SOCKET_NAME
    if len(os.fsencode(inside)) <= MAX_SOCKET_PATH:
        return inside
    runtime = Path(tempfile.gettempdir()) / f"backstory-{os.getuid()}"
    return runtime / (hashlib.sha256(os.fsencode(directory)).hexdigest()[:16] + ".sock")


def listen_unix(path: Path) -> socket.socket:
    """A listening socket, mode 0600. Only for the owner of the data directory: what a dead owner left is replaced."""
    _private(path.parent)
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(PRIVATE_UMASK)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise StoreUnavailable(f"cannot listen on {path}: {error.strerror or error}") from error
    finally:
        os.umask(before)
    listener.listen(BACKLOG)  # who comes while the doors are being opened waits, and is not turned away
    return listener


def listen_tcp(host: str, port: int, *, tokens: bool = False) -> socket.socket:
    """A listening socket on loopback, or anywhere when tokens prove who is asking. Raises ConfigError otherwise."""
    address = "127.0.0.1" if host == "localhost" else host
    try:
        parsed = ipaddress.ip_address(address.strip("[]"))
    except ValueError as error:
        raise ConfigError(f"http.host: {host!r} is not an address") from error
    if not parsed.is_loopback and not tokens:
        raise ConfigError(f"http.host: {host} is not loopback, and no http.tokens prove who is asking: refused")
    family = socket.AF_INET6 if parsed.version == 6 else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((str(parsed), port))
    except OSError as error:
        listener.close()
        raise ConfigError(f"http.port: cannot listen on {host}:{port}: {error.strerror or error}") from error
    listener.listen(BACKLOG)
    return listener


def _private(directory: Path) -> None:
    directory.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
    if directory.stat().st_uid != os.getuid():
        raise StoreUnavailable(f"{directory} belongs to another user")
