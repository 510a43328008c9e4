"""Structured logs: static event names with ids beside them, JSON in production, columns in development.

Fields that could carry a memory's words or a secret never reach a line, whoever passes them.
"""

import logging
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog

from graph.errors import BackstoryError

FORBIDDEN = frozenset("text question query prompt body content secret token password authorization".split())


def configure(level: str = "info", style: str = "auto", file: Path | None = None) -> None:
    """Send log lines of `level` and above to `file` (appending) or to stderr; `style` is json, columns or auto."""
    stream: TextIO = file.open("a", encoding="utf-8", buffering=1) if file else sys.stderr
    columns = style == "columns" or (style == "auto" and stream.isatty())
    renderer: Any = structlog.dev.ConsoleRenderer(colors=False) if columns else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_content,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.WriteLoggerFactory(file=stream),
        cache_logger_on_first_use=True,
    )


def logger(room: str) -> Any:
    """A logger that names its room on every line."""
    return structlog.get_logger(room=room)


def reason_of(error: BaseException) -> str:
    """An error as a receipt or log line may tell it: our own message, or the class of a foreign one.

    A foreign exception's message may quote a memory, so only its type and place are kept.
    """
    if isinstance(error, BackstoryError):
        return f"{error.code}: {error.message}"
    if isinstance(error, MemoryError):
        return "out of memory"
    return f"{type(error).__name__}{_place(error)}"


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""


def _without_content(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in FORBIDDEN & event.keys():
        event[key] = "[withheld]"
    return event
