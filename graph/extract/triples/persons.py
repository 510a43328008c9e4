"""Who a phrase names: the author for the first person, one known person for he and she, nobody for other pronouns."""

from collections.abc import Sequence

from spacy.tokens import Doc, Token

from graph.extract.names.people import speaker_name
from graph.extract.triples.phrases import CLAUSES, subtree, text_of, trimmed
from graph.model.extraction import Passage

_FIRST = frozenset({"i", "me", "myself"})
_FIRST_POSSESSIVE = frozenset({"my", "mine"})
_GROUP = frozenset({"we", "us"})
_GENDERED = frozenset({"he", "she", "him", "her"})
_UNRESOLVED = frozenset(
    "it this that these those they them who whom which what there one someone somebody something anyone anybody anything "
    "everyone everybody everything nobody nothing you yourself both all some none others another each either neither himself "
    "herself itself themselves ourselves such same so here where when how why whoever whatever most many few several".split()
)
_POINTING = frozenset({"this", "that", "these", "those", "such"})
_OPENING = frozenset({"(", "[", "{", "<", '"', "“", "``"})
_ARTICLES = frozenset({"the", "a", "an"})
SPEAKING_ROLES = ("user", "assistant", "human", "agent")


def author_of(passage: Passage) -> str:
    """The author's name, or the role of a nameless speaker; empty when neither is known."""
    role = (passage.role or passage.author or "").lower()
    return speaker_name(passage.author) or (role if role in SPEAKING_ROLES else "")


def named(tokens: Sequence[Token], doc: Doc, author: str) -> str:
    """The phrase with pronouns resolved and without a leading article; empty when it names nobody.

    "We" stays: whose memory it is knows who that was.
    """
    if not tokens:
        return ""
    if len(tokens) == 1:
        word = tokens[0].lower_
        if word in _FIRST:
            return author
        if word in _GENDERED:
            return _person_before(tokens[0], doc)
        if word in _GROUP:
            return "we"
        if word in _UNRESOLVED:
            return ""
    return _phrase(tokens, author)


def _phrase(tokens: Sequence[Token], author: str) -> str:
    tokens = _closed(tokens)
    if not tokens:
        return ""
    first = tokens[0]
    if first.lower_ in _POINTING or any(token.pos_ == "INTJ" for token in tokens):
        return ""
    kept = tokens[1:] if first.lower_ in _ARTICLES and len(tokens) > 1 else tokens
    if first.lower_ in _FIRST_POSSESSIVE:
        return f"{author}'s {text_of(tokens[1:])}" if author and len(tokens) > 1 else ""
    if first.tag_ == "PRP$" and first.lower_ != "our":
        return ""
    return text_of(kept)


def _closed(tokens: Sequence[Token]) -> Sequence[Token]:
    """The phrase up to a bracket or quotation mark that opens behind its first word."""
    for k, token in enumerate(tokens):
        if k and token.text in _OPENING:
            return trimmed(tokens[:k])
    return tokens


def unowned(tokens: Sequence[Token]) -> Sequence[Token]:
    """The phrase without a possessive pronoun before it: "his car" is a car."""
    return tokens[1:] if len(tokens) > 1 and tokens[0].tag_ == "PRP$" else tokens


def core(head: Token, *, coordinated: bool = False) -> list[Token]:
    """The noun phrase itself: no clauses, and behind a name no preposition but "of"."""
    tokens = subtree(head, without=CLAUSES, coordinated=coordinated)
    if head.pos_ != "PROPN":
        return tokens
    outside = {t.i for p in head.children if p.dep_ == "prep" and p.lower_ != "of" for t in p.subtree}
    return [token for token in tokens if token.i not in outside]


def _person_before(pronoun: Token, doc: Doc) -> str:
    """The one person named before the pronoun in the passage; empty when there are none or several."""
    people = {entity.text for entity in doc.ents if entity.label_ == "PERSON" and entity.end <= pronoun.i}
    longest = [name for name in people if not any(name != other and name in other for other in people)]
    return longest[0] if len(longest) == 1 else ""
