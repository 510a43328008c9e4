"""Reading again: the same reading changes nothing, another one leaves nothing of the first behind."""

from collections.abc import Iterator
from contextlib import contextmanager

from graph.model.edges import EdgeKind
from graph.model.events import Step
from graph.model.observations import Status
from tests.support.memory import Room
from tests.support.plain import PlainExtractor

TEXTS = (
    "The disk filled up on Tuesday night at #Oakline=organisation#.",
    "Nightly backups failed because the disk was full.",
    "##Oakline=organisation## is a bakery. [Oakline | uses | Redis]. See {PEP 1}.",
    "Oakline called.",
)
JOINING = (EdgeKind.MENTIONS, EdgeKind.ABOUT, EdgeKind.CAUSES, EdgeKind.SIMILAR, EdgeKind.CITES)


@contextmanager
def blind(room: Room) -> Iterator[None]:
    extractor = room.memory.extractor
    assert isinstance(extractor, PlainExtractor)
    extractor.blind = True
    try:
        yield
    finally:
        extractor.blind = False


def _state(room: Room) -> dict[str, object]:
    return {
        "edges": [room.edges(kind) for kind in JOINING],
        "observations": room.observations(),
        "facts": {fact.id: (fact.evidence, fact.status) for fact in room.facts()},
        "evidence": room.edges(EdgeKind.EVIDENCE, [fact.id for fact in room.facts()]),
        "counts": {entity.name: (entity.mentions, entity.about) for entity in room.entities()},
    }


def test_another_reading_leaves_nothing_of_the_first_behind_and_the_first_comes_back_whole(room: Room) -> None:
    room.tell(*TEXTS)
    first = _state(room)
    with blind(room):
        room.memory.again(room.scope)
    assert room.edges(EdgeKind.CAUSES) == room.edges(EdgeKind.ABOUT) == []
    assert {fact.status for fact in room.facts()} == {Status.INVALIDATED}
    assert room.edges(EdgeKind.EVIDENCE, [fact.id for fact in room.facts()]) == []
    room.memory.again(room.scope)
    assert _state(room) == first


def test_a_name_that_stands_in_the_text_outlives_a_reading_that_missed_it(room: Room) -> None:
    room.tell(*TEXTS)
    with blind(room):
        room.memory.again(room.scope)
    assert room.names(EdgeKind.MENTIONS, "Oakline called") == {"Oakline"}


def test_what_is_taken_away_takes_no_neighbour_with_it(room: Room) -> None:
    room.tell(*TEXTS, "The backup failed at night because an operator killed it.")
    (killed,) = [one for one in room.observations() if "operator" in one.text]
    with blind(room):
        room.memory.ledger.replay([killed.event_id], Step.EXTRACT)
        room.memory.work()
    assert len(room.told(EdgeKind.CAUSES)) == 1
    assert sorted(fact.status for fact in room.facts()) == [Status.ACTIVE, Status.ACTIVE, Status.INVALIDATED]
