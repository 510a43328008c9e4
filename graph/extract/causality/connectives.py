"""Connectives: because, due to, in response to (the cause follows); so, therefore, as a result (the effect follows)."""

from collections.abc import Iterator

from spacy.tokens import Doc, Token

from graph.extract.causality import cues
from graph.extract.causality.relations import Group, Relation
from graph.extract.causality.tree import children, is_root, is_verb, prep_object, subject

LONGEST = 5  # tokens
_SO_OF_DEGREE = frozenset(("that", "to", "far", "called", "as", "much", "many", "long", "few", "little"))
_SO_FOLLOWS = frozenset(
    ("even", "or", "ever", "not", "do", "did", "does", "say", "said", "think", "hope", "feel", "feels", "felt")
)
_OPENERS = frozenset(("just", "and", "but", "mainly", "mostly", "partly", "simply", "probably", "maybe", "only"))
_OF_STATE = frozenset(("due to", "because of", "because", "thanks to", "owing to"))


def find(doc: Doc, start: int, end: int, used: set[int]) -> Iterator[Relation]:
    """Relations of the connectives among the tokens [start, end), longest cue first; their tokens are added to `used`."""
    low = [token.lower_ for token in doc[start:end]]
    i = start
    while i < end:
        for width in range(min(LONGEST, end - i), 0, -1):
            phrase = " ".join(low[i - start : i - start + width])
            relation = _read(doc, i, width, phrase, end)
            if relation is not None:
                used.update(range(i, i + width))
                i += width - 1
                yield relation
                break
        i += 1


def _read(doc: Doc, i: int, width: int, phrase: str, end: int) -> Relation | None:
    if phrase in cues.EFFECT_FOLLOWS and not (phrase == "so" and not _is_consecutive(doc, i, end)):
        return _forward(doc, i, width, phrase)
    if phrase in cues.CAUSE_FOLLOWS:
        return _backward(doc, i, width, phrase)
    return None


def _is_consecutive(doc: Doc, i: int, end: int) -> bool:
    """Whether this "so" joins clauses, rather than "so that", "so far", "so big"."""
    after = doc[i + 1] if i + 1 < end else None
    if after is not None and (after.lower_ in _SO_OF_DEGREE or (after.pos_ in ("ADJ", "ADV") and after.dep_ != "advmod")):
        return False
    token = doc[i]
    before = doc[i - 1] if i > token.sent.start else None
    if before is not None and (before.pos_ == "AUX" or before.lower_ in _SO_FOLLOWS):
        return False  # "it is so calming", "even so", "or so"
    if after is not None and after.pos_ in ("ADJ", "ADV") and token.head.i == after.i:
        return False
    if _after_comma(doc, i) and not (token.dep_ == "mark" and any(child.tag_ == "MD" for child in token.head.children)):
        return True
    if token.dep_ == "mark":
        return False
    return token.dep_ == "cc" or (token.dep_ == "advmod" and is_verb(token.head))


def _after_comma(doc: Doc, i: int) -> bool:
    """ ", so the" or ", so we": whatever the parser makes of it, a clause follows."""
    follows = i + 1 < len(doc) and doc[i + 1].pos_ in ("DET", "PRON", "PROPN", "NOUN")
    return doc[i].lower_ == "so" and i > 0 and doc[i - 1].text == "," and follows


def _across_comma(doc: Doc, i: int) -> tuple[Token, Token] | None:
    """The heads of what stands before and behind a ", so" that the parser did not see as one."""
    sentence = doc[i].sent
    before = [token for token in doc[sentence.start : i] if is_verb(token) and not sentence.start <= token.head.i < token.i]
    cause = next((token for token in before if token.head.i > i or is_root(token)), None)
    effect = next((token for token in doc[i + 1 : sentence.end] if is_root(token) or token.head.i < i), None)
    return (cause, effect) if cause is not None and effect is not None else None


def _forward(doc: Doc, i: int, width: int, phrase: str) -> Relation | None:
    cue = doc[i]
    if phrase == "so" and cue.dep_ == "cc":
        effect = next((c for c in cue.head.children if c.dep_ == "conj" and c.i > i), None)
        if effect is None:
            return None
        cause: Token | None = cue.head
    elif _after_comma(doc, i) and not is_verb(cue.head) and (heads := _across_comma(doc, i)):
        cause, effect = heads
    else:
        effect = doc[i + width - 1].head if width == 1 else cue.head
        while not is_verb(effect) and not is_root(effect):
            effect = effect.head
        cause = effect.head if effect.dep_ in ("conj", "ccomp", "advcl") else None
    return Relation(phrase, Group.FORWARD, "fwd", i, width, cause, effect, effect, (effect.i,), (i,))


def _backward(doc: Doc, i: int, width: int, phrase: str) -> Relation | None:
    first, last = doc[i], doc[i + width - 1]
    if (phrase == "due to" and last.tag_ == "TO") or (phrase == "out of" and i and doc[i - 1].like_num):
        return None  # "is due to end", "three out of five"
    cause, governor = _cause_and_governor(first, last, width)
    if cause is not None and i <= cause.i < i + width:
        cause = prep_object(cause)
    if cause is None and phrase in ("in protest", "in retaliation"):
        return Relation(phrase, Group.CONNECTIVE, "mw0", i, width, None, first.head)
    if cause is not None and governor.i == cause.i and is_root(cause) and phrase.startswith("because") and _opens(doc, i):
        return Relation(phrase, Group.CONNECTIVE, "fragment", i, width, cause, None, cause)
    if cause is None or governor.i == cause.i:
        return None
    effect = governor
    cut_cause: tuple[int, ...] = ()
    if governor.pos_ == "AUX" and phrase in _OF_STATE and not _has_complement(governor, first):
        that = _cleft(governor, cause)
        effect = that or subject(governor) or governor
        cut_cause = (that.i,) if that is not None else ()
    cut = first.i if first.dep_ != "mark" else cause.i
    verb = governor if is_verb(governor) else None
    return Relation(phrase, Group.CONNECTIVE, "mw", i, width, cause, effect, verb, cut_cause, (cut,))


def _has_complement(be: Token, cue: Token) -> bool:
    return any(c.i != cue.i for c in children(be, "attr", "acomp"))


def _opens(doc: Doc, i: int) -> bool:
    """Whether nothing but small words stands before the token in its sentence: "Just because ..."."""
    before = doc[doc[i].sent.start : i]
    return all(token.is_punct or token.lower_ in _OPENERS for token in before)


def _cleft(be: Token, cause: Token) -> Token | None:
    """In "it is because of A that B happened", B."""
    that = [c for c in be.children if c.dep_ in ("ccomp", "relcl", "advcl", "acl") and c.i > cause.i]
    below = [c for c in cause.children if c.dep_ in ("relcl", "acl", "ccomp") and c.i > cause.i]
    found = [c for c in that + below if any(m.lower_ == "that" and m.dep_ == "mark" for m in c.children)]
    itself = subject(be)
    return found[0] if found and itself is not None and itself.lower_ == "it" else None


def _cause_and_governor(first: Token, last: Token, width: int) -> tuple[Token | None, Token]:
    if first.dep_ == "mark":
        return first.head, first.head.head
    if last.dep_ in ("mark", "aux"):
        clause = last.head
        outside = first.head.i < first.i or first.head.i > clause.i
        return clause, first.head if outside else clause.head
    cause: Token | None = prep_object(last) or (prep_object(first) if width > 1 else None)
    if cause is None and last.pos_ == "VERB":
        cause = next(iter(children(last, "dobj", "ccomp", "xcomp")), None)
    if cause is None and width > 1:
        cause = next(iter(children(last, "acl", "xcomp", "ccomp", "relcl")), None)
    governor = first.head
    if cause is not None:
        while first.i <= governor.i <= last.i and not is_root(governor):
            governor = governor.head
    return cause, governor
