"""The step EXTRACT: what a passage says becomes marks, names, facts and points. Keyed, so that a second run changes nothing."""

from collections.abc import Sequence
from typing import Any

from graph.link.annotations import annotated, passage_of, point_of, texts_of
from graph.link.entities import Resolver
from graph.link.facts import edges_of, merged, stated, united, with_entities
from graph.link.joins import previous_of
from graph.link.naming import Reading, keys_of, name_edges, unclear_names
from graph.link.points import fact_points
from graph.link.ports import LinkPorts, by_scope, current, observations_of, sliced, whole
from graph.link.stale import earlier_facts, earlier_names, revived
from graph.model.entities import Fact
from graph.model.events import ReceiptState, Step, Work
from graph.model.observations import Observation
from graph.model.points import Point
from graph.ports import Clock, Embedder, Extractor, GraphReader, GraphWriter, Ledger, Lookup, VectorStore
from graph.ports.graph import GraphBatch


class Annotator:
    """Runs the step EXTRACT on leased work: one extraction per observation, written in one batch per scope."""

    def __init__(  # noqa: PLR0917 (the ports that both background steps are given, in one order)
        self,
        ledger: Ledger,
        reader: GraphReader,
        writer: GraphWriter,
        lookup: Lookup,
        vectors: VectorStore,
        embedder: Embedder,
        extractor: Extractor,
        clock: Clock,
    ) -> None:
        self._ports = LinkPorts(ledger, reader, writer, lookup, vectors, embedder, extractor, clock)

    def run(self, work: Sequence[Work]) -> None:
        """Read out what the events of all pieces say, then advance them to LINK as linked; raise if anything fails."""
        for scope, pieces in by_scope(work):
            marks: dict[str, dict[str, Any]] = {}
            for group in sliced(observations_of(self._ports, scope, pieces)):
                readings = self._read(scope, group)
                self._write(scope, readings)
                _mark(marks, readings)
            self._ports.ledger.advance(pieces, ReceiptState.LINKED, Step.LINK, marks)

    def _read(self, scope: str, observations: Sequence[Observation]) -> list[Reading]:
        ports = self._ports
        previous = previous_of(ports, scope, [observation.id for observation in observations])
        records = {
            record.id: record for record in ports.reader.records(sorted({o.record_id for o in observations}), whole(scope))
        }
        extractions = ports.extractor.extract([passage_of(o, previous.get(o.id)) for o in observations])
        return [
            Reading(o, read, previous.get(o.id), records.get(o.record_id), stated(o, read.triples, read.causes))
            for o, read in zip(observations, extractions, strict=True)
        ]

    def _write(self, scope: str, readings: Sequence[Reading]) -> None:
        """Entities are found or made first, since facts point at them; nodes and edges go in one transaction, then points."""
        ports = self._ports
        resolver = Resolver(scope)
        resolver.load(ports.lookup, current(scope), {key for reading in readings for key in keys_of(reading)})
        unclear = unclear_names(ports, scope, readings)
        for reading in readings:
            reading.edges += name_edges(reading, resolver, unclear)
        facts = self._facts(scope, readings, resolver)
        names, unsaid = earlier_names(ports, scope, readings), earlier_facts(ports, scope, readings)
        finished = [annotated(r.observation, r.extraction, sorted(r.ambiguous)) for r in readings]
        ports.writer.write(
            GraphBatch(
                observations=finished,
                entities=[resolver.changed[id_] for id_ in sorted(resolver.changed)],
                facts=[*unsaid.facts, *facts],
                edges=[*names.edges, *unsaid.edges, *(edge for reading in readings for edge in reading.edges)],
                drop=sorted(names.drop | unsaid.drop),
            )
        )
        ports.vectors.upsert([*self.points(finished), *fact_points(ports, [*unsaid.facts, *facts])])

    def _facts(self, scope: str, readings: Sequence[Reading], resolver: Resolver) -> list[Fact]:
        """The facts of all readings, united with what is stored of them; their edges go to the readings."""
        for reading in readings:
            reading.facts = [with_entities(fact, resolver.find) for fact in reading.facts]
            for fact in reading.facts:
                reading.edges += edges_of(fact, reading.observation.id)
        fresh = united(fact for reading in readings for fact in reading.facts)
        ids = [fact.id for fact in fresh]
        known = {fact.id: fact for fact in self._ports.lookup.facts(whole(scope), ids=ids, limit=len(ids))} if ids else {}
        return [merged(revived(known[fact.id]), fact) if fact.id in known else fact for fact in fresh]

    def fact_points(self, facts: Sequence[Fact]) -> list[Point]:
        """The FACT points of facts, as this step writes them."""
        return fact_points(self._ports, facts)

    def points(self, observations: Sequence[Observation]) -> list[Point]:
        """The SENTENCE, CAUSE and EFFECT points of observations that were read, as this step writes them."""
        wanted = [(o, *text) for o in observations for text in texts_of(o)]
        vectors = self._ports.embedder.embed([text for *_, text in wanted])
        return [
            point_of(observation, space, ordinal, vector)
            for (observation, space, ordinal, _), vector in zip(wanted, vectors, strict=True)
        ]


def _mark(marks: dict[str, dict[str, Any]], readings: Sequence[Reading]) -> None:
    """Add what the receipts say of the extraction: how much was found, and whether all of the text could be read."""
    for reading in readings:
        mark = marks.setdefault(reading.observation.event_id, {"facts": 0, "claims": 0})
        mark["facts"] += len(reading.facts)
        mark["claims"] += len(reading.extraction.causes)
        if "extraction" in reading.extraction.marks:
            mark["extraction"] = reading.extraction.marks["extraction"]
