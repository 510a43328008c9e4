"""Retrieval modes: the coarser sorting of questions that routers of this kind use, by ordered rules.

Tested in order: timeline, causal, discovery, complex, keyword, semantic; nothing fired is hybrid.
"""

import re

_TIMELINE = (
    "last session|prior session|previous session|yesterday|last time we|handoff|what happened last|what did we do|"
    "cross[- ]session|earlier today|this morning|what we discussed|when we last"
)
_CAUSAL = (
    "why did|why was|why were|what caused|what led to|reasons? for|decided to|decisions? about|trade-?offs?|instead of|"
    "chose to|because we"
)
_DISCOVERY = "similar to|related to|what else|what other|reminds? me of|like this|comparable|neighbou?rs?"
_COMPLEX = "and also|and what|and how|and why|additionally|as well as|along with|both [^.?!]* and"


def _any(phrases: str, more: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{phrases})\b{more}", re.IGNORECASE)


_RULES = (
    ("timeline", _any(_TIMELINE)),
    ("causal", _any(_CAUSAL, r"|^\W*why\b")),
    ("discovery", _any(_DISCOVERY)),
    ("complex", _any(_COMPLEX, r"|\?.*\?")),
)
_SEMANTIC = re.compile(
    r"\bhow does\b|\bexplain\b|\bconcepts?\b|\boverview\b|\bunderstand\b|\bmeaning of\b|\bwhat is the purpose\b", re.IGNORECASE
)
_KEYWORD_WORDS = re.compile(r"\b(?:config|setting|error|path|file|port|url)\b", re.IGNORECASE)
_SYMBOL = re.compile(r"\b[A-Z][A-Z0-9_]{2,}\b|\b[\w-]+\.[A-Za-z]{1,5}\b")
MAX_KEYWORD_CHARS = 50


def mode(question: str) -> str:
    """timeline | causal | discovery | complex | keyword | semantic | hybrid."""
    for name, pattern in _RULES:
        if pattern.search(question):
            return name
    if len(question) < MAX_KEYWORD_CHARS and (_SYMBOL.search(question) or _KEYWORD_WORDS.search(question)):
        return "keyword"
    return "semantic" if _SEMANTIC.search(question) else "hybrid"
