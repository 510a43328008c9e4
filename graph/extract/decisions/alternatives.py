"""Alternatives: what was not chosen, beside the choice ("instead of X", "over X", "from X to Y") or listed before it."""

import re
from collections.abc import Iterator

from spacy.tokens import Token

from graph.extract.causality.tree import prep_object
from graph.extract.decisions.verdicts import Verdict
from graph.extract.parsing import Parsed

_AGAINST = ("over", "against")
_CONSIDERING = frozenset("consider evaluate compare weigh discuss try test examine investigate explore".split())
_LISTED = re.compile(
    r"(?:alternatives?|options?|candidates?)(?:\s+(?:considered|were|are|"
    r"included?))?\s{0,10}:\s{0,10}(.+)",
    re.IGNORECASE | re.DOTALL,
)
_ITEMS = re.compile(r"[,;\n]|\b(?:and|or|vs)\b")
MAX_WORDS = 12
NEAR_TOKENS = 5  # between "instead of" and the head of what follows
MAX_ALTERNATIVES = 8


def _phrase(head: Token) -> str:
    """The noun phrase of a head up to a clause or a comma, without its article."""
    low = [
        t
        for t in head.subtree
        if not any(c.dep_ in ("relcl", "advcl", "acl", "conj", "cc") and (t in c.subtree) for c in head.children)
    ]
    words = [t.text for t in low if not (t.is_punct and t.i > head.i)]
    while words and words[0].lower() in ("a", "an", "the", "our", "its", "their", "using", "to", ","):
        words.pop(0)
    return " ".join(words[:MAX_WORDS]).strip(" ,.;:")


def _with_conjuncts(head: Token) -> Iterator[str]:
    for one in (head, *head.conjuncts):
        if one.i >= head.i and (text := _phrase(one)):
            yield text


def rejected_for(parsed: Parsed, verdict: Verdict) -> Iterator[str]:
    """What the deciding sentence itself names as not chosen, in the order of the text."""
    a, b = parsed.ranges[verdict.sentence]
    for token in parsed.doc[a:b]:
        head = _passed_over(token)
        if head is not None:
            yield from _with_conjuncts(head)


def _passed_over(token: Token) -> Token | None:
    """The head of what this word passes over."""
    word, after = token.lower_, token.nbor(1) if token.i + 1 < len(token.doc) else None
    if word in ("instead", "rather") and after is not None and after.lower_ in ("of", "than"):
        found = prep_object(after) or prep_object(token)
        near = found is not None and after.i < found.i <= after.i + NEAR_TOKENS
        return found if near or after.i + 1 >= len(token.doc) else _next_noun(after.nbor(1))
    if (
        token.dep_ == "prep"
        and word in _AGAINST
        and token.head.lemma_.lower() in ("choose", "pick", "select", "prefer", "decide", "favor", "favour", "opt")
    ):
        return prep_object(token)
    if token.dep_ == "prep" and word == "from" and token.head.lemma_.lower() in ("move", "switch", "migrate", "change", "go"):
        return prep_object(token)
    if token.dep_ == "dobj" and token.head.lemma_.lower() == "replace":
        return token
    return None


def _next_noun(token: Token) -> Token | None:
    for _ in range(4):
        if token.pos_ in ("NOUN", "PROPN", "VERB"):
            return token
        if token.i + 1 >= len(token.doc):
            return None
        token = token.nbor(1)
    return None


def considered(parsed: Parsed) -> list[str]:
    """What a passage says was considered: objects of such verbs, and lists under such a word; at most MAX_ALTERNATIVES."""
    found: dict[str, None] = {}
    for token in parsed.doc:
        if token.lemma_.lower() in _CONSIDERING and token.pos_ == "VERB" and token.tag_ in ("VBD", "VBN"):
            for child in token.children:
                if child.dep_ in ("dobj", "nsubjpass", "oprd", "attr"):
                    found.update(dict.fromkeys(_with_conjuncts(child)))
    for sentence in parsed.sentences:
        if listed := _LISTED.match(sentence.span.of(parsed.text)):
            found.update(dict.fromkeys(i.strip(" .") for i in _ITEMS.split(listed[1]) if i and 0 < len(i.split()) <= MAX_WORDS))
    return [name for name in found if name][:MAX_ALTERNATIVES]
