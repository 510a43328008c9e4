"""ChatGPT exports (conversations.json): a tree of messages per conversation, of which only the current branch was meant.

The branch is walked from `current_node` to the root; answers that were regenerated away and prompts that were edited away
are left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from graph.ingest.readers.content import image_note, result_text
from graph.ingest.readers.dates import moment
from graph.ingest.readers.source import Item, Source

_SPOKEN = ("user", "assistant", "tool")
_TEXTUAL = ("text", "multimodal_text", "code", "execution_output")


def recognises(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and recognises(value[0])
    return isinstance(value, Mapping) and isinstance(value.get("mapping"), Mapping)


def read(source: Source) -> Iterator[Item]:
    """Drafts of every conversation's current branch, in order, problems among them."""
    value = source.json()
    for number, conversation in enumerate(value if isinstance(value, list) else [value], 1):
        if isinstance(conversation, Mapping) and recognises(conversation):
            yield from _turns(source, number, conversation)
        else:
            yield source.problem(f"conversation {number}", "no tree of messages")


def _turns(source: Source, number: int, conversation: Mapping[str, Any]) -> Iterator[Item]:
    session = str(conversation.get("conversation_id") or conversation.get("id") or f"{source.name}:{number}")
    branch, problem = _branch(conversation)
    if problem:
        yield source.problem(f"conversation {number}", problem)
    for position, message in enumerate(branch):
        author = message.get("author")
        role = str(author.get("role")) if isinstance(author, Mapping) else ""
        content = message.get("content")
        if role not in _SPOKEN or not isinstance(content, Mapping) or _hidden(message):
            continue
        text = _text(content)
        item = source.draft(
            f"conversation {number} message {position}",
            text=result_text(text) if role == "tool" else text,
            at=f"{session}:{message.get('id') or position}",
            role=role,
            authored_at=moment(message.get("create_time")),
            session=session,
            record_kind="session",
            position=position,
            metadata={"tool_result": True} if role == "tool" else {},
        )
        if item is not None:
            yield item


def _branch(conversation: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], str]:
    """Messages from the root to the current node, and what was wrong with the tree (empty: nothing)."""
    mapping: Mapping[str, Any] = conversation["mapping"]
    at = conversation.get("current_node")
    if not isinstance(at, str) or at not in mapping:
        at = _last_leaf(mapping)
    path: list[Mapping[str, Any]] = []
    walked: set[str] = set()
    problem = ""
    while at is not None:
        node = mapping.get(at) if isinstance(at, str) else None
        if not isinstance(node, Mapping) or at in walked:
            problem = f"the branch breaks at node {at!r}"
            break
        walked.add(at)
        if isinstance(node.get("message"), Mapping):
            path.append(node["message"])
        at = node.get("parent")
    return path[::-1], problem


def _last_leaf(mapping: Mapping[str, Any]) -> Any:
    """The newest message without children, where an export names no current node."""

    def created(item: tuple[str, Any]) -> float:
        message = item[1].get("message") if isinstance(item[1], Mapping) else None
        moment_ = message.get("create_time") if isinstance(message, Mapping) else None
        return float(moment_) if isinstance(moment_, int | float) else 0.0

    leaves = [(name, node) for name, node in mapping.items() if isinstance(node, Mapping) and not node.get("children")]
    return max(leaves, key=created)[0] if leaves else None


def _hidden(message: Mapping[str, Any]) -> bool:
    """Messages that are not on the screen: to a tool, or marked so."""
    metadata = message.get("metadata")
    marked = isinstance(metadata, Mapping) and bool(metadata.get("is_visually_hidden_from_conversation"))
    return marked or message.get("recipient") not in (None, "all")


def _text(content: Mapping[str, Any]) -> str:
    if content.get("content_type") not in _TEXTUAL:
        return ""
    parts = content.get("parts")
    if not isinstance(parts, list):
        return str(content.get("text") or "")
    said = (part if isinstance(part, str) else _asset(part) for part in parts)
    return "\n\n".join(part for part in said if part)


def _asset(part: Any) -> str:
    if not isinstance(part, Mapping):
        return ""
    if isinstance(part.get("text"), str):
        return str(part["text"])
    return image_note(part) if "image" in str(part.get("content_type")) else ""
