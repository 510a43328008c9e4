"""Six categories of questions to a conversation's memory: read from a classifier's reply, or told by rules without one."""

import json
import re
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files


class Category(StrEnum):
    """In the order of the source; MULTI_SESSION is what an unreadable reply counts as."""

    USER = "single-session-user"
    ASSISTANT = "single-session-assistant"
    PREFERENCE = "single-session-preference"
    UPDATE = "knowledge-update"
    MULTI_SESSION = "multi-session"
    TEMPORAL = "temporal-reasoning"


_LABEL = re.compile(r"^(?:category|type|answer|label|class)\s*[:=-]\s*", re.IGNORECASE)
_QUOTES = "\"'`*“”‘’ "
_PUNCTUATION = ".,;:!?"


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[Category, re.Pattern[str]], ...]:
    """Categories and the words that tell them, in order of precedence."""
    rows = json.loads(files("graph.retrieve.routing").joinpath("categories.json").read_text(encoding="utf-8"))
    return tuple((Category(name), re.compile("|".join(patterns), re.IGNORECASE)) for name, patterns in rows)


def parsed(reply: str) -> Category:
    """The category that a classifier's reply names on its first line that is not empty; labels, quotes and stops aside."""
    line = next((line.strip() for line in reply.splitlines() if line.strip()), "").lower()
    line = _LABEL.sub("", line.strip(_QUOTES)).strip(_QUOTES).rstrip(_PUNCTUATION).strip(_QUOTES)
    for category in Category:
        if line == category.value or line.startswith(category.value + " "):
            return category
    return Category.MULTI_SESSION


def categorised(question: str) -> Category:
    """The first category whose words the question holds; what a speaker asks of himself else counts as said by the user."""
    for category, pattern in _rules():
        if pattern.search(question):
            return category
    return Category.USER if re.search(r"\b(?:i|my|me|mine)\b", question, re.IGNORECASE) else Category.MULTI_SESSION
