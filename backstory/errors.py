"""Errors of the client: one class per code on the wire, so that a caller can catch what it can handle."""

from typing import Any, ClassVar


class BackstoryError(Exception):
    """Root of all. `code` is the name on the wire, `retryable` whether the same call may succeed later."""

    code: ClassVar[str] = "internal"

    def __init__(self, message: str, *, retryable: bool = False, **fields: Any) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
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
    code = "unreadable"


class ConfigError(BackstoryError):
    code = "config"


class StoreError(BackstoryError):
    code = "store"


class StoreUnavailable(StoreError):
    code = "store_unavailable"


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


class DeadlineExceeded(BackstoryError):
    code = "deadline_exceeded"


class Busy(BackstoryError):
    code = "busy"


class Unreachable(BackstoryError):
    """No daemon answers and none could be started, or the URL does not answer."""

    code = "unreachable"


def _classes(root: type[BackstoryError]) -> dict[str, type[BackstoryError]]:
    found = {root.code: root}
    for child in root.__subclasses__():
        found |= _classes(child)
    return found


BY_CODE = _classes(BackstoryError)
_STANDARD = frozenset("type title status detail instance code retryable".split())


def from_problem(problem: dict[str, Any]) -> BackstoryError:
    """The error that a problem document (RFC 9457) tells of; an unknown code becomes the root class."""
    kind = BY_CODE.get(str(problem.get("code")), BackstoryError)
    fields = {name: value for name, value in problem.items() if name not in _STANDARD}
    message = str(problem.get("detail") or problem.get("title") or "the request failed")
    return kind(message, retryable=bool(problem.get("retryable")), **fields)
