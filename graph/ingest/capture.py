"""Capture: which sentences of a conversation an automatic caller keeps, and what they are about at first sight."""

import re
import unicodedata
from enum import StrEnum

from graph.ingest.gate_words import LANGUAGES, word_set
from graph.ingest.readers.injected import has_injected

SHORTEST = 10
SHORTEST_CJK = 4
LONGEST = 500
MOST_EMOJI = 3

_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_PHONE = re.compile(r"\+\d{10,}")
_MAIL = re.compile(r"[\w.-]+@[\w.-]+\.\w+")
_LIST = re.compile(r"\n\s*[-*] ")


class Category(StrEnum):
    PREFERENCE = "preference"
    DECISION = "decision"
    ENTITY = "entity"
    FACT = "fact"
    OTHER = "other"


def should_capture(text: str, languages: tuple[str, ...] = LANGUAGES) -> bool:
    """Whether a message states something worth keeping: the right length, plain words, and a trigger.

    Recalled memories, markup and formatted answers are never captured, nor are orders to a memory tool.
    """
    own = text.strip()
    shortest = SHORTEST_CJK if _CJK.search(own) else SHORTEST
    if not shortest <= len(own) <= LONGEST:
        return False
    if has_injected(own) or (own.startswith("<") and "</" in own):
        return False
    if "**" in own and _LIST.search(own):
        return False
    if sum(unicodedata.category(char) == "So" for char in own) > MOST_EMOJI:
        return False
    if word_set("exclusion", languages).found_in(own):
        return False
    return bool(_PHONE.search(own) or _MAIL.search(own) or word_set("trigger", languages).found_in(own))


def detect_category(text: str, languages: tuple[str, ...] = LANGUAGES) -> Category:
    """The first category whose words the text holds: preference, decision, entity, fact; else other."""
    for category in (Category.PREFERENCE, Category.DECISION, Category.ENTITY, Category.FACT):
        named = category is Category.ENTITY and (_PHONE.search(text) or _MAIL.search(text))
        if named or word_set(category.value, languages).found_in(text):
            return category
    return Category.OTHER
