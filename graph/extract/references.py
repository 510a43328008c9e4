"""References to other records: "PEP 495", "ADR-12", "#123", a commit's hash; and how they stand to this one.

Labels are learned by their shape, never listed. A relation other than "cites" needs a header field of that name, or a verb of
this record: "This reverts commit ...", "Replaces #12", "This proposal was superseded by ADR 7". What a sentence says of
other records only cites them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph.extract.blocks import BlockKind
from graph.extract.parsing import Parsed
from graph.extract.sentences import Sentence
from graph.model.extraction import Passage, Reference, ReferenceKind
from graph.model.observations import Span

MAX_REFERENCES = 200  # of one passage
_GAP_CHARS = 90  # between a verb and the last of its objects

_MENTION = re.compile(
    r"(?<![\w#])(?:"
    r"(?::(?P<role>[a-z]{2,10}):`(?:[^`<]{0,80}<)?(?P<roled>\d{1,6})(?:[#>][^`]{0,80})?`)"
    r"|(?P<label>[A-Z][A-Z]{1,9})s?(?:[ -]|\s?#)0*(?P<number>\d{1,6})\b(?!\.\d)"
    r"|(?:(?:[Ii]ssue|[Bb]ug|[Tt]icket|[Pp]ull [Rr]equest|[Mm]erge [Rr]equest)s? #?(?P<issue>\d{1,7})\b)"
    r"|(?:[\w.-]{1,60}/[\w.-]{1,60})?#(?P<hash>\d{1,7})\b"
    r"|(?P<sha>(?=[0-9]{0,39}[a-f])(?=[a-f]{0,39}[0-9])[0-9a-f]{7,40})\b(?!-)"
    r"|(?P<file>\d{3,5}-[A-Za-z][\w-]{2,80}\.(?:md|rst|txt|adoc))\b)"
    r"|/(?:issues|pull|merge_requests)/(?P<url>\d{1,7})\b"
)
_MORE = re.compile(r"(?:,|,? and|,? or|&|/)\s{0,10}#?0*(\d{1,6})\b(?![.\d])")
_FIELD = re.compile(r"\A\W{0,4}(?P<name>[A-Za-z][A-Za-z -]{2,24}?)\s{0,10}::?\s{0,10}(?P<value>.*)\Z", re.DOTALL)
_BARE = re.compile(r"(?<![\w.#-])#?0*(\d{1,6})(?![\w.])")
_OWN_LABEL = re.compile(r"\A\W{0,10}([A-Za-z]{2,10})[ -]?#?0*\d{1,6}\b")
_NOT_LABELS = frozenset(
    "UTF ISO SHA HTTP HTTPS TLS SSL MD RSA AES IPV UTC GMT COVID GPT USD EUR CPU GPU RAM VERSION PY CP".split()
)

_FIELD_KINDS = {
    "superseded by": ReferenceKind.SUPERSEDED_BY,
    "superseded": ReferenceKind.SUPERSEDED_BY,
    "replaced by": ReferenceKind.SUPERSEDED_BY,
    "obsoleted by": ReferenceKind.SUPERSEDED_BY,
    "supersedes": ReferenceKind.SUPERSEDES,
    "replaces": ReferenceKind.SUPERSEDES,
    "obsoletes": ReferenceKind.SUPERSEDES,
    "requires": ReferenceKind.REQUIRES,
    "depends on": ReferenceKind.REQUIRES,
    "dependencies": ReferenceKind.REQUIRES,
    "blocked by": ReferenceKind.REQUIRES,
    "reverts": ReferenceKind.REVERTS,
    "refs": ReferenceKind.CITES,
    "see also": ReferenceKind.CITES,
    "related": ReferenceKind.CITES,
    "amends": ReferenceKind.CITES,
    "status": ReferenceKind.CITES,
}
# Verbs of this record. Not "rejected in favour of": what was never in force is not superseded.
_VERBS = {
    ReferenceKind.SUPERSEDED_BY: re.compile(
        r"\b(?:superseded|replaced|obsoleted|made obsolete|"
        r"overtaken) by\b",
        re.IGNORECASE,
    ),
    ReferenceKind.SUPERSEDES: re.compile(
        r"\b(?:supersedes?|replaces|obsoletes|superseding|replacing|obsoleting|takes the place of)\b", re.IGNORECASE
    ),
    ReferenceKind.REVERTS: re.compile(
        r"\b(?:reverts?|reverted|reverting|rolls? back|rolled back|backs? out|backed out|undoes)\b", re.IGNORECASE
    ),
    ReferenceKind.REQUIRES: re.compile(r"\b(?:requires|depends (?:up)?on|builds upon|prerequisite:?)\b", re.IGNORECASE),
}
_SELF = re.compile(
    r"(?:\b(?:this|the present|our|current)\s+(?:\w+\s+){0,2}?(?:[A-Z]{2,10}|proposal|document|decision|record|change|"
    r"commit|patch|"
    r"request|plan|design|issue|ticket|version|page|note|pr|mr|branch|series)\b|\bit\b|\bthis\b|\bwe\b|\bI\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|rather than|without|never|partially|partly|in part|instead of|danger of|may|might|could|should|would|"
    r"if|when|"
    r"propos\w+ to|ask\w* to|want\w* to|tried to|try to|no longer)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.;!?](?:\s|\Z)|\n\s{0,10}\n")


@dataclass(frozen=True, slots=True)
class _Mention:
    identifier: str
    start: int
    end: int


def find(parsed: Parsed, passage: Passage) -> tuple[Reference, ...]:
    """References in the order of the text; one per identifier and kind."""
    label = own_label(passage.title) or own_label(passage.text[:80])
    found: dict[tuple[ReferenceKind, str], Reference] = {}
    for sentence in parsed.sentences:
        for kind, mention in _in_sentence(passage.text, sentence, label):
            span = Span(start=mention.start, end=mention.end)
            found.setdefault(
                (kind, mention.identifier),
                Reference(kind=kind, identifier=mention.identifier, span=span, sentence=sentence.index),
            )
        if len(found) >= MAX_REFERENCES:
            break
    return tuple(found.values())


def own_label(title: str) -> str:
    """The label of a record whose title bears a number ("PEP" for "PEP 8: Style"); empty for other titles."""
    match = _OWN_LABEL.match(title)
    return match.group(1).upper() if match else ""


def _in_sentence(text: str, sentence: Sentence, label: str) -> Iterator[tuple[ReferenceKind, _Mention]]:
    start, end = sentence.span.start, sentence.span.end
    field = _FIELD.match(sentence.span.of(text))
    name = re.sub(r"[\s-]+", " ", field.group("name")).lower() if field else ""
    if field and name in _FIELD_KINDS:
        yield from _in_field(text, start + field.start("value"), end, _FIELD_KINDS[name], label)
        return
    for mention in _mentions(text, start, end):
        yield ReferenceKind.CITES if sentence.kind == BlockKind.CODE else _relation(text, start, mention), mention


def _in_field(text: str, start: int, end: int, kind: ReferenceKind, label: str) -> Iterator[tuple[ReferenceKind, _Mention]]:
    named = list(_mentions(text, start, end))
    if named or kind == ReferenceKind.CITES:
        yield from ((kind if kind != ReferenceKind.CITES else _relation(text, start, m), m) for m in named)
        return
    for match in _BARE.finditer(text, start, end):
        identifier = f"{label} {match.group(1)}" if label else f"#{match.group(1)}"
        yield kind, _Mention(identifier, match.start(), match.end())


def _mentions(text: str, start: int, end: int) -> Iterator[_Mention]:
    """Identifiers in a range, with the further numbers of a list ("PEPs 245, 246 and 3124")."""
    for match in _MENTION.finditer(text, start, end):
        label, identifier = _identified(match)
        if not identifier:
            continue
        yield _Mention(identifier, match.start(), match.end())
        at = match.end()
        while label and (more := _MORE.match(text, at, end)):
            yield _Mention(f"{label} {more.group(1)}" if label != "#" else f"#{more.group(1)}", more.start(1), more.end(1))
            at = more.end()


def _identified(match: re.Match[str]) -> tuple[str, str]:
    """(label under which further numbers are read, identifier); empty for what only looks like one."""
    if match["label"]:
        label = match["label"]
        return (label, f"{label} {match['number']}") if label not in _NOT_LABELS else ("", "")
    if match["role"]:
        return "", f"{match['role'].upper()} {match['roled'].lstrip('0') or '0'}"
    for name in ("issue", "hash", "url"):
        if match[name]:
            return "#" if name == "issue" else "", f"#{match[name]}"
    return "", match["sha"] or match["file"]


def _relation(text: str, start: int, mention: _Mention) -> ReferenceKind:
    """The kind that the words before a mention give it, within its clause."""
    before = text[max(start, mention.start - 400) : mention.start]
    ends = [m.end() for m in _CLAUSE_END.finditer(before)]
    clause = before[ends[-1] :] if ends else before
    for kind, pattern in _VERBS.items():
        last = next(iter(list(pattern.finditer(clause))[-1:]), None)
        if last is not None and len(clause) - last.end() <= _GAP_CHARS and _is_ours(clause, last):
            return kind
    return ReferenceKind.CITES


def _is_ours(clause: str, verb: re.Match[str]) -> bool:
    """Whether the verb is said of this record: its subject is, or the clause begins with it; and it is not denied."""
    subject, objects = clause[: verb.start()], clause[verb.end() :]
    if _DENIED.search(subject[-40:]) or re.search(r"\b(?:which|that|who)\b", objects):
        return False
    if _MENTION.search(subject):
        return False
    return not re.search(r"\w", subject) or bool(_SELF.search(subject)) or subject.rstrip().endswith("(")
