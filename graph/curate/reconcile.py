"""Reconcile: ledger, graph and vectors are compared by id, revision and state; what drifted is repaired from the ledger.

Reading only, unless a repair is asked for; a repair queues work or makes keyed changes, so two runs at once do no harm and
a run that was broken off is simply run again.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from graph.model.events import Receipt, ReceiptState, Step
from graph.model.observations import Observation, Status
from graph.model.points import Space, Stamp
from graph.model.views import View
from graph.ports import GraphReader, GraphWriter, Ledger, VectorStore

PAGE = 1000
EVERYTHING = View(scopes=None, statuses=frozenset(Status))
PROJECTED = frozenset({ReceiptState.RECALLABLE, ReceiptState.LINKED, ReceiptState.DONE})
OWNED_BY_OBSERVATIONS = (Space.PASSAGE, Space.SENTENCE, Space.CAUSE, Space.EFFECT)

Progress = Callable[[str, int], None]
T = TypeVar("T")


class Graph(GraphReader, GraphWriter, Protocol):
    """A store that reads and writes the graph."""


@dataclass
class Drift:
    """What does not agree, as ids.

    `unprojected` events lack observations that their receipt counted; `unindexed` observations lack their passage vector,
    `unread` ones their sentence vectors; `stale` ones have another state in the index than in the graph; `orphaned` owners
    have vectors but are not in the graph; `stray` observations have no event in the ledger.
    """

    unprojected: list[str] = field(default_factory=list)
    unindexed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    orphaned: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        return {name: len(ids) for name, ids in vars(self).items()}

    def __bool__(self) -> bool:
        return any(vars(self).values())


class Reconciler:
    """Compares the three stores; holds ids only, so memory grows by about 200 bytes an observation."""

    def __init__(self, ledger: Ledger, graph: Graph, vectors: VectorStore) -> None:
        self._ledger = ledger
        self._graph = graph
        self._vectors = vectors

    def run(self, *, repair: bool = False, progress: Progress | None = None) -> Drift:
        """Find all drift and, with `repair`, mend it: queue events again, correct states, remove orphaned vectors."""
        tell = progress or _untold
        receipts: dict[str, Receipt] = {receipt.event_id: receipt for receipt in _told(self._receipts(), "events", tell)}
        observations: dict[str, Observation] = {o.id: o for o in _told(self._observations(), "observations", tell)}
        drift = Drift()
        self._compare_events(receipts, observations, drift)
        self._compare_points(receipts, observations, drift, tell)
        if repair and drift:
            self._repair(observations, drift)
        return drift

    def _compare_events(self, receipts: dict[str, Receipt], observations: dict[str, Observation], drift: Drift) -> None:
        parts: dict[str, int] = {}
        for observation in observations.values():
            parts[observation.event_id] = parts.get(observation.event_id, 0) + 1
            if observation.event_id not in receipts:
                drift.stray.append(observation.id)
        for event, receipt in receipts.items():
            if receipt.state in PROJECTED and parts.get(event, 0) < int(receipt.marks.get("observations", 1)):
                drift.unprojected.append(event)

    def _compare_points(
        self, receipts: dict[str, Receipt], observations: dict[str, Observation], drift: Drift, tell: Progress
    ) -> None:
        stale: set[str] = set()
        orphaned: set[str] = set()
        having: dict[Space, set[str]] = {}
        for space in OWNED_BY_OBSERVATIONS:
            owners = having.setdefault(space, set())
            for stamp in _told(self._stamps(space), f"{space.value} vectors", tell):
                owners.add(stamp.owner)
                owner = observations.get(stamp.owner)
                if owner is None:
                    orphaned.add(stamp.owner)
                elif owner.status is not stamp.status:
                    stale.add(owner.id)
        for observation in observations.values():
            receipt = receipts.get(observation.event_id)
            if receipt is None or receipt.state not in PROJECTED:
                continue
            if observation.id not in having[Space.PASSAGE]:
                drift.unindexed.append(observation.id)
            elif observation.sentences and observation.id not in having[Space.SENTENCE]:
                drift.unread.append(observation.id)
        drift.stale.extend(sorted(stale))
        drift.orphaned.extend(sorted(orphaned))

    def _repair(self, observations: dict[str, Observation], drift: Drift) -> None:
        """What has no event left is forgotten rather than removed: the ledger is the truth, and the state can be undone."""
        again = [*drift.unprojected, *(observations[id_].event_id for id_ in drift.unindexed)]
        self._ledger.replay(again, Step.PROJECT)
        self._ledger.replay([observations[id_].event_id for id_ in drift.unread], Step.EXTRACT)
        self._vectors.delete(drift.orphaned)
        for id_ in drift.stale:
            self._vectors.set_status([id_], observations[id_].status, observations[id_].revision)
        for scope, ids in _by_scope([observations[id_] for id_ in drift.stray]):
            self._graph.set_status(scope, ids, Status.FORGOTTEN, "reconcile: no such event in the ledger")

    def _receipts(self) -> Iterator[Receipt]:
        after = None
        while page := self._ledger.receipts(after=after, limit=PAGE):
            yield from page
            after = page[-1].event_id

    def _observations(self) -> Iterator[Observation]:
        after = None
        while page := self._graph.scan(EVERYTHING, after=after, limit=PAGE):
            yield from page
            after = page[-1].id

    def _stamps(self, space: Space) -> Iterator[Stamp]:
        after = None
        while page := self._vectors.revisions(space, after=after, limit=PAGE):
            yield from page
            after = page[-1].id


def _untold(_what: str, _count: int) -> None:
    """Nobody listens."""


def _told(items: Iterator[T], what: str, tell: Progress) -> Iterator[T]:
    """The items as they are, with word of every full page."""
    count = 0
    for count, item in enumerate(items, 1):
        yield item
        if count % PAGE == 0:
            tell(what, count)
    tell(what, count)


def _by_scope(observations: Sequence[Observation]) -> Iterator[tuple[str, list[str]]]:
    for scope in sorted({observation.scope for observation in observations}):
        yield scope, [observation.id for observation in observations if observation.scope == scope]
