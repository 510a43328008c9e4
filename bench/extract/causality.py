"""Causality tasks: is a sentence causal, which way, and with which words?"""

import re
from pathlib import Path
from typing import Any

from bench.extract.report import Report, read_rows, verdicts
from graph.extract.causality import find
from graph.extract.causality.decision import Profiles
from graph.extract.parsing import Parsed, parse
from graph.model.extraction import CausalClaim, Passage, RelationKind
from graph.model.ids import ObservationId
from graph.model.observations import Span

SEMEVAL = ("04_causal", "semeval2010_cause_effect")
NEWS = ("04_causal", "causal_news_corpus_v2")
BRINGING_ABOUT = (RelationKind.CAUSE, RelationKind.REACTION)
_TOKEN = re.compile(r"\S+")


def semeval(data: Path, split: str) -> Report:
    """Cause-effect nominals: the profile that stores decides; `direction` is counted over those found whose pair is linked."""
    rows = read_rows(data, *SEMEVAL, split, "data.jsonl")
    return score_semeval(rows, claims_of(rows, parse([row["text"] for row in rows])), split)


def news(data: Path, split: str) -> Report:
    """Causal sentences of news: the wide profile decides; `span_overlap` is the mean token F1 of cause and effect."""
    rows = read_rows(data, *NEWS, split, "data.jsonl")
    return score_news(rows, claims_of(rows, parse([row["text"] for row in rows])), split)


def claims_of(rows: list[dict[str, Any]], parses: list[Parsed], profiles: Profiles | None = None) -> list[list[CausalClaim]]:
    return [
        list(find(parsed, Passage(id=ObservationId(str(row["id"])), text=row["text"]), profiles))
        for row, parsed in zip(rows, parses, strict=True)
    ]


def score_semeval(rows: list[dict[str, Any]], claims: list[list[CausalClaim]], split: str) -> Report:
    held = [[claim for claim in found if claim.likely and claim.kind in BRINGING_ABOUT] for found in claims]
    gold = [row["causal"] for row in rows]
    scores = verdicts([bool(found) for found in held], gold)
    linked = right = top = covered = 0
    worst = []
    found_rows = [(row, found) for row, found in zip(rows, held, strict=True) if row["causal"] and found]
    for row, found in found_rows:
        marks = [_direction(row, claim) for claim in found]
        first = next((mark for mark in marks if mark), 0)
        linked, right = linked + bool(first), right + (first > 0)
        covered += marks[0] > 0
        top += _position(row, found[0])
        if first <= 0:
            worst.append((first, row, found))
    scores |= {"direction": right / max(1, linked), "linked": linked / max(1, len(found_rows))}
    scores |= {"first_claim_order": top / max(1, len(found_rows)), "first_claim_right": covered / max(1, len(found_rows))}
    worst.sort(key=lambda item: item[0])
    false = [_shown(row, found) for row, found in zip(rows, held, strict=True) if found and not row["causal"]]
    missed = [
        _shown(row, found)
        for row, found in zip(rows, claims, strict=True)
        if row["causal"] and not any(c.likely for c in found)
    ]
    shown = [_shown(row, found) for _, row, found in worst[:4]] + false[:3] + missed[:3]
    return Report("causality-semeval", split, len(rows), scores, _by_cue(held, gold), shown)


def score_news(rows: list[dict[str, Any]], claims: list[list[CausalClaim]], split: str) -> Report:
    gold = [row["causal"] for row in rows]
    scores = verdicts([bool(found) for found in claims], gold)
    overlaps, worst = [], []
    for row, found in zip(rows, claims, strict=True):
        if row["causal"] and found and len(row["relations"]) == 1:
            cause, effect = _overlaps(row, found[0])
            overlaps.append((cause, effect))
            worst.append(((cause + effect) / 2, row, found))
    n = max(1, len(overlaps))
    scores |= {"span_overlap": sum(c + e for c, e in overlaps) / (2 * n)}
    scores |= {"cause_overlap": sum(c for c, _ in overlaps) / n, "effect_overlap": sum(e for _, e in overlaps) / n}
    worst.sort(key=lambda item: item[0])
    false = [_shown(row, found) for row, found in zip(rows, claims, strict=True) if found and not row["causal"]]
    missed = [_shown(row, found) for row, found in zip(rows, claims, strict=True) if row["causal"] and not found]
    shown = [_shown(row, found) for _, row, found in worst[:4]] + false[:3] + missed[:3]
    return Report("causality-news", split, len(rows), scores, _by_cue(claims, gold), shown)


def _touches(span: Span | None, gold: dict[str, Any]) -> bool:
    return span is not None and span.start < gold["end"] and gold["start"] < span.end


def _direction(row: dict[str, Any], claim: CausalClaim) -> int:
    """1 when both gold nominals are on their sides, -1 when they are swapped, 0 when the claim holds another pair."""
    if _touches(claim.cause, row["cause_span"]) and _touches(claim.effect, row["effect_span"]):
        return 1
    return -int(_touches(claim.cause, row["effect_span"]) and _touches(claim.effect, row["cause_span"]))


def _position(row: dict[str, Any], claim: CausalClaim) -> bool:
    """Whether cause and effect stand in the same order as the gold nominals."""
    if claim.cause is None or claim.effect is None:
        return False
    return (claim.cause.start < claim.effect.start) == bool(row["cause_span"]["start"] < row["effect_span"]["start"])


def _tokens(text: str, start: int, end: int) -> set[int]:
    return {m.start() for m in _TOKEN.finditer(text) if m.start() < end and start < m.end()}


def token_f1(text: str, span: Span | None, gold: list[dict[str, Any]]) -> float:
    """F1 of white-space tokens between a span and a gold argument (which may be in pieces)."""
    told = _tokens(text, span.start, span.end) if span else set()
    wanted = set().union(*(_tokens(text, piece["start"], piece["end"]) for piece in gold))
    return 2 * len(told & wanted) / (len(told) + len(wanted)) if told & wanted else 0.0


def _overlaps(row: dict[str, Any], claim: CausalClaim) -> tuple[float, float]:
    relation = row["relations"][0]
    return token_f1(row["text"], claim.cause, relation["cause"]), token_f1(row["text"], claim.effect, relation["effect"])


def _by_cue(claims: list[list[CausalClaim]], gold: list[bool]) -> dict[str, dict[str, float]]:
    """For the kinds of the first claims: how many sentences, and how many of them are causal."""
    counts: dict[str, list[bool]] = {}
    for found, causal in zip(claims, gold, strict=True):
        if found:
            counts.setdefault(found[0].kind.value, []).append(causal)
    return {kind: {"n": len(marks), "precision": sum(marks) / len(marks)} for kind, marks in sorted(counts.items())}


def _shown(row: dict[str, Any], found: list[CausalClaim]) -> dict[str, Any]:
    gold = [row["cause"], row["effect"]] if row.get("cause") else None
    if row.get("relations"):
        gold = [" … ".join(p["text"] for p in row["relations"][0][side]) for side in ("cause", "effect")]
    told = [[claim.cause_text, claim.effect_text, claim.cue, claim.kind.value, claim.confidence] for claim in found[:2]]
    return {"id": row["id"], "text": row["text"], "causal": row["causal"], "gold": gold, "told": told}
