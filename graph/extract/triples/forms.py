"""From an open triple to its verb form, and from the form to a predicate of the vocabulary."""

import re
from dataclasses import dataclass

from spacy.tokens import Token

from graph.extract.names.kinds import TECHNOLOGIES
from graph.extract.triples.openie import OpenTriple
from graph.extract.triples.predicates import (
    BECAME,
    FORMS,
    HAS_STATUS,
    IS_A,
    LOCATED_IN,
    MIGRATED_TO,
    STATUS_WORDS,
    Form,
    Predicate,
)

_PLACES = ("GPE", "LOC", "FAC")
_LEMMAS = {"hat": "hate"}  # lemmas that the model's rules get wrong
_TIMES = ("DATE", "TIME")
_OF_PLACES = frozenset({"be base in", "run in", "stand in", "lie in"})
_OF_PEOPLE = frozenset({"maintain", "manage", "head", "lead", "run"})
STORED_IN = Predicate("stored_in")
_BY_RULE = {"apposition": IS_A, "place": LOCATED_IN}
BORN_ON = Predicate("born_on", functional=True)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A predicate with the token that its object hangs on (None: the object's words stay as they are)."""

    predicate: Predicate
    target: Token | None
    swapped: bool = False
    known: bool = True


def passive(verb: Token) -> bool:
    """Whether the verb is passive: by its auxiliary, or a bare participle behind a noun."""
    if any(child.dep_ == "auxpass" for child in verb.children):
        return True
    if verb.tag_ != "VBN":
        return False
    head = verb.head
    shared = verb.dep_ == "conj" and any(child.dep_ == "auxpass" for child in head.children)
    return shared or (verb.dep_ == "acl" and not any(child.dep_ == "aux" for child in verb.children))


def form_of(triple: OpenTriple) -> str:
    """The verb form: "be deploy to", "roll out to", "use"."""
    verb = triple.verb
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), "")
    words = [*(("be",) if passive(verb) else ()), verb.lemma_.lower(), particle]
    if triple.rule in ("preposition", "agent", "place") or (triple.rule == "copula" and triple.joined):
        words.append(triple.joined or triple.predicate.rsplit(" ", 1)[-1].lower())
    return " ".join(_LEMMAS.get(word, word) for word in words if word)


def meaning(triple: OpenTriple) -> Meaning:
    """What the triple says in terms of the vocabulary; else its verb form as a predicate of its own."""
    if triple.rule in _BY_RULE:
        return Meaning(_BY_RULE[triple.rule], triple.target)
    if triple.verb.lemma_ == "be" and not passive(triple.verb):
        return _copula(triple)
    form = form_of(triple)
    if triple.target is not None and triple.target.ent_type_ in _TIMES and triple.joined not in ("", "to"):
        born = form.startswith("be bear")
        return Meaning(BORN_ON if born else Predicate(_own_name(form), state=False), triple.target, known=born)
    found = _by_sense(triple, form) or FORMS.get(form)
    if found:
        return Meaning(found.predicate, triple.target, found.swapped)
    if not triple.object and passive(triple.verb) and triple.verb.lower_ in STATUS_WORDS:
        return Meaning(BECAME, triple.verb)
    return Meaning(Predicate(_own_name(form), state=False), triple.target, known=False)


def _own_name(form: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", form.lower()).strip("_") or "relates_to"


def _by_sense(triple: OpenTriple, form: str) -> Form | None:
    """Forms whose meaning depends on the object: one moves to a city, a system moves to a database."""
    target = triple.target
    place = target is not None and target.ent_type_ in _PLACES and target.lower_ not in TECHNOLOGIES
    if form in ("move to", "relocate to"):
        return Form(Predicate("lives_in", functional=True, state=False) if place else MIGRATED_TO)
    named = target is not None and (place or target.pos_ == "PROPN" or target.ent_type_ == "ORG")
    if form in _OF_PLACES and not place:
        return Form(Predicate(_own_name(form), state=False))
    if form in ("work for", "start at") and not named:
        return Form(Predicate(_own_name(form), state=False))
    if form in _OF_PEOPLE and triple.head.pos_ not in ("PROPN", "PRON"):
        return Form(Predicate(_own_name(form), state=False))
    if form in ("live in", "live under") and not place and triple.head.pos_ not in ("PROPN", "PRON"):
        return Form(STORED_IN)
    return None


def _copula_of_place(triple: OpenTriple) -> Meaning:
    """ "is in Rome", "is on version 2", "is down"."""
    below = (*triple.verb.children, *(triple.target or triple.verb).children)
    willing = any(token.dep_ in ("xcomp", "ccomp", "advcl") for token in below)  # "down to play"
    if triple.target is not None and triple.target.lower_ in STATUS_WORDS and not triple.joined and not willing:
        return Meaning(HAS_STATUS, triple.target)
    form = f"be {triple.joined}".strip()
    if triple.target is not None and triple.target.ent_type_ in _TIMES:
        return Meaning(Predicate(_own_name(form)), triple.target, known=False)
    named = triple.target is not None and (triple.target.ent_type_ in _PLACES or triple.target.pos_ == "PROPN")
    if form in ("be in", "be at") and named:
        return Meaning(LOCATED_IN, triple.target)
    found = FORMS.get(form) if form not in ("be in", "be at") else None
    if found:
        return Meaning(found.predicate, triple.target, found.swapped)
    return Meaning(Predicate(_own_name(form)), triple.target, known=False)


def _copula(triple: OpenTriple) -> Meaning:
    """ "is a", "is part of", "is responsible for", "is down", "is in"."""
    said = triple.said
    if said is None:
        return _copula_of_place(triple)
    for preposition in (child for child in said.children if child.dep_ == "prep"):
        found = FORMS.get(f"be {said.lemma_.lower()} {preposition.lower_}") or FORMS.get(
            f"be {said.lower_} {preposition.lower_}"
        )
        inner = next((child for child in preposition.children if child.dep_ == "pobj"), None)
        if found and inner is not None:
            return Meaning(found.predicate, inner, found.swapped)
    if said.dep_ == "acomp" or said.pos_ == "ADJ" or said.lower_ in STATUS_WORDS:
        governed = any(child.dep_ in ("xcomp", "ccomp") or child.lower_ in ("to", "with", "for") for child in said.children)
        governed = governed or any(child.dep_ == "xcomp" for child in triple.verb.children)
        known = said.lower_ in STATUS_WORDS and not governed
        return Meaning(HAS_STATUS if known else Predicate("is", state=True), said, known=known)
    measure = (
        said.pos_ in ("NUM", "SYM") or said.like_num or said.ent_type_ in ("MONEY", "PERCENT", "CARDINAL", "QUANTITY", *_TIMES)
    )
    return Meaning(Predicate("is") if measure else IS_A, said, known=not measure)
