"""Sentences of a text by its layout and punctuation, in any language. No model: the parser is told, not asked."""

import re
from dataclasses import dataclass
from itertools import pairwise

from graph.extract.blocks import Block, BlockKind, blocks
from graph.extract.injected import injected_ranges
from graph.model.observations import Span

MAX_SENTENCE_CHARS = 800  # longer ones are cut at a clause border, else at a space

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_`]{0,8}(?=\s)|(?<![。！？｡．])[。！？｡．]++[」』”’）]{0,8}|[।؟։።](?=\s)")
_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie cf vs etc mr mrs ms dr prof st sr jr no nos vol fig figs eq sec ch pp approx ca resp al inc ltd corp co "
    "dept est jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun a.m p.m am pm u.s u.k gen col lt "
    "sgt rev hon gov sen rep z.b d.h u.a bzw usw ggf bspw evtl vgl nr sog p.ej ej pág art m.in".split()
)
_ENDS_SENTENCE_TOO = frozenset("etc a.m p.m am pm inc ltd corp co jr sr u.s u.k al no".split())
_CLAUSE_BORDER = re.compile(r"[;:,，、；]\s?|\s[-–—]{1,3}\s")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`index` counts from 0 in the passage; `kind` is that of the block it stands in."""

    index: int
    span: Span
    kind: BlockKind

    @property
    def prose(self) -> bool:
        return self.kind in (BlockKind.PROSE, BlockKind.QUOTE)


def split(text: str) -> tuple[Sentence, ...]:
    """Sentences in order, without surrounding white space. A text with any visible character has at least one."""
    spans = [(kind, span) for block in _parts(text) for kind, span in _cut(text, block)]
    if not spans and text.strip():
        start = len(text) - len(text.lstrip())
        spans = [(BlockKind.PROSE, (start, start + len(text.strip())))]
    return tuple(Sentence(i, Span(start=a, end=b), kind) for i, (kind, (a, b)) in enumerate(spans))


def _parts(text: str) -> list[Block]:
    """Blocks of what was said, and one for each injected range."""
    found, at = [], 0
    for start, end in [*injected_ranges(text), (len(text), len(text))]:
        said = blocks(text[at:start])
        found += [Block(block.kind, block.start + at, block.end + at) for block in said]
        if end > start >= at:
            found.append(Block(BlockKind.INJECTED, start, end))
        at = max(at, end)
    return found


def _cut(text: str, block: Block) -> list[tuple[BlockKind, tuple[int, int]]]:
    if block.kind not in (BlockKind.PROSE, BlockKind.QUOTE):
        edges = [block.start, block.end]
    else:
        edges = [block.start, *_borders(text, block.start, block.end), block.end]
    pieces = [piece for a, b in pairwise(edges) for piece in _bounded(text, a, b)]
    return [(block.kind, piece) for piece in pieces]


def _borders(text: str, start: int, end: int) -> list[int]:
    return [m.end() for m in _END.finditer(text, start, end) if m.end() < end and _is_end(text, m, start, end)]


def _is_end(text: str, mark: re.Match[str], start: int, end: int) -> bool:
    """Whether this punctuation ends a sentence rather than an abbreviation, an initial or a list number."""
    if mark.group()[0] != ".":
        return True
    word = _word_before(text, mark.start(), start)
    after = text[mark.end() : min(end, mark.end() + 60)].lstrip()
    if not after:
        return True
    begins = after.lstrip("\"'“‘([*_`")[:1]
    lowered = word.lower().rstrip(".")
    if lowered in _ABBREVIATIONS:
        return lowered in _ENDS_SENTENCE_TOO and begins.isupper()
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    if word.isdigit() and mark.start() - start <= 4:
        return False
    return not begins.islower() or (len(word) > 2 and word.isalpha() and word.islower())


def _word_before(text: str, end: int, start: int) -> str:
    """The last forty characters or fewer before `end`, back to white space, a quotation mark or a bracket."""
    at = end
    while at > max(start, end - 40) and not (text[at - 1].isspace() or text[at - 1] in "\"'“”‘’(["):
        at -= 1
    return text[at:end]


def _bounded(text: str, a: int, b: int) -> list[tuple[int, int]]:
    """The range without white space at its ends, cut into pieces of at most MAX_SENTENCE_CHARS."""
    found = []
    while a < b:
        while a < b and text[a].isspace():
            a += 1
        stop = b if b - a <= MAX_SENTENCE_CHARS else _clause_border(text, a, a + MAX_SENTENCE_CHARS)
        last = stop
        while last > a and text[last - 1].isspace():
            last -= 1
        if last > a:
            found.append((a, last))
        a = stop
    return found


def _clause_border(text: str, a: int, limit: int) -> int:
    middle = a + MAX_SENTENCE_CHARS // 2
    borders = [m.end() for m in _CLAUSE_BORDER.finditer(text, middle, limit)]
    return borders[-1] if borders else max(text.rfind(" ", middle, limit) + 1, 0) or limit
