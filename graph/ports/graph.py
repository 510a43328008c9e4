"""The graph: nodes and edges, written in keyed batches, read under a view that is applied inside the store."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graph.model.edges import Edge, Hop, Walked
from graph.model.entities import Entity, Fact
from graph.model.observations import Observation, Record, Status
from graph.model.views import View


@dataclass(frozen=True, slots=True)
class GraphBatch:
    """Nodes and edges to be written together. `drop` removes edges by (scope, kind, source): all that leave `source`."""

    records: Sequence[Record] = ()
    observations: Sequence[Observation] = ()
    entities: Sequence[Entity] = ()
    facts: Sequence[Fact] = ()
    edges: Sequence[Edge] = ()
    drop: Sequence[tuple[str, str, str]] = field(default=())


class GraphWriter(Protocol):
    def write(self, batch: GraphBatch) -> None:
        """Upsert everything in one transaction (drops first, then nodes, then edges), each by its id or key.

        Idempotent. A node or edge with a lower revision than the stored one is ignored; an equal revision overwrites all
        but status and pin, and the evidence of a fact and the aliases of an entity, which are united; an entity's counts
        stay, as recount owns them. A forgotten item stays forgotten, whatever the revision.
        """
        ...

    def set_status(self, scope: str, ids: Sequence[str], status: Status, reason: str, *, restore: bool = False) -> list[str]:
        """Move observations, entities or facts of `scope` to a state, raising their revisions; return the ids that moved.

        Ids of other scopes and unknown ids are left alone. Only with `restore` does a forgotten item leave that state.
        """
        ...

    def set_pinned(self, scope: str, ids: Sequence[str], pinned: bool) -> list[str]:
        """Pin or unpin observations; return the ids that changed."""
        ...

    def recount(self, scope: str, entity_ids: Sequence[str]) -> None:
        """Bring `mentions` and `about` of entities up to date, and the weights of their MENTIONS edges with them.

        A mention's weight is ln(1 + n / (1 + df)) / ln(1 + n): n observations in the scope, df that mention the entity.
        """
        ...


class GraphReader(Protocol):
    def observations(self, ids: Sequence[str], view: View) -> list[Observation]:
        """The visible ones among `ids`, in the order asked."""
        ...

    def expand(self, frontier: Sequence[str], hops: Sequence[Hop], view: View) -> list[Walked]:
        """Walk every hop from every frontier node, in one round trip, to targets that the view allows.

        Observations are filtered by the whole view; entities, facts and records by scope and status. Order: by frontier
        position, then hop position, then descending weight, then target id. Fan-out and hub caps are applied in the store,
        after the view.
        """
        ...

    def records(self, ids: Sequence[str], view: View) -> list[Record]:
        """The visible records among `ids`, in the order asked."""
        ...

    def passages_of(self, record_ids: Sequence[str], view: View, limit: int = 500) -> list[Observation]:
        """Visible observations of records, by record in the order asked, then by (position, part)."""
        ...

    def timeline(
        self, view: View, *, entity_id: str | None = None, limit: int = 100, newest_first: bool = False
    ) -> list[Observation]:
        """Visible dated observations by authored_at, then id; only those that mention or are about an entity if given."""
        ...

    def scan(self, view: View, *, after: str | None = None, limit: int = 1000) -> list[Observation]:
        """All visible observations in pages, ordered by id, after the id `after`."""
        ...

    def counts(self, scopes: frozenset[str] | None) -> dict[str, int]:
        """Numbers of `events`, `observations`, `entities`, `facts`, `edges`, `records`, `pending`, `dead_letters`."""
        ...
