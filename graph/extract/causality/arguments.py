"""Arguments: from the heads of cause and effect to the tokens that state them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from spacy.tokens import Doc, Token

from graph.extract.causality.cues import PREVENTING
from graph.extract.causality.lexicon import is_event
from graph.extract.causality.relations import Group, Relation
from graph.extract.causality.tree import MAX_CLIMB, is_root, is_under, is_verb

Range = tuple[int, int]

_LEADING = frozenset(("and", "but", "or", "that", "which", "who", "while", "-", "--", "``", "''"))
_TRAILING = frozenset(("and", "but", "which", "that"))
_KEPT_CUES = frozenset(("against",))
_AFTER_NOUNS = frozenset(("hence", "thus"))  # forward cues that may follow a mere noun
_CUE_BEFORE_CLAUSE = (Group.CONNECTIVE, Group.CLAUSE, Group.PREPOSITION, Group.PURPOSE, Group.REACTION)
_NOUN_LABELS = frozenset("dobj pobj attr acomp prep nsubj nsubjpass advmod amod compound agent".split())
_RUN_LEFT = frozenset("NOUN PROPN ADJ DET CCONJ NUM".split())
_RUN_RIGHT = frozenset("CCONJ NOUN ADJ".split())
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
MAX_DATELINE = 40  # tokens
CLAUSE_WORDS = 4  # so many words are a clause, even if the parser sees no verb in them
MIN_WORDS_BEFORE = 2  # fewer words before a forward cue: its cause is the sentence before


@dataclass(frozen=True, slots=True)
class Arguments:
    """Token ranges [start, end) of cause and effect; None for one that the sentence does not hold."""

    cause: Range | None
    effect: Range | None


def arguments(relation: Relation, doc: Doc, start: int, end: int, *, clausal: bool = True) -> Arguments:
    """The ranges of a relation in the sentence [start, end). `clausal` widens a noun before the cue to its clause."""
    if relation.group == Group.FORWARD or relation.cue == "so":
        return _forward(relation, doc, start, end)
    if relation.group in _CUE_BEFORE_CLAUSE:
        return _adjunct(relation, doc, start, end, clausal=clausal)
    if relation.pattern == "slip":
        return _slip(relation, doc, start, end)
    if relation.group == Group.CONSEQUENCE or relation.pattern == "part":
        return _consequence(relation, doc, start, end)
    sides = (start, end)
    cause = _clause_before_which(relation, doc, start) or _nominal(relation, doc, relation.cause, sides)
    effect = _nominal(relation, doc, relation.effect, sides)
    return Arguments(cause, _kept_from(relation, doc, effect))


def _clause_before_which(relation: Relation, doc: Doc, start: int) -> Range | None:
    """In "the disk was full, which caused a crash" the whole clause is the cause, unless the noun itself happens."""
    cause, verb = relation.cause, relation.verb
    if cause is None or verb is None or cause.i > relation.at:
        return None
    which = next((c for c in verb.children if c.lower_ == "which" and c.i < relation.at), None)
    if which is None or which.i - 1 <= start or doc[which.i - 1].text != ",":
        return None
    stated = any(is_verb(token) for token in doc[start : which.i])
    return trim(doc, start, which.i) if stated and not (is_event(cause) and cause.pos_ == "NOUN") else None


def _kept_from(relation: Relation, doc: Doc, effect: Range | None) -> Range | None:
    """What is prevented, with "from doing" after it."""
    if effect is None or relation.verb is None or relation.cue not in PREVENTING:
        return effect
    from_ = next((c for c in relation.verb.children if c.lower_ == "from" and c.i == effect[1]), None)
    return effect if from_ is None else (effect[0], run(from_, doc, (), from_.i, len(doc))[1])


def run(head: Token, doc: Doc, cut: Iterable[int], low: int, high: int) -> Range:
    """The longest contiguous run around a head inside its subtree within [low, high), without the subtrees in `cut`."""
    left_out = set(cut) - {head.i}
    inside, stack = set(), [head]
    while stack:
        token = stack.pop()
        inside.add(token.i)
        stack.extend(child for child in token.children if child.i not in left_out)
    a = b = head.i
    while a - 1 in inside and a - 1 >= low:
        a -= 1
    while b + 1 in inside and b + 1 < high:
        b += 1
    a = _after_dateline(doc, a, head.i)
    while a < head.i and (doc[a].lower_ in _LEADING or doc[a].is_punct):
        a += 1
    while b > head.i and (doc[b].is_punct or doc[b].lower_ in _TRAILING):
        b -= 1
    return a, b + 1


def _after_dateline(doc: Doc, a: int, head: int) -> int:
    """Where the words begin behind a clock time that opens a line of a log or report ("... 10:32 IST The police")."""
    for i in range(min(head, a + MAX_DATELINE) - 1, a - 1, -1):
        if _CLOCK.fullmatch(doc[i].text) and not (i > a and doc[i - 1].pos_ == "ADP"):
            zone = i + 1 < head and (doc[i + 1].text.isupper() or doc[i + 1].lower_ in ("hrs", "am", "pm"))
            return i + 2 if zone else i + 1
    return a


def trim(doc: Doc, a: int, b: int) -> Range | None:
    """The range without punctuation and joining words at its ends; None if nothing is left."""
    while a < b and (doc[a].is_punct or doc[a].is_space or doc[a].lower_ in _LEADING):
        a += 1
    while b > a and (doc[b - 1].is_punct or doc[b - 1].is_space or doc[b - 1].lower_ in _TRAILING):
        b -= 1
    return (a, b) if b > a else None


def _forward(relation: Relation, doc: Doc, start: int, end: int) -> Arguments:
    at, after = relation.at, relation.at + relation.width
    cause, effect = relation.cause, relation.effect
    by_tree = cause is not None and effect is not None and cause.i < at < effect.i
    if by_tree and not (relation.cue == "so" and relation.group == Group.FORWARD):
        told = run(effect, doc, (), start, end)  # type: ignore[arg-type]  # both are tokens when by_tree holds
        if told[0] < after:
            told = (after, max(told[1], after + 1))
        return Arguments(run(cause, doc, (effect.i,), start, at), told)  # type: ignore[arg-type,union-attr]  # as above
    if _inside_clause(relation):
        return Arguments(None, trim(doc, start, end))
    before = doc[start:at]
    count = sum(token.is_alpha for token in before)
    stated = count >= CLAUSE_WORDS or relation.cue in _AFTER_NOUNS or any(is_verb(token) for token in before)
    said = count >= MIN_WORDS_BEFORE and stated  # not in "For sure, that's why"
    return Arguments(trim(doc, start, at) if said else None, trim(doc, after, end))


def _inside_clause(relation: Relation) -> bool:
    """Whether the cue stands between the subject and the verb of one clause: "we have therefore decided"."""
    verb = relation.effect
    if verb is None or relation.width > 1 or relation.cue == "so":
        return False
    return any(c.dep_ in ("nsubj", "nsubjpass") and c.i < relation.at < verb.i for c in verb.children)


def _adjunct(relation: Relation, doc: Doc, start: int, end: int, *, clausal: bool) -> Arguments:
    """The cause is what the cue introduces, the effect its governor on the other side of the cue."""
    cause = None
    if relation.cause is not None:
        cause = _after_cue(relation, relation.cause, run(relation.cause, doc, relation.cut_cause, start, end))
    effect = relation.effect
    if effect is None:
        return Arguments(cause, None)
    effect = _widened(relation, effect, clausal=clausal)
    low, high = start, end
    if cause is not None and effect.i < relation.at:
        high = relation.at
    elif cause is not None:
        low = cause[1]
    a, b = run(effect, doc, {*relation.cut_effect, relation.at}, low, high)
    return Arguments(cause, (a, b))


def _after_cue(relation: Relation, cause: Token, found: Range) -> Range:
    a, b = found
    if relation.group in (Group.PURPOSE, Group.REACTION) or relation.cue in _KEPT_CUES:
        return found
    after = relation.at + relation.width
    if a < after <= cause.i:
        a = after
    if a <= relation.at < cause.i:
        a = min(after, cause.i)
    return a, b


def _widened(relation: Relation, effect: Token, *, clausal: bool) -> Token:
    """An embedded verb climbs to its matrix; where clauses are wanted, a noun before the cue climbs to its verb."""
    clausal = clausal or relation.group in (Group.PURPOSE, Group.REACTION)
    for _ in range(MAX_CLIMB):
        embedded = effect.dep_ in ("xcomp", "pcomp", "auxpass")
        noun = effect.pos_ in ("NOUN", "ADJ", "PROPN", "ADP") and effect.dep_ in _NOUN_LABELS and effect.i < relation.at
        if is_root(effect) or not (embedded or (noun and clausal)):
            break
        if noun and not embedded and effect.i < relation.at < effect.head.i:
            break  # the noun is the subject of a verb behind the cue: "the noise from the street is loud"
        effect = effect.head
    return effect


def _slip(relation: Relation, doc: Doc, start: int, end: int) -> Arguments:
    a, at = relation.at, relation.at
    while a > start and (doc[a - 1].pos_ in _RUN_LEFT or doc[a - 1].lower_ == ",") and doc[a - 1].lower_ not in _TRAILING:
        a -= 1
    b = relation.effect.i + 1 if relation.effect is not None else at + relation.width + 1
    while b < end - 1 and (doc[b].pos_ in _RUN_RIGHT or doc[b].lower_ in (",", "of")):
        b += 1
    return Arguments(trim(doc, a, at), trim(doc, at + relation.width, b))


def _consequence(relation: Relation, doc: Doc, start: int, end: int) -> Arguments:
    effect, cause = relation.effect, relation.cause
    if effect is None or cause is None:
        return Arguments(None, None)
    told = run(effect, doc, (), start, end)
    matrix = effect.head if not is_root(effect) and is_verb(effect.head) else cause
    high = relation.at if matrix.i < effect.i else end
    return Arguments(run(matrix, doc, (effect.i,), start, high), told)


def _nominal(relation: Relation, doc: Doc, head: Token | None, sides: Range) -> Range | None:
    """A noun phrase or clause beside the cue, without the clause that holds the cue."""
    if head is None:
        return None
    cut = {relation.at, *relation.cut_cause, *relation.cut_effect}
    for child in head.children:
        if child.dep_ in ("relcl", "acl", "advcl") and is_under(doc[relation.at], child.i):
            cut.add(child.i)
    low, high = sides
    if head.i < relation.at:
        a, b = run(head, doc, cut, low, relation.at)
        return _with_coordinated(doc, a, low), b
    if head.i > relation.at:
        low = relation.at + 1
    return run(head, doc, cut, low, high)


def _with_coordinated(doc: Doc, a: int, start: int) -> int:
    """Where a list of nouns begins that opens the sentence and ends in this one: "hunger and poverty cause ..."."""
    if a - 2 < start or not (doc[a - 1].pos_ == "CCONJ" or doc[a - 1].text == ","):
        return a
    return start if all(token.pos_ in _RUN_LEFT or token.text == "," for token in doc[start:a]) else a
