"""Edges of the graph, and what a walk asks of them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class EdgeKind(StrEnum):
    """CAUSES always points from cause to effect, whatever the sentence's order."""

    CAUSES = "CAUSES"
    NEXT = "NEXT"
    SIMILAR = "SIMILAR"
    SUPPORTS = "SUPPORTS"
    CONTRADICTS = "CONTRADICTS"
    SUPERSEDES = "SUPERSEDES"
    DERIVED_FROM = "DERIVED_FROM"
    CITES = "CITES"  # observation -> record
    PART_OF = "PART_OF"  # observation -> record
    MENTIONS = "MENTIONS"  # observation -> entity
    ABOUT = "ABOUT"  # observation -> entity that it defines or whose name it bears
    SUBJECT = "SUBJECT"  # fact -> entity
    OBJECT = "OBJECT"  # fact -> entity
    EVIDENCE = "EVIDENCE"  # fact -> observation


class Origin(StrEnum):
    RULE = "rule"
    MODEL = "model"
    USER = "user"


class Direction(StrEnum):
    """`out` walks an edge from source to target, `in` against it."""

    OUT = "out"
    IN = "in"


@dataclass(frozen=True, slots=True)
class Edge:
    """One directed edge; (scope, kind, source, target) is its key.

    `weight` is in (0, 1]; `sentence` the index of the evidence's sentence in the source observation (-1: none);
    `nested` marks a mention inside a longer name; `evidence` is the observation that states the edge; `note` keeps the
    words that state it (cue or surface form). Revisions only go forward.
    """

    kind: EdgeKind
    source: str
    target: str
    scope: str
    weight: float = 1.0
    origin: Origin = Origin.RULE
    evidence: str | None = None
    sentence: int = -1
    nested: bool = False
    note: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a meta-path: an edge kind and a direction.

    At most `fanout` edges per node are followed (the heaviest; ties by target id); a node with more than `hub_degree`
    edges of this kind in this direction is not walked through at all (None: no cap).
    """

    kind: EdgeKind
    direction: Direction
    fanout: int = 32
    hub_degree: int | None = None


@dataclass(frozen=True, slots=True)
class Walked:
    """An edge that was walked: from a frontier node `at` to `to`, with the stored edge."""

    at: str
    to: str
    hop: Hop
    edge: Edge
