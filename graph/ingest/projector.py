"""The fast path: an accepted event becomes observations in their record, in order, with vectors: it can be recalled."""

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Protocol

from graph.ingest.chain import chained
from graph.ingest.records import joined, record_of
from graph.ingest.splitter import split
from graph.model.edges import Edge, EdgeKind
from graph.model.events import Event, ReceiptState, Step, Work
from graph.model.ids import RecordId, observation_id, point_id
from graph.model.observations import Observation, Record, Status
from graph.model.points import Point, Space
from graph.model.times import to_micros
from graph.model.views import View
from graph.ports import Clock, Embedder, GraphReader, GraphWriter, Ledger, VectorStore
from graph.ports.graph import GraphBatch
from graph.text.terms import document_sparse

TITLE_SHARE = 1 / 3  # of the model's window that a title may take before it is cut for embedding
SLICE = 128  # observations embedded and stored together
MOST_LOOKS = 5  # at a chain that others write too
WHOLE_RECORD = 1_000_000  # passages of a record that are read to find neighbours


class Graph(GraphReader, GraphWriter, Protocol):
    """A store that reads and writes the graph."""


class Projector:
    """Runs the step PROJECT. Keyed throughout: running it twice on an event has the effect of once."""

    def __init__(
        self,
        ledger: Ledger,
        graph: Graph,
        vectors: VectorStore,
        embedder: Embedder,
        clock: Clock,
        *,
        slice_size: int = SLICE,
    ) -> None:
        self._ledger = ledger
        self._graph = graph
        self._vectors = vectors
        self._embedder = embedder
        self._clock = clock
        self._slice = slice_size
        self._joining = Lock()

    def run(self, work: Sequence[Work]) -> None:
        """Project the events of all pieces of work, then advance them to EXTRACT as recallable; raise if anything fails.

        Events that are gone (erased) are advanced as done.
        """
        began = self._clock.monotonic()
        events = self._ledger.events([piece.event_id for piece in work])
        observations = [observation for event in events for observation in self._observations(event)]
        self._write(events, observations)
        self._index(observations)
        parts: dict[str, int] = {event.id: 0 for event in events}
        for observation in observations:
            parts[observation.event_id] += 1
        elapsed = round((self._clock.monotonic() - began) * 1000, 3)
        marks = {event: {"observations": count, "project_batch_ms": elapsed} for event, count in parts.items()}
        present = [piece for piece in work if piece.event_id in parts]
        gone = [piece for piece in work if piece.event_id not in parts]
        self._ledger.advance(present, ReceiptState.RECALLABLE, Step.EXTRACT, marks)
        if gone:
            self._ledger.advance(gone, ReceiptState.DONE, None, {})

    def _observations(self, event: Event) -> list[Observation]:
        """The event's text in parts that the embedder reads whole, its title included; the first projected revision."""
        draft = event.draft
        record = record_of(event)
        prefix = self._prefix(draft.title or "")
        overhead = self._embedder.count_tokens([prefix])[0] - self._embedder.count_tokens([""])[0] if prefix else 0
        spans = split(draft.text, self._embedder.max_tokens - overhead, self._embedder.count_tokens)
        return [
            Observation(
                id=observation_id(event.id, event.scope, part),
                scope=event.scope,
                event_id=event.id,
                record_id=record.id,
                key=event.key if len(spans) == 1 else f"{event.key}#{part}",
                position=draft.position if draft.position is not None else to_micros(event.recorded_at),
                part=part,
                text=span.of(draft.text),
                title=draft.title or "",
                section=draft.section or "",
                author=draft.author,
                role=draft.role,
                authored_at=draft.authored_at,
                authored_offset=event.authored_offset,
                session=draft.session,
                source=draft.source,
                recorded_at=event.recorded_at,
                metadata=draft.metadata,
            )
            for part, span in enumerate(spans)
        ]

    def _prefix(self, title: str) -> str:
        """What stands before the text in the embedder's eyes: the title, cut at a word where it would take too much."""
        if not title:
            return ""
        room = int(self._embedder.max_tokens * TITLE_SHARE)
        first = split(title, room, self._embedder.count_tokens)[0]
        return first.of(title) + ". "

    def _write(self, events: Sequence[Event], observations: Sequence[Observation]) -> None:
        """Records and observations first, then the chain of each record, read back so that no neighbour is missed.

        One at a time: two writers that join the same record would each miss the other's passages.
        """
        with self._joining:
            records = self._merged_records(events)
            parts = [
                Edge(EdgeKind.PART_OF, observation.id, observation.record_id, observation.scope, evidence=observation.id)
                for observation in observations
            ]
            self._graph.write(GraphBatch(records=records, observations=observations, edges=parts))
            self._chain(records, {observation.id for observation in observations})

    def _merged_records(self, events: Iterable[Event]) -> list[Record]:
        """One record per id: what the events say of it, joined to what is known already."""
        stated: dict[RecordId, list[Record]] = {}
        scopes: set[str] = set()
        for event in events:
            record = record_of(event)
            stated.setdefault(record.id, []).append(record)
            scopes.add(event.scope)
        known = {record.id: record for record in self._graph.records(list(stated), _everything(scopes))}
        return [joined([known[id_], *records] if id_ in known else records) for id_, records in stated.items()]

    def _chain(self, records: Sequence[Record], fresh: set[str]) -> None:
        """Write the NEXT edges of the fresh passages, and look again until they are right.

        Another process may have put a passage between while these edges were written; whoever writes last sees it.
        """
        ids, view = [record.id for record in records], _everything({record.scope for record in records})
        written: list[Edge] = []
        for _ in range(MOST_LOOKS):
            edges = chained(self._graph.passages_of(ids, view, WHOLE_RECORD), fresh)
            if edges == written:
                return
            drop = [(edge.scope, EdgeKind.NEXT, edge.source) for edge in edges]
            self._graph.write(GraphBatch(edges=edges, drop=drop))
            written = edges

    def _index(self, observations: Sequence[Observation]) -> None:
        """Embed and store what has no vector yet, slice by slice: a very long text that is cut off goes on where it was.

        An observation's words never change under its id, so a vector that is there is the right one.
        """
        owners = [observation.id for observation in observations]
        known = self._vectors.vectors(Space.PASSAGE, owners)
        missing = [observation for observation in observations if observation.id not in known]
        for start in range(0, len(missing), self._slice):
            self._vectors.upsert(self.points(missing[start : start + self._slice]))

    def points(self, observations: Sequence[Observation]) -> list[Point]:
        """The PASSAGE points of observations, as this step writes them: title and text, dense and sparse."""
        prefixes = {title: self._prefix(title) for title in {observation.title for observation in observations}}
        vectors = self._embedder.embed([prefixes[observation.title] + observation.text for observation in observations])
        return [
            Point(
                id=point_id(Space.PASSAGE, observation.scope, observation.id),
                space=Space.PASSAGE,
                owner=observation.id,
                scope=observation.scope,
                dense=vector,
                sparse=document_sparse("\n".join((observation.title, observation.section, observation.text))),
                authored_at=observation.authored_at,
                session=observation.session,
                author=observation.author,
                revision=observation.revision,
            )
            for observation, vector in zip(observations, vectors, strict=True)
        ]


def _everything(scopes: Iterable[str]) -> View:
    return View(frozenset(scopes), frozenset(Status))
