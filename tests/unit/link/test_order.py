"""The graph does not depend on how the work came: any order, any batches, two scopes at once, each text told twice."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from graph.model.edges import EdgeKind
from graph.model.events import Step
from tests.support.memory import LEASE, Memory, Room

START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = {
    "The disk filled up on Tuesday night at #Oakline=organisation#.": 1,
    "Nightly backups failed because the disk was full.": 2,
    "The customer table was gone because the nightly backup had failed.": 3,
    "##Oakline=organisation## is a bakery. [Oakline | has_status* | open].": 4,
    "Oakline called. [Oakline | has_status* | closed].": 5,
    "#Mira=person# works for #Oakline#. [Mira | uses | Redis].": 6,
    "[Mira | no longer uses | Redis]. Mira left.": 7,
    "Rule one, see {PEP 12}.": 8,
}
NAMES = (EdgeKind.MENTIONS, EdgeKind.ABOUT, EdgeKind.CAUSES, EdgeKind.SIMILAR)


def _tell(room: Room, text: str) -> None:
    room.record(text, authored_at=START + timedelta(days=DAYS[text]), key=text)


def _shape(room: Room) -> dict[str, object]:
    """The graph without ids and scopes: what two rooms have in common when they know the same."""
    texts = {one.id: one.text for one in room.observations()}
    names = {entity.id: entity.name for entity in room.entities()}
    called = texts | names
    return {
        "edges": {(edge.kind, called[edge.source], called[edge.target]) for kind in NAMES for edge in room.edges(kind)},
        "entities": {(e.name, e.type, e.mentions, e.about) for e in room.entities()},
        "facts": {
            (f.subject, f.predicate, f.object, f.valid_from, f.valid_to, tuple(sorted(texts[o] for o in f.evidence)))
            for f in room.facts()
        },
    }


@pytest.fixture(scope="module")
def expected(memory: Memory) -> dict[str, object]:
    room = Room(memory, "in-order")
    for text in DAYS:
        _tell(room, text)
    memory.work()
    return _shape(room)


@pytest.mark.parametrize("seed", range(6))
def test_any_order_and_any_batches_give_the_same_graph(room: Room, expected: dict[str, object], seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  (an order, not a secret)
    texts = chance.sample(list(DAYS), len(DAYS))
    for text in texts:
        _tell(room, text)
        _tell(room, text)  # the same again: once
        if chance.random() < 0.5:
            room.memory.work(chance.randint(1, 4))
    room.memory.work(chance.randint(1, 9))
    assert _shape(room) == expected


def test_a_step_that_runs_twice_on_the_same_work_has_the_effect_of_once(room: Room, expected: dict[str, object]) -> None:
    for text in DAYS:
        _tell(room, text)
    for step in Step:
        work = room.memory.ledger.claim(step, 64, LEASE)
        room.memory.steps[step].run(work)
        room.memory.steps[step].run(work)
    assert _shape(room) == expected


def test_a_long_text_is_worked_on_in_slices(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.link.ports.SLICE", 3)
    room.tell("\n\n".join(f"The #Keeper# of lock {number} opened the gate for ship {number}. " * 9 for number in range(12)))
    parts = room.observations()
    assert len(parts) > 4
    (receipt,) = room.memory.ledger.receipts(scopes=frozenset({room.scope}))
    assert (receipt.state, receipt.marks["observations"]) == ("done", len(parts))
    (keeper,) = [entity for entity in room.entities() if entity.name == "Keeper"]
    assert keeper.mentions == len(parts)
    assert all(part.sentences for part in parts)


def test_two_scopes_at_once_in_two_threads_share_nothing(memory: Memory, expected: dict[str, object]) -> None:
    rooms = [Room(memory, "left"), Room(memory, "right")]
    for text in DAYS:
        for one in rooms:
            _tell(one, text)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: memory.work(3), range(2)))
    memory.work()
    for one, other in (rooms, reversed(rooms)):
        assert _shape(one) == expected
        ids = {node.id for node in (*one.observations(), *one.entities(), *one.facts())}
        assert not ids & {node.id for node in (*other.observations(), *other.entities(), *other.facts())}
