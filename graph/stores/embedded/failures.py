"""SQLite's errors in the house's words: no driver error leaves the embedded stores."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic_core import PydanticSerializationError

from graph.errors import BackstoryError, InvalidInput, StoreError, StoreFull, StoreReadOnly, StoreUnavailable

_PRIMARY_CODE = 0xFF  # SQLite's extended codes keep the primary code in the low byte
_BY_CODE: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreUnavailable,
    sqlite3.SQLITE_LOCKED: StoreUnavailable,
    sqlite3.SQLITE_IOERR: StoreUnavailable,
    sqlite3.SQLITE_CANTOPEN: StoreUnavailable,
    sqlite3.SQLITE_NOMEM: StoreUnavailable,
    sqlite3.SQLITE_INTERRUPT: StoreUnavailable,
    sqlite3.SQLITE_PROTOCOL: StoreUnavailable,
    sqlite3.SQLITE_READONLY: StoreReadOnly,
    sqlite3.SQLITE_PERM: StoreReadOnly,
    sqlite3.SQLITE_FULL: StoreFull,
    sqlite3.SQLITE_TOOBIG: StoreFull,
}


def mapped(error: sqlite3.Error) -> BackstoryError:
    """The house's error for a driver's; what has no better name (a damaged file, a misuse) is a plain StoreError."""
    code = getattr(error, "sqlite_errorcode", None)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    kind = StoreError if code is None else _BY_CODE.get(code & _PRIMARY_CODE, StoreError)
    return kind(f"SQLite: {error} ({name})", sqlite=name)


@contextmanager
def translated() -> Iterator[None]:
    """Raise graph.errors instead of the driver's; text that is not Unicode (a lone surrogate) is InvalidInput."""
    try:
        yield
    except sqlite3.Error as error:
        raise mapped(error) from error
    except (UnicodeEncodeError, PydanticSerializationError) as error:
        raise InvalidInput("the text holds a lone surrogate, which is not Unicode text and cannot be stored") from error
