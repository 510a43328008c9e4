"""What somebody wants done with an answer (the task), and which fields of life the words belong to: next to the intent.

Latin words match whole, words of scripts without spaces anywhere. The words are data (tasks.json).
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from graph.errors import InvalidInput

ASK = "ask"


@dataclass(frozen=True, slots=True)
class Task:
    """`domains` by descending score: how many of a domain's words the text holds; ties in the order of the data."""

    intent: str
    domains: dict[str, int]
    requires_memory: bool
    memory_worthy: bool


def classified(text: str) -> Task:
    """Raises InvalidInput for an empty text."""
    if not text.strip():
        raise InvalidInput("empty input")
    data = _data()
    intent = next((name for name, words in data["intents"] if _count(words, text)), ASK)
    scores = {domain: score for domain, words in data["domains"].items() if (score := _count(words, text))}
    ranked = dict(sorted(scores.items(), key=lambda item: -item[1]))
    return Task(intent, ranked, bool(_count(data["requires_memory"], text)), bool(_count(data["memory_worthy"], text)))


def _count(words: Iterable[str], text: str) -> int:
    return sum(bool(_pattern(word).search(text)) for word in words)


@lru_cache(maxsize=512)
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){word}(?!\w)" if word.isascii() else word, re.IGNORECASE | (re.ASCII if word.isascii() else 0))


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files("graph.retrieve.routing").joinpath("tasks.json").read_text(encoding="utf-8"))
    return data
