"""The gate's words per language, as patterns: with word boundaries in Latin scripts, as substrings where words have none."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

LANGUAGES = ("en", "de", "cs", "zh")
WITHOUT_SPACES = frozenset({"zh"})
_WORDS: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_name("gate_words.json").read_text(encoding="utf-8"))


class Place(StrEnum):
    """Where in the text the words must stand."""

    ANYWHERE = "anywhere"
    START = "start"
    WHOLE = "whole"  # the whole message, a full stop or exclamation mark allowed


@dataclass(frozen=True, slots=True)
class WordSet:
    """One kind of words in some languages."""

    pattern: re.Pattern[str] | None

    def found_in(self, text: str) -> str:
        """The first words of this kind in the text; empty when there are none."""
        match = self.pattern.search(text) if self.pattern else None
        return match.group() if match else ""


@lru_cache(maxsize=512)
def word_set(kind: str, languages: tuple[str, ...], place: Place = Place.ANYWHERE) -> WordSet:
    """The words of one kind; of several languages together. A kind that a language lacks adds nothing."""
    options = [_bounded(language, _WORDS[language][kind]) for language in languages if kind in _WORDS.get(language, {})]
    if not options:
        return WordSet(None)
    joined = "|".join(options)
    shapes = {
        Place.ANYWHERE: joined,
        Place.START: rf"\A(?:{joined})",
        Place.WHOLE: rf"\A(?:{joined})\s*[.!?。！？]?\s*\Z",
    }
    return WordSet(re.compile(shapes[place], re.IGNORECASE))


def _bounded(language: str, words: Iterable[str]) -> str:
    joined = "|".join(words)
    return f"(?:{joined})" if language in WITHOUT_SPACES else rf"(?<!\w)(?:{joined})(?!\w)"
