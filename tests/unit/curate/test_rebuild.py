"""Rebuilding: an empty index is filled beside the live one and finds the same; links made again are the same links."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.curate.rebuild import Builders, Part, VectorRebuilder, requeue
from graph.ingest.projector import Projector
from graph.link.annotator import Annotator
from graph.link.linker import Linker
from graph.model.edges import EdgeKind
from graph.model.events import Step
from graph.model.observations import Status
from graph.model.points import Space
from graph.model.views import View
from graph.stores.embedded.vectors import EdgeVectors
from tests.support.memory import Memory, Room, minilm, opened
from tests.support.plain import PlainExtractor

TEXTS = (
    "The disk filled up on Tuesday night at #Oakline=organisation#.",
    "Nightly backups failed because the disk was full.",
    "##Oakline=organisation## is a bakery. [Oakline | uses | Redis].",
    "Oakline called.",
)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A memory of its own, since a rebuild goes over all scopes; the tests leave it as it was, but for the last."""
    with opened(tmp_path_factory.mktemp("alone"), PlainExtractor()) as memory:
        room = Room(memory, "only")
        room.tell(*TEXTS)
        yield room


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[EdgeVectors]:
    vectors = EdgeVectors(tmp_path / "beside", minilm().dim, f"{minilm().id}:{minilm().revision}")
    yield vectors
    vectors.close()


def _rebuilder(memory: Memory) -> VectorRebuilder:
    projector, annotator, linker = (memory.steps[step] for step in Step)
    assert isinstance(projector, Projector)
    assert isinstance(annotator, Annotator)
    assert isinstance(linker, Linker)
    builders = Builders(projector.points, annotator.points, annotator.fact_points, linker.name_points)
    return VectorRebuilder(memory.graph, memory.lookup, builders)


def _stamps(vectors: EdgeVectors) -> dict[Space, set[tuple[str, str]]]:
    return {space: {(stamp.id, stamp.owner) for stamp in vectors.revisions(space)} for space in Space}


def test_an_index_filled_beside_the_live_one_in_two_goes_holds_and_finds_the_same(alone: Room, beside: EdgeVectors) -> None:
    memory = alone.memory
    projector = memory.steps[Step.PROJECT]
    assert isinstance(projector, Projector)
    beside.upsert(projector.points(alone.observations()[:2]))
    rebuilder = _rebuilder(memory)
    assert rebuilder.run(beside) == sum(len(memory.vectors.revisions(space)) for space in Space) - 2
    assert rebuilder.run(beside) == 0
    assert _stamps(beside) == _stamps(memory.vectors)
    query = minilm().embed(["Why did the backup fail?"])[0]
    view = View(scopes=frozenset({"only"}))
    for space in (Space.PASSAGE, Space.SENTENCE, Space.FACT):
        assert beside.search(space, query, view, 3) == memory.vectors.search(space, query, view, 3)


@pytest.mark.parametrize("part", [Part.LINKS, Part.ALL])
def test_links_made_again_are_the_same_links(alone: Room, part: Part) -> None:
    before = [alone.edges(kind) for kind in EdgeKind], alone.facts(), alone.entities()
    told: list[int] = []
    assert requeue(alone.memory.ledger, part, lambda _, count: told.append(count)) == len(TEXTS)
    assert requeue(alone.memory.ledger, part) == 0 or part is Part.ALL
    alone.memory.work()
    assert told == [len(TEXTS)]
    assert ([alone.edges(kind) for kind in EdgeKind], alone.facts(), alone.entities()) == before


def test_forgotten_observations_are_not_brought_back(alone: Room, beside: EdgeVectors) -> None:
    gone = alone.named("Oakline called").id
    alone.memory.graph.set_status("only", [gone], Status.FORGOTTEN, "test")
    _rebuilder(alone.memory).run(beside)
    assert gone not in {stamp.owner for stamp in beside.revisions(Space.PASSAGE)}
