"""Folding: text without accents and case, and words with their places."""

import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0e7f]+")


def fold(text: str) -> str:
    """Lower case without combining marks (NFKD); characters of other scripts stay."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c))).casefold()


def cjk_runs(text: str) -> list[str]:
    """Maximal runs of scripts written without spaces (Chinese, Japanese, Korean, Thai)."""
    return _CJK.findall(text)


def is_cjk(word: str) -> bool:
    return bool(_CJK.fullmatch(word))


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word and where it stands; `upper` when its first character is a capital or a digit."""

    key: str
    start: int
    end: int
    upper: bool


def words(text: str) -> list[Word]:
    """Words in order, folded, without a possessive 's; an inner apostrophe is dropped from the key."""
    found = []
    for match in _WORD.finditer(text):
        surface = match.group()
        key = fold(surface).replace("’", "'")
        key = key.removesuffix("'s").replace("'", "")
        if key:
            found.append(Word(key, match.start(), match.end(), surface[0].isupper() or surface[0].isdigit()))
    return found
