"""Causative verbs: X causes Y, Y was caused by X, the Y that X caused, X led to Y, Y stems from X."""

from collections.abc import Iterator

from spacy.tokens import Token

from graph.extract.causality import cues
from graph.extract.causality.lexicon import is_event, lemma
from graph.extract.causality.relations import Group, Relation
from graph.extract.causality.tree import children, passive_subject, prep_object, subject

_OBJECTS = ("dobj", "ccomp", "xcomp", "oprd")
_SPEAKERS = frozenset(("i", "you", "we", "he", "she", "they"))
_LOW_ATTACHMENT = frozenset(("of", "in", "on", "to", "at", "for"))


def find(token: Token, used: set[int]) -> Iterator[Relation]:
    """Relations whose cue is this verb; prepositions that belong to the cue are added to `used`."""
    cue, group = _causative(token)
    yield from _meaning(token)
    yield from _to_blame(token, used)
    if group is not None:
        used.update(p.i for p in _kept_from(token))
        yield from (_repaired(r) for r in _transitive(token, cue, group))
    for preposition in children(token, "prep", "dative", "agent", "prt"):
        if preposition.i not in used:
            yield from (_repaired(r) for r in _prepositional(token, preposition, used))


def _meaning(verb: Token) -> Iterator[Relation]:
    """X means that Y: Y follows from X."""
    told = children(verb, "ccomp") if lemma(verb) == "mean" else []
    cause = subject(verb) if told else None
    if cause is not None and told[0].i > verb.i and cause.lower_ not in _SPEAKERS:
        part = verb.dep_ == "advcl" and verb.tag_ == "VBG"
        pattern, effect = ("part", verb) if part else ("actcl", told[0])
        yield Relation("mean", Group.LINK, pattern, verb.i, 1, cause, effect, verb, (verb.i,))


def _to_blame(verb: Token, used: set[int]) -> Iterator[Relation]:
    """X is to blame for Y."""
    if lemma(verb) != "blame" or lemma(verb.head) != "be" or not children(verb, "aux"):
        return
    cause, preposition = subject(verb.head), next((p for p in children(verb, "prep") if p.lower_ == "for"), None)
    effect = prep_object(preposition) if preposition is not None else None
    if cause is not None and preposition is not None and effect is not None:
        used.add(preposition.i)
        yield Relation("blame for", Group.NOMINAL, "cop", verb.i, 1, cause, effect, verb.head, (verb.head.i,))


def _causative(verb: Token) -> tuple[str, Group | None]:
    word = lemma(verb)
    for particle in children(verb, "prt"):
        if (word, particle.lower_) in cues.PARTICLE_VERBS:
            return f"{word} {particle.lower_}", Group.STRONG
    if word in cues.STRONG_VERBS:
        return word, Group.STRONG
    return word, Group.WEAK if word in cues.WEAK_VERBS else None


def _kept_from(verb: Token) -> list[Token]:
    """The "from" of "prevent X from doing Y"."""
    if lemma(verb) not in cues.PREVENTING:
        return []
    return [p for p in children(verb, "prep") if p.lower_ == "from" and children(p, "pcomp")]


def _is_passive(verb: Token) -> bool:
    if verb.tag_ != "VBN":
        return False
    marked = bool(children(verb, "auxpass", "nsubjpass"))
    reduced = verb.dep_ in ("acl", "relcl", "amod", "advcl", "conj") and not children(verb, "aux", "dobj")
    return marked or reduced


def _agent(verb: Token) -> Token | None:
    for child in verb.children:
        if child.dep_ == "agent" or (child.dep_ == "prep" and child.lower_ == "by"):
            found = prep_object(child)
            if found is not None and found.pos_ not in ("ADV", "ADJ"):
                return found
    return None


def _transitive(verb: Token, cue: str, group: Group) -> Iterator[Relation]:
    objects = [c for c in children(verb, *_OBJECTS) if not (c.dep_ == "ccomp" and c.i < verb.i)]
    if _is_passive(verb):
        agent = _agent(verb)
        if agent is not None:
            effect = passive_subject(verb) or verb
            yield Relation(cue, group, "pass", verb.i, 1, agent, effect, verb, cut_effect=(verb.i,))
    elif objects:
        cause, effect = subject(verb), objects[0]
        if cause is not None and cause.i != effect.i:
            pattern = _active_pattern(verb, effect)
            yield Relation(cue, group, pattern, verb.i, 1, cause, verb if pattern == "part" else effect, verb, (verb.i,))
    elif verb.dep_ == "relcl" and group == Group.STRONG:
        own = children(verb, "nsubj")
        if own and own[0].lower_ not in ("that", "which", "who"):
            yield Relation(cue, group, "objrel", verb.i, 1, own[0], verb.head, verb, cut_effect=(verb.i,))


def _active_pattern(verb: Token, effect: Token) -> str:
    if verb.dep_ == "advcl" and verb.tag_ == "VBG":
        return "part"
    if verb.dep_ == "relcl":
        return "rel"
    if verb.dep_ == "acl":
        return "acl"
    return "actcl" if effect.dep_ in ("xcomp", "ccomp") else "act"


def _prepositional(verb: Token, preposition: Token, used: set[int]) -> Iterator[Relation]:
    found = prep_object(preposition)
    key = (lemma(verb), preposition.lower_)
    if found is None:
        return
    cue = " ".join(key)
    if key in cues.TO_EFFECT and (cause := subject(verb)) is not None:
        part = verb.dep_ == "advcl" and verb.tag_ == "VBG"
        used.add(preposition.i)
        pattern, effect = ("part", verb) if part else ("act", found)
        yield Relation(cue, Group.LINK, pattern, verb.i, 1, cause, effect, verb, (verb.i,))
    if key in cues.FROM_CAUSE and preposition.i not in used:
        own = children(verb, "dobj")
        effect = own[0] if own else passive_subject(verb) or verb
        used.add(preposition.i)
        yield Relation(cue, Group.ORIGIN, "obj" if own else "act", verb.i, 1, found, effect, verb, cut_effect=(verb.i,))


def _repaired(relation: Relation) -> Relation:
    """In "pressure on the cord caused by X" the participle hangs too low: a thing under a happening gives way to it."""
    effect = relation.effect
    if effect is None or relation.pattern not in ("pass", "act") or relation.verb is None:
        return relation
    if relation.group == Group.LINK or relation.verb.dep_ not in ("acl", "relcl"):
        return relation
    for _ in range(3):
        preposition = effect.head
        low = effect.dep_ == "pobj" and preposition.dep_ == "prep" and preposition.lower_ in _LOW_ATTACHMENT
        if is_event(effect) or not low or preposition.head.pos_ != "NOUN":
            break
        effect = preposition.head
    if is_event(effect):
        relation.effect = effect
    return relation
