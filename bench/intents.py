"""How well the rules tell what a question asks for: human-labelled questions, the sure ones, and the reference rows."""

import json
from pathlib import Path

from bench.datasets import rows
from graph.retrieve.intent import guess

ROUND = 4


def measure(data: Path, split: str) -> dict[str, object]:
    """Accuracy on the rows marked sure, and by intent."""
    seen: dict[str, list[bool]] = {}
    for row in rows(data / "05_intent" / "trec_qc" / split / "data.jsonl"):
        if row["intent_confidence"] == "high":
            seen.setdefault(row["intent"], []).append(guess(row["question"]).intent.value == row["intent"])
    every = [right for answers in seen.values() for right in answers]
    groups = {
        intent: {"n": len(answers), "accuracy": round(sum(answers) / len(answers), ROUND)}
        for intent, answers in sorted(seen.items())
    }
    golden = _golden(data)
    if golden:
        groups["golden"] = {"n": len(golden), "accuracy": round(sum(golden) / len(golden), ROUND)}
    return {"n": len(every), "metrics": {"accuracy": round(sum(every) / len(every), ROUND)}, "groups": groups, "ms": {}}


def _golden(data: Path) -> list[bool]:
    """The reference's own rows on intents and retrieval modes, where the folder of specs lies beside the data."""
    path = data.parent / "spec" / "golden_cases.jsonl"
    if not path.exists():
        return []
    from graph.retrieve.modes import mode  # noqa: PLC0415

    right = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("note"):
            continue
        if row["feature"] == "graph_intent":
            found = guess(row["input"]["query"])
            right.append(found.intent.value == row["expected"]["intent"])
        elif row["feature"] == "retrieval_mode":
            right.append(mode(row["input"]["query"]) == row["expected"]["mode"])
    return right
