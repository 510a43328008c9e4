"""The error tree as HTTP: one table of codes, and problem documents (RFC 9457) made from them."""

from typing import Any

from graph.errors import BackstoryError

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 2

STATUS: dict[str, tuple[int, str]] = {
    "internal": (500, "Something went wrong here"),
    "invalid_input": (422, "The input cannot be used"),
    "invalid_scope": (422, "The scope cannot be used"),
    "invalid_time": (422, "The time cannot be used"),
    "too_large": (413, "The input is too large"),
    "conflict": (409, "The same key was stored with another body"),
    "not_found": (404, "There is no such thing here"),
    "forbidden": (403, "The scope is not yours"),
    "budget_exceeded": (422, "Nothing fits the budget"),
    "unreadable": (422, "The file cannot be read"),
    "config": (500, "The settings cannot be used"),
    "store": (500, "The store failed"),
    "store_unavailable": (503, "The store did not answer"),
    "store_read_only": (503, "The store cannot be written"),
    "store_full": (507, "The store is full"),
    "schema_too_new": (503, "The data was written by a newer version"),
    "model_mismatch": (503, "The data belongs to another embedding model"),
    "already_owned": (503, "Another process owns the data"),
    "model_unavailable": (503, "A model did not answer"),
    "deadline_exceeded": (504, "The work did not end in its time"),
    "busy": (429, "Too much at once"),
}


def status_of(error: BackstoryError) -> int:
    return STATUS[error.code][0]


def problem(error: BackstoryError, instance: str = "") -> dict[str, Any]:
    """The problem document: type, title, status, detail, plus `code`, `retryable` and the error's own fields."""
    status, title = STATUS[error.code]
    return {
        "type": f"urn:backstory:problem:{error.code}",
        "title": title,
        "status": status,
        "detail": error.message,
        "instance": instance,
        "code": error.code,
        "retryable": error.retryable,
    } | {name: value for name, value in error.fields.items() if value is not None}


def headers(error: BackstoryError) -> dict[str, str]:
    return {"Retry-After": str(RETRY_AFTER_SECONDS)} if error.retryable else {}
