"""Points for tests of vector indexes: deterministic vectors and ids."""

from datetime import UTC, datetime
from typing import Any, Protocol

import numpy as np

from graph.model.ids import keyed, point_id
from graph.model.points import Point, Space, Vector
from graph.ports.vectors import VectorStore

DIM = 384
NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


class ClosableStore(VectorStore, Protocol):
    """A store that a test opened and must close."""

    def close(self) -> None: ...


def uid(kind: str, number: int) -> str:
    return keyed(kind, "tests", number)


def unit(seed: int) -> Vector:
    """A unit vector of its own for every seed."""
    drawn = np.random.default_rng(seed).normal(size=DIM).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def make_point(number: int, **changes: Any) -> Point:
    """The point of owner `number`; every field can be set."""
    fields: dict[str, Any] = {"space": Space.PASSAGE, "ordinal": 0, "scope": "global", "dense": None} | changes
    owner = uid("owner", number)
    if fields["dense"] is None:
        fields["dense"] = unit(number)
    return Point(id=point_id(fields["space"].value, "tests", owner, fields["ordinal"]), owner=owner, **fields)
