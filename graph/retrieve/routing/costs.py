"""What backends cost and how often they are right, per category of question: data with its source, for operators to replace."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from graph.errors import InvalidInput

Table = Mapping[str, str]  # category -> backend


@dataclass(frozen=True, slots=True)
class CostPoint:
    """One backend on one category: share of right answers, US dollars and milliseconds per question."""

    accuracy: float
    usd: float
    ms: float = 0.0

    @property
    def usd_per_correct(self) -> float:
        return self.usd / self.accuracy if self.accuracy else float("inf")


Costs = Mapping[str, Mapping[str, CostPoint]]  # backend -> category -> point; the order of backends breaks ties


@lru_cache(maxsize=1)
def shipped() -> dict[str, Any]:
    """The shipped figures as they stand in costs.json."""
    data: dict[str, Any] = json.loads(files("graph.retrieve.routing").joinpath("costs.json").read_text(encoding="utf-8"))
    return data


def shipped_costs() -> Costs:
    return {
        backend: {category: CostPoint(*point) for category, point in points.items() if category != "average"}
        for backend, points in shipped()["backends"].items()
    }


def preset_table(preset: str, overrides: Table | None = None) -> Table:
    """The preset's backend per category, single categories replaced. Raises InvalidInput for an unknown preset."""
    presets = shipped()["presets"]
    if preset not in presets:
        raise InvalidInput(f"unknown preset {preset!r}; known are {', '.join(presets)}")
    return {**presets[preset], **(overrides or {})}
