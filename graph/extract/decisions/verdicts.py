"""Verdicts: sentences that decide something, by a verb of deciding whose subject may decide, or by where they stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spacy.tokens import Token

from graph.extract.blocks import BlockKind
from graph.extract.decisions import words
from graph.extract.parsing import Parsed
from graph.extract.sentences import Sentence
from graph.model.extraction import Passage
from graph.model.observations import Span

MAX_DECIDED_WORDS = 60
_DECISION_HEADING = re.compile(
    r"\b(?:decision|resolution|outcome|verdict|pronouncement|"
    r"rejection notice)s?\b",
    re.IGNORECASE,
)
_OPEN_HEADING = re.compile(
    r"\b(?:rejected|alternative|option|open|consider|driver|maker|question|process|log|"
    r"context)",
    re.IGNORECASE,
)
_DECISION_LINE = re.compile(r"(?:decision|decided|resolution|outcome|verdict)\s{0,10}[:–—-]\s{0,10}", re.IGNORECASE)
_STATUS_LINE = re.compile(
    r"\W{0,4}(?:status|state)\s{0,10}:\s{0,10}\W{0,3}(accepted|rejected|withdrawn|deferred|superseded|proposed|deprecated|"
    r"reverted|final|active|draft)\b",
    re.IGNORECASE | re.MULTILINE,
)
_STATES = {"final": "accepted", "active": "accepted", "draft": "proposed"}
_ORDER = re.compile(r"([a-z]{2,12}(?:\([\w./ -]{1,40}\))?!?:\s+)?([A-Za-z]{2,14})\s+(\S{1,60})(?:\s+(\S{1,60}))?")
_OPEN_MODALS = frozenset("should could would may might can must".split())
_BE = frozenset(("'m", "am", "are", "'re", "is", "'s"))
_JOINING = frozenset("so therefore hence thus consequently accordingly and but then finally".split())
_REASON_MARKS = frozenset(("because", "since", "as", "so", "cos"))
_IFS = frozenset(("if", "whether", "unless", "when", "until", "before"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """`decided` is what was decided, in readable words; `verb` the characters of the word that decides."""

    sentence: int
    decided: str
    status: str
    verb: Span


def verdicts(parsed: Parsed, passage: Passage) -> Iterator[Verdict]:
    """At most one per sentence, in the order of the text."""
    stated = stated_status(parsed.text)
    in_decision = bool(_DECISION_HEADING.search(passage.section)) and not _OPEN_HEADING.search(passage.section)
    first = True
    for sentence in parsed.sentences:
        if sentence.kind in (BlockKind.QUOTE, BlockKind.CODE):
            continue
        line = sentence.span.of(parsed.text)
        found = None if line.rstrip().endswith("?") else _by_line(sentence, line) or _by_verb(parsed, sentence)
        if (
            found is None
            and first
            and in_decision
            and _says_something(line)
            and sentence.kind == BlockKind.PROSE
            and not line.rstrip().endswith("?")
        ):
            found = Verdict(sentence.index, _readable(line), "decided", sentence.span)
        first = first and sentence.kind != BlockKind.PROSE
        if found is not None:
            yield found if stated is None or found.status != "decided" else _with_status(found, stated)


def stated_status(text: str) -> str | None:
    """The status that a header line of the text gives."""
    match = _STATUS_LINE.search(text[:2000])
    return _STATES.get(match[1].lower(), match[1].lower()) if match else None


def _with_status(verdict: Verdict, status: str) -> Verdict:
    return Verdict(verdict.sentence, verdict.decided, status, verdict.verb)


def _readable(line: str) -> str:
    return " ".join(line.replace("`", "").replace("*", "").split()[:MAX_DECIDED_WORDS]).rstrip(" .;:")


def _says_something(line: str) -> bool:
    """More than an address or a word."""
    return len(line.split()) > 1


def _by_line(sentence: Sentence, line: str) -> Verdict | None:
    """ "Decision: use X", or the first line of a change told as an order: "Use X instead of Y", "feat(db): switch to X"."""
    lead = _DECISION_LINE.match(line)
    if lead is not None and line[lead.end() :].strip():
        return Verdict(sentence.index, _readable(line[lead.end() :]), "decided", sentence.span)
    order = None if sentence.index or sentence.kind not in (BlockKind.PROSE, BlockKind.HEADING) else _ORDER.match(line)
    if order is None:
        return None
    verb, after = order[2].lower(), [(order[i] or "").lower() for i in (3, 4)]
    status = next((words.PHRASAL[verb, word] for word in after if (verb, word) in words.PHRASAL), words.STATUS.get(verb))
    if status is None and verb in words.CHOOSING | words.CHANGING | words.ORDERING and verb not in words.NEEDS_PARTNER:
        status = "decided"
    if status is None:
        return None
    at = Span(start=sentence.span.start + order.start(2), end=sentence.span.start + order.end(2))
    return Verdict(sentence.index, _readable(line[order.start(2) :]), status, at)


def _by_verb(parsed: Parsed, sentence: Sentence) -> Verdict | None:
    a, b = parsed.ranges[sentence.index]
    for token in parsed.doc[a:b]:
        status = _status(token)
        if status is not None and _holds(token) and _agreed(token):
            start, end = _clause(token, a, b)
            decided = " ".join(parsed.doc[start:end].text.split()[:MAX_DECIDED_WORDS]).strip(" .,;:")
            return Verdict(sentence.index, decided, status, parsed.span(token.i, token.i + 1))
    return None


def _status(verb: Token) -> str | None:
    """The state in which a verb of deciding leaves things; None for other words."""
    lemma = verb.lemma_.lower()
    if verb.pos_ not in ("VERB", "AUX") and not (verb.i == verb.sent.start and verb.tag_.startswith(("VB", "NN"))):
        return None
    for child in verb.children:
        if child.dep_ in ("prt", "prep", "advmod") and (found := words.PHRASAL.get((lemma, child.lower_))):
            return found
    if lemma in words.NEEDS_PARTNER:
        return None
    if lemma in words.STATUS:
        return words.STATUS[lemma]
    return "decided" if lemma in words.CHOOSING | words.CHANGING else None


def _holds(verb: Token) -> bool:
    """Not denied, not merely possible, not under a condition, and finite or an imperative."""
    helpers = [c for c in verb.children if c.dep_ in ("aux", "auxpass")]
    if any(c.dep_ == "neg" for c in verb.children) or any(c.lower_ in _OPEN_MODALS for c in helpers):
        return False
    if verb.dep_ in ("advcl", "relcl", "acl", "amod", "pcomp", "xcomp", "compound"):
        return False
    marks = {c.lower_ for c in verb.children if c.dep_ in ("mark", "advmod")}
    return not marks & _IFS


def _agreed(verb: Token) -> bool:
    """Whether the subject of a finite verb may decide: a speaker, a body, a name; or a record or choice that is decided on."""
    subjects = [c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass")]
    if not subjects and verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        subjects = [c for c in verb.head.children if c.dep_ in ("nsubj", "nsubjpass")]
    if not subjects:
        return False
    subject, lemma = subjects[0], verb.lemma_.lower()
    if subject.dep_ == "nsubjpass" or any(c.dep_ == "auxpass" for c in verb.children):
        past = any(c.dep_ == "auxpass" and c.lower_ in ("was", "were", "been", "got") for c in verb.children)
        return _is_done(verb) and (lemma in words.STATUS or (past and lemma in words.CHOOSING | {"replace", "drop"}))
    decides = subject.lower_ in words.SPEAKERS or subject.lemma_.lower() in words.BODIES
    decides = decides or subject.pos_ == "PROPN" or subject.ent_type_ == "PERSON"
    return decides and _is_done(verb) and (lemma not in words.CHANGING or _is_settled(verb))


def _is_done(verb: Token) -> bool:
    """Past, perfect, present of a verdict, or "will"."""
    helpers = {c.lower_ for c in verb.children if c.dep_ in ("aux", "auxpass")}
    if verb.tag_ == "VBN" and not helpers:
        return False
    return verb.tag_ in ("VBD", "VBN", "VBP", "VBZ") or "will" in helpers or "'ll" in helpers or bool(helpers & _BE)


def _is_settled(verb: Token) -> bool:
    """For verbs of change: told as done or as settled ("we switched", "we will use"), not as a habit ("we use")."""
    helpers = {c.lower_ for c in verb.children if c.dep_ in ("aux", "auxpass")}
    against = any(c.lower_ in ("instead", "rather") for c in verb.subtree)
    return verb.tag_ in ("VBD", "VBN") or bool(helpers & {"will", "'ll", *_BE}) or against


def _clause(verb: Token, a: int, b: int) -> tuple[int, int]:
    """The deciding clause without what gives its reasons."""
    below = list(verb.subtree)
    start, end = below[0].i, below[-1].i + 1
    for clause in (t for t in below if _is_reason(t, verb)):
        inside = list(clause.subtree)
        if inside[0].i > verb.i:
            end = min(end, inside[0].i)
        elif inside[-1].i < verb.i:
            start = max(start, inside[-1].i + 1)
    start = max(a, start)
    while start < verb.i and (verb.doc[start].lower_ in _JOINING or verb.doc[start].is_punct):
        start += 1
    return start, min(b, end)


def _is_reason(token: Token, verb: Token) -> bool:
    if token.dep_ == "prep":
        return token.lower_ in ("because", "due", "owing", "thanks")
    first = token.dep_ == "advcl" and (token.head.i == verb.i or token.i > verb.i)
    return first and any(m.dep_ == "mark" and m.lower_ in _REASON_MARKS for m in token.children)
