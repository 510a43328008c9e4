"""Codex session files (rollouts): one JSON line per entry, `{timestamp, type, payload}`.

A message stands in a rollout twice, as an event for the screen and as an item for the model; it goes in once. Keys are the
session's id and the line, which never moves in a file that is only appended to.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from graph.errors import Unreadable
from graph.ingest.readers.content import call_line, one_line, plain, result_text
from graph.ingest.readers.dates import moment
from graph.ingest.readers.injected import is_preface, without_injected
from graph.ingest.readers.source import Item, Source

ENTRY_TYPES = frozenset({"session_meta", "turn_context", "event_msg", "response_item", "compacted"})
_TWIN_REACH = 8  # messages among which the twin of a message is looked for
_EVENT_ROLES = {"user_message": "user", "agent_message": "assistant"}
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_ANSWERS = ("function_call_output", "custom_tool_call_output")
_SKIPPED_ROLES = ("system", "developer")
_SHELL = "<user_shell_command>"


def recognises(entry: Mapping[str, Any]) -> bool:
    if {"id", "timestamp", "instructions"} <= entry.keys():
        return True  # the head of an older rollout, whose items follow without an envelope
    return any(str(item.get("type")) in ENTRY_TYPES and isinstance(item.get("payload"), Mapping) for item in unwrapped(entry))


def unwrapped(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The entries of a line: itself, or what it holds as `entry` (one or a list), as collections of samples do."""
    inner = entry.get("entry")
    if inner is None:
        return [entry]
    return [item for item in (inner if isinstance(inner, list) else [inner]) if isinstance(item, Mapping)]


def read(source: Source) -> Iterator[Item]:
    """Drafts in the order of the file, problems among them. The first session named is the file's."""
    session = ""
    recent: list[tuple[str, str, str]] = []
    for number, line in source.json_lines():
        if isinstance(line, Unreadable):
            yield line
            continue
        if not isinstance(line, Mapping):
            yield source.problem(f"line {number}", "not an entry of a session")
            continue
        for index, entry in enumerate(unwrapped(line)):
            payload = entry.get("payload", entry)
            if not isinstance(payload, Mapping):
                continue
            if entry.get("type") == "session_meta" or "instructions" in entry:
                session = session or str(payload.get("id") or "")
                continue
            role, text, marks = _said(str(entry.get("type")), payload)
            if not text or _is_twin(recent, str(entry.get("type")), role, text):
                continue
            item = source.draft(
                f"line {number}",
                text=text,
                at=f"{session or source.path.stem}:{number}.{index}",
                role=role,
                authored_at=moment(entry.get("timestamp")),
                session=session or source.path.stem,
                record_kind="session",
                position=number,
                metadata=marks,
            )
            if item is not None:
                yield item


def _is_twin(recent: list[tuple[str, str, str]], family: str, role: str, text: str) -> bool:
    """Whether the same words of the same speaker came just before in the other family; the pair is used up by it."""
    for place, (other, speaker, said) in enumerate(recent):
        if other != family and speaker == role and said == text:
            del recent[place]
            return True
    recent.append((family, role, text))
    del recent[:-_TWIN_REACH]
    return False


def _said(family: str, payload: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    kind = str(payload.get("type") or "")
    if kind in _EVENT_ROLES:
        return _spoken(_EVENT_ROLES[kind], str(payload.get("message") or ""))
    if kind == "message" and payload.get("role") not in _SKIPPED_ROLES:
        return _spoken(str(payload.get("role") or "user"), plain(payload.get("content")))
    if kind in _CALLS:
        name = str(payload.get("name") or "shell")
        arguments = payload.get("arguments", payload.get("input", payload.get("action")))
        return "assistant", call_line(name, arguments), {"tools": [name]}
    if kind in _ANSWERS:
        return "tool", result_text(_output(payload.get("output"))), {"tool_result": True}
    if family == "compacted":
        return "summary", str(payload.get("message") or ""), {"summary": True}
    return "", "", {}


def _output(output: Any) -> Any:
    return output.get("content", output.get("output", "")) if isinstance(output, Mapping) else output


def _spoken(role: str, text: str) -> tuple[str, str, dict[str, Any]]:
    if is_preface(text):
        return role, "", {}
    if text.lstrip().startswith(_SHELL):
        command = text.partition("<command>")[2].partition("</command>")[0]
        return role, f"$ {one_line(command)}" if command.strip() else "", {"shell": True}
    return role, without_injected(text), {}
