"""The adaptive table: which backend to take per category, computed from recorded outcomes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graph.errors import InvalidInput
from graph.retrieve.routing.costs import Table, preset_table

MIN_SAMPLES = 1
ACCURACY_TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answered question: what it cost in US dollars and how right it was (0 to 1)."""

    category: str
    backend: str
    usd: float
    correct: float


@dataclass(frozen=True, slots=True)
class Cell:
    """What is known of a backend on a category: number of outcomes, mean cost, mean accuracy."""

    backend: str
    samples: int
    usd: float
    accuracy: float


def cells_of(outcomes: Iterable[Outcome]) -> dict[str, list[Cell]]:
    """Cells per category; backends in the order in which they were first seen."""
    grouped: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        grouped[outcome.category, outcome.backend].append(outcome)
    cells: dict[str, list[Cell]] = defaultdict(list)
    for (category, backend), group in grouped.items():
        number = len(group)
        usd, accuracy = sum(one.usd for one in group) / number, sum(one.correct for one in group) / number
        cells[category].append(Cell(backend, number, usd, accuracy))
    return dict(cells)


def pick(preset: str, cells: Iterable[Cell], min_samples: int = MIN_SAMPLES) -> str | None:
    """The backend that the preset's aim prefers among cells with enough samples; None when there is none.

    minimize-cost: the cheapest within 0.02 of the best accuracy; balanced: the least cost per right answer;
    maximize-accuracy: the best accuracy, ties by cost. Further ties: the earlier cell.
    """
    known = [cell for cell in cells if cell.samples >= min_samples]
    if not known:
        return None
    if preset == "minimize-cost":
        best = max(cell.accuracy for cell in known)
        near = [cell for cell in known if cell.accuracy >= best - ACCURACY_TOLERANCE - 1e-12]
        return min(near, key=lambda cell: cell.usd).backend
    if preset == "balanced":
        right = [cell for cell in known if cell.accuracy > 0]
        return min(right, key=lambda cell: cell.usd / cell.accuracy).backend if right else None
    if preset == "maximize-accuracy":
        return min(known, key=lambda cell: (-cell.accuracy, cell.usd)).backend
    raise InvalidInput(f"unknown preset {preset!r}")


def table(
    preset: str, outcomes: Iterable[Outcome], min_samples: int = MIN_SAMPLES, fallback: Table | None = None
) -> Mapping[str, str]:
    """A complete, read-only table: learnt where there are enough outcomes, else the fallback's pick, else the preset's own."""
    static = {**preset_table(preset), **(fallback or {})}
    learnt = {category: pick(preset, cells, min_samples) for category, cells in cells_of(outcomes).items()}
    return MappingProxyType({**static, **{category: backend for category, backend in learnt.items() if backend}})
