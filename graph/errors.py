"""The one error tree. Every class says what it is called on the wire and whether a retry helps.

BackstoryError
├── InvalidInput            the caller's data is wrong; nothing was stored
│   ├── InvalidScope
│   ├── InvalidTime
│   └── TooLarge
├── Conflict                the same key was stored before with another body
├── NotFound
├── Forbidden               the scope is not the caller's
├── BudgetExceeded          what was chosen costs more than a hard budget
├── Unreadable              a file that no reader understands: name, place, reason
├── ConfigError             settings that cannot be used
├── StoreError
│   ├── StoreUnavailable    (retry) the store did not answer, or is locked
│   ├── StoreReadOnly
│   ├── StoreFull
│   ├── SchemaTooNew        the data was written by a newer version
│   ├── ModelMismatch       the vectors belong to another embedding model
│   └── AlreadyOwned        another process owns the data directory
├── ModelUnavailable        (retry) an embedder, extractor or reranker failed
├── DeadlineExceeded        (retry) the work did not end in its time
└── Busy                    (retry) a limit on rate or concurrency was reached
"""

from typing import ClassVar


class BackstoryError(Exception):
    """Root of every error that crosses a room's border.

    `code` is the name on the wire; `retryable` says whether the same call may succeed later.
    """

    code: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, **fields: object) -> None:
        super().__init__(message)
        self.message = message
        self.fields = fields


class InvalidInput(BackstoryError):
    code = "invalid_input"


class InvalidScope(InvalidInput):
    code = "invalid_scope"


class InvalidTime(InvalidInput):
    code = "invalid_time"


class TooLarge(InvalidInput):
    code = "too_large"


class Conflict(BackstoryError):
    code = "conflict"


class NotFound(BackstoryError):
    code = "not_found"


class Forbidden(BackstoryError):
    code = "forbidden"


class BudgetExceeded(BackstoryError):
    code = "budget_exceeded"


class Unreadable(BackstoryError):
    """A file, or a place in it, that could not be read.

    Fields: `file`, `place` (line, key or offset as text, may be empty), `reason`.
    """

    code = "unreadable"

    def __init__(self, file: str, place: str, reason: str) -> None:
        where = f"{file}:{place}" if place else file
        super().__init__(f"{where}: {reason}", file=file, place=place, reason=reason)


class ConfigError(BackstoryError):
    code = "config"


class StoreError(BackstoryError):
    code = "store"


class StoreUnavailable(StoreError):
    code = "store_unavailable"
    retryable = True


class StoreReadOnly(StoreError):
    code = "store_read_only"


class StoreFull(StoreError):
    code = "store_full"


class SchemaTooNew(StoreError):
    code = "schema_too_new"


class ModelMismatch(StoreError):
    code = "model_mismatch"


class AlreadyOwned(StoreError):
    code = "already_owned"


class ModelUnavailable(BackstoryError):
    code = "model_unavailable"
    retryable = True


class DeadlineExceeded(BackstoryError):
    code = "deadline_exceeded"
    retryable = True


class Busy(BackstoryError):
    code = "busy"
    retryable = True
