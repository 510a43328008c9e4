"""Packing: the blocks of a section become passages of a readable length, never across a heading.

Blocks are filled up to TARGET_WORDS; a block that is longer stays whole (the splitter cuts it to the model's window later). A
code block, list or indented example goes with the paragraph that leads to it, as long as both stay within MAX_WORDS.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MIN_WORDS = 80  # a passage shorter than this takes the next block in
TARGET_WORDS = 160  # beyond this no further block is taken in
MAX_WORDS = 200  # what joining may not exceed

_WORD = re.compile(r"\S+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]")
CJK_PER_WORD = 2  # characters of a script without spaces that weigh as much as a word
_BLANK = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list, table or code block as it stands; `attached` when it belongs to the block before it."""

    text: str
    attached: bool = False


def weight(text: str) -> int:
    """Words of a text; of scripts without spaces every CJK_PER_WORD characters count as one."""
    return len(_WORD.findall(text)) + len(_CJK.findall(text)) // CJK_PER_WORD


def packed(blocks: Iterable[Block]) -> Iterator[str]:
    """Passages in order: all blocks, joined by blank lines."""
    held: list[str] = []
    words = 0
    for block in blocks:
        size = weight(block.text)
        together = words + size
        joins = block.attached and together <= MAX_WORDS
        small = together <= TARGET_WORDS or (words < MIN_WORDS and together <= MAX_WORDS)
        if held and not joins and not small:
            yield "\n\n".join(held)
            held, words = [], 0
        held.append(block.text)
        words += size
    if held:
        yield "\n\n".join(held)


def paragraphs(text: str) -> Iterator[Block]:
    """Blocks of a plain text: stretches between blank lines, a fenced block as one; indented ones are attached."""
    for part in _outside_fences(text):
        if _FENCE.match(part):
            yield Block(part.strip("\n"), attached=True)
            continue
        for piece in _BLANK.split(part):
            stripped = piece.strip("\n").rstrip()
            if stripped.strip():
                yield Block(stripped, attached=all(line[:1] in " \t" for line in stripped.split("\n") if line))


def _outside_fences(text: str) -> Iterator[str]:
    """The text in stretches: outside fences, and each fenced block (to the end where it never closes)."""
    held: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            yield "\n".join(held)
            held, fence = [line], mark.group(1)
        elif mark and mark.group(1).startswith(fence):
            yield "\n".join([*held, line])
            held, fence = [], ""
        else:
            held.append(line)
    yield "\n".join(held)
