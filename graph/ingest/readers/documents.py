"""Markdown and plain text: one record per file, its sections under their headings, passages of a readable length.

A date is taken from the text or its front matter alone; a file's own time says when it was copied, not when it was written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from graph.ingest.readers.frontmatter import TOLD_ELSEWHERE, About, about, split_front
from graph.ingest.readers.head import head
from graph.ingest.readers.packing import Block, packed, paragraphs
from graph.ingest.readers.source import Item, Source

MAX_MARKDOWN_CHARS = 4_000_000  # a longer text is read as plain text: parsing would take minutes

# Headings of decision records, by what stands under them.
SECTION_KINDS = {
    "status": ("status", "state"),
    "context": ("context", "background", "problem", "motivation", "abstract", "introduction", "issue", "context and problem"),
    "rationale": ("rationale", "reasons", "reasoning", "justification", "decision drivers", "why"),
    "decision": ("decision", "decision outcome", "resolution", "outcome", "chosen option", "proposal"),
    "alternatives": ("alternatives", "considered options", "options", "rejected", "rejected ideas", "pros and cons"),
    "consequences": ("consequences", "impact", "implications", "positive consequences", "negative consequences", "results"),
}
_KIND_OF = {name: kind for kind, names in SECTION_KINDS.items() for name in names}
UNSPOKEN = ("title", "id", "name", "subject", "layout", "tags", "slug", "permalink")  # front matter that a head leaves out
_NUMBERED = re.compile(r"(?:ADR[- ]?)?0*(\d{1,5})[.:)]\s+\S", re.IGNORECASE)
_FILE_NUMBER = re.compile(r"(?:adr[-_]?)?0*(\d{1,5})[-_.]", re.IGNORECASE)
_RULE = re.compile(r"(={3,}|-{3,}|~{3,}|\^{3,}|\"{3,})[ \t]*")
_ATTACHED = ("fence", "code_block", "bullet_list_open", "ordered_list_open", "table_open")


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under one heading; `path` holds the headings that lead there, outermost first, the document's title left out."""

    path: tuple[str, ...]
    blocks: tuple[Block, ...]


def read(source: Source) -> Iterator[Item]:
    """Drafts of a Markdown file in order."""
    front, body = split_front(source.text())
    yield from _document(source, front, body, markdown_sections(body))


def read_plain(source: Source) -> Iterator[Item]:
    """Drafts of a plain text in order; underlined lines are its headings."""
    front, body = split_front(source.text())
    yield from _document(source, front, body, plain_sections(body, about(front, "").title))


def _document(source: Source, front: Any, body: str, found: tuple[str, list[Section]]) -> Iterator[Item]:
    heading, sections = found
    said = about(front, _head(body))
    title = said.title or heading
    record = said.identifiers[0] if said.identifiers and not said.identifiers[0].isdigit() else source.name
    kinds = {section_kind(section.path) for section in sections}
    is_decision = "decision" in kinds and bool(kinds & {"context", "status", "consequences"})
    common: dict[str, Any] = {
        "record": record,
        "record_kind": "decision" if is_decision else "document",
        "title": title or None,
        "author": said.author,
        "authored_at": said.date,
        "identifiers": identifiers(source, said, title, is_decision=is_decision),
    }
    status = said.status or _status_of(sections)
    base = {name: value for name, value in said.fields.items() if name.lower() not in TOLD_ELSEWHERE}
    base |= {"status": status} if status else {}
    position = 0
    header = _header(title, said)
    passages = ([("", "", header)] if header else []) + [
        (" / ".join(section.path), section_kind(section.path), text) for section in sections for text in packed(section.blocks)
    ]
    for section, kind, text in passages:
        item = source.draft(
            section or "head",
            text=text,
            section=section or None,
            position=position,
            metadata=base | ({"part": kind} if kind else {}),
            **common,
        )
        if item is not None:
            position += 1
            yield item


def _head(body: str) -> str:
    """The text before the second heading: where a document states its date and status."""
    parts = re.split(r"^#{1,6}[ \t]", body[:16_384], maxsplit=2, flags=re.MULTILINE)
    return "".join(parts[:2]) if len(parts) > 1 else parts[0][:4096]


def _header(title: str, said: About) -> str:
    """A passage of what front matter states; empty where it states nothing."""
    shown = {name for name in said.fields if name.lower() not in UNSPOKEN}
    return head(title, said.fields, said.identifiers, UNSPOKEN) if shown and title else ""


def _status_of(sections: list[Section]) -> str:
    """The first words under a Status heading, when they are a state and not a story."""
    for section in sections:
        if section_kind(section.path) == "status" and section.blocks:
            line = section.blocks[0].text.strip().split("\n")[0].strip("*_- ")
            return line if len(line) <= 80 else ""
    return ""


def section_kind(path: tuple[str, ...]) -> str:
    """What stands under a heading of a decision record; empty for other headings."""
    for heading in reversed(path):
        plain = re.sub(r"[^\w\s]", " ", heading).casefold()
        kind = _KIND_OF.get(" ".join(plain.split()), "")
        if kind:
            return kind
    return ""


def identifiers(source: Source, said: About, title: str, *, is_decision: bool) -> tuple[str, ...]:
    """Names of the document: those stated, its file's name, and ADR-n where a numbered decision record shows its number."""
    names = [*said.identifiers, source.path.name]
    number = _NUMBERED.match(title) or (_FILE_NUMBER.match(source.path.name) if is_decision else None)
    if number and is_decision:
        names += [f"ADR-{number.group(1)}", f"ADR {number.group(1)}"]
    return tuple(dict.fromkeys(names))


def markdown_sections(text: str) -> tuple[str, list[Section]]:
    """(title, sections): the title is the only first-level heading, or the first one; blocks are the text's own lines."""
    if len(text) > MAX_MARKDOWN_CHARS:
        return plain_sections(text)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    lines = text.split("\n")
    builder = _Builder()
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.level or not token.map:
            continue
        start, end = token.map
        if token.type == "heading_open":
            builder.heading(int(token.tag[1:]), _words(following))
        elif token.type != "html_block" or not lines[start].lstrip().startswith("<!--"):
            block = "\n".join(lines[start:end]).strip("\n").rstrip()
            if block.strip():
                builder.block(Block(block, attached=token.type in _ATTACHED))
    return builder.done()


def _words(inline: Token | None) -> str:
    """A heading's words without marks of emphasis and links' targets."""
    children = (inline.children or []) if inline else []
    return " ".join("".join(child.content if child.type in ("text", "code_inline") else " " for child in children).split())


def plain_sections(text: str, title: str = "") -> tuple[str, list[Section]]:
    """(title, sections) of a text whose headings are underlined, or stand overlined and underlined.

    The first heading is the title, unless the text states another.
    """
    builder = _Builder(title)
    levels: dict[str, int] = {}
    held: list[str] = []

    def flush() -> None:
        for block in paragraphs("\n".join(held)):
            builder.block(block)
        held.clear()

    lines = text.split("\n")
    for index, line in enumerate(lines):
        under = lines[index + 1] if index + 1 < len(lines) else ""
        if _is_heading(line, under):
            flush()
            builder.heading(levels.setdefault(under[0], len(levels) + 1), line.strip())
        elif not (_RULE.fullmatch(line) and index and _is_heading(lines[index - 1], line)):
            held.append(line)
    flush()
    return builder.done()


def _is_heading(line: str, under: str) -> bool:
    rule = _RULE.fullmatch(under)
    return bool(rule and line.strip() and not line.startswith((" ", "\t")) and len(rule.group(1)) >= len(line.strip()) - 1)


class _Builder:
    """Collects blocks under the headings they follow."""

    def __init__(self, stated: str = "") -> None:
        self._stated = stated.casefold()
        self._title = ""
        self._path: list[tuple[int, str]] = []
        self._sections: list[tuple[tuple[str, ...], list[Block]]] = [((), [])]

    def heading(self, level: int, words: str) -> None:
        started = self._title or self._path or len(self._sections) > 1
        if level == 1 and not started and self._stated in ("", words.casefold()):
            self._title = words
            return
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, words))
        self._sections.append((tuple(name for _, name in self._path), []))

    def block(self, block: Block) -> None:
        self._sections[-1][1].append(block)

    def done(self) -> tuple[str, list[Section]]:
        return self._title, [Section(path, tuple(blocks)) for path, blocks in self._sections if blocks]
