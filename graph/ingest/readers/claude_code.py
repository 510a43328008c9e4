"""Claude Code session files: one JSON line per entry. What was said goes in whole, tool calls condensed, the rest stays out.

Keys are the entries' own uuids under their session, so a file that grew adds only its new turns, and a resumed session that
copies old entries adds them once per session. Parent chains are not needed: a turn's place is its line.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graph.errors import Unreadable
from graph.ingest.readers.content import THINKING_TYPES, call_line, plain, result_text
from graph.ingest.readers.dates import moment
from graph.ingest.readers.injected import is_preface, without_injected
from graph.ingest.readers.source import Item, Source

_COMMAND = re.compile(r"<command-name>\s*(\S+?)\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_BASH_INPUT = re.compile(r"<bash-input>(.*?)</bash-input>", re.DOTALL)
_BASH_OUTPUT = re.compile(r"<bash-(?:stdout|stderr)>(.*?)</bash-(?:stdout|stderr)>", re.DOTALL)
_LOCAL_OUTPUT = re.compile(r"\s*<local-command-std(?:out|err)>")


def recognises(entry: Mapping[str, Any]) -> bool:
    """Whether a JSON line is of this format."""
    if entry.get("type") in ("user", "assistant") and isinstance(entry.get("message"), Mapping):
        return "sessionId" in entry or "uuid" in entry
    if entry.get("type") == "summary":
        return "leafUuid" in entry
    return entry.get("type") in ("file-history-snapshot", "queue-operation", "system") and (
        "sessionId" in entry or "snapshot" in entry
    )


def read(source: Source) -> Iterator[Item]:
    """Drafts in the order of the file, problems among them."""
    sessions: dict[str, str] = {}
    summaries: list[tuple[int, Mapping[str, Any]]] = []
    seen: set[str] = set()
    for number, entry in source.json_lines():
        if isinstance(entry, Unreadable):
            yield entry
        elif not isinstance(entry, Mapping):
            yield source.problem(f"line {number}", "not an entry of a session")
        elif entry.get("type") == "summary":
            summaries.append((number, entry))
        elif entry.get("type") in ("user", "assistant"):
            if entry.get("uuid"):
                sessions[str(entry["uuid"])] = _session(source, entry)
            item = _turn(source, number, entry, seen)
            if item is not None:
                yield item
    for number, entry in summaries:
        item = _summary(source, number, entry, sessions)
        if item is not None:
            yield item


def _session(source: Source, entry: Mapping[str, Any]) -> str:
    return str(entry.get("sessionId") or source.path.stem)


def _turn(source: Source, number: int, entry: Mapping[str, Any], seen: set[str]) -> Item | None:
    message = entry.get("message")
    if not isinstance(message, Mapping):
        return source.problem(f"line {number}", "an entry without a message")
    if entry.get("isMeta"):
        return None
    role, text, marks = _said(str(message.get("role") or entry["type"]), message.get("content"))
    session = _session(source, entry)
    at = f"{session}:{entry.get('uuid') or f'line {number}'}"
    if at in seen:
        return None
    seen.add(at)
    if entry.get("isSidechain"):
        marks["sidechain"] = True
        marks |= {"agent": str(entry["agentId"])} if entry.get("agentId") else {}
    if entry.get("isCompactSummary"):
        marks["summary"] = True
    return source.draft(
        f"line {number}",
        text=text,
        at=at,
        role=role,
        authored_at=moment(entry.get("timestamp")),
        session=session,
        record_kind="session",
        position=number,
        metadata=marks | _surroundings(entry),
    )


def _surroundings(entry: Mapping[str, Any]) -> dict[str, Any]:
    named = {"cwd": entry.get("cwd"), "branch": entry.get("gitBranch")}
    return {name: value for name, value in named.items() if isinstance(value, str) and value}


def _said(role: str, content: Any) -> tuple[str, str, dict[str, Any]]:
    """Who speaks, what is said, and marks. A user entry that only carries tools' answers is said by the tool."""
    if isinstance(content, str):
        return _spoken(role, content)
    parts: list[str] = []
    marks: dict[str, Any] = {}
    spoken = False
    for block in content if isinstance(content, list) else []:
        kind = block.get("type") if isinstance(block, Mapping) else "text"
        if kind == "tool_use":
            parts.append(call_line(str(block.get("name")), block.get("input")))
            marks["tools"] = [*marks.get("tools", []), str(block.get("name"))]
        elif kind == "tool_result":
            parts.append(result_text(block.get("content")))
            marks |= {"tool_result": True} | ({"error": True} if block.get("is_error") else {})
        elif kind not in THINKING_TYPES:
            _, text, more = _spoken(role, plain(block))
            spoken = spoken or bool(text)
            parts.append(text)
            marks |= more
    if marks.get("tool_result") and not spoken:
        role = "tool"
    return role, "\n\n".join(part for part in parts if part), marks


def _spoken(role: str, text: str) -> tuple[str, str, dict[str, Any]]:
    """A person's text without what the harness put there; commands and shell lines in short."""
    if is_preface(text) or _LOCAL_OUTPUT.match(text):
        return role, "", {}
    if command := _COMMAND.search(text):
        arguments = _ARGUMENTS.search(text)
        said = arguments.group(1).strip() if arguments else ""
        return role, f"{command.group(1)} {said}" if said else "", {"command": command.group(1)}
    if _BASH_INPUT.search(text):
        return role, "\n".join(f"$ {shell.strip()}" for shell in _BASH_INPUT.findall(text)), {"shell": True}
    if _BASH_OUTPUT.search(text):
        return "tool", result_text("\n".join(_BASH_OUTPUT.findall(text))), {"tool_result": True}
    return role, without_injected(text), {}


def _summary(source: Source, number: int, entry: Mapping[str, Any], sessions: dict[str, str]) -> Item | None:
    """The tool's own title of a session; it belongs to the session of the entry it names, if that is in this file."""
    leaf = str(entry.get("leafUuid") or "")
    return source.draft(
        f"line {number}",
        text=entry.get("summary"),
        at=f"summary:{leaf or number}",
        role="summary",
        session=sessions.get(leaf, source.path.stem),
        record_kind="session",
        metadata={"summary": True},
    )
