"""What a sentence holds of its own claim: states it, denies it, or only supposes it, by what governs the claim's clause.

"did not happen because of X" denies X; "Ben doubts that", "no evidence that", "it is a myth that" deny; "suspects", "maybe",
"suppose", "allegedly", "if" only suppose. A report ("Ana said that") is what its author states: it stands.
"""

import re
from collections.abc import Iterator

from spacy.tokens import Token

from graph.extract.causality.lexicon import is_negated, is_nothing, lemma
from graph.extract.causality.tree import is_root

MAX_CLIMB = 6

_W = str.split
# A happening that is denied is denied with its reason; "did not start because ..." still gives the reason of not starting.
HAPPENING = frozenset(_W("happen occur arise begin emerge come result stem"))
DENYING = frozenset(
    _W("deny doubt dispute refute reject disprove debunk contest withdraw retract contradict dismiss rebut disbelieve")
)
SUPPOSING = frozenset(
    _W(
        "claim allege suspect believe think guess assume suppose wonder imagine speculate fear hypothesize hypothesise "
        "presume expect hope reckon theorize theorise insinuate pretend ask question consider"
    )
)
DENYING_NOUNS = frozenset(_W("myth lie misconception fallacy nonsense hoax"))
SUPPOSING_NOUNS = frozenset(
    _W("rumour rumor claim theory suspicion hypothesis assumption belief allegation possibility chance guess")
)
_COMPLEMENTS = frozenset(_W("ccomp xcomp acl relcl csubj pcomp dobj nsubj attr conj"))
_FALSE = frozenset(_W("false untrue wrong mistaken"))
UNSURE = frozenset(_W("maybe perhaps allegedly supposedly possibly presumably purportedly reportedly conceivably probably"))
BARELY = frozenset(_W("hardly barely scarcely"))
_REFUTED = re.compile(
    r"\b(?:rul(?:e|ed|es|ing) (?:it|this|that|them) out|turned out (?:to be |that it was )?(?:wrong|false|untrue|not)"
    r"|(?:was|were|is|are|proved) (?:wrong|false|untrue|mistaken)|(?:have|has|had|we|they|was|were) (?:since )?"
    r"(?:disproved|disproven|refuted|debunked)|nobody agrees)\b",
    re.IGNORECASE,
)
_VERDICT = re.compile(r"\s*[\"'“]?(?:wrong|false|not true|untrue|myth|nonsense)\s*[:!.-]", re.IGNORECASE)


def denied(verb: Token | None, *, causing: bool) -> bool:
    """Whether the claim whose clause `verb` heads is denied. `causing`: the verb itself says that it caused."""
    if verb is None:
        return False
    if causing and (is_negated(verb) or _barely(verb) or any(is_nothing(c) for c in verb.children if c.dep_ == "dobj")):
        return True
    if not causing and lemma(verb) in HAPPENING and is_negated(verb):
        return True
    if _VERDICT.match(verb.sent.text):
        return True
    return any(_denies(head, below) for head, below in _governors(verb))


def supposed(verb: Token | None) -> bool:
    """Whether the claim is only supposed, or taken back in the same sentence."""
    if verb is None:
        return False
    if _REFUTED.search(verb.sent.text) or _unsure(verb) or lemma(verb.sent.root) in ("suppose", "imagine", "assume"):
        return True
    if any(c.dep_ == "advcl" and c.lower_ in ("assuming", "supposing") for c in verb.sent):
        return True
    return any(_supposes(head) for head, _ in _governors(verb))


def _governors(verb: Token) -> Iterator[tuple[Token, Token]]:
    """What the clause is a complement of, upwards, each with the clause's head below it."""
    token = verb
    for _ in range(MAX_CLIMB):
        if is_root(token) or token.dep_ not in (
            "ccomp",
            "xcomp",
            "acl",
            "relcl",
            "csubj",
            "pcomp",
            "dobj",
            "nsubj",
            "attr",
            "conj",
        ):
            return
        if token.dep_ != "conj":
            yield token.head, token
        token = token.head


def _denies(head: Token, below: Token) -> bool:
    if below.dep_ in ("ccomp", "xcomp", "csubj") and head.pos_ in ("VERB", "AUX"):
        if lemma(head) in DENYING or is_negated(head) or _barely(head):
            return True
        told = [c for c in head.children if c.dep_ in ("attr", "acomp")]
        return any(lemma(c) in DENYING_NOUNS or c.lower_ in _FALSE for c in told)
    if head.pos_ in ("NOUN", "PROPN") and below.dep_ in ("acl", "ccomp", "relcl"):
        return is_nothing(head) or lemma(head) in DENYING_NOUNS or lemma(head.head) in DENYING
    return False


def _supposes(head: Token) -> bool:
    if head.pos_ in ("VERB", "AUX"):
        subjects = [c for c in head.children if c.dep_ == "nsubj"]
        return lemma(head) in SUPPOSING or _unsure(head) or any(lemma(c) in SUPPOSING_NOUNS for c in subjects)
    return lemma(head) in SUPPOSING_NOUNS


def _barely(verb: Token) -> bool:
    return any(c.lower_ in BARELY for c in verb.children)


def _unsure(verb: Token) -> bool:
    return any(c.lower_ in UNSURE for c in verb.children) or any(t.lower_ in UNSURE for t in verb.sent[:3])
