"""The step LINK: what was read is joined to what is known already. Bounded per observation, and the same in any order."""

from collections import defaultdict
from collections.abc import Sequence

from graph.link.dictionary import known_names, names_in_older_texts
from graph.link.history import settled_facts
from graph.link.joins import causal_edges
from graph.link.neighbours import similar_edges
from graph.link.points import fact_points
from graph.link.ports import LinkPorts, by_scope, observations_of, sliced
from graph.link.references import reference_links
from graph.link.stale import sweep
from graph.link.weights import name_points, recount
from graph.model.edges import EdgeKind
from graph.model.entities import Entity
from graph.model.events import ReceiptState, Work
from graph.model.observations import Observation
from graph.model.points import Point, Space
from graph.ports import Clock, Embedder, Extractor, GraphReader, GraphWriter, Ledger, Lookup, VectorStore
from graph.ports.graph import GraphBatch


class Linker:
    """Runs the step LINK on leased work, one scope after the other."""

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
        """Join the observations of all pieces to what is stored, then finish their events as done; raise if anything fails."""
        for scope, pieces in by_scope(work):
            for group in sliced(observations_of(self._ports, scope, pieces)):
                self._name(scope, group)
                self._join(scope, group)
            self._ports.ledger.advance(pieces, ReceiptState.DONE, None, {})

    def name_points(self, entities: Sequence[Entity]) -> list[Point]:
        """The NAME points of those entities that lead to two observations or more, as this step writes them."""
        return name_points(self._ports, entities)

    def _name(self, scope: str, observations: Sequence[Observation]) -> None:
        """Old names in new texts, new names in old texts, then the weights and vectors of all names that were touched."""
        ports = self._ports
        found = known_names(ports, scope, observations)
        older = names_in_older_texts(ports, scope, found.entities.values())
        ports.writer.write(GraphBatch(edges=[*older, *found.edges]))
        mentioned: defaultdict[str, list[str]] = defaultdict(list)
        for edge in (*older, *found.edges, *found.stored):
            mentioned[edge.target].append(edge.source)
        entities = recount(ports, scope, mentioned, found.entities)
        have = ports.vectors.vectors(Space.NAME, [entity.id for entity in entities])
        ports.vectors.upsert(name_points(ports, [entity for entity in entities if entity.id not in have]))

    def _join(self, scope: str, observations: Sequence[Observation]) -> None:
        """References, causes, neighbours and the intervals of facts, written together."""
        ports = self._ports
        links = reference_links(ports, scope, observations)
        similar = similar_edges(ports, scope, observations)
        settled = settled_facts(ports, scope, observations)
        causal = causal_edges(ports, scope, observations)
        unsaid = sweep(ports, scope, (EdgeKind.CAUSES,), [edge.source for edge in causal.stale], causal.stale)
        ports.writer.write(
            GraphBatch(
                observations=links.closed,
                facts=settled.facts,
                edges=[*unsaid.edges, *links.edges, *causal.edges, *similar.edges, *settled.edges],
                drop=sorted(similar.drop | unsaid.drop),
            )
        )
        ports.vectors.upsert(fact_points(ports, settled.facts))
