"""Tokens of a text for the time grammar: folded to lower case in place, so that every token keeps its characters."""

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"\d+|[a-z]+(?:'[a-z]+)*|\S")
_SAME_LENGTH = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "−": "-", "\u00a0": " "})
MASK = "_"
# What holds digits and is no time: addresses, versions, amounts, telephone numbers, thousands, ratios.
_NUMBERS = re.compile(
    r"\+\d[\d()\s-]{7,40}|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bv\d+(?:\.\d+)+|[$€£¥]\s?\d[\d.,]{0,20}"
    r"|\b\d[\d,]{0,20}\.\d+/\d+|\b\d{1,9}/\d{1,9}\.\d+|\b\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?\b(?![-/])"
    r"|\b\d{1,3}-\d{2}-\d{2}-\d{4}\b"
)
# What a word before it numbers: rooms, ports, tickets.
_NUMBERED = re.compile(
    r"\bhttps?://\S{1,500}|\b(?:tel|phone|fax|call)[:. ]{1,3}\+?[\d()\s-]{7,40}"
    r"|\b(?:port|room|version|building|page|pages|line|lines|chapter|gate|episode|step|flight|season|level|figure|table|section"
    r"|pep|rfc|issue|pr|bug|ticket|build|revision|error|code|sku|isbn|model|no\.)[ #]{1,3}\d[\d.:]{0,20}|#\d[\d.:]{0,20}"
)


@dataclass(frozen=True, slots=True)
class Token:
    """Characters [start, end); `glued` when nothing stands between it and the token before."""

    text: str
    start: int
    end: int
    glued: bool


def folded(text: str) -> str:
    """Lower case with plain quotes and dashes, character for character."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lower.translate(_SAME_LENGTH)


def masked(text: str) -> str:
    """A folded text in which what cannot be a time is overwritten."""
    return _NUMBERED.sub(_mask, _NUMBERS.sub(_mask, text))


def _mask(match: re.Match[str]) -> str:
    return re.sub(r"[\w$€£¥]", MASK, match.group())


def tokens(text: str) -> list[Token]:
    """Tokens of a folded text: runs of digits, words with inner apostrophes, single signs."""
    found: list[Token] = []
    last = -1
    for match in _TOKEN.finditer(text):
        found.append(Token(match.group(), match.start(), match.end(), match.start() == last))
        last = match.end()
    return found
