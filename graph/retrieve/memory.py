"""What retrieval reads from: the three ports of the read side, together, and legs that may fail alone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from graph.errors import BackstoryError
from graph.ports import GraphReader, Lookup, VectorStore

T = TypeVar("T")
SEARCHES = frozenset({"dense", "sparse", "entities", "facts", "effects"})
MODEL = "model"  # the embedder; without it the dense leg is degraded


@dataclass(frozen=True, slots=True)
class Memory:
    reader: GraphReader
    lookup: Lookup
    vectors: VectorStore


@dataclass(slots=True)
class Guard:
    """Runs legs so that one that fails is named in `degraded`, once, and counts as having found nothing.

    `answered` counts searches that came back: when there are none, nothing is known of what is remembered.
    """

    degraded: list[str] = field(default_factory=list)
    errors: list[BackstoryError] = field(default_factory=list)
    answered: int = 0

    def run(self, leg: str, work: Callable[[], T], nothing: Callable[[], Any]) -> T:
        """What `work` returns, or `nothing()` when it raises an error of ours."""
        try:
            found = work()
        except BackstoryError as error:
            self.errors.append(error)
            name = "dense" if leg == MODEL else leg
            if name not in self.degraded:
                self.degraded.append(name)
            absent: T = nothing()
            return absent
        self.answered += leg in SEARCHES
        return found
