"""What every vector store refuses before it stores anything: vectors and ids that its engine would take silently."""

from uuid import UUID

import numpy as np

from graph.errors import InvalidInput
from graph.model.points import Point, Space, Sparse, Vector


def check_point(point: Point, dim: int, keeps_sparse: bool) -> None:
    """Raise InvalidInput for a vector of another dimension, zero or not finite, bad term weights, or an id that is no UUID."""
    check_dense(point.dense, dim, f"point {point.id!r}")
    try:
        canonical = str(UUID(point.id))
    except ValueError:
        canonical = ""
    if canonical != point.id:
        raise InvalidInput(f"point id {point.id[:64]!r} is not a UUID in lower case with dashes")
    if point.sparse is not None:
        if not keeps_sparse:
            raise InvalidInput(f"space {point.space.value!r} keeps no sparse vectors (point {point.id!r})")
        check_sparse(point.sparse, f"point {point.id!r}")


def check_query(query: Vector | Sparse, dim: int, keeps_sparse: bool, space: Space) -> None:
    if not isinstance(query, Sparse):
        check_dense(query, dim, "the query")
    elif not keeps_sparse:
        raise InvalidInput(f"space {space.value!r} keeps no sparse vectors")
    else:
        check_sparse(query, "the query")


def check_dense(vector: Vector, dim: int, what: str) -> None:
    if np.shape(vector) != (dim,):
        raise InvalidInput(f"the vector of {what} has shape {np.shape(vector)}, expected ({dim},)")
    if not np.isfinite(vector).all() or not np.any(vector):
        raise InvalidInput(f"the vector of {what} is zero or not finite")


def check_sparse(weights: Sparse, what: str) -> None:
    indices, values = np.asarray(weights.indices), np.asarray(weights.values)
    if indices.shape != values.shape or indices.ndim != 1 or len(np.unique(indices)) != len(indices):
        raise InvalidInput(f"the sparse vector of {what} needs one weight for each of its distinct terms")
    if not np.isfinite(values).all() or (values <= 0).any():
        raise InvalidInput(f"the sparse vector of {what} has a weight that is not positive and finite")
