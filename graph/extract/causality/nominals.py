"""Nominal cues: X is the cause of Y, Y as a result of X, the reduction of Y by X, heat-induced Y, "X cause Y" mis-tagged."""

import re
from collections.abc import Iterator

from spacy.tokens import Doc, Token

from graph.extract.causality import cues
from graph.extract.causality.lexicon import lemma
from graph.extract.causality.relations import Group, Relation
from graph.extract.causality.tree import MAX_CLIMB, children, is_root, is_verb, prep_object, subject

_PARTITIVE = frozenset(("one", "some", "many", "part", "most", "all"))
_NOMINAL = ("NOUN", "PROPN")
_COMPOUND = re.compile(r"\A(\w{1,60})-(\w{1,30})\Z")


def find(doc: Doc, token: Token, start: int, end: int, used: set[int]) -> Iterator[Relation]:
    """Relations whose cue is this noun, adjective or compound; prepositions of the cue are added to `used`."""
    if token.pos_ in ("NOUN", "ADJ", "PROPN"):
        for preposition in children(token, "prep"):
            if preposition.i not in used:
                yield from _of(token, preposition, used)
        yield from _folded(token)
        yield from _reason_clause(token)
    if slip := _slip(doc, token, start, end):
        yield slip
    if compound := _hyphenated(doc, token, start):
        yield compound


def _of(noun: Token, preposition: Token, used: set[int]) -> Iterator[Relation]:
    key = (lemma(noun), preposition.lower_)
    inner = prep_object(preposition)
    if inner is None or not (key in cues.CAUSE_NOUNS or key in cues.EFFECT_NOUNS):
        return
    other, pattern, holder = _partner(noun)
    cue, is_cause = " ".join(key), key in cues.CAUSE_NOUNS
    if other is None and not is_cause:
        other = next((prep_object(p) for p in children(noun, "prep") if p.lower_ in ("on", "upon")), None)
        pattern = "on" if other is not None else "bare"
    if other is None:
        cause, effect = (noun, inner) if is_cause else (inner, noun)
        yield Relation(cue, Group.NOMINAL, "bare", noun.i, 1, cause, effect)
        return
    used.add(preposition.i)
    verb = holder.head if is_verb(holder.head) else None
    if is_cause:
        yield Relation(cue, Group.NOMINAL, pattern, noun.i, 1, other, inner, verb, cut_cause=(noun.i,))
    else:
        yield Relation(cue, Group.NOMINAL, pattern, noun.i, 1, inner, other, verb, cut_effect=(noun.i,))


def _partner(noun: Token) -> tuple[Token | None, str, Token]:
    """The other participant of a nominal cue, how it was found, and the token by which the noun hangs in the clause."""
    holder = noun
    while holder.dep_ == "pobj" and holder.head.head.lower_ in _PARTITIVE:
        holder = holder.head.head
    if holder.dep_ in ("attr", "acomp", "conj", "oprd"):
        verb = holder.head
        while not is_verb(verb) and not is_root(verb):
            verb = verb.head
        return subject(verb), "cop", holder
    if holder.dep_ == "appos":
        return holder.head, "appos", holder
    if holder.dep_ == "pobj" and holder.head.lower_ == "as":
        return _told_as(holder.head.head), "as", holder
    if holder.dep_ == "nsubj" and lemma(holder.head) == "be":
        return next(iter(children(holder.head, "attr", "ccomp", "acomp", "prep", "advcl")), None), "inv", holder
    return next(iter(children(holder, "appos", "relcl")), None), "bare", holder


def _told_as(governor: Token) -> Token:
    """In "X is seen as the cause", X."""
    if governor.pos_ != "VERB":
        return governor
    return next(iter(children(governor, "dobj") or children(governor, "nsubjpass") or children(governor, "nsubj")), governor)


def _reason_clause(noun: Token) -> Iterator[Relation]:
    """The reason (why) Y is that X; X is the reason (why) Y."""
    if lemma(noun) not in ("reason", "cause", "explanation") or lemma(noun.head) != "be":
        return
    clause = next(iter(children(noun, "relcl", "acl")), None)
    told = [c for c in children(noun.head, "ccomp", "attr", "advcl", "acomp") if c.i > noun.i]
    if noun.dep_ == "nsubj" and told and not children(noun, "prep"):
        yield Relation("reason", Group.NOMINAL, "clause", noun.i, 1, told[0], clause, noun.head, cut_effect=(noun.i,))
    elif noun.dep_ == "attr" and clause is not None and (cause := subject(noun.head)) is not None:
        yield Relation("reason", Group.NOMINAL, "clause", noun.i, 1, cause, clause, noun.head, cut_effect=(noun.i,))


def _folded(noun: Token) -> Iterator[Relation]:
    """A noun of a causative verb with its agent: the reduction of Y by X."""
    verb = cues.NOMINALISED.get(lemma(noun))
    if verb is None or verb not in cues.WEAK_VERBS | cues.STRONG_VERBS:
        return
    effect = next((prep_object(p) for p in children(noun, "prep") if p.lower_ in ("of", "in")), None)
    cause = next((prep_object(p) for p in children(noun, "prep", "agent") if p.lower_ in ("by", "through")), None)
    if effect is None and cause is not None:
        effect = noun
    if effect is not None and cause is not None:
        group = Group.STRONG if verb in cues.STRONG_VERBS else Group.WEAK
        yield Relation(verb, group, "folded", noun.i, 1, cause, effect)


def _slip(doc: Doc, token: Token, start: int, end: int) -> Relation | None:
    """A verb that the tagger took for a noun after a nominal: "stress and noise cause headaches", "lead to"."""
    word = token.lower_
    if token.pos_ not in _NOMINAL or not start < token.i < end - 1 or doc[token.i - 1].pos_ not in _NOMINAL:
        return None
    if children(token, "det", "poss"):
        return None
    after = doc[token.i + 1]
    if word in cues.PREPOSITIONAL_SLIPS and after.lower_ == cues.PREPOSITIONAL_SLIPS[word]:
        effect = _slipped_effect(doc, token.i + 2, end)
        cue = f"{word.removesuffix('s')} {after.lower_}"
        return Relation(cue, Group.LINK, "slip", token.i, 2, doc[token.i - 1], effect, None, (token.i,), (token.i,))
    if word in cues.SLIPS and not children(token, "prep") and after.pos_ in ("NOUN", "ADJ", "DET", "PROPN"):
        effect = _slipped_effect(doc, token.i + 1, end)
        return Relation(lemma(token), Group.STRONG, "slip", token.i, 1, doc[token.i - 1], effect, None, (token.i,), (token.i,))
    if word in cues.SLIPS and after.pos_ == "VERB" and after.tag_ == "VBZ":  # "cause rashes"
        return Relation(lemma(token), Group.STRONG, "slip", token.i, 1, doc[token.i - 1], after, None, (token.i,), (token.i,))
    return None


def _slipped_effect(doc: Doc, first: int, end: int) -> Token:
    """The head of the noun phrase that begins at `first`, which may be the last token before `end`."""
    j = min(first, end - 1)
    while j < end - 1 and doc[j].pos_ in ("DET", "ADJ", "ADV", "NUM"):
        j += 1
    while j < end - 1 and doc[j + 1].pos_ in _NOMINAL:
        j += 1
    return doc[j]


def _hyphenated(doc: Doc, token: Token, start: int) -> Relation | None:
    """heat-induced stress; the tokenizer may have cut the compound into three."""
    whole = _COMPOUND.fullmatch(token.lower_)
    if whole and whole[2] in cues.HYPHENATED and token.head.i > token.i:
        return Relation(f"-{whole[2]}", Group.HYPHEN, "amod", token.i, 1, token, token.head)
    parted = token.i - 2 >= start and doc[token.i - 1].lower_ == "-"
    if token.lower_ in cues.HYPHENATED and parted:
        head = token.head
        for _ in range(MAX_CLIMB):
            if head.i > token.i or is_root(head):
                break
            head = head.head
        return Relation(f"-{token.lower_}", Group.HYPHEN, "amod", token.i, 1, doc[token.i - 2], head)
    return None
