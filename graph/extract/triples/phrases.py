"""Phrases of a parse: which tokens a noun phrase, a predicate or a clause is made of, and their text."""

from collections.abc import Collection, Iterable, Sequence

from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
RELATIVES = frozenset({"that", "which", "who", "whom", "whose", "where", "when"})
CLAUSES = frozenset({"relcl", "appos", "acl", "advcl", "ccomp", "parataxis"})
ASIDES = frozenset({"relcl", "parataxis", "appos"})
_LEADING = frozenset({"'s", "’s", ",", ".", ";", ":", "--", "-", "–", "—", "and", "or", "but", ")", "-RRB-"})
_TRAILING = frozenset({",", ".", ";", ":", "--", "-", "–", "—", "and", "or", "but", "(", "-LRB-", "!", "?"})
_NOT_IN_PREDICATE = RELATIVES | {"how", "why", "then", "so", "thus", "also", "however", "therefore", "too", "finally"}
NOMINAL = ("NOUN", "PROPN", "NUM", "PRON")
VERBAL = ("VERB", "AUX")
MAX_PHRASE_TOKENS = 80


def subtree(head: Token, *, without: Collection[str] = CLAUSES, coordinated: bool = True) -> list[Token]:
    """The tokens under a head, in order, without clauses of these kinds; `coordinated` False leaves its conjuncts out."""
    found = [head]
    waiting = [(head, True)]
    while waiting and len(found) < MAX_PHRASE_TOKENS:
        token, top = waiting.pop()
        for child in token.children:
            if child.dep_ in without or (top and not coordinated and child.dep_ in ("conj", "cc", "preconj")):
                continue
            found.append(child)
            waiting.append((child, False))
    return trimmed(sorted(found, key=lambda token: token.i))


def trimmed(tokens: Sequence[Token]) -> list[Token]:
    """Without punctuation and conjunctions at the edges, and without commas that a removed clause left behind."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].text in _LEADING:
        first += 1
    while last > first and tokens[last - 1].text in _TRAILING:
        last -= 1
    kept = tokens[first:last]
    return [token for k, token in enumerate(kept) if not (token.text == "," and _stranded(kept, k))]


def _stranded(tokens: Sequence[Token], k: int) -> bool:
    here = tokens[k].i
    before = tokens[k - 1].i if k else here - 1
    after = tokens[k + 1].i if k + 1 < len(tokens) else here + 1
    return after - here > 1 or here - before > 1


def text_of(tokens: Iterable[Token]) -> str:
    """The words as written; where something between was left out, a single space."""
    pieces: list[str] = []
    last: Token | None = None
    for token in tokens:
        if last is not None and (last.whitespace_ or token.i != last.i + 1):
            pieces.append(" ")
        pieces.append(token.text)
        last = token
    return "".join(pieces).strip()


def conjuncts(head: Token) -> list[Token]:
    """A noun and the nouns coordinated with it, in order."""
    found = [head]
    for child in head.children:
        if child.dep_ == "conj" and child.pos_ in NOMINAL:
            found += conjuncts(child)
    return found


def first_conjunct(verb: Token) -> Token:
    while verb.dep_ == "conj" and verb.head.pos_ in VERBAL:
        verb = verb.head
    return verb


def predicate(verb: Token) -> list[Token]:
    """The verb with its auxiliaries, negation, particle and a bare adverb right before it.

    A coordinated verb of the same form takes the auxiliaries of the first.
    """
    found = [verb]
    for child in verb.children:
        near = child.i < verb.i and verb.i - child.i <= 2 and not any(True for _ in child.children)
        adverb = child.dep_ == "advmod" and near and child.lower_ not in _NOT_IN_PREDICATE
        if child.dep_ in ("aux", "auxpass", "neg", "prt") or adverb:
            found.append(child)
    bare = not any(child.dep_ in ("aux", "auxpass") for child in verb.children)
    if verb.dep_ == "conj" and bare and verb.tag_ in ("VBN", "VB", "VBG"):
        head = first_conjunct(verb)
        if head.tag_ == verb.tag_:
            found += [child for child in head.children if child.dep_ in ("aux", "auxpass")]
    return sorted(found, key=lambda token: token.i)
