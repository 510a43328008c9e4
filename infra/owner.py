"""Ownership of a data directory: one process at a time, told by a lock that dies with its holder.

`owner.lock` is locked with flock for as long as the owner lives, so a dead owner's lock is free whatever the file says. Its
text (JSON: pid, socket, version) tells others where to knock.
"""

import errno
import fcntl
import json
import os
import stat
from pathlib import Path
from typing import Any

from graph.errors import AlreadyOwned, StoreFull, StoreReadOnly, StoreUnavailable

LOCK_NAME = "owner.lock"
DIRECTORY_MODE = 0o700
FILE_MODE = 0o600


class Owner:
    """A held ownership; `release` gives it up. Use as a context manager or keep for the life of the process."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle: int | None = handle

    def announce(self, **facts: Any) -> None:
        """Write who owns the directory and how to reach it, replacing what stood there."""
        text = json.dumps({"pid": os.getpid(), **facts}).encode()
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, text, 0)

    def holds(self) -> bool:
        """Whether the lock file in the directory is still the one that is held; not after the directory was removed."""
        try:
            there = self._path.stat()
        except OSError:
            return False
        return self._handle is not None and os.path.samestat(there, os.fstat(self._handle))

    def release(self) -> None:
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> "Owner":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def take(directory: Path) -> Owner:
    """Take a data directory, making it (mode 0700) where it is missing.

    Raises AlreadyOwned, naming the process, when another lives in it; StoreReadOnly when nothing can be written there.
    """
    path = directory / LOCK_NAME
    try:
        _prepare(directory)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    except OSError as error:
        raise _mapped(error, directory) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise _mapped(error, directory) from error
        who = read(directory)
        raise AlreadyOwned(
            f"{directory} is in use by process {who.get('pid', 'unknown')}"
            + (f", which answers on {who['socket']}" if who.get("socket") else ""),
            pid=who.get("pid"),
            socket=who.get("socket"),
        ) from error
    owner = Owner(path, handle)
    owner.announce()
    return owner


def read(directory: Path) -> dict[str, Any]:
    """What the lock file says; empty when there is none or it is being written."""
    try:
        said = json.loads((directory / LOCK_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _prepare(directory: Path) -> None:
    directory.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    if not directory.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise OSError(errno.EROFS, "marked read-only")  # the superuser could write, but was told not to


def _mapped(error: OSError, directory: Path) -> Exception:
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StoreReadOnly(f"{directory} cannot be written: {error.strerror}")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"{directory}: {error.strerror}")
    return StoreUnavailable(f"{directory}: {error.strerror or error}")
