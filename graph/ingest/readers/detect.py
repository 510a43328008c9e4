"""Which format a file has: by its content first, by its name where the content says nothing."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graph.ingest.readers import chat, chatgpt, claude_code, codex, generic, native, slack

HEAD_BYTES = 65_536
SAMPLE_LINES = 20
SAMPLE_BYTES = 1 << 24

MARKDOWN_NAMES = frozenset({".md", ".markdown", ".mdown", ".mdx", ".mkd"})
TEXT_NAMES = frozenset({".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org", ".log", ""})
JSON_NAMES = frozenset({".json", ".jsonl", ".ndjson"})
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def detect(path: Path, *, named: bool) -> tuple[str, bool] | None:
    """(format, whether it is JSON by lines) of a file; None for one that nobody asked for by name and that is no text of ours.

    `named` says that the caller named this very file: then any text is read as plain text. Raises OSError.
    """
    suffix = path.suffix.lower()
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    binary = b"\x00" in head and not head.startswith(_WIDE)
    readable_name = suffix in MARKDOWN_NAMES | TEXT_NAMES | JSON_NAMES
    if binary:
        return ("text", False) if named or suffix in MARKDOWN_NAMES | JSON_NAMES | {".txt"} else None
    if suffix in JSON_NAMES or (
        readable_name and suffix not in MARKDOWN_NAMES and head.lstrip(_BOM).lstrip()[:1] in (b"{", b"[")
    ):
        found = _json_format(path, must=suffix in JSON_NAMES)
        if found:
            return found
    if suffix in MARKDOWN_NAMES:
        return "markdown", False
    return ("text", False) if named or suffix in TEXT_NAMES else None


def _json_format(path: Path, *, must: bool) -> tuple[str, bool] | None:
    """The format of a JSON file. `must`: its name says that it is JSON, so a broken one is JSON too."""
    values = _sampled_lines(path)
    if path.suffix.lower() != ".json" or (len(values) > 1 and all(isinstance(value, Mapping) for value in values)):
        name = _of_rows(values)
        if name and (must or values):
            return name, True
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return ("json", path.suffix.lower() != ".json") if must else None
    return _of_value(value), False


def _sampled_lines(path: Path) -> list[Any]:
    """The first lines that are JSON objects or lists by themselves."""
    values: list[Any] = []
    with path.open("rb") as stream:
        for _ in range(SAMPLE_LINES):
            line = stream.readline(SAMPLE_BYTES)
            if not line:
                break
            try:
                value = json.loads(line.removeprefix(_BOM))
            except (ValueError, RecursionError):
                continue
            if isinstance(value, Mapping | list):
                values.append(value)
    return values


def _of_rows(values: list[Any]) -> str:
    """The format of lines, by the first reader that knows any of them; our own only when nothing else fits as well."""
    rows = [value for value in values if isinstance(value, Mapping)]
    if any(claude_code.recognises(row) for row in rows):
        return "claude-code"
    if any(codex.recognises(row) for row in rows):
        return "codex"
    if any(native.recognises(row) for row in rows):
        return "backstory"
    if any((chat.recognises(value) and not generic.names_session(value)) or _holds_messages(value) for value in values):
        return "chat"
    return "json" if values else ""


def _holds_messages(value: Any) -> bool:
    return isinstance(value, Mapping) and chat.messages_of(value) is not None


def _of_value(value: Any) -> str:
    if chatgpt.recognises(value):
        return "chatgpt"
    if slack.recognises(value):
        return "slack"
    first = value[0] if isinstance(value, list) and value else value
    if chat.recognises(value) and (_holds_messages(first) or not generic.names_session(first)):
        return "chat"
    return "json"
