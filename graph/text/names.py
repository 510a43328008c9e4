"""Name keys: the form under which a name is stored, and found in a text."""

import re

from graph.text.folding import fold, words
from graph.text.terms import STOP_WORDS

MAX_NAME_WORDS = 12
CALENDAR = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday thursday "
    "friday saturday sunday".split()
)
_ARTICLES = ("the", "a", "an")


_SIGNED = re.compile(r"#\d{1,9}|[^\W\d_]{1,3}(?:\+\+|#)")


def name_words(name: str) -> tuple[str, ...]:
    """Folded words of a name without a leading article; empty when it has no letter or digit.

    A sign that makes the name stays: "#12" is not the number 12, "C++" and "C#" are not "C".
    """
    if _SIGNED.fullmatch(name.strip()):
        return (fold(name.strip()),)
    found = [word.key for word in words(name)]
    while found and found[0] in _ARTICLES and len(found) > 1:
        found = found[1:]
    return tuple(found)


def name_key(name: str) -> str:
    """The folded words joined by single spaces; a name of symbols alone keeps its own characters, so it is never empty."""
    return " ".join(name_words(name)) or re.sub(r"\s+", " ", name.strip())


def identifier_key(identifier: str) -> str:
    """The form in which identifiers are compared: case-folded, spaces collapsed."""
    return " ".join(identifier.casefold().split())


def usable_name(key_words: tuple[str, ...]) -> bool:
    """Whether a name may enter the dictionary: not a date, number or stop word, and not a single short word."""
    if not key_words or len(key_words) > MAX_NAME_WORDS:
        return False
    if all(word in CALENDAR or word.isdigit() or word in STOP_WORDS for word in key_words):
        return False
    return len(key_words) > 1 or len(key_words[0]) >= 3 or not key_words[0].isalnum() or not key_words[0].isascii()
