"""What a task reports: one JSON object, or a table to read."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORST_ROWS = 10


@dataclass(frozen=True, slots=True)
class Report:
    """`scores` by name in [0, 1] unless the name says otherwise; `classes` precision, recall and counts per class;
    `worst` the rows that went most wrong, worst first (for a table without labels: all rows), of which `shown` are told."""

    task: str
    split: str
    n: int
    scores: dict[str, float]
    classes: dict[str, dict[str, float]] = field(default_factory=dict)
    worst: list[dict[str, Any]] = field(default_factory=list)
    shown: int = WORST_ROWS

    def as_json(self) -> str:
        body = {
            "task": self.task,
            "split": self.split,
            "n": self.n,
            "scores": {k: round(v, 4) for k, v in self.scores.items()},
            "classes": {name: {k: round(v, 4) for k, v in row.items()} for name, row in self.classes.items()},
            "worst": self.worst[: self.shown],
        }
        return json.dumps(body, ensure_ascii=False, default=str)

    def as_text(self) -> str:
        lines = [f"{self.task} ({self.split}, {self.n} rows)", ""]
        lines += [f"  {name:24} {value:.3f}" for name, value in self.scores.items()]
        for name, row in self.classes.items():
            lines.append(f"  - {name:22} " + "  ".join(f"{k} {v:.3f}" if v % 1 else f"{k} {v:.0f}" for k, v in row.items()))
        if self.worst:
            lines += ["", "rows:"]
            lines += ["  " + json.dumps(row, ensure_ascii=False, default=str) for row in self.worst[: self.shown]]
        return "\n".join(lines)


Task = Callable[[Path, str], Report]


def precision_recall(right: int, found: int, wanted: int) -> dict[str, float]:
    """Precision, recall and F1 from counts; 0 where nothing was found or wanted."""
    precision, recall = right / found if found else 0.0, right / wanted if wanted else 0.0
    both = precision + recall
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / both if both else 0.0}


def verdicts(predicted: Sequence[bool], gold: Sequence[bool]) -> dict[str, float]:
    """Precision, recall and F1 of yes-answers."""
    right = sum(p and g for p, g in zip(predicted, gold, strict=True))
    return precision_recall(right, sum(predicted), sum(gold))


def read_rows(data: Path, *parts: str) -> list[dict[str, Any]]:
    """The rows of a JSON-lines file of the labelled data."""
    with data.joinpath(*parts).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
