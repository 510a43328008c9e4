"""Rebuilding what can be rebuilt: vectors beside the live index, links in place, or all of it from the ledger.

`vectors` fills an empty index from the graph while the live one goes on answering; the caller then lets it take over and
reconciles what came in meanwhile. `links` and `all` queue events again: readings replace what earlier ones left, in the same
write, so the graph is whole at every moment. All of them may be broken off, run again, and run twice at once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from graph.curate.graph import Graph
from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.entities import Entity, Fact
from graph.model.events import Step
from graph.model.observations import Observation, Status
from graph.model.points import Point, Space
from graph.model.views import View
from graph.ports import Ledger, Lookup, VectorStore

PAGE = 200  # observations embedded at once
EVENTS_PAGE = 500
FOLLOWED = 10_000  # facts and entities followed from one observation
EVERYTHING = View(scopes=None, statuses=frozenset(Status))

Progress = Callable[[str, int], None]
Owner = TypeVar("Owner", Fact, Entity)


class Part(StrEnum):
    """What is rebuilt."""

    VECTORS = "vectors"
    LINKS = "links"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Builders:
    """How nodes become points; each is the function that made them in the first place."""

    passages: Callable[[Sequence[Observation]], list[Point]]
    readings: Callable[[Sequence[Observation]], list[Point]]
    facts: Callable[[Sequence[Fact]], list[Point]]
    names: Callable[[Sequence[Entity]], list[Point]]


def _untold(_what: str, _count: int) -> None:
    """Nobody listens."""


def requeue(ledger: Ledger, part: Part, progress: Progress = _untold) -> int:
    """Queue every event at the step that makes links (or everything) anew; return how many were queued.

    Events that have not come so far yet are left where they are: they will pass that step anyway.
    """
    step = Step.EXTRACT if part is Part.LINKS else Step.PROJECT
    queued, after = 0, None
    while page := ledger.events(after=after, limit=EVENTS_PAGE):
        queued += ledger.replay([event.id for event in page], step)
        after = page[-1].id
        progress("events queued", queued)
    return queued


class VectorRebuilder:
    """Fills an index from the graph."""

    def __init__(self, graph: Graph, lookup: Lookup, builders: Builders) -> None:
        self._graph = graph
        self._lookup = lookup
        self._build = builders

    def run(self, into: VectorStore, progress: Progress = _untold) -> int:
        """Write the points of all observations, facts and names that `into` lacks; return how many were written.

        A run that was broken off goes on where it stopped. Forgotten nodes are left out.
        """
        written, seen = 0, set[str]()
        for count, page in self._pages():
            written += self._observations(page, into)
            facts, entities = self._followed(page, seen)
            written += _put(into, Space.FACT, facts, self._build.facts)
            written += _put(into, Space.NAME, entities, self._build.names)
            progress("observations", count)
        into.flush()
        return written

    def _pages(self) -> Iterator[tuple[int, list[Observation]]]:
        count, after = 0, None
        while page := self._graph.scan(EVERYTHING, after=after, limit=PAGE):
            after, count = page[-1].id, count + len(page)
            yield count, [observation for observation in page if observation.status is not Status.FORGOTTEN]

    def _observations(self, page: Sequence[Observation], into: VectorStore) -> int:
        owners = [observation.id for observation in page]
        lacking = [o for o in page if o.id not in into.vectors(Space.PASSAGE, owners)]
        unread = [o for o in page if o.sentences and o.id not in into.vectors(Space.SENTENCE, owners)]
        points = [*self._build.passages(lacking), *self._build.readings(unread)]
        into.upsert(points)
        return len(points)

    def _followed(self, page: Sequence[Observation], seen: set[str]) -> tuple[list[Fact], list[Entity]]:
        """Facts that these observations state and entities that they name, each the first time it is met."""
        hops = [Hop(EdgeKind.EVIDENCE, Direction.IN, fanout=FOLLOWED)]
        hops += [Hop(kind, Direction.OUT, fanout=FOLLOWED) for kind in (EdgeKind.MENTIONS, EdgeKind.ABOUT)]
        walked = self._graph.expand([observation.id for observation in page], hops, EVERYTHING) if page else []
        met = {step.to: step.hop.kind for step in walked if step.to not in seen}
        seen.update(met)
        facts = sorted(id_ for id_, kind in met.items() if kind is EdgeKind.EVIDENCE)
        entities = sorted(id_ for id_, kind in met.items() if kind is not EdgeKind.EVIDENCE)
        stated = self._lookup.facts(EVERYTHING, ids=facts, limit=len(facts)) if facts else []
        named = self._lookup.entities(entities, EVERYTHING) if entities else []
        return (
            [fact for fact in stated if fact.status is not Status.FORGOTTEN],
            [entity for entity in named if entity.status is Status.ACTIVE],
        )


def _put(into: VectorStore, space: Space, owners: Sequence[Owner], build: Callable[[Sequence[Owner]], list[Point]]) -> int:
    have = into.vectors(space, [owner.id for owner in owners])
    points = build([owner for owner in owners if owner.id not in have])
    into.upsert(points)
    return len(points)
