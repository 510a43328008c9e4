"""Open triples of a parse: for each verb its subject, predicate and object as the sentence words them; appositions.

Rules and their measured worth follow a probe over CaRB (Bhardwaj, Aggarwal and Mausam 2019); ClausIE (Del Corro and Gemulla
2013) names the same clause types.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spacy.tokens import Doc, Token

from graph.extract.triples.clauses import Clause, clause_of
from graph.extract.triples.phrases import ASIDES, VERBAL, conjuncts, first_conjunct, predicate, subtree, text_of, trimmed
from graph.extract.triples.subjects import Source, subject_of

REPORTS = frozenset("say tell claim believe think report argue suggest note add announce expect know show find".split())
_PARTITIVES = frozenset({"one", "part", "member", "some", "any", "many", "most", "two", "three"})
_QUOTES = ("``", '"', "“")


@dataclass(frozen=True, slots=True)
class OpenTriple:
    """`predicate` holds no invented word; an apposition has none and is `implied`. `head` and `target` are the tokens that
    the subject and the object hang on (None: the object is a clause or empty); `joined` is the preposition that the predicate
    took in, `said` what a copula says, `told_by` who reports it and how ("officials said").
    `confidence` is the rule's own precision.
    """

    subject: str
    predicate: str
    object: str
    verb: Token
    head: Token
    target: Token | None
    rule: str
    confidence: float
    implied: bool = False
    joined: str = ""
    said: Token | None = None
    told_by: str = ""


_CONFIDENCE = {
    "object": 0.62,
    "conjunct": 0.77,
    "copula": 0.58,
    "preposition": 0.68,
    "agent": 0.76,
    "clause": 0.73,
    "adverb": 0.5,
    "before": 0.5,
    "bare": 0.44,
    "apposition": 0.52,
    "place": 0.45,
}


def open_triples(doc: Doc) -> list[OpenTriple]:
    """Triples in the order of their verbs, then appositions."""
    found: list[OpenTriple] = []
    for token in doc:
        if token.pos_ in VERBAL and token.dep_ not in ("aux", "auxpass", "amod", "compound"):
            found += _of_verb(token)
    for token in doc:
        found += _apposition(token)
        found += _place(token)
    return found


def _of_verb(verb: Token) -> Iterator[OpenTriple]:
    subject = subject_of(verb)
    if subject is None or not subject.tokens:
        return
    clause = clause_of(verb, subject)
    phrase = f"{_control_words(clause)} {text_of(predicate(verb))}".strip()
    for one in _readings(clause, phrase):
        if one.subject and one.predicate:
            yield one


def _control_words(clause: Clause) -> str:
    """ "wants" of "wants to buy", "is able" of "is able to buy": what governs the verb without an object of its own."""
    verb, head = clause.verb, clause.verb.head
    if clause.subject.source is not Source.CONTROL or verb.dep_ != "xcomp":
        return ""
    if head.dep_ == "acomp":
        return f"{text_of(predicate(head.head))} {text_of(_adjective(head))}"
    if head.pos_ not in VERBAL or any(child.dep_ == "dobj" for child in head.children):
        return ""
    return text_of(predicate(head))


def _adjective(head: Token) -> list[Token]:
    """A predicative adjective with its adverbs, without what it governs."""
    return subtree(head, without=("prep", "xcomp", "ccomp", "conj", "cc", "punct", "advcl"))


def _readings(clause: Clause, phrase: str) -> Iterator[OpenTriple]:
    """The first of: objects, a complement clause, a preposition, an adverb, what stands before, nothing."""
    antecedent = _antecedent(clause)
    if clause.objects or antecedent is not None:
        single = clause.objects[0] if len(clause.objects) == 1 else None
        joined = _joined_copula(clause, phrase, single) if single is not None else None
        yield from [joined] if joined else _with_objects(clause, phrase, antecedent)
    elif clause.complements:
        yield from _with_complement(clause, phrase, clause.complements[0])
    elif clause.after:
        yield from _with_preposition(clause, phrase)
    else:
        before = [token for token in (*clause.prepositions, *clause.adverbs) if token.i < clause.verb.i]
        rule = "before" if before else "bare"
        yield _triple(clause, phrase, " ".join(_phrase(clause, token) for token in before[:1]), None, rule)


def _joined_copula(clause: Clause, phrase: str, said: Token) -> OpenTriple | None:
    """ "is known for | X", "was one of | X", "was successful |": what is said joins the predicate."""
    prepositions = [child for child in said.children if child.dep_ == "prep"]
    if said.dep_ == "acomp":
        if any(child.dep_ in ("xcomp", "ccomp", "advcl") for child in said.children):
            return None
        words = f"{phrase} {text_of(_adjective(said))}"
        if not prepositions:
            rest = _tail(clause, clause.after) + _opening(clause)
            return _triple(clause, words, rest, said, "copula")
    elif said.dep_ == "attr" and said.lower_ in _PARTITIVES and prepositions and prepositions[0].lower_ == "of":
        words = f"{phrase} {text_of(t for t in subtree(said) if t.i < prepositions[0].i)}"
    else:
        return None
    first, *others = prepositions
    inner = _complement_of(first)
    if inner is None:
        return None
    rest = _phrase(clause, inner) + _tail(clause, [*others, *clause.after]) + _opening(clause)
    return _triple(clause, f"{words} {first.text}", rest, inner, "copula", joined=first.lower_)


def _with_complement(clause: Clause, phrase: str, complement: Token) -> Iterator[OpenTriple]:
    """ "said that | the cache was cold": the conjunction goes with the predicate."""
    if complement.dep_ != "ccomp":
        return
    marks = [child for child in complement.children if child.dep_ == "mark" and child.lower_ == "that"]
    words = [token for token in complement.subtree if token not in marks]
    yield _triple(clause, phrase + (" that" if marks else ""), text_of(trimmed(words)), None, "clause")


def _antecedent(clause: Clause) -> Token | None:
    """The noun that a relative clause with its own subject is about: "the book that Ana wrote"."""
    if clause.verb.dep_ != "relcl" or clause.subject.source is not Source.OWN or clause.complements:
        return None
    return clause.verb.head if clause.object_is_relative or not clause.objects else None


def _phrase(clause: Clause, token: Token) -> str:
    """A dependent's words; a relative pronoun stands for its antecedent."""
    if clause.verb.dep_ == "relcl" and token.lower_ in ("which", "who", "whom", "that") and token.tag_ in ("WDT", "WP"):
        return text_of(subtree(clause.verb.head))
    return text_of(subtree(token, without=("parataxis",)))


def _tail(clause: Clause, tokens: Iterable[Token]) -> str:
    return "".join(" " + _phrase(clause, token) for token in tokens)


def _opening(clause: Clause) -> str:
    """A preposition or time before the subject, told after the object; a later verb of the sentence shares it."""
    edge = min([clause.verb.i, *(token.i for token in clause.subject.tokens)])
    verbs = [clause.verb]
    if clause.subject.source is Source.SHARED:
        verbs.append(first_conjunct(clause.verb))
    for verb in verbs:
        before = [child for child in verb.children if child.i < edge and child.dep_ in ("prep", "agent", "npadvmod")]
        if before:
            return _tail(clause, before[:1])
    return ""


def _with_objects(clause: Clause, phrase: str, antecedent: Token | None) -> Iterator[OpenTriple]:
    tail = _tail(clause, clause.after) + _opening(clause)
    objects = [] if antecedent is not None else sorted(clause.objects, key=lambda token: token.i)
    if antecedent is not None:
        yield _triple(clause, phrase, text_of(subtree(antecedent)) + tail, antecedent, "object")
        return
    if objects[0].dep_ not in ("attr", "acomp"):
        later = [one for one in clause.complements if one.i > clause.verb.i and one.dep_ == "xcomp"]
        tail = "".join(" " + text_of(trimmed(list(one.subtree))) for one in later) + tail
    several = conjuncts(objects[0]) if len(objects) == 1 else []
    if len(several) > 1:
        for one in several:
            yield _triple(clause, phrase, text_of(subtree(one, coordinated=False)) + tail, one, "conjunct")
        return
    rule = "copula" if objects[0].dep_ in ("attr", "acomp") else "object"
    words = " ".join(_phrase(clause, token) for token in objects)
    yield _triple(clause, phrase, words + tail, objects[-1] if rule == "object" else objects[0], rule)


def _complement_of(preposition: Token) -> Token | None:
    return next((child for child in preposition.children if child.dep_ in ("pobj", "pcomp", "prep")), None)


def _of_time(preposition: Token) -> bool:
    """Whether a preposition leads to a date: it says when, and another one says what."""
    inner = _complement_of(preposition)
    return inner is not None and inner.ent_type_ in ("DATE", "TIME") and preposition.lower_ != "to"


def _with_preposition(clause: Clause, phrase: str) -> Iterator[OpenTriple]:
    prepositions = [token for token in clause.after if token.dep_ in ("prep", "agent")]
    first = next((token for token in prepositions if not _of_time(token)), prepositions[0] if prepositions else None)
    if first is None:
        target = clause.after[0] if len(clause.after) == 1 and clause.after[0].dep_ != "advcl" else None
        yield _triple(clause, phrase, " ".join(_phrase(clause, token) for token in clause.after), target, "adverb")
        return
    inner = _complement_of(first)
    if inner is None:
        return
    rule = "agent" if first.dep_ == "agent" else "preposition"
    tail = _tail(clause, [token for token in clause.after if token is not first]) + _opening(clause)
    several = conjuncts(inner) if inner.dep_ == "pobj" and first.lower_ != "between" else []
    if len(several) > 1:
        for one in several:
            words = text_of(subtree(one, without=ASIDES, coordinated=False)) + tail
            yield _triple(clause, f"{phrase} {first.text}", words, one, rule, joined=first.lower_)
        return
    yield _triple(clause, f"{phrase} {first.text}", _phrase(clause, inner) + tail, inner, rule, joined=first.lower_)


def _triple(clause: Clause, phrase: str, object_: str, target: Token | None, rule: str, *, joined: str = "") -> OpenTriple:
    said = next((one for one in clause.objects if one.dep_ in ("attr", "acomp")), None)
    return OpenTriple(
        subject=text_of(clause.subject.tokens),
        predicate=phrase,
        object=object_.strip(),
        verb=clause.verb,
        head=clause.subject.head,
        target=target,
        rule=rule,
        confidence=_CONFIDENCE[rule],
        joined=joined,
        said=said,
        told_by=_attribution(clause.verb),
    )


def _attribution(verb: Token) -> str:
    """The clause that reports this one (OLLIE's attribution; Mausam et al. 2012): "Treasury officials said"."""
    first = first_conjunct(verb)
    if first.dep_ != "ccomp" or first.head.lemma_ not in REPORTS:
        return ""
    teller = subject_of(first.head)
    return f"{text_of(teller.tokens)} {text_of(predicate(first.head))}" if teller else ""


def _apposition(token: Token) -> Iterator[OpenTriple]:
    """ "Ana, the lead of the team": the proper noun is what the common noun says."""
    if token.dep_ != "appos" or token.head.pos_ not in ("NOUN", "PROPN") or token.pos_ not in ("NOUN", "PROPN"):
        return
    if token.left_edge.text in _QUOTES:
        return
    named, said = token.head, token
    if said.pos_ == "PROPN" and named.pos_ == "NOUN":
        named, said = said, named
    yield OpenTriple(
        subject=text_of(subtree(named, coordinated=False)),
        predicate="",
        object=text_of(subtree(said)),
        verb=token,
        head=named,
        target=said,
        rule="apposition",
        confidence=_CONFIDENCE["apposition"],
        implied=True,
    )


def _place(token: Token) -> Iterator[OpenTriple]:
    """ "Ballard School in Louisville": a name in or at a name."""
    inner = _complement_of(token) if token.dep_ == "prep" and token.lower_ in ("in", "at") else None
    if inner is None or token.head.pos_ != "PROPN" or inner.pos_ != "PROPN":
        return
    named = trimmed([one for one in subtree(token.head, coordinated=False) if one.i < token.i])
    if named:
        yield OpenTriple(
            subject=text_of(named),
            predicate=token.text,
            object=text_of(subtree(inner)),
            verb=token,
            head=token.head,
            target=inner,
            rule="place",
            confidence=_CONFIDENCE["place"],
        )
