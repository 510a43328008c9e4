"""A plan for a question: one to four clauses, each with the way it is searched and its priority (1 is looked at first)."""

import re
from dataclasses import dataclass

from graph.model.questions import Intent
from graph.retrieve.intent import intents

FEW_WORDS = 5
LEAST_LETTERS = 3
MOST_CLAUSES = 4
LOWEST_PRIORITY = 5
_WORD = re.compile(r"[^\W\d_]{3,}")
_TOPICS = re.compile(
    r"[?;]\s+|\s+(?:and also|as well as|and then)\s+|,?\s+and\s+(?=(?:what|how|why|when|who|where|which)\b)", re.IGNORECASE
)
_EXACT = re.compile(r"\b[A-Z][A-Z0-9_]{2,}\b|\b\w+\.[A-Za-z]{1,5}\b|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|#\d+")


@dataclass(frozen=True, slots=True)
class Clause:
    """`kind`: bm25, vector or graph."""

    kind: str
    priority: int
    text: str


def plan(question: str) -> list[Clause]:
    """Clauses by priority. A question of few words is searched by its words (or the graph) and by its meaning; one of several

    topics by a clause per topic, and as a whole by meaning; any other by its words first and its meaning second.
    """
    topics = [topic.strip(" ?.,") for topic in _TOPICS.split(question) if topic.strip(" ?.,")][: MOST_CLAUSES - 1]
    if len(topics) > 1:
        clauses = [Clause(_kind(topic), min(place, LOWEST_PRIORITY), topic) for place, topic in enumerate(topics, 1)]
        return [*clauses, Clause("vector", min(len(topics) + 1, LOWEST_PRIORITY), question)]
    if len(_WORD.findall(question)) <= FEW_WORDS:
        first = "graph" if _asks_relation(question) else "bm25"
        return [Clause(first, 1, question), Clause("vector", 3, question)]
    return [Clause("bm25", 1, question), Clause("vector", 2, question)]


def _asks_relation(text: str) -> bool:
    return any(guess.intent in (Intent.WHY, Intent.WHEN, Intent.ENTITY) for guess in intents(text))


def _kind(topic: str) -> str:
    if _asks_relation(topic):
        return "graph"
    return "bm25" if _EXACT.search(topic) else "vector"
