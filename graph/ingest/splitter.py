"""The splitter: a long text becomes parts that a model reads whole, cut where the text itself pauses.

A part ends at a paragraph if it can, else at a line, a sentence, a word, a character. Parts are spans of the text, in
order; between two of them lies nothing but white space, so nothing is lost and nothing stands twice. A fenced code block
counts as one paragraph. Time is linear in the text: a piece is counted only when it is short enough to fit at all.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graph.model.observations import Span

Counter = Callable[[Sequence[str]], list[int]]

CHARS_PER_TOKEN = 10  # a piece longer than this many characters per token is cut without being counted
SHRINK = 0.9  # how much below the measured ratio the next guess goes
CRUMB = 4  # neighbours are joined uncounted up to this fraction of the budget, in characters: they fit for certain
BATCH = 4096  # pieces counted in one call

_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SENTENCE_END = re.compile(r"[.!?…]+[\"')\]»”’]*\s+|[。！？]+[」』”]*\s*")
_NOT_SPACE = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text without outer white space, and its tokens without the special ones."""

    start: int
    end: int
    tokens: int


def split(text: str, limit: int, count_tokens: Counter) -> list[Span]:
    """Return the parts of `text`, each of at most `limit` tokens as `count_tokens` counts (special tokens included).

    Parts are trimmed of white space; a blank text has none. A single character that takes more than the limit stays whole.
    """
    special = count_tokens([""])[0]
    budget = max(limit - special, 1)
    cutter = _Cutter(text, budget, special, count_tokens)
    whole = _trim(text, 0, len(text))
    pieces = cutter.cut(whole, 0)
    return [Span(start=first.start, end=last.end) for first, last in cutter.pack(pieces)]


class _Cutter:
    """Cuts a text level by level, and packs the pieces into parts."""

    def __init__(self, text: str, budget: int, special: int, count_tokens: Counter) -> None:
        self._text = text
        self._budget = budget
        self._special = special
        self._count_tokens = count_tokens

    def cut(self, spans: Sequence[tuple[int, int]], level: int) -> list[_Piece]:
        """Pieces that fit, in order: those that do not are cut at the next level, all of a level counted together."""
        counted = self._counted(spans)
        if level == len(_LEVELS):
            return self._windows(counted)
        pieces: list[_Piece] = []
        for piece in counted:
            if piece.tokens <= self._budget:
                pieces.append(piece)
            else:
                smaller = _LEVELS[level](self._text, piece.start, piece.end)
                pieces.extend(self.cut(list(_coalesced(smaller, self._budget // CRUMB)), level + 1))
        return pieces

    def pack(self, pieces: Sequence[_Piece]) -> list[tuple[_Piece, _Piece]]:
        """Neighbouring pieces joined as long as they fit; a join that counts more than its pieces is taken apart again."""
        groups: list[list[_Piece]] = []
        room = 0
        for piece in pieces:
            if groups and piece.tokens <= room:
                groups[-1].append(piece)
            else:
                groups.append([piece])
                room = self._budget
            room -= piece.tokens
        return list(self._verified(groups))

    def _verified(self, groups: Sequence[list[_Piece]]) -> Iterator[tuple[_Piece, _Piece]]:
        joined = self._counted([(group[0].start, group[-1].end) for group in groups])
        for group, whole in zip(groups, joined, strict=True):
            if whole.tokens <= self._budget or len(group) == 1:
                yield group[0], group[-1]
            else:
                half = len(group) // 2
                yield from self._verified([group[:half], group[half:]])

    def _counted(self, spans: Sequence[tuple[int, int]]) -> list[_Piece]:
        """Pieces with their tokens; one that is far too long to fit is not counted, only marked as over the budget."""
        longest = self._budget * CHARS_PER_TOKEN
        tokens = [self._budget + 1] * len(spans)
        short = [i for i, (start, end) in enumerate(spans) if end - start <= longest]
        for first in range(0, len(short), BATCH):
            batch = short[first : first + BATCH]
            counts = self._count_tokens([self._text[spans[i][0] : spans[i][1]] for i in batch])
            for i, count in zip(batch, counts, strict=True):
                tokens[i] = max(count - self._special, 1)
        return [_Piece(start, end, count) for (start, end), count in zip(spans, tokens, strict=True)]

    def _windows(self, pieces: Sequence[_Piece]) -> list[_Piece]:
        """Pieces without a pause in them, cut into windows of words or characters that shrink until they fit."""
        fitting: list[_Piece] = []
        for piece in pieces:
            if piece.tokens <= self._budget or piece.end - piece.start == 1:
                fitting.append(piece)
                continue
            length = piece.end - piece.start
            counted = length <= self._budget * CHARS_PER_TOKEN
            size = int(length * self._budget / piece.tokens * SHRINK) if counted else self._budget * CHARS_PER_TOKEN
            spans = list(_window_spans(self._text, piece.start, piece.end, max(min(size, length - 1), 1)))
            fitting.extend(self._windows(self._counted(spans)))
        return fitting


def _trim(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The span without outer white space, or nothing when there is only white space."""
    found = _NOT_SPACE.search(text, start, end)
    if not found:
        return []
    while text[end - 1].isspace():
        end -= 1
    return [(found.start(), end)]


def _coalesced(spans: Iterator[tuple[int, int]], chars: int) -> Iterator[tuple[int, int]]:
    """Neighbouring spans joined while they stay within `chars`: thousands of tiny lines are not counted one by one."""
    begin = end = -1
    for start, stop in spans:
        if end >= 0 and stop - begin <= chars:
            end = stop
            continue
        if end >= 0:
            yield begin, end
        begin, end = start, stop
    if end >= 0:
        yield begin, end


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Runs of lines between blank lines; a fence keeps its lines together until it closes."""
    begin, fence, position = start, "", start
    while position < end:
        line = _LINE.match(text, position, end)
        stop = line.end() if line else end
        opened = _FENCE.match(text, position, stop)
        if opened and (not fence or opened.group(1).startswith(fence)):
            fence = "" if fence else opened.group(1)
        elif not fence and not _NOT_SPACE.search(text, position, stop):
            yield from _trim(text, begin, position)
            begin = stop
        position = stop
    yield from _trim(text, begin, end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    while position < end:
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop + 1
        yield from _trim(text, position, stop)
        position = stop


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for stop in _SENTENCE_END.finditer(text, start, end):
        yield from _trim(text, position, stop.end())
        position = stop.end()
    yield from _trim(text, position, end)


def _window_spans(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Stretches of at most `size` characters, cut at white space in their second half where there is some."""
    while start < end:
        stop = min(start + size, end)
        if stop < end:
            stop = _last_gap(text, start + size // 2, stop) or _whole_character(text, start, stop)
        yield from _trim(text, start, stop)
        start = stop


def _last_gap(text: str, low: int, high: int) -> int:
    """Where the last white space in the range begins, or 0; the character at `high` counts too."""
    for position in range(high, low, -1):
        if text[position].isspace():
            return position
    return 0


def _whole_character(text: str, start: int, stop: int) -> int:
    """Move a cut back so that it does not part a letter from its accents."""
    cut = stop
    while cut > start + 1 and unicodedata.combining(text[cut]):
        cut -= 1
    return cut if not unicodedata.combining(text[cut]) else stop


_LEVELS = (_paragraphs, _lines, _sentences)
