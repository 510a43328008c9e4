"""Clauses that stand in a causal relation to their matrix: subordinators, purposes, reactions, consequences, prepositions."""

from collections.abc import Iterator

from spacy.tokens import Token

from graph.extract.causality import cues
from graph.extract.causality.lexicon import is_event, is_reaction, lemma
from graph.extract.causality.relations import Group, Relation
from graph.extract.causality.tree import is_verb, prep_object

_NO_ORIGIN = cues.PREVENTING | frozenset(("range", "vary", "differ", "different", "distinguish", "separate", "apart"))


def purpose(verb: Token, used: set[int]) -> Iterator[Relation]:
    """ "to" and an infinitive: the aim is the cause of what is done for it."""
    to = next((c for c in verb.children if c.dep_ == "aux" and c.lower_ == "to"), None)
    if to is None or verb.dep_ not in ("advcl", "xcomp", "acl") or verb.tag_ != "VB" or {to.i, to.i - 1} & used:
        return
    head = verb.head
    if verb.dep_ == "xcomp" and not any(c.dep_ == "dobj" and c.i < to.i for c in head.children):
        return
    pattern = "xcomp-obj" if verb.dep_ == "xcomp" else verb.dep_
    negates = head if verb.dep_ == "advcl" and is_verb(head) else None
    yield Relation("to-inf", Group.PURPOSE, pattern, to.i, 1, verb, head, negates, cut_effect=(verb.i,))


def participle(verb: Token) -> Iterator[Relation]:
    """A participle clause that tells a reaction's ground ("demanding ...") or a consequence ("leaving ...")."""
    if verb.tag_ != "VBG" or verb.dep_ not in ("advcl", "acl"):
        return
    word = lemma(verb)
    if word in cues.DEMANDING:
        pattern = "part" if verb.dep_ == "advcl" else "acl"
        yield Relation(f"{word}ing", Group.REACTION, pattern, verb.i, 1, verb, verb.head, cut_effect=(verb.i,))
    elif word in cues.RESULTING:
        yield Relation(f"{word}ing", Group.CONSEQUENCE, verb.dep_, verb.i, 1, verb.head, verb, cut_cause=(verb.i,))


def subordinate(mark: Token, used: set[int]) -> Iterator[Relation]:
    """as, since, after, when, if: the clause is the cause or the occasion of its matrix."""
    word, clause = mark.lower_, mark.head
    if mark.dep_ not in ("mark", "advmod") or word not in cues.SUBORDINATORS or mark.i in used:
        return
    if clause.dep_ not in ("advcl", "ccomp", "acl", "relcl", "pcomp"):
        return
    if word in ("when", "where", "if", "whenever", "cause") and clause.dep_ != "advcl":
        return
    if word in ("as", "since") and clause.dep_ == "relcl":
        return
    matrix = clause.head
    if word == "so":
        yield Relation("so", Group.CLAUSE, "mark", mark.i, 1, matrix, clause, matrix, cut_cause=(clause.i,))
    else:
        verb = matrix if matrix.pos_ == "VERB" else None
        yield Relation(word, Group.CLAUSE, "mark", mark.i, 1, clause, matrix, verb, cut_effect=(clause.i,))


def preposition(token: Token, used: set[int]) -> Iterator[Relation]:
    """Plain prepositions, told apart by what governs them and what follows them."""
    if token.dep_ not in ("prep", "agent") or token.lower_ not in cues.PREPOSITIONS or token.i in used:
        return
    cause, governor = prep_object(token), token.head
    if cause is None or governor.i == token.i or governor.pos_ not in ("NOUN", "VERB", "ADJ", "PROPN", "AUX"):
        return
    if token.lower_ == "from" and lemma(governor) in _NO_ORIGIN:
        return
    happens = is_reaction(cause) or is_event(cause)
    after = "ing" if any(c.dep_ == "pcomp" for c in token.children) else "ev" if happens else "x"
    if token.lower_ in cues.PLACE_OR_TOPIC and after != "ing":
        return
    side = "A" if token.dep_ == "agent" else "V" if is_verb(governor) else "N"
    before = "react" if is_reaction(governor) else "ev" if governor.pos_ == "NOUN" and is_event(governor) else "x"
    verb = governor if governor.pos_ == "VERB" else None
    yield Relation(
        token.lower_, Group.PREPOSITION, f"{side}{before}+{after}", token.i, 1, cause, governor, verb, cut_effect=(token.i,)
    )


def find(token: Token, used: set[int], *, bare: bool) -> Iterator[Relation]:
    """All of these at one token; `bare` when no causative verb fired there."""
    if is_verb(token) or token.tag_.startswith("VB"):
        yield from purpose(token, used)
        if bare:
            yield from participle(token)
    yield from subordinate(token, used)
    yield from preposition(token, used)
