"""Decisions and reasons of real commit messages: not labelled, a table that a reader can judge."""

from pathlib import Path
from typing import Any

from bench.extract.report import Report, read_rows
from graph.extract.rules import RuleExtractor
from graph.model.extraction import Extraction, Passage
from graph.model.ids import ObservationId

MESSAGES = ("08_decisions", "git_rationale_messages")
SHOWN = 50


def git(data: Path, split: str) -> Report:
    """Shares of messages in which something was found, and what was found in the first fifty."""
    rows = read_rows(data, *MESSAGES, split, "data.jsonl")
    passages = [Passage(id=ObservationId(row["id"]), text=row["text"], title=row["text"].split("\n", 1)[0]) for row in rows]
    found = RuleExtractor().extract(passages)
    n = max(1, len(rows))
    scores = {
        "with_decision": sum(bool(e.decisions) for e in found) / n,
        "with_reason": sum(any(d.reasons for d in e.decisions) for e in found) / n,
        "with_strict_cause": sum(any(c.strict for c in e.causes) for e in found) / n,
    }
    kinds: dict[str, dict[str, float]] = {}
    for extraction in found:
        kinds.setdefault(extraction.kind.value, {"n": 0})["n"] += 1
    shown = [_shown(row, extraction) for row, extraction in zip(rows, found, strict=True)]
    return Report("decisions-git", split, len(rows), scores, dict(sorted(kinds.items())), shown, shown=SHOWN)


def _shown(row: dict[str, Any], extraction: Extraction) -> dict[str, Any]:
    return {
        "id": row["id"],
        "subject": row["text"].split("\n", 1)[0],
        "kind": extraction.kind.value,
        "decisions": [d.model_dump(exclude={"sentence"}, exclude_defaults=True) for d in extraction.decisions],
        "because": [f"{c.cause_text} => {c.effect_text} ({c.cue}, {c.kind.value})" for c in extraction.causes if c.strict],
    }
