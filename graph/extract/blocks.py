"""Blocks of a text: paragraphs, headings, list items, fields, quotations, code. What a line break means depends on them."""

import re
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    PROSE = "prose"
    HEADING = "heading"
    FIELD = "field"
    QUOTE = "quote"
    CODE = "code"
    INJECTED = "injected"  # put there by a tool, not said


@dataclass(frozen=True, slots=True)
class Block:
    """Character range [start, end) of one kind; `start` lies after a list marker or quote sign."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def bare(self) -> str:
        return self.text.strip()


MIN_WRAP_WIDTH = 40  # characters; shorter paragraphs are not hard-wrapped
WRAP_SLACK = 12  # characters that a wrapped line may stay below the paragraph's width, beside its next word
_GOES_ON = frozenset(
    "a an the of to in on at by for with from and or but as is are was were be been has have had that which because so if when "
    "into than this these our their his her its my your not will would can could should must about over under after".split()
)
# All of these read the first LINE_CHARS of one line, from its beginning.
_FENCE = re.compile(r"\A[ \t]{0,40}(?:```|~~~)")
_HEADING = re.compile(r"\A {0,3}#{1,6}[ \t]{1,40}\S")
_UNDERLINE = re.compile(r"\A([=\-~^\"'#*+])\1{2,}\Z")
_ITEM = re.compile(r"\A[ \t]{0,40}(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]{1,40}(?=\S)")
_QUOTE = re.compile(r"\A {0,3}>[ \t]?")
_FIELD = re.compile(r"\A:?[A-Z][A-Za-z][A-Za-z -]{0,28}:(?:[ \t]{1,40}\S|[ \t]{0,40}\Z)")
_TABLE = re.compile(r"\A[ \t]{0,40}(?:\|.*\||[|+][-=:+| ]{3,})\Z")
_CODE_HEAD = re.compile(
    r"\A[ \t]{0,40}(?:>>>|\.\.\. |\$ |#!|@@|diff --git|[+-]{3} [ab]/|\.\. |File \".*line \d"
    r"|(?:from|import) [\w.]+(?: import .*)?\Z|(?:def|class|import|return|const|let|var|function|if|for|while)\b.*[:;{(]\Z)"
)
_CODE_TAIL = re.compile(r"(?:[;{}]|=>|\)[ \t]?:|\w\(\))\Z")
_ASSIGNMENT = re.compile(r"[\w\])] (?:=|==|\+=|->) \S")
LINE_CHARS = 400


def _lines(text: str) -> list[_Line]:
    found, start = [], 0
    for piece in text.splitlines(keepends=True):
        body = piece.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
        found.append(_Line(start, start + len(body), body))
        start += len(piece)
    return found


def _indent(line: _Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _is_code(group: list[_Line]) -> bool:
    """Whether most of the lines look like a program, a table or a literal."""
    hits = sum(_is_code_line(line.text[:LINE_CHARS].rstrip()) for line in group)
    return hits * 2 > len(group)


def _is_code_line(line: str) -> bool:
    return any(pattern.search(line) for pattern in (_CODE_HEAD, _CODE_TAIL, _ASSIGNMENT, _TABLE))


def blocks(text: str) -> list[Block]:
    """Blocks in order; between them only white space, markers and underlines are left out."""
    found: list[Block] = []
    group: list[_Line] = []
    fenced: list[_Line] | None = None
    for line in _lines(text):
        if _FENCE.match(line.text):
            if fenced is None:
                found += _paragraph(group, text)
                group, fenced = [], []
            else:
                found += _code(fenced)
                fenced = None
        elif fenced is not None:
            fenced.append(line)
        elif not line.bare:
            found += _paragraph(group, text)
            group = []
        else:
            group.append(line)
    return found + _paragraph(group, text) + _code(fenced or [])


def _code(group: list[_Line]) -> list[Block]:
    kept = [line for line in group if line.bare]
    return [Block(BlockKind.CODE, kept[0].start, kept[-1].end)] if kept else []


def _paragraph(group: list[_Line], text: str) -> list[Block]:
    """Blocks of a run of lines without a blank line between them."""
    if not group:
        return []
    indented = all(_indent(line) >= 2 for line in group)
    after_colons = text[: group[0].start].rstrip().endswith("::") if indented else False
    if after_colons or ((indented or len(group) > 1) and _is_code(group)):
        return _code(group)
    if len(group) > 1 and sum(bool(_FIELD.match(line.text)) for line in group) * 2 > len(group):
        return _fields(group)
    if len(group) == 1 and _FIELD.match(group[0].text) and group[0].text.startswith(":"):
        return _fields(group)
    return _prose(group)


def _fields(group: list[_Line]) -> list[Block]:
    """One block per "Name: value"; a line without a name continues the field before it."""
    found: list[Block] = []
    for line in group:
        if found and not _FIELD.match(line.text):
            found[-1] = Block(BlockKind.FIELD, found[-1].start, line.end)
        else:
            found.append(Block(BlockKind.FIELD, line.start, line.end))
    return found


def _prose(group: list[_Line]) -> list[Block]:
    """Paragraph lines joined where they are hard-wrapped, parted at list items, headings, quotations and short lines."""
    found: list[Block] = []
    width = max(len(line.text) for line in group)
    for i, line in enumerate(group):
        kind, start = BlockKind.PROSE, line.start + _indent(line)
        if _UNDERLINE.match(line.bare[:LINE_CHARS]):
            if found and i and found[-1].end == group[i - 1].end:
                found[-1] = Block(BlockKind.HEADING, found[-1].start, found[-1].end)
            continue
        if _HEADING.match(line.text):
            kind, start = BlockKind.HEADING, line.start + len(line.text) - len(line.text.lstrip(" #"))
        elif quote := _QUOTE.match(line.text):
            kind, start = BlockKind.QUOTE, line.start + quote.end()
        elif item := _ITEM.match(line.text):
            start = line.start + item.end()
        elif found and found[-1].kind != BlockKind.HEADING and not _breaks(group[i - 1], line, width):
            found[-1] = Block(found[-1].kind, found[-1].start, line.end)
            continue
        if kind == BlockKind.QUOTE and found and found[-1].kind == kind and not _breaks(group[i - 1], line, width):
            found[-1] = Block(kind, found[-1].start, line.end)
        elif start < line.end:
            found.append(Block(kind, start, line.end))
    return found


def _breaks(above: _Line, line: _Line, width: int) -> bool:
    """Whether a line break ends a sentence: the next line's first word would have fitted, and it begins like a sentence."""
    last = above.bare.rsplit(None, 1)[-1].lower()
    if last in _GOES_ON or last.endswith(","):
        return False
    first = line.bare.split()[0]
    begins = not first[0].islower()
    fits = len(above.text) + 1 + len(first) + WRAP_SLACK <= width
    return begins and (fits or width < MIN_WRAP_WIDTH)
