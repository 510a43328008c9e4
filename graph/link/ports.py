"""What both steps work with: the ports they were given, and the view under which they look at one scope."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.model.events import Work
from graph.model.ids import EventId, observation_id
from graph.model.observations import Observation, Status
from graph.model.views import View
from graph.ports import Clock, Embedder, Extractor, GraphReader, GraphWriter, Ledger, Lookup, VectorStore

SLICE = 256  # observations read and written at once
FIRST_PARTS = 8  # parts of an event asked for at once; doubled for events that have more
LINKED_STATUSES = frozenset(Status) - {Status.FORGOTTEN}


@dataclass(frozen=True, slots=True)
class LinkPorts:
    """The ports of the EXTRACT and LINK steps."""

    ledger: Ledger
    reader: GraphReader
    writer: GraphWriter
    lookup: Lookup
    vectors: VectorStore
    embedder: Embedder
    extractor: Extractor
    clock: Clock


def whole(scope: str) -> View:
    """Everything of one scope that is not forgotten: what is put aside today keeps its links for the day it comes back."""
    return View(scopes=frozenset({scope}), statuses=LINKED_STATUSES)


def everything(scope: str) -> View:
    """All of one scope, the forgotten too: what is written again must lose nothing."""
    return View(scopes=frozenset({scope}), statuses=frozenset(Status))


def current(scope: str) -> View:
    """What is active in one scope: names are resolved to entities that were not merged away."""
    return View(scopes=frozenset({scope}))


def by_scope(work: Sequence[Work]) -> Iterator[tuple[str, list[Work]]]:
    """The pieces of each scope, scopes in the order of their first piece."""
    groups: defaultdict[str, list[Work]] = defaultdict(list)
    for piece in work:
        groups[piece.scope].append(piece)
    yield from groups.items()


def sliced(observations: Sequence[Observation]) -> Iterator[Sequence[Observation]]:
    """The observations in groups of at most SLICE: a text of megabytes is worked on piece by piece, in bounded memory."""
    for start in range(0, len(observations), SLICE):
        yield observations[start : start + SLICE]


def observations_of(ports: LinkPorts, scope: str, work: Sequence[Work]) -> list[Observation]:
    """The observations of events, by event in the order asked, then by part. Their ids follow from the events'."""
    found: dict[EventId, list[Observation]] = {piece.event_id: [] for piece in work}
    asked = list(found)
    first, size = 0, FIRST_PARTS
    while asked:
        ids = [observation_id(event, scope, part) for event in asked for part in range(first, first + size)]
        seen: defaultdict[EventId, int] = defaultdict(int)
        for observation in ports.reader.observations(ids, whole(scope)):
            found[observation.event_id].append(observation)
            seen[observation.event_id] = max(seen[observation.event_id], observation.part - first + 1)
        asked = [event for event in asked if seen[event] > size // 2]
        first, size = first + size, size * 2
    return [observation for parts in found.values() for observation in parts]
