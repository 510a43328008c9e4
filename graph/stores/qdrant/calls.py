"""Calls to Qdrant: its errors in the house's words, and batches within its limits."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from graph.errors import ConfigError, StoreError, StoreFull, StoreUnavailable, TooLarge
from graph.model.points import Point

T = TypeVar("T")

MAX_POINTS = 128  # points in one call
MAX_BYTES = 8 * 1024 * 1024  # of one call's JSON, as estimated below
BYTES_PER_NUMBER = 24  # a float32 written as a float64, or a term id, with its comma
BYTES_PER_POINT = 1024  # ids, names and payload fields besides the texts in it


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raise graph.errors instead of the client's."""
    try:
        yield
    except UnexpectedResponse as error:
        raise _of_status(error.status_code, what) from error
    except ResponseHandlingException as error:
        raise StoreUnavailable(f"Qdrant did not answer to {what}: {type(error.source).__name__}") from error
    except (ApiException, OSError) as error:
        raise StoreUnavailable(f"Qdrant did not answer to {what}: {type(error).__name__}") from error
    except ValueError as error:  # what the client's local engine says for a bad request
        raise StoreError(f"Qdrant refused to {what}: {error}") from error


def _of_status(status: int | None, what: str) -> StoreError | ConfigError:
    message = f"Qdrant answered {status} to {what}"
    if status in {401, 403}:
        return ConfigError(message)
    if status == 507:
        return StoreFull(message)
    if status is None or status >= 500 or status in {408, 429}:
        return StoreUnavailable(message)
    return StoreError(message)


def batches(points: Sequence[Point]) -> Iterator[list[Point]]:
    """The points in calls of at most MAX_POINTS and MAX_BYTES. Raises TooLarge for a point that fits no call."""
    batch: list[Point] = []
    size = 0
    for point in points:
        weight = size_of(point)
        if weight > MAX_BYTES:
            raise TooLarge(f"point {point.id} has about {weight} bytes, at most {MAX_BYTES} go into one call")
        if batch and (len(batch) == MAX_POINTS or size + weight > MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(point)
        size += weight
    if batch:
        yield batch


def size_of(point: Point) -> int:
    """About how many bytes a point takes in a call, never less."""
    numbers = len(point.dense) + (2 * len(point.sparse.indices) if point.sparse is not None else 0)
    words = (point.owner, point.scope, point.session or "", point.author or "")
    return BYTES_PER_POINT + BYTES_PER_NUMBER * numbers + sum(6 * len(word) for word in words)


def groups(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
