"""Points of the vector index: what is embedded, under which owner, with what may be filtered."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graph.model.observations import Status

Vector = npt.NDArray[np.float32]


class Space(StrEnum):
    """One index per space. Owners: an observation (PASSAGE, SENTENCE, CAUSE, EFFECT), an entity (NAME), a fact (FACT)."""

    PASSAGE = "passage"  # dense + sparse
    SENTENCE = "sentence"  # dense
    NAME = "name"  # dense
    FACT = "fact"  # dense + sparse
    CAUSE = "cause"  # dense: the words of a stated cause
    EFFECT = "effect"  # dense: the words of a stated effect


@dataclass(frozen=True, slots=True)
class Sparse:
    """Term weights: parallel arrays of distinct 32-bit term ids and positive weights. IDF is the index's business."""

    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Point:
    """`ordinal` tells an owner's points apart (sentence number). `dense` is unit length, shape (dim,), finite."""

    id: str
    space: Space
    owner: str
    scope: str
    dense: Vector
    sparse: Sparse | None = None
    ordinal: int = 0
    status: Status = Status.ACTIVE
    authored_at: datetime | None = None
    session: str | None = None
    author: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True)
class Scored:
    """`score`: cosine in [-1, 1] for a dense search, BM25 (>= 0, unbounded) for a sparse one."""

    id: str
    owner: str
    ordinal: int
    score: float


class Stamp(NamedTuple):
    """What the index holds of a point, for comparing it with the graph."""

    id: str
    owner: str
    revision: int
    status: Status
