"""Chats as lists of messages: OpenAI and Anthropic requests and logs, LangChain messages (both forms), ShareGPT-like lists.

A file holds one conversation as JSON, a list of them, or one per line; a line or list may also hold bare messages. System
messages are instructions, not memories, and stay out. A turn's key is its conversation, its number and its words, so that a
longer copy of the same conversation adds only its new turns.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graph.errors import Unreadable
from graph.ingest.readers.content import THINKING_TYPES, call_line, plain, result_text
from graph.ingest.readers.dates import moment
from graph.ingest.readers.injected import without_injected
from graph.ingest.readers.source import Item, Source

MESSAGE_LISTS = ("messages", "turns", "conversation", "conversations", "dialogue", "dialog", "chat", "history")
SESSION_WORDS = ("conversation_id", "conversation", "session_id", "session", "thread_id", "thread", "chat_id", "id", "name")
DATE_WORDS = ("timestamp", "created_at", "create_time", "datetime", "date", "created", "time", "sent_at", "ts")
ROLES = {
    "human": "user",
    "ai": "assistant",
    "gpt": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "function": "tool",
    "humanmessage": "user",
    "aimessage": "assistant",
    "humanmessagechunk": "user",
    "aimessagechunk": "assistant",
    "toolmessage": "tool",
    "functionmessage": "tool",
    "systemmessage": "system",
}
_ROLES = frozenset({"user", "assistant", "tool", "system", "developer", *ROLES})
_SKIPPED = frozenset({"system", "developer", "remove"})


def recognises(value: Any) -> bool:
    """Whether a JSON value is a conversation, a list of them, or a list of messages."""
    if isinstance(value, Mapping):
        return messages_of(value) is not None or is_message(value)
    return isinstance(value, list) and bool(value) and all(recognises(item) for item in value[:3])


def messages_of(value: Mapping[str, Any]) -> list[Any] | None:
    """The list of messages that a conversation holds, under whichever of its names."""
    for name in MESSAGE_LISTS:
        found = value.get(name)
        if isinstance(found, list) and found and any(is_message(item) for item in found[:3]):
            return found
    return None


def is_message(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    body = _unpacked(value)
    return _role(body) in _ROLES and any(name in body for name in ("content", "text", "value", "tool_calls", "parts"))


def read(source: Source) -> Iterator[Item]:
    """Drafts of every conversation in the file, in order, problems among them."""
    if source.lines:
        yield from _read_lines(source)
        return
    value = source.json()
    if isinstance(value, Mapping) or (isinstance(value, list) and value and is_message(value[0])):
        yield from conversation(source, "", value, source.path.stem)
        return
    for number, item in enumerate(value if isinstance(value, list) else [], 1):
        yield from conversation(source, f"item {number}", item, f"{source.name}:{number}")


def _read_lines(source: Source) -> Iterator[Item]:
    loose = 0
    for number, value in source.json_lines():
        if isinstance(value, Unreadable):
            yield value
        elif is_message(value):
            yield from _turns(source, f"line {number}", [value], {}, fallback=source.name, first=loose)
            loose += 1
        else:
            yield from conversation(source, f"line {number}", value, f"{source.name}:{number}")


def conversation(source: Source, place: str, value: Any, fallback: str) -> Iterator[Item]:
    """Drafts of one conversation; `fallback` names it when it has no name of its own."""
    if isinstance(value, list):
        yield from _turns(source, place, value, {}, fallback=fallback)
        return
    messages = messages_of(value) if isinstance(value, Mapping) else None
    if messages is None:
        yield source.problem(place, "no conversation: neither messages nor a message")
        return
    yield from _turns(source, place, messages, _about(value), fallback=fallback)


def _about(value: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of the whole conversation: its own fields and those of its `metadata`, without lists and texts."""
    inner = value.get("metadata")
    own = {name: item for name, item in value.items() if isinstance(item, str | int | float)}
    return {**(inner if isinstance(inner, Mapping) else {}), **own}


def _turns(
    source: Source, place: str, messages: Sequence[Any], about: Mapping[str, Any], *, fallback: str, first: int = 0
) -> Iterator[Item]:
    session = next((str(about[word]) for word in SESSION_WORDS if isinstance(about.get(word), str | int)), fallback)
    began = next((date for word in DATE_WORDS if (date := moment(about.get(word)))), None)
    for index, message in enumerate(messages, first):
        where = f"{place} message {index + 1}".strip()
        if not isinstance(message, Mapping):
            yield source.problem(where, "not a message")
            continue
        body = _unpacked(message)
        role = _role(body)
        if role in _SKIPPED:
            continue
        role, text, marks = _said(role, body)
        date = next((date for word in DATE_WORDS if (date := moment(body.get(word)))), began)
        item = source.draft(
            where,
            text=text,
            at=f"{_dialect(message, body)}:{session}:{index}",
            role=role,
            author=body["name"] if isinstance(body.get("name"), str) and role != "tool" else None,
            authored_at=date,
            session=session,
            record_kind="session",
            position=index,
            metadata=marks,
        )
        if item is not None:
            yield item


def _unpacked(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A LangChain message's own body: `{type, data}` and the constructor form `{lc, id, kwargs}` alike."""
    if isinstance(message.get("kwargs"), Mapping) and isinstance(message.get("id"), list) and message["id"]:
        return {"type": str(message["id"][-1]).lower()} | dict(message["kwargs"])
    if isinstance(message.get("data"), Mapping) and "type" in message:
        return {"type": message["type"]} | dict(message["data"])
    return message


def _dialect(message: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    """How a message is written: copies of one conversation in two formats stay two."""
    if body is not message:
        return "langchain"
    return "blocks" if isinstance(body.get("content"), list) else "plain"


def _role(body: Mapping[str, Any]) -> str:
    role = str(body.get("role") or body.get("from") or body.get("type") or body.get("speaker") or "").lower()
    return ROLES.get(role, role)


def _said(role: str, body: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Who speaks, what is said, and marks. Tool calls and answers are condensed wherever they stand."""
    content = next((body[name] for name in ("content", "text", "value", "parts") if body.get(name) is not None), "")
    if role == "tool":
        return role, result_text(content), {"tool_result": True}
    parts: list[str] = []
    marks: dict[str, Any] = {}
    spoken = False
    blocks: list[Any] = content if isinstance(content, list) else [content]
    for block in blocks:
        kind = block.get("type") if isinstance(block, Mapping) else "text"
        if kind == "tool_use":
            parts.append(call_line(str(block.get("name")), block.get("input")))
            marks["tools"] = [*marks.get("tools", []), str(block.get("name"))]
        elif kind == "tool_result":
            parts.append(result_text(block.get("content")))
            marks["tool_result"] = True
        elif kind not in THINKING_TYPES:
            parts.append(without_injected(plain(block)))
            spoken = spoken or bool(parts[-1])
    for name, arguments in _calls(body):
        parts.append(call_line(name, arguments))
        marks["tools"] = [*marks.get("tools", []), name]
    if marks.get("tool_result") and not spoken:
        role = "tool"
    return role, "\n\n".join(part for part in parts if part), marks


def _calls(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(name, arguments) of the calls beside a message's content: OpenAI's `function` objects, LangChain's flat ones."""
    calls = body.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, Mapping):
            function = call.get("function") if isinstance(call.get("function"), Mapping) else call
            if isinstance(function, Mapping):
                yield str(function.get("name")), function.get("arguments", function.get("args"))
    if isinstance(body.get("function_call"), Mapping):
        yield str(body["function_call"].get("name")), body["function_call"].get("arguments")
