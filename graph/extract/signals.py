"""Passage signals: what a passage states, as log-odds per intent that a passage of this shape is the wanted one.

The weights were measured on decision records: a question about a record finds the record, and misses the passage in it that
holds the verdict or the reason, because that passage does not repeat the topic. Word lists are short and general; the
record's own label ("PEP 8: ...") is read from its title.
"""

import re
from dataclasses import dataclass
from math import log1p

from graph.extract.blocks import BlockKind
from graph.extract.parsing import Parsed
from graph.extract.references import own_label
from graph.model.extraction import Passage
from graph.model.questions import Intent

MAX_LENGTH_WORDS = 120  # beyond which a longer passage gains nothing
WEIGHTS: dict[Intent, dict[str, float]] = {
    Intent.WHY: {"verdict": 2.0, "fate": 1.0, "reason_heading": 1.0, "cause": 0.5, "length": 1.0, "header": -2.0},
    Intent.WHEN: {"date": 1.0, "change": 1.0},
    Intent.ENTITY: {"person": 1.0, "change": 1.0},
    Intent.WHAT: {"told": 1.0},
}

# All patterns below are for lower-case text on one line.
_REJECT = r"reject\w*|turn(?:ed|s|ing)? down|declin\w+|veto\w*|refus\w+|shot down|dismiss\w+|denied|ruled out"
_LEAVE = (
    r"withdr[ae]w\w*|abandon\w*|giv(?:e|en|ing) up|gave up|shelv\w+|call(?:ed|ing)? off|retract\w*|dropp?\w*|"
    r"cancel\w*|discontinu\w+"
)
_WAIT = r"defer\w*|postpon\w+|put off|on hold|park(?:ed|ing)|delay\w*|suspend\w*"
_ACCEPT = (
    r"accept\w*|approv\w+|adopt\w*|green[- ]?light\w*|pronounc\w+|agree\w*|consensus|decid\w+|decision|chos[e]\w*|"
    r"choos\w+|opt(?:ed)? (?:for|to)"
)
_REPLACE = (
    r"supersed\w+|replac\w+|in favou?r of|obsolet\w+|instead of|took the place|moved (?:to|from|behind)|"
    r"switch\w* (?:to|from)"
)
_UNDO = r"revert\w*|back(?:ed)? out|roll(?:ed)? back|undo|undone|remov\w+|deprecat\w+|delet\w+"
_CHANGE = re.compile(rf"\b(?:{'|'.join((_REJECT, _LEAVE, _WAIT, _ACCEPT, _REPLACE, _UNDO))})\b")
_END = re.compile(rf"\b(?:{'|'.join((_REJECT, _LEAVE, _WAIT))}|supersed\w+|in favou?r of|revert\w*)\b")
_RECORD_WORDS = (
    "proposal|document|change|feature|idea|commit|patch|approach|plan|decision|design|rfc|issue|request|syntax|notation|option|"
    "draft|record"
)
_BODIES = "council|committee|board|maintainers?|team|authors?|group|management|majority"
_PAST_VERDICT = (
    r"reject\w*|withdrawn|deferred|superseded|abandoned|retracted|accepted|approved|postponed|obsolete|declined|"
    r"reverted|replaced|dropped"
)
_VERDICT_VERB = (
    r"reject\w*|accept\w*|approv\w+|declin\w+|decid\w+|defer\w*|withdr\w+|abandon\w*|chose|agreed|did(?:n't|"
    r" not) feel|unable"
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|we)(?:'m| am|'ve| have| are|'re)? (?:\w+ ){0,2}?"
    r"(?:reject\w*|withdr\w+|accept\w*|defer\w*|abandon\w*|approv\w*|pronounc\w*|decid\w+|chose|agreed|opted|settled|"
    r"dropped|reverted)\b"
)
_HEADING_VERDICT = re.compile(
    r"reject|withdr|pronounc|accept|deferr|resolution|\bstatus\b|supersed|outcome|conclusion|decision|notice|abandon|"
    r"postpon|verdict"
)
_HEADING_PARTS = re.compile(
    r"idea|alternativ|proposal|suggestion|approach|option|feature|object|support|annotation|condition|quest|histor"
)
_HEADING_REASON = re.compile(
    r"reject|rational|motivat|\bwhy\b|reason|problem|background|justif|alternativ|discussion|comparison|history|"
    r"objection|criticis|"
    r"concern|goal|abstract|introduction|overview|pronounce|withdraw|defer|status|open issue|resolved|context|cause"
)
_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|thanks to|so that|in order to|as a result|therefore|thus|hence|consequently|"
    r"reasons?|"
    r"caus(?:e|ed|es|ing)|leads? to|led to|result(?:s|ed|ing)? in|which means|meaning that|otherwise|to avoid|"
    r"to prevent|prevents?|"
    r"avoid(?:s|ing)?|would (?:break|require|make|have|be)|without (?:breaking|a|the)|so (?:we|it|the|that)|"
    r"that'?s why|this is why|"
    r"motivated by|given that|necessary|needed|need to)\b"
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(
    r"\b(?:\d{1,2}[- ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*[- ,]+\d{4}|\d{4}-\d\d-\d\d"
    rf"|(?:{_MONTHS})\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?\d{{4}}|(?:19|20)\d\d)\b"
)


@dataclass(frozen=True, slots=True)
class _SelfWords:
    """Patterns by which a passage speaks of its own record."""

    itself: re.Pattern[str]
    verdict: re.Pattern[str]


def _self_words(label: str) -> _SelfWords:
    kinds = f"{re.escape(label.lower())}|{_RECORD_WORDS}" if label else _RECORD_WORDS
    return _SelfWords(
        itself=re.compile(
            rf"\b(?:th(?:is|e) (?:{kinds}|pr)|it has been|i(?:'m| am)|we(?:'ve| have)?|"
            rf"the (?:steering )?(?:{_BODIES})|its authors?)\b"
        ),
        verdict=re.compile(
            rf"\b(?:this|the) (?:\w+ )?(?:{kinds})\b[^.]{{0,40}}\b(?:has been|have been|had been|was|is|were|being|"
            rf"hereby)\b"
            rf"[^.]{{0,30}}\b(?:{_PAST_VERDICT})\b|\b(?:{_BODIES})\b[^.]{{0,60}}\b(?:{_VERDICT_VERB})\b"
        ),
    )


def signals(parsed: Parsed, passage: Passage) -> dict[str, float]:
    """The signals of a passage by name, each 0 or 1, except the length (natural log of its words)."""
    text, section = " ".join(passage.text.lower().split()), passage.section.lower()
    sentences = [" ".join(s.span.of(passage.text).lower().split()) for s in parsed.sentences]
    said = _self_words(own_label(passage.title))
    heading = bool(_HEADING_VERDICT.search(section)) and not _HEADING_PARTS.search(section)
    verdict = heading or any(said.verdict.search(s) or _FIRST_PERSON.search(s) for s in sentences)
    fate = any(_END.search(s) and said.itself.search(s) for s in sentences)
    found = {
        "verdict": verdict,
        "fate": fate,
        "told": verdict or fate,
        "reason_heading": _HEADING_REASON.search(section) is not None,
        "cause": _CAUSE.search(text) is not None,
        "header": is_header(parsed),
        "date": _DATE.search(text) is not None,
        "person": any(entity.label_ == "PERSON" for entity in parsed.doc.ents),
        "change": _CHANGE.search(text) is not None,
    }
    return {name: float(held) for name, held in found.items()} | {"length": log1p(min(len(text.split()), MAX_LENGTH_WORDS))}


def is_header(parsed: Parsed) -> bool:
    """Whether the passage is metadata: mostly lines of "Name: value"."""
    fields = sum(sentence.kind == BlockKind.FIELD for sentence in parsed.sentences)
    return fields >= 2 and fields * 2 > len(parsed.sentences)


def priors(parsed: Parsed, passage: Passage) -> dict[str, float]:
    """Log-odds per intent, by its name."""
    held = signals(parsed, passage)
    return {
        intent.value: round(sum(weight * held[name] for name, weight in weights.items()), 4)
        for intent, weights in WEIGHTS.items()
    }
