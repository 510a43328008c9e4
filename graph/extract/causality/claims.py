"""Claims: the relations of a sentence that hold, as spans and readable words, with kind, confidence and flags."""

from dataclasses import dataclass

import numpy as np
from spacy.tokens import Token

from graph.extract.causality import cues, stance
from graph.extract.causality.arguments import Arguments, arguments
from graph.extract.causality.context import Reading, readable
from graph.extract.causality.decision import Profiles
from graph.extract.causality.features import features
from graph.extract.causality.grammar import relations
from graph.extract.causality.lexicon import is_agent, is_event, is_modal, is_negated, is_nothing, lemma
from graph.extract.causality.relations import Group, Relation
from graph.extract.causality.tree import MAX_CLIMB, is_root
from graph.model.extraction import CausalClaim, RelationKind
from graph.model.observations import Span

MIN_CONFIDENCE = 0.12  # of a relation's arguments; below it nothing is claimed
ALSO_CONFIDENT = 0.45  # of a further relation beside the best one of a sentence
SURE = 0.35  # confidence of a soft cue that stands beside a hard one
HARD_FLOOR = -2.0  # log-odds: below it the strict profile overrules a verb or noun that means causation
# A hard cue is right at least this often, by reading notes of other kinds than the sets that the weights were fitted on.
HARD_CONFIDENCE = {
    Group.STRONG: 0.8,
    Group.CONNECTIVE: 0.75,
    Group.LINK: 0.7,
    Group.ORIGIN: 0.7,
    Group.NOMINAL: 0.7,
    Group.FORWARD: 0.7,
    Group.CLAUSE: 0.7,
    Group.HYPHEN: 0.6,
    Group.WEAK: 0.6,
}
_HARD_GROUPS = frozenset((Group.STRONG, Group.LINK, Group.NOMINAL, Group.HYPHEN, Group.FORWARD))
_PERSONS = frozenset("i you he she we they who someone anyone".split())
_POINTING = frozenset("this that these those it which".split())
_IFS = frozenset(("if", "unless", "whenever"))
_HARD_BY_WORD = {
    Group.CONNECTIVE: cues.HARD_CONNECTIVES,
    Group.CLAUSE: frozenset(("because", "cos", "cuz")),
    Group.ORIGIN: cues.HARD_ORIGINS,
}
_NEVER_OVERRULED = frozenset((Group.CONNECTIVE, Group.FORWARD, Group.CLAUSE, Group.WEAK))
_SOFT_GROUPS = frozenset(
    (Group.ORIGIN, Group.LINK, Group.WEAK, Group.CONNECTIVE, Group.CONSEQUENCE, Group.PREPOSITION, Group.CLAUSE)
)


@dataclass(frozen=True, slots=True)
class Candidate:
    relation: Relation
    arguments: Arguments
    things: float  # confidence of the strict profile
    wide: float
    likely: bool
    strict: bool


def read(reading: Reading, sentence: int, profiles: Profiles) -> list[CausalClaim]:
    """The claims of one sentence, best first; a claim's spans are never empty."""
    start, end = reading.parsed.ranges[sentence]
    doc = reading.parsed.doc
    found = relations(doc, start, end)
    if not found:
        return []
    named = [features(relation) for relation in found]
    union = set().union(*named)
    vectors = np.asarray(doc.tensor[start:end], dtype=np.float32)
    strictly, widely = profiles.things.causal(union, vectors), profiles.wide.causal(union, vectors)
    confidences = [(profiles.things.confidence(names), profiles.wide.confidence(names)) for names in named]
    likely = _likely(found, strictly, [things for things, _ in confidences])
    candidates = [
        Candidate(
            relation,
            arguments(relation, doc, start, end),
            *pair,
            likely=i in likely,
            strict=i in likely and _storable(relation),
        )
        for i, (relation, pair) in enumerate(zip(found, confidences, strict=True))
    ]
    chosen = _choose(candidates, strictly=strictly > 0, widely=widely > 0)
    claims = [claim for one in chosen if (claim := _claim(reading, sentence, one)) is not None]
    return _distinct(claims)


def _likely(found: list[Relation], strictly: float, confidences: list[float]) -> set[int]:
    """What the profile that stores holds: hard cues, and in a sentence that it accepts soft ones, the sure or the best."""
    hard = {i for i, one in enumerate(found) if is_hard(one) and (strictly > HARD_FLOOR or one.group in _NEVER_OVERRULED)}
    soft = [i for i, one in enumerate(found) if _is_soft(one) and confidences[i] >= MIN_CONFIDENCE]
    if strictly <= 0 or not soft:
        return hard
    sure = {i for i in soft if confidences[i] >= SURE}
    best = set() if hard else {max(soft, key=lambda i: (confidences[i], -found[i].at))}
    return hard | sure | best


def _is_soft(relation: Relation) -> bool:
    """A cue that may mean causation, where something happens; time and mere dependence do not count."""
    if (
        relation.group not in _SOFT_GROUPS
        or relation.cue in cues.TEMPORAL | cues.CONDITIONAL | cues.CONCESSIVE | cues.NO_CAUSES
    ):
        return False
    return relation.group != Group.ORIGIN or any(t is not None and is_event(t) for t in (relation.cause, relation.effect))


def _storable(relation: Relation) -> bool:
    """A hard cue, or a soft one between two happenings: "damage from the storm", not "a change from the rush"."""
    cause, effect = relation.cause, relation.effect
    if is_hard(relation):
        return True
    if cause is None or effect is None or not cause.is_alpha or relation.cue in cues.LIGHT_VERBS:
        return False
    happenings = _both_happen(relation)
    if relation.group == Group.PREPOSITION:
        moving = relation.cue == "from" and lemma(effect) in cues.DEPARTURES
        return happenings and not moving and relation.pattern.startswith(("Nev", "Nreact"))
    if relation.group == Group.WEAK:
        return is_event(effect) and not is_agent(cause)
    return happenings or relation.group not in (Group.ORIGIN, Group.LINK)


def is_hard(relation: Relation) -> bool:
    """A cue that means causation by itself."""
    cue, group = relation.cue, relation.group
    if group in _HARD_BY_WORD:
        return cue in _HARD_BY_WORD[group] or (group == Group.CLAUSE and _causal_since(relation))
    if group == Group.WEAK:
        return cue in cues.PREVENTING | cues.ENABLING and _bears(relation)
    if group == Group.LINK:
        return cue in cues.HARD_LINKS and _happens(relation)
    if cue in cues.LOOSE_NOUNS:
        return _both_happen(relation)
    if cue == "responsible for":  # who is responsible for doing it does it, and is not why
        return relation.effect is not None and relation.effect.pos_ == "NOUN" and is_event(relation.effect)
    return group in _HARD_GROUPS and relation.pattern != "bare"


def _both_happen(relation: Relation) -> bool:
    cause, effect = relation.cause, relation.effect
    return cause is not None and effect is not None and is_event(cause) and is_event(effect)


def _bears(relation: Relation) -> bool:
    """A thing, not a person, that prevents or enables a happening or another thing."""
    cause, effect = relation.cause, relation.effect
    if cause is None or effect is None or cause.ent_type_ == "PERSON" or cause.lower_ in _PERSONS:
        return False
    kept_from = relation.verb is not None and any(c.lower_ == "from" for c in relation.verb.children)
    return kept_from or is_event(effect) or not (is_agent(cause) or is_agent(effect))


def _happens(relation: Relation) -> bool:
    """Not a road that leads to a lake: something happens on one side at least."""
    cause, effect = relation.cause, relation.effect
    if cause is None or effect is None or lemma(cause) in cues.PATHWAYS:
        return False
    return (
        relation.cue in cues.SURE_LINKS
        or (relation.cue == "contribute to" and is_event(effect))
        or relation.pattern == "slip"
        or is_event(effect)
        or (is_event(cause) and relation.cue == "lead to")
        or cause.lower_ in _POINTING
        or cause.pos_ == "AUX"
    )


def _causal_since(relation: Relation) -> bool:
    """ "since" gives a reason unless its matrix is a perfect ("has been down since ...").

    With both clauses in the past it may tell the time of a happening ("changed since he left"); it gives a reason where
    its clause is a state or a denial, stands apart behind a comma, or opens the sentence before a happening of its own.
    """
    clause, matrix = relation.cause, relation.effect
    if relation.cue != "since" or clause is None or matrix is None:
        return False
    if any(c.dep_ == "aux" and lemma(c) == "have" for c in matrix.children):
        return False
    if clause.tag_ not in ("VBD", "VBG") or matrix.tag_ not in ("VBD", "VBN"):
        return True
    apart = (relation.at > 0 and clause.doc[relation.at - 1].text == ",") or _opens(relation, matrix)
    denied = any(c.dep_ == "neg" or c.tag_ == "MD" for c in clause.children)
    return apart or denied or lemma(clause) in cues.STATES


def _opens(relation: Relation, matrix: Token) -> bool:
    """Whether the clause stands first, and a main clause with a subject of its own follows behind a comma."""
    sentence = matrix.sent
    subject = next((child for child in matrix.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    if relation.at != sentence.start or subject is None:
        return False
    return any(token.text == "," for token in matrix.doc[relation.at : subject.left_edge.i])


def _choose(candidates: list[Candidate], *, strictly: bool, widely: bool) -> list[Candidate]:
    """Likely candidates, and where the wide profile accepts the sentence its best one and further confident ones."""
    candidates = [c for c in candidates if c.relation.cue not in cues.CONCESSIVE]
    ranked = sorted(candidates, key=lambda c: (-max(c.things if strictly else 0.0, c.wide), c.relation.at))
    chosen = []
    best = True
    for one in ranked:
        floor = MIN_CONFIDENCE if best else ALSO_CONFIDENT
        explicit = one.relation.group == Group.CLAUSE and one.relation.cue in _IFS
        if one.likely or explicit or (widely and one.wide >= floor):
            chosen.append(one)
            best = False
    return chosen


def kind_of(relation: Relation) -> RelationKind:
    cue, group = relation.cue, relation.group
    if cue in cues.PREVENTING:
        return RelationKind.PREVENTION
    if cue in cues.ENABLING:
        return RelationKind.ENABLEMENT
    if group == Group.PURPOSE or cue in cues.PURPOSE_CONNECTIVES:
        return RelationKind.PURPOSE
    if group == Group.REACTION or cue in cues.REACTION_CONNECTIVES:
        return RelationKind.REACTION
    if cue in cues.CONDITIONAL:
        return RelationKind.CONDITION
    return RelationKind.CAUSE


def _claim(reading: Reading, sentence: int, one: Candidate) -> CausalClaim | None:
    relation = one.relation
    sides = readable(reading, sentence, relation, one.arguments)
    if sides is None:
        return None
    kind = kind_of(relation)
    return CausalClaim(
        cause=sides.cause.span,
        effect=sides.effect.span,
        cause_text=sides.cause.text,
        effect_text=sides.effect.text,
        cue=reading.parsed.doc[relation.at : relation.at + relation.width].text,
        kind=kind,
        sentence=sentence,
        confidence=round(max(one.things, one.wide, HARD_CONFIDENCE.get(relation.group, 0.0) if is_hard(relation) else 0.0), 3),
        strict=one.strict,
        likely=one.likely,
        negated=_negated(relation),
        hypothetical=kind == RelationKind.CONDITION or _hypothetical(relation),
    )


def _negated(relation: Relation) -> bool:
    """The causing is denied: "did not cause", "not because of"."""
    anchor = relation.cause if relation.cause is not None else relation.effect
    before = anchor.doc[relation.at - 1] if anchor is not None and relation.at else None
    denied = before is not None and before.lower_ in ("not", "n't", "never")
    causing = relation.group in (Group.STRONG, Group.WEAK, Group.LINK, Group.ORIGIN, Group.NOMINAL)
    if denied or is_nothing(relation.cause) or is_nothing(relation.effect) or (causing and _denied(relation.verb)):
        return True
    return stance.denied(_stated_by(relation), causing=causing)


def _stated_by(relation: Relation) -> Token | None:
    """The verb by which the claim is stated: the causing verb, or the effect's."""
    return relation.verb if relation.verb is not None else relation.effect


def _denied(verb: Token | None) -> bool:
    """The verb is negated, or what governs it as its own complement is ("is not expected to cause", "never seems to")."""
    for _ in range(MAX_CLIMB):
        if verb is None or is_negated(verb):
            return verb is not None
        verb = verb.head if verb.dep_ == "xcomp" else None
    return False


def _hypothetical(relation: Relation) -> bool:
    """May, might, could, would; under or beside a condition; or in a question."""
    anchor = _stated_by(relation)
    if anchor is None:
        return False
    if stance.supposed(anchor):
        return True
    if is_modal(anchor) and relation.group not in (Group.CONNECTIVE, Group.FORWARD, Group.CLAUSE):
        return True
    if str(anchor.sent.text).rstrip().endswith("?") or any(_is_condition(c) for c in anchor.children):
        return relation.cue not in cues.CONDITIONAL
    for _ in range(MAX_CLIMB):
        if _is_condition(anchor):
            return True
        if is_root(anchor):
            break
        anchor = anchor.head
    return False


def _is_condition(clause: Token) -> bool:
    return clause.dep_ == "advcl" and any(c.dep_ in ("mark", "advmod") and c.lower_ in _IFS for c in clause.children)


def _distinct(claims: list[CausalClaim]) -> list[CausalClaim]:
    """Without a claim that only repeats a better one before it: same cause and touching effects, or the other way round."""
    kept: list[CausalClaim] = []
    for claim in claims:
        if not any(_repeats(claim, better) for better in kept):
            kept.append(claim)
    return kept


def _repeats(claim: CausalClaim, better: CausalClaim) -> bool:
    same_cause, same_effect = claim.cause_text == better.cause_text, claim.effect_text == better.effect_text
    return (same_cause and _touch(claim.effect, better.effect)) or (same_effect and _touch(claim.cause, better.cause))


def _touch(one: Span | None, other: Span | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.start < other.end and other.start < one.end
