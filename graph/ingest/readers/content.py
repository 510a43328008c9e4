"""Message content as readable text: text blocks whole, tool calls condensed to a line, images noted, thinking left out."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

MAX_CALL_CHARS = 240  # of a tool call's line
MAX_RESULT_CHARS = 400  # of a tool's answer
MAX_PLAN_CHARS = 6000  # of a plan that a tool call puts before a person
TEXT_TYPES = ("text", "input_text", "output_text", "summary_text", "refusal")
THINKING_TYPES = ("thinking", "redacted_thinking", "reasoning", "reasoning_content", "thoughts")

# The argument that says best what a call is about, in this order.
_TELLING = tuple("description command cmd file_path path pattern query url question prompt plan input".split())
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_ERROR_TAG = re.compile(r"</?tool_use_error>")


def plain(value: Any) -> str:
    """The text of a content value: a string, a block, or a list of them; tools and thinking left out."""
    return "\n\n".join(part for part in texts(value) if part)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, Mapping):
        yield from _block_texts(value)


def _block_texts(block: Mapping[str, Any]) -> Iterator[str]:
    kind = str(block.get("type") or block.get("content_type") or "text")
    if kind in TEXT_TYPES:
        found = block.get("text", block.get("refusal"))
        if isinstance(found, str):
            yield found
    elif "image" in kind:
        yield image_note(block)
    elif kind in ("document", "file", "input_file"):
        name = block.get("title") or block.get("filename") or block.get("name")
        yield f"[file: {name}]" if isinstance(name, str) else "[file]"


def image_note(block: Mapping[str, Any]) -> str:
    """`[image]`, with a title where the block has one; never the image's bytes."""
    for name in ("alt", "title", "name", "caption"):
        if isinstance(block.get(name), str) and block[name]:
            return f"[image: {block[name][:MAX_CALL_CHARS]}]"
    return "[image]"


def call_line(name: str, arguments: Any) -> str:
    """A tool call in one line: `[tool Bash: what it says best about itself]`; a plan that is put forward stays whole."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = {"input": arguments}
    telling = ""
    if isinstance(arguments, Mapping):
        if isinstance(arguments.get("plan"), str):
            return f"[tool {name}]\n{shortened(arguments['plan'].strip(), MAX_PLAN_CHARS)}"
        named = [arguments[key] for key in _TELLING if key in arguments] or list(arguments.values())
        telling = "; ".join([one_line(value) for value in named if isinstance(value, str) and value.strip()][:2])
    return f"[tool {name}: {shortened(telling, MAX_CALL_CHARS)}]" if telling else f"[tool {name}]"


def result_text(value: Any) -> str:
    """A tool's answer, condensed: without colours and error tags, its head when it is long."""
    return shortened(_ERROR_TAG.sub("", _ANSI.sub("", plain(value))).strip(), MAX_RESULT_CHARS)


def one_line(text: str) -> str:
    return " ".join(text.split())


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters, cut at white space, with an ellipsis where something was left out."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    gap = max(head.rfind(" "), head.rfind("\n"))
    return head[: gap if gap > limit // 2 else limit].rstrip() + " …"
