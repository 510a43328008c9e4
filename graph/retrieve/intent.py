"""What a question asks for: WHY, WHEN, ENTITY or WHAT, by ordered rules that are data, with what fired and how surely.

A question of several parts ("X and when Y") is split into clauses first; each clause gets its own guess. Deterministic.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from graph.model.questions import Intent, IntentGuess

CERTAIN = 0.95  # a rule fired on a question that begins with its own question word, or names a date
SURE = 0.9  # a rule fired
LIKELY = 0.85
DEFAULTED = 0.6
MIN_CLAUSE_WORDS = 2

_CLAUSE = re.compile(
    r"(?<=[?;])\s+(?:and\s+)?|,?\s+and\s+(?:also\s+)?(?=(?:why|when|who|whose|where|what|which|how)\b)|,\s+(?=(?:why|when|who)\b)",
    re.IGNORECASE,
)
_LEADS = re.compile(r"^\W*(?:why|when|who(?:se|m|'s)?|where|how come|what happened)\b|(?:^|\s)[@#]\w", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:why|when|who|whose|whom|where|what|which|how)\b|\?", re.IGNORECASE)
_HEAD = re.compile(
    r"^\W*(?:in |on |at |from |for |to |of |with |by |under |during )?(?:what|which)\b(?:'s| is| are| was| were| will be)?\s+"
    r"(?:(?:the|a|an|some|two|three|four|five|name|names|of)\s+)*(?P<phrase>.+)",
    re.IGNORECASE,
)
_PHRASE_END = re.compile(
    r"\b(?:of|in|on|at|that|which|who|whose|for|from|to|with|is|are|was|were|has|have|had|did|does|do|can|could|will|would|"
    r"by|and|or|named|called|located|used|born|between|where|when|if|as)\b|[,?;:\"“(]|\.(?=\s*$)|'s\b|s'\s",
    re.IGNORECASE,
)
_COPULA = re.compile(r"^\W*(?:what|which)(?:'s| is| are| was| were)\b(?P<article>\s+(?:the|a|an|some)\b)?", re.IGNORECASE)
_MAX_PHRASE_WORDS = 6
_WHICH_THING = re.compile(
    r"\b(?:what|which)\s+(?!(?:is|are|was|were|am|be|do|does|did|will|would|should|could|can|may|might|must|has|have|had|it|its|"
    r"the|a|an|we|you|i|they|he|she|if|about|else|exactly|ever|happen\w*|happens|kinds?|types?|sorts?|effects?|difference|way|for|"
    r"changed|works?|worked|went|goes|comes|came|makes?|made|causes?|caused|percent\w*|number|amount|part|according)\b)[a-z]\S*\s+\S+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` found anywhere in a clause gives `intent`; `name` is what `fired` reports."""

    intent: Intent
    name: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Rules in order of precedence, and the nouns that make "which NOUN" a question for a person, body or place."""

    rules: tuple[Rule, ...]
    heads: frozenset[str]


_ORDER = (Intent.WHEN, Intent.WHY, Intent.WHAT, Intent.ENTITY)


@lru_cache(maxsize=1)
def rule_book() -> RuleBook:
    """The rules as shipped (`intent_rules.json`): a leading "when" first, then WHY, then the rest."""
    data = json.loads(files("graph.retrieve").joinpath("intent_rules.json").read_text("utf-8"))
    rules = [
        Rule(intent, name, re.compile(pattern, re.IGNORECASE))
        for intent in _ORDER
        for name, pattern in data[intent.value.lower()]
    ]
    return RuleBook(tuple(rules), frozenset(data["heads"].split()))


def clauses(question: str) -> list[str]:
    """The parts of a question that ask something, in order; the whole question when it cannot be split."""
    parts = [part.strip() for part in _CLAUSE.split(question) if part and part.strip()]
    asking = [part for part in parts if _ASKS.search(part) and len(part.split()) >= MIN_CLAUSE_WORDS]
    return asking if len(asking) > 1 else [question.strip()]


def _asked_head(clause: str, heads: frozenset[str]) -> str:
    """The noun of "what/which NOUN ..." or "what is the NOUN of ..." that names a person, body or place; else empty."""
    match, copula = _HEAD.match(clause), _COPULA.match(clause)
    if not match or (copula and not copula["article"]):
        return ""
    phrase = _PHRASE_END.split(match["phrase"], maxsplit=1)[0].lower().split()[:_MAX_PHRASE_WORDS]
    for word in (word.strip("'\"`") for word in (phrase[-1:] if copula else phrase)):
        if word in heads or word.removesuffix("s") in heads or word.removesuffix("ies") + "y" in heads:
            return word
    return ""


def _asks_which(clause: str, book: RuleBook) -> IntentGuess | None:
    head = _asked_head(clause, book.heads)
    if head:
        return IntentGuess(intent=Intent.ENTITY, confidence=LIKELY, fired=f"which {head}", clause=clause)
    return None


def _confidence(rule: Rule, clause: str) -> float:
    if rule.intent is Intent.WHAT:
        return DEFAULTED
    return CERTAIN if _LEADS.search(clause) else SURE


def guess(clause: str) -> IntentGuess:
    """The first rule that fires; nothing fired is WHAT, less sure.

    "Which NOUN" for a person, body or place goes before WHY, so that "which team made ..." asks for the team.
    """
    book = rule_book()
    which = _asks_which(clause, book)
    for rule in book.rules:
        if which and rule.intent is not Intent.WHEN:
            return which
        if rule.pattern.search(clause):
            return IntentGuess(intent=rule.intent, confidence=_confidence(rule, clause), fired=rule.name, clause=clause)
    if _WHICH_THING.match(clause):
        return IntentGuess(intent=Intent.ENTITY, confidence=DEFAULTED, fired="which thing", clause=clause)
    return which or IntentGuess(intent=Intent.WHAT, confidence=DEFAULTED, fired="default", clause=clause)


def intents(question: str, forced: Intent | None = None) -> tuple[IntentGuess, ...]:
    """One guess per clause in order, without repeats of an intent; `forced` overrides and is certain."""
    if forced is not None:
        return (IntentGuess(intent=forced, confidence=1.0, fired="asked for", clause=question.strip()),)
    guesses: list[IntentGuess] = []
    for clause in clauses(question):
        found = guess(clause)
        if all(found.intent != known.intent for known in guesses):
            guesses.append(found)
    return tuple(guesses)


def names_of(guesses: Sequence[IntentGuess]) -> tuple[str, ...]:
    return tuple(found.intent.value for found in guesses)
