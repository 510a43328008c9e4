"""Steps in a dependency tree: children by label, the subject of a verb, the object of a preposition."""

from spacy.tokens import Token

MAX_CLIMB = 4
_SUBJECTS = ("nsubj", "nsubjpass", "csubj")
_RELATIVE = ("that", "which", "who")


def children(token: Token, *labels: str) -> list[Token]:
    return [child for child in token.children if child.dep_ in labels]


def is_verb(token: Token) -> bool:
    return token.pos_ in ("VERB", "AUX")


def is_root(token: Token) -> bool:
    return bool(token.head.i == token.i)


def subject(verb: Token, depth: int = 0) -> Token | None:
    """The token that the verb is said of: its own subject, the noun it modifies, or the subject of the verb it hangs on.

    A participle after its head ("..., causing delays") is said of the whole clause before it, so that head is returned.
    """
    own = children(verb, *_SUBJECTS)
    if own:
        return verb.head if own[0].lower_ in _RELATIVE and verb.dep_ == "relcl" else own[0]
    if verb.dep_ in ("relcl", "acl"):
        to = verb.dep_ == "acl" and any(c.dep_ == "aux" and c.lower_ == "to" for c in verb.children)
        return None if to else verb.head
    if depth >= MAX_CLIMB:
        return None
    if verb.dep_ in ("conj", "xcomp") and is_verb(verb.head):
        return subject(verb.head, depth + 1)
    if verb.dep_ == "advcl" and verb.tag_ in ("VBG", "VBN", "VB"):
        return verb.head if verb.tag_ == "VBG" and verb.i > verb.head.i else subject(verb.head, depth + 1)
    return None


def passive_subject(verb: Token) -> Token | None:
    """The subject of a passive verb; the noun that it modifies for "which was caused by"."""
    own = children(verb, "nsubjpass")
    if not own:
        return subject(verb)
    return verb.head if own[0].lower_ in _RELATIVE and verb.dep_ == "relcl" else own[0]


def prep_object(preposition: Token, depth: int = 0) -> Token | None:
    """The object or clause of a preposition, through a chain of prepositions ("because of the", "out of the")."""
    for label in ("pobj", "pcomp"):
        for child in preposition.children:
            if child.dep_ == label and child.pos_ != "ADP":
                return child
    if depth < MAX_CLIMB:
        for child in preposition.children:
            if child.dep_ in ("prep", "pcomp") and (found := prep_object(child, depth + 1)) is not None:
                return found
    return None


def is_under(token: Token, ancestor: int) -> bool:
    """Whether the token is the ancestor or hangs below it."""
    while token.i != ancestor and not is_root(token):
        token = token.head
    return bool(token.i == ancestor)
