"""Backends: the logical ones, the names by which other systems know them, what each can do, and in which state it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Backend(StrEnum):
    """What can answer: ways of searching the same memory."""

    KEYWORD = "keyword"
    VECTOR = "vector"
    HYBRID = "hybrid"
    GRAPH = "graph"
    RECENT = "recent"
    DECISIONS = "decisions"
    OBSERVATIONS = "observations"


class State(StrEnum):
    READY = "ready"
    DEGRADED = "degraded"
    INSTALLED = "installed"
    UNAVAILABLE = "unavailable"


# Other systems' names for them; `name:mode` where a name alone says too little.
ALIASES: dict[str, Backend] = {
    "qmd": Backend.HYBRID,
    "qmd:search": Backend.KEYWORD,
    "qmd:vsearch": Backend.VECTOR,
    "qmd:query": Backend.HYBRID,
    "openviking": Backend.VECTOR,
    "totalrecall": Backend.RECENT,
    "vertex": Backend.OBSERVATIONS,
    "cognee": Backend.GRAPH,
    "nowledge": Backend.GRAPH,
    "lossless": Backend.DECISIONS,
    "canonical-hybrid": Backend.HYBRID,
    "observational-memory-v10": Backend.OBSERVATIONS,
    "observational-memory-v11": Backend.OBSERVATIONS,
    "session_log": Backend.RECENT,
    "intent_search": Backend.GRAPH,
    "find_similar": Backend.VECTOR,
}

MODES: dict[Backend, frozenset[str]] = {
    Backend.KEYWORD: frozenset({"exact", "grep"}),
    Backend.VECTOR: frozenset({"semantic", "exact"}),
    Backend.HYBRID: frozenset({"exact", "semantic", "hybrid"}),
    Backend.GRAPH: frozenset({"semantic", "relationship", "timeline", "multi_hop", "evolution", "expertise"}),
    Backend.RECENT: frozenset({"timeline", "decision", "exact"}),
    Backend.DECISIONS: frozenset({"decision", "timeline", "semantic", "expand"}),
    Backend.OBSERVATIONS: frozenset({"semantic", "timeline"}),
}

CLASSES: dict[str, tuple[Backend, ...]] = {
    "retrieval_engine": (Backend.HYBRID, Backend.KEYWORD, Backend.VECTOR),
    "memory_store": (Backend.RECENT, Backend.OBSERVATIONS),
    "knowledge_graph": (Backend.GRAPH,),
    "context_engine": (Backend.DECISIONS,),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """One place in a dispatch order: the `rank`-th (from 0) backend of a place in the rule."""

    place: str
    rank: int
    backend: str


def resolve(name: str) -> Backend | None:
    """The logical backend of a name or alias; None when nobody is called so."""
    folded = name.strip().lower()
    return Backend(folded) if folded in set(Backend) else ALIASES.get(folded)


def eligible(hint: str, backends: Mapping[str, Sequence[str]]) -> list[str]:
    """Those of the backends (name -> declared modes), in order, that can do what the hint asks for; all without a hint."""
    return [name for name, modes in backends.items() if not hint or hint in modes]


def by_state(primary: Mapping[str, str], fallback: Mapping[str, str]) -> list[str]:
    """The order of calling: ready ones of the primary, then of the fallback, then the degraded; others are never called."""
    groups = [(group, state) for state in (State.READY, State.DEGRADED) for group in (primary, fallback)]
    return [name for group, wanted in groups for name, state in group.items() if state == wanted]


def interleaved(places: Sequence[tuple[str, Sequence[str]]], co_primary: bool) -> list[Slot]:
    """The order over places, each with its ready backends. With a co-primary the first two places take turns, rank by rank;

    of every further place only the first backend is called. Without one, places follow each other whole.
    """
    if not co_primary:
        return [Slot(place, rank, name) for place, names in places for rank, name in enumerate(names)]
    first, second = places[0], places[1]
    deepest = max(len(first[1]), len(second[1]))
    slots = [Slot(place, rank, names[rank]) for rank in range(deepest) for place, names in (first, second) if rank < len(names)]
    return slots + [Slot(place, 0, names[0]) for place, names in places[2:] if names]
