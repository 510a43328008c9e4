"""Triples of the vocabulary: open triples with their predicate, their persons, their mood and their time."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from spacy.tokens import Doc, Token

from graph.extract.parsing import Parsed
from graph.extract.triples.forms import Meaning, meaning, passive
from graph.extract.triples.modality import Modality, modality
from graph.extract.triples.openie import OpenTriple, open_triples
from graph.extract.triples.persons import author_of, core, named, unowned
from graph.extract.triples.phrases import CLAUSES, conjuncts, subtree
from graph.extract.triples.predicates import (
    BECAME,
    HAS_VALUE,
    MAX_SPEECH,
    MIGRATED_TO,
    OWNED_BY,
    STATUS_WORDS,
    THOUGHTS,
    USES,
    Predicate,
    functional,
)
from graph.extract.triples.validity import Timed, Validity, times_of, validity
from graph.model.extraction import Passage, Triple

_OF_THE_SUBJECT = frozenset({"sold", "owned_by", "bought", "has", "lost", "left", "uses"})  # whose "my car" is a car
MIGRATED_FROM = Predicate("migrated_from", state=False)
MAX_TRIPLES = 200
MAX_SUBJECT_WORDS = 10
MAX_OBJECT_WORDS = 24
HYPOTHETICAL = 0.6  # share of its confidence that a fact keeps when it is only thought of
REPORTED = 0.8
UNKNOWN_FORM = 0.9


@dataclass(frozen=True, slots=True)
class _Context:
    doc: Doc
    passage: Passage
    author: str
    times: list[Timed]


def find(parsed: Parsed, passage: Passage) -> tuple[Triple, ...]:
    """Triples of a passage in the order of the text, at most MAX_TRIPLES, each once a sentence.

    Subjects and objects hold only words of their sentence, but for the author, who stands for "I" and "my". What names nobody
    ("it", "they") gives nothing. What is asked or only thought of is hypothetical; what is over has an end.
    """
    doc = parsed.doc
    if not len(doc):
        return ()
    context = _Context(doc, passage, author_of(passage), times_of(doc, passage))
    starts = [(start, sentence.index) for sentence, (start, _) in parsed.parsed_sentences()]
    found: dict[tuple[str, str, str, int], Triple] = {}
    for one in sorted(open_triples(doc), key=lambda triple: triple.verb.i):
        sentence = starts[bisect_right(starts, one.verb.i, key=itemgetter(0)) - 1][1]
        for triple in _triples(one, sentence, context):
            found.setdefault((triple.subject, triple.predicate, triple.object, sentence), triple)
        if len(found) >= MAX_TRIPLES:
            break
    return tuple(found.values())


def _triples(one: OpenTriple, sentence: int, context: _Context) -> Iterator[Triple]:
    if _speech(one, context):
        return
    sense = meaning(one)
    if _empty(one, sense):
        return
    mode = modality(one.verb, sense.target)
    when = validity(one.verb, sense.predicate, mode, context.times, context.passage)
    object_ = _object(one, sense, context)
    told = _Told(one, sentence, mode, when)
    for subject in _subjects(one, context) if object_ else ():
        for head, predicate, tail in _directed(one, sense, subject, object_, context):
            yield told.triple(head, predicate, tail, sense.known)
        if not (mode.hypothetical or mode.negated or mode.ended):
            yield from _consequences(told, sense, subject, object_, context)


def _subjects(one: OpenTriple, context: _Context) -> list[str]:
    """The subject, or each name of several: "Ana and Bo work at X" is told of both."""
    several = conjuncts(one.head) if one.rule not in ("apposition", "place") else []
    if len(several) > 1 and all(token.pos_ in ("PROPN", "PRON") for token in several):
        found = [named(core(token), context.doc, context.author) for token in several]
    else:
        found = [named(_subject_tokens(one), context.doc, context.author)]
    return [name for name in found if name and len(name.split()) <= MAX_SUBJECT_WORDS]


def _consequences(told: "_Told", sense: Meaning, subject: str, object_: str, context: _Context) -> Iterator[Triple]:
    """States that an event begins and ends: who moves from A to B used A and uses B; who sells a thing owned it."""
    name, verb, passage = sense.predicate.name, told.one.verb, context.passage
    if name == "sold":
        yield told.closing(object_, OWNED_BY, subject, passage)
    elif name in ("migrated_from", "migrated_to"):
        other = _named_behind(verb, "to" if name == "migrated_from" else "from", context)
        old, new = (object_, other) if name == "migrated_from" else (other, object_)
        if other:
            yield told.triple(subject, MIGRATED_TO if name == "migrated_from" else MIGRATED_FROM, other, known=True)
        yield from _used(told, subject, old, new, passage)
    elif name == "replaced" and not sense.swapped and subject in ("we", context.author):
        yield from _used(told, subject, object_, _named_behind(verb, "with", context), passage)
    elif name in ("uses", "adopted", "removed"):
        old, new = _instead(told.one, object_, context)
        if old or new:
            yield from _used(told, subject, old, new, passage)
    elif told.one.rule in ("object", "conjunct"):
        yield from _set(told, object_, context)
    if told.one.rule in ("agent", "preposition") and verb.lower_ in STATUS_WORDS and passive(verb):
        yield told.triple(subject, BECAME, verb.text, known=True)


def _used(told: "_Told", subject: str, old: str, new: str, passage: Passage) -> Iterator[Triple]:
    if old:
        yield told.closing(subject, USES, old, passage)
    if new:
        yield told.triple(subject, USES, new, known=True)


def _instead(one: OpenTriple, object_: str, context: _Context) -> tuple[str, str]:
    """(what is not used any more, what is used now) of "Y instead of X" and "dropped X in favor of Y"."""
    removed = one.verb.lemma_ in ("drop", "remove", "deprecate", "retire", "abandon")
    lead = ("favor", "favour", "place") if removed else ("instead", "place")
    for token in one.verb.subtree:
        if token.i > one.verb.i and token.lower_ in lead and token.i + 1 < len(token.doc) and token.nbor().lower_ == "of":
            inner = next((child for child in token.nbor().children if child.dep_ in ("pobj", "pcomp")), None)
            other = named(core(inner), context.doc, context.author) if inner is not None and inner.pos_ != "VERB" else ""
            return ((object_, other) if removed else (other, object_)) if other else ("", "")
    return "", ""


def _set(told: "_Told", object_: str, context: _Context) -> Iterator[Triple]:
    """The state of what was enabled, turned off, or set to a value."""
    verb = told.one.verb
    particle = next(
        (child for child in verb.children if child.dep_ in ("prt", "advmod", "acomp", "oprd") and child.i > verb.i), None
    )
    if verb.lemma_ in ("turn", "switch", "flip", "shut") and particle is not None and particle.lower_ in ("on", "off", "down"):
        yield told.triple(object_, BECAME, particle.text, known=True)
    elif verb.lemma_ in ("set", "change", "raise", "lower", "increase", "reduce", "bump"):
        value = _named_behind(verb, "to", context)
        if value:
            yield told.triple(object_, HAS_VALUE, value, known=True)
    elif particle is None and verb.lower_ in STATUS_WORDS and verb.tag_ in ("VBD", "VBN"):
        yield told.triple(object_, BECAME, verb.text, known=True)


def _named_behind(verb: Token, preposition: str, context: _Context) -> str:
    """What the verb's preposition governs, also where the parser hung it on the preposition or object before."""
    near = [child for child in verb.subtree if child.dep_ == "prep" and child.lower_ == preposition and child.i > verb.i]
    inner = next((child for one in near[:1] for child in one.children if child.dep_ == "pobj"), None)
    if inner is None or inner.ent_type_ in ("DATE", "TIME"):
        return ""
    return named(core(inner), context.doc, context.author)


@dataclass(frozen=True, slots=True)
class _Told:
    """What all triples of one open triple share."""

    one: OpenTriple
    sentence: int
    mode: Modality
    when: Validity

    def triple(self, subject: str, predicate: Predicate, object_: str, known: bool) -> Triple:
        confidence = self.one.confidence * (1 if known else UNKNOWN_FORM)
        confidence *= (HYPOTHETICAL if self.mode.hypothetical else 1) * (REPORTED if self.mode.reported else 1)
        ended_unknown = self.mode.ended and self.when.end is None
        return Triple(
            subject=subject,
            predicate=predicate.name,
            phrase=self.one.predicate,
            object=object_,
            sentence=self.sentence,
            confidence=round(confidence, 3),
            functional=functional(predicate.name),
            negated=self.mode.negated or ended_unknown,
            hypothetical=self.mode.hypothetical,
            valid_from=self.when.start,
            valid_to=self.when.end,
        )

    def closing(self, subject: str, predicate: Predicate, object_: str, passage: Passage) -> Triple:
        """The state that an event ends: who sold a thing owned it until then."""
        end = self.when.start or passage.authored_at
        return self.triple(subject, predicate, object_, known=True).model_copy(
            update={"valid_from": None, "valid_to": end, "negated": end is None}
        )


def _empty(one: OpenTriple, sense: Meaning) -> bool:
    """What says nothing by itself: an aside that is no "Ana, the lead", a feeling with its reason cut off, a thought."""
    if one.rule == "apposition":
        said = one.target
        introduced = said is not None and any(child.dep_ in ("det", "poss", "compound") for child in said.children)
        return not (introduced and one.head.pos_ == "PROPN" and _comma_between(one))
    if one.said is not None and not sense.known and one.said.dep_ == "acomp":
        return any(child.dep_ in ("prep", "xcomp", "ccomp", "advcl") for child in one.said.children)
    return not sense.known and one.rule != "clause" and one.verb.lemma_ in THOUGHTS


def _comma_between(one: OpenTriple) -> bool:
    return one.target is not None and one.head.doc[one.target.left_edge.i - 1].text == ","


def _speech(one: OpenTriple, context: _Context) -> bool:
    """Thoughts and reports whose content is told by its own clause, unless a named person reports."""
    if one.rule != "clause" or one.verb.lemma_ not in THOUGHTS:
        return False
    return one.verb.lemma_ not in MAX_SPEECH or not named(_subject_tokens(one), context.doc, "")


def _subject_tokens(one: OpenTriple) -> list[Token]:
    if one.rule == "place":
        return [token for token in core(one.head) if token.i < one.verb.i]
    return core(one.head, coordinated=one.rule != "apposition")


def _object(one: OpenTriple, sense: Meaning, context: _Context) -> str:
    """The object's own phrase where it has a head, else the words of the open triple."""
    target = sense.target
    if target is None:
        return " ".join(one.object.split()[:MAX_OBJECT_WORDS])
    if target is one.verb:
        return target.text
    if target.pos_ == "PRON":
        return named([target], context.doc, context.author)
    tokens: Sequence[Token] = core(target) or [target]
    if target.dep_ == "acomp" or target.pos_ == "ADJ":
        tokens = subtree(target, without=(*CLAUSES, "prep", "xcomp", "conj", "cc"))
    if sense.predicate.name in _OF_THE_SUBJECT or tokens[0].lower_ in ("his", "her", "their", "its"):
        tokens = unowned(tokens)
    return named(tokens[:MAX_OBJECT_WORDS], context.doc, context.author)


def _directed(
    one: OpenTriple, sense: Meaning, subject: str, object_: str, context: _Context
) -> Iterable[tuple[str, Predicate, str]]:
    """(subject, predicate, object) in the predicate's own direction; "replaced A with B" is B replaced A."""
    if sense.predicate.name == "replaced" and not sense.swapped:
        other = next((child for child in one.verb.children if child.dep_ == "prep" and child.lower_ in ("with", "by")), None)
        inner = next((child for child in other.children if child.dep_ == "pobj"), None) if other is not None else None
        if inner is not None:
            by = named(core(inner), context.doc, context.author)
            return [(by, sense.predicate, object_)] if by else []
    pair = (object_, subject) if sense.swapped else (subject, object_)
    return [(pair[0], sense.predicate, pair[1])]
