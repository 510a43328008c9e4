"""hook: what a coding agent runs at its events. It never holds the agent up: an empty answer in time beats a late one.

`prompt` and `session-start` put a fenced block of memories before the turn; `stop`, `pre-compact` and `session-end` have the
transcript's new turns taken in by a process of their own. Why a block is empty is written to `hooks.log`, never the prompt.
"""

import json
import os
import signal
import sys
import time
from argparse import Namespace
from typing import Any

from backstory import calls, daemon, places
from backstory.cli import exits
from backstory.cli.session import scopes
from backstory.errors import BackstoryError
from backstory.transport import JSON_HEADERS, encoded, told
from backstory.unix_http import UnixConnection

LOG_NAME = "hooks.log"
LOG_BYTES = 1_000_000
NAMES = {"prompt": "UserPromptSubmit", "session-start": "SessionStart"}


class TooLate(Exception):
    """The time for an answer is over."""


def hook(options: Namespace) -> int:
    """Answer one event. Always exits with 0 and valid JSON: a memory that is away must not stop anyone."""
    began = time.monotonic()
    _alarm(options.limit_ms / 1000)
    try:
        event = _event()
        block, reason = _answered(options, event)
    except TooLate:
        block, reason = "", "too late"
    except (BackstoryError, OSError, ValueError, TypeError, RecursionError) as error:
        block, reason = "", getattr(error, "code", type(error).__name__)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    name = NAMES.get(options.event)
    body = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": block}} if block and name else {}
    sys.stdout.write(json.dumps(body) + "\n")
    sys.stdout.flush()
    _log(options, reason, began)
    return exits.OK


def _answered(options: Namespace, event: dict[str, Any]) -> tuple[str, str]:
    session = event.get("session_id")
    if options.event == "prompt":
        return _block(options, str(event.get("prompt") or ""), session)
    if options.event == "session-start":
        return _block(options, None, session)
    return "", _take_in(options, event)


def _block(options: Namespace, prompt: str | None, session: Any) -> tuple[str, str]:
    """Ask the daemon once. One that does not run is started for the next time, and not waited for."""
    directory = places.data_directory(options.data)
    path = daemon.socket_of(directory)
    if path is None or not daemon.answers(path):
        daemon.spawn(directory)
        return "", "no daemon; starting one"
    call = calls.context(prompt, scopes(options), options.profile, session if isinstance(session, str) else None)
    connection = UnixConnection(path, options.limit_ms / 1000)
    status, text, _ = connection.exchange(call.method, call.path, encoded(call.body), JSON_HEADERS)
    if status >= 400:
        raise told(status, text)
    body = json.loads(text)
    return str(body["block"]), str(body["reason"])


def _take_in(options: Namespace, event: dict[str, Any]) -> str:
    """Have the transcript taken in, without waiting; turns that went in before stay as they are."""
    path = event.get("transcript_path")
    path = os.path.expanduser(path) if isinstance(path, str) else ""  # noqa: PTH111
    if not path.endswith(".jsonl") or not os.path.isfile(path):  # noqa: PTH113
        return "no transcript"
    words = ["-m", "backstory", "ingest", path, "--format", options.format, "--data", places.data_directory(options.data)]
    words += [word for name in options.scope or () for word in ("--scope", name)]
    daemon.detached(words)
    return "taking in"


def _event() -> dict[str, Any]:
    event = json.loads(sys.stdin.buffer.read() or b"{}")
    if not isinstance(event, dict):
        raise TypeError("a hook's input is one JSON object")
    return event


def _alarm(seconds: float) -> None:
    def late(*_: object) -> None:
        raise TooLate

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(0.01, seconds))


def _log(options: Namespace, reason: str, began: float) -> None:
    """One line: which hook, what came of it, in how many milliseconds. Losing it costs nobody anything."""
    line = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "hook": options.event, "reason": reason}
    line["ms"] = str(round((time.monotonic() - began) * 1000))
    directory = places.data_directory(options.data)
    path = os.path.join(directory, LOG_NAME)  # noqa: PTH118
    try:
        os.makedirs(directory, 0o700, exist_ok=True)  # noqa: PTH103
        if os.path.exists(path) and os.path.getsize(path) > LOG_BYTES:  # noqa: PTH110, PTH202
            os.replace(path, path + ".1")  # noqa: PTH105
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(handle, json.dumps(line).encode() + b"\n")
        os.close(handle)
    except OSError:
        return
