"""Kinds: what an observation is, told from its sentences: decision, preference, problem, plan, question and so on.

Each kind has cues with a strength; a sentence's best cue counts, a passage takes the strongest kind. Questions, quotations and
possibilities do not count as what they speak of.
"""

import re
from collections.abc import Sequence

from graph.extract.blocks import BlockKind
from graph.extract.parsing import Parsed
from graph.model.extraction import Decision, Passage
from graph.model.observations import ObservationKind as Kind

DEFAULT_CONFIDENCE = 0.5
_RANK = (  # ties are broken in this order
    Kind.CORRECTION, Kind.DECISION, Kind.PREFERENCE, Kind.DISCOVERY, Kind.PROBLEM, Kind.PLAN, Kind.MILESTONE, Kind.FEATURE,
    Kind.QUESTION, Kind.FACT, Kind.NOTE,
)  # fmt: skip


def _cues(*patterns: str) -> re.Pattern[str]:
    """A pattern for lower-case lines."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_STRONG: dict[Kind, re.Pattern[str]] = {
    Kind.CORRECTION: _cues(
        r"^\W{0,10}(?:correction|erratum)\b",
        r"^\W{0,10}actually,",
        r"\b(?:i|we) (?:was|were) (?:wrong|mistaken)\b",
        r"\bscratch that\b|\bi meant\b|\bnot what i (?:said|meant)\b",
        r"\b(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|true)|a mistake)\b",
        r"^\W{0,10}no, (?:it|that|this|the|he|she|they|we)\b",
        r"\bcontrary to what\b|\bi misspoke\b|\bshould (?:have been|read)\b.{0,60}\b(?:not|instead)\b",
    ),
    Kind.PREFERENCE: _cues(
        r"\b(?:i|we|he|she|they|users?) (?:\w+ )?(?:prefer|like|love|hate|dislike|enjoy|favou?r)[sd]?\b|\bcan't stand\b",
        r"\b\w+ prefers\b",
        r"\bmy favou?rite\b|\bi'd rather\b|\bi would rather\b|\b(?:please|always) (?:always|never|use)\b|"
        r"\bplease (?:don't|do not|never)\b",
        r"\bdon't ever\b|\bi (?:always|never) (?:want|use|take)\b|\bnot a fan of\b",
        r"喜欢|偏好|讨厌|不喜欢|好き|嫌い",
    ),
    Kind.DISCOVERY: _cues(
        r"\b(?:found|figured|find) out\b|\b(?:discovered|realised|realized|learned|learnt|noticed|identified)\b",
        r"\b(?:turns|turned) out\b|\broot cause\b|\b(?:we|i|they|he|she) (?:\w+ )?found (?:that|the|a)\b|"
        r"\bit appears that\b",
        r"\b(?:investigation|profiling|analysis|debugging|measurements?) (?:showed|shows|revealed|reveals)\b",
    ),
    Kind.PROBLEM: _cues(
        r"\b(?:fails?|failed|failing|failure|broke|broken|breaks|crash(?:es|ed|ing)?|outage|incident|regression|"
        r"deadlock|stuck|hangs?)\b",
        r"\b(?:bug|error|exception|traceback|segfault|timeouts?|timed out|memory leak|data loss|corrupt(?:ed|ion)?|"
        r"vulnerab\w+)\b",
        r"\b(?:doesn't|does not|didn't|did not|don't|won't) work\b|\b(?:problem|issue) (?:is|was|with)\b|\bcan(?:'t|"
        r"not) (?:connect|start|open|find|log)\b",
        r"^\W{0,10}fix(?:es|ed)?(?:\([^)]{1,40}\))?!?:?\s|故障|错误|崩溃|バグ|障害",
    ),
    Kind.PLAN: _cues(
        r"\b(?:will|'ll|going to|plans? to|planning to|intends? to|aims? to|scheduled (?:for|to))\b",
        r"^\W{0,10}(?:todo|to do|to-do|next steps?|action items?|roadmap)\b|\blet's\b|\b(?:next|tomorrow)\b.{0,30}\b(?:we|"
        r"i)\b|计划|打算|予定",
    ),
    Kind.MILESTONE: _cues(
        r"\b(?:released|shipped|launched|deployed|completed|finished|delivered|merged|published|graduated|celebrated|"
        r"passed|won)\b",
        r"\b(?:went|goes|is|are|now) live\b|\bis (?:now )?(?:done|complete|ready|out)\b|\b(?:reached|hit) \d|"
        r"\bfirst (?:release|customer|time)\b|上线|发布|完成",
    ),
    Kind.FEATURE: _cues(
        r"^\W{0,10}feat(?:ure)?(?:\([^)]{1,40}\))?!?:\s|\b(?:added|adds|implemented|implements|introduced|"
        r"introduces) (?:support|a|an|the|new)\b",
        r"\b(?:now|also) supports?\b|\bsupport for\b|\bfeature request\b|\bnew feature\b|\bcan now\b|^\W{0,10}(?:add|"
        r"implement|support|introduce)\b",
    ),
    Kind.QUESTION: _cues(
        r"^\W{0,10}(?:open )?(?:question|issue)s?\s{0,10}:|\bunclear (?:whether|how|why|if|what|who)\b|\b(?:tbd|to be decided|"
        r"to be determined)\b",
        r"\bwe (?:don't|do not) (?:yet )?know\b|\bopen question\b|\bremains to be seen\b|\bnot sure (?:whether|if|how|"
        r"why)\b|[?？]\W{0,10}$",
    ),
    Kind.FACT: _cues(r"\b(?:always|never|every)\b|总是|从不|一直|必ず"),
}  # fmt: skip
_STRENGTH = {
    Kind.CORRECTION: 0.8, Kind.PREFERENCE: 0.75, Kind.DISCOVERY: 0.7, Kind.PROBLEM: 0.65, Kind.PLAN: 0.6, Kind.MILESTONE: 0.6,
    Kind.FEATURE: 0.6, Kind.QUESTION: 0.7, Kind.FACT: 0.5,
}  # fmt: skip
_DECIDED = re.compile(r"决定|改用|选择|采用|決めた|採用|entschieden|decidido|décidé")
_OPEN_HEADING = re.compile(r"\bopen (?:questions?|issues?)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:no|not|never|without|n't|fixed|resolved|solved)\b|n't\b")
_POSSIBLE = re.compile(
    r"\b(?:if|might|could|would|should|may|maybe|perhaps|suppose|imagine|"
    r"hypothetically)\b",
    re.IGNORECASE,
)
_UNCERTAIN = frozenset((Kind.PROBLEM, Kind.MILESTONE, Kind.DISCOVERY, Kind.FEATURE, Kind.PLAN))
MAX_SENTENCES = 40  # of one passage that are looked at


def classify(parsed: Parsed, passage: Passage, decisions: Sequence[Decision]) -> tuple[Kind, float]:
    """The kind of an observation and how sure that is, in [0, 1]."""
    scores: dict[Kind, float] = {}
    if decisions:
        scores[Kind.DECISION] = 0.8
    prose = [s for s in parsed.sentences[:MAX_SENTENCES] if s.kind not in (BlockKind.QUOTE, BlockKind.CODE, BlockKind.FIELD)]
    lines = [" ".join(s.span.of(passage.text).split()) for s in prose]
    asked = sum(line.rstrip(" \"')*_").endswith(("?", "？")) for line in lines)
    if (lines and asked * 2 > len(lines)) or _OPEN_HEADING.search(passage.section):
        return Kind.QUESTION, 0.8
    for position, (sentence, line) in enumerate(zip(prose, lines, strict=True)):
        for kind, strength in _line_kinds(line):
            weight = strength - 0.02 * min(position, 5)
            scores[kind] = max(scores.get(kind, 0.0), weight)
        if _DECIDED.search(line):
            scores[Kind.DECISION] = 0.7
        if _states(parsed, sentence.index):
            scores.setdefault(Kind.FACT, 0.45)
    if not scores:
        return Kind.NOTE, DEFAULT_CONFIDENCE
    best = min(scores, key=lambda kind: (-round(scores[kind], 4), _RANK.index(kind)))
    return best, round(scores[best], 2)


def _line_kinds(line: str) -> list[tuple[Kind, float]]:
    """Kinds whose cues stand in a line, with their strength; a line that asks, denies or supposes says little."""
    question = line.rstrip(" \"')*_").endswith(("?", "？"))
    lowered = line.lower()
    found = []
    for kind, pattern in _STRONG.items():
        match = pattern.search(lowered)
        if match is None or (question and kind != Kind.QUESTION):
            continue
        before = lowered[max(0, match.start() - 40) : match.start()]
        if kind in _UNCERTAIN and (_DENIED.search(before) or _POSSIBLE.search(before)):
            continue
        found.append((kind, _STRENGTH[kind]))
    return found


def _states(parsed: Parsed, sentence: int) -> bool:
    """Whether a sentence is a statement: a finite main verb with a subject."""
    a, b = parsed.ranges[sentence]
    for token in parsed.doc[a:b]:
        if token.dep_ == "ROOT" and token.pos_ in ("VERB", "AUX") and token.tag_ in ("VBZ", "VBD", "VBP", "VBN"):
            return any(child.dep_ in ("nsubj", "nsubjpass", "expl", "csubj") for child in token.children)
    return False
