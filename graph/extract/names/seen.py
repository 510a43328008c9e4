"""A name as it stands in a text, before sentence numbers are added."""

from dataclasses import dataclass

from graph.model.entities import EntityType


@dataclass(frozen=True, slots=True)
class Seen:
    """Characters [start, end) of the passage's text, the name as written, and its type."""

    start: int
    end: int
    text: str
    type: EntityType

    def overlaps(self, other: "Seen") -> bool:
        return self.start < other.end and other.start < self.end
