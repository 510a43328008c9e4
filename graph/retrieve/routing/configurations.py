"""How a question is searched, beside where: with a hypothetical answer or not, how wide, how much is read."""

from collections.abc import Collection
from dataclasses import dataclass

from graph.errors import InvalidInput
from graph.retrieve.routing.costs import shipped

CANONICAL = "canonical"
DEFAULT_BACKEND = "canonical-hybrid"


@dataclass(frozen=True, slots=True)
class Configuration:
    """`multiplier` times the wanted number are reranked; `top_k` passages are read; `hyde` embeds a hypothetical answer."""

    id: str
    hyde: bool
    multiplier: int
    top_k: int
    usd_per_correct: float


def configuration(name: str) -> Configuration:
    """Raises InvalidInput for an unknown name."""
    known = shipped()["configurations"]
    if name not in known:
        raise InvalidInput(f"unknown retrieval configuration {name!r}; known are {', '.join(known)}")
    return Configuration(name, **known[name])


def augmented(preset: str, category: str) -> tuple[str, str]:
    """(backend, configuration) of an augmented preset; an unknown category is searched in the canonical way.

    Raises InvalidInput for a preset that has no augmented table.
    """
    tables = shipped()["augmented"]
    if preset not in tables:
        raise InvalidInput(f"no augmented table for {preset!r}; known are {', '.join(tables)}")
    backend, name = tables[preset].get(category, (DEFAULT_BACKEND, CANONICAL))
    return str(backend), str(name)


def best_registered(category: str, registered: Collection[str]) -> str:
    """The category's own configuration if it is registered, else the registered one that is right most often.

    Ties: the cheaper per right answer; an unknown category or nothing registered: canonical.
    """
    data = shipped()
    picked = data["picks"].get(category)
    if picked in registered:
        return str(picked)
    accuracy = data["accuracy"].get(category, {})
    known = [name for name in registered if name in accuracy]
    if not known:
        return CANONICAL
    return min(known, key=lambda name: (-accuracy[name], data["configurations"][name]["usd_per_correct"]))
