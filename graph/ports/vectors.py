"""The vector index: a projection that can be dropped and rebuilt. One space holds one kind of point."""

from collections.abc import Sequence
from typing import Protocol

from graph.model.observations import Status
from graph.model.points import Point, Scored, Space, Sparse, Stamp, Vector
from graph.model.views import View


class VectorStore(Protocol):
    def upsert(self, points: Sequence[Point]) -> None:
        """Store the points and return when they can be found. Idempotent by id; a lower revision is ignored.

        Raises InvalidInput, storing nothing, if a vector has another dimension, is not finite or is zero.
        """
        ...

    def search(
        self,
        space: Space,
        query: Vector | Sparse,
        view: View,
        limit: int,
        *,
        among: Sequence[str] | None = None,
    ) -> list[Scored]:
        """Nearest points under the view, best first, ties by point id. A Sparse query is scored by BM25 with the index's IDF.

        `among` keeps only points of these owners (their exact scores). The view is applied inside the index.
        """
        ...

    def vectors(self, space: Space, owners: Sequence[str]) -> dict[str, Vector]:
        """Dense vectors by owner, shape (points of the owner, dim), rows by ordinal; owners without points are absent."""
        ...

    def set_status(self, owners: Sequence[str], status: Status, revision: int) -> None:
        """Change the state of all points of these owners, in every space. Idempotent; a lower revision is ignored."""
        ...

    def delete(self, owners: Sequence[str]) -> None:
        """Remove all points of these owners, in every space. Idempotent."""
        ...

    def revisions(self, space: Space, *, after: str | None = None, limit: int = 1000) -> list[Stamp]:
        """What is stored, in pages by point id after the id `after`, for reconciling."""
        ...

    def flush(self) -> None:
        """Make everything upserted so far safe against loss of power."""
        ...
