"""References find their record whichever came first; a superseded record stays, and its passages end."""

from datetime import UTC, datetime

import pytest

from graph.model.edges import EdgeKind
from graph.model.observations import Status
from tests.support.memory import Room

OLD, NEW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)


def _record(room: Room, name: str, text: str, when: datetime) -> None:
    room.record(text, record=name, identifiers=[name], authored_at=when)


@pytest.mark.parametrize("cited_first", [True, False])
def test_a_citation_leads_to_the_record_whichever_came_first(room: Room, cited_first: bool) -> None:
    documents = [("PEP 1", "Purpose and guidelines.", OLD), ("PEP 12", "A template, see {PEP 1}.", NEW)]
    for document in documents if cited_first else reversed(documents):
        _record(room, *document)
        room.memory.work()
    (edge,) = room.edges(EdgeKind.CITES)
    assert (edge.source, edge.target) == (room.named("A template").id, room.named("Purpose").record_id)


@pytest.mark.parametrize("old_first", [True, False])
@pytest.mark.parametrize("said_by", ["new", "old"])
def test_the_newer_record_supersedes_and_the_older_stays_active_with_an_end(room: Room, old_first: bool, said_by: str) -> None:
    old = "The first rule" + (" {superseded_by PEP 9}." if said_by == "old" else ".")
    new = "The second rule" + (" {supersedes PEP 3}." if said_by == "new" else ".")
    documents = [("PEP 3", old, OLD), ("PEP 9", new, NEW)]
    for document in documents if old_first else reversed(documents):
        _record(room, *document)
        room.memory.work()
    newer, older = room.named("The second").record_id, room.named("The first").record_id
    edges = room.edges(EdgeKind.SUPERSEDES, [newer, older])
    assert [(edge.source, edge.target) for edge in edges] == [(newer, older)]
    assert (room.named("The first").status, room.named("The first").valid_to) == (Status.ACTIVE, NEW)
    assert room.named("The second").valid_to is None


def test_a_record_does_not_cite_itself_nor_another_scope(room: Room) -> None:
    other = Room(room.memory, room.scope + "-other")
    _record(other, "PEP 1", "Theirs.", OLD)
    _record(room, "PEP 2", "Mine, see {PEP 2} and {PEP 1}.", OLD)
    room.memory.work()
    assert room.edges(EdgeKind.CITES) == other.edges(EdgeKind.CITES) == []


def test_an_identifier_is_an_entity_that_its_record_is_about(room: Room) -> None:
    _record(room, "PEP 1", "Purpose and guidelines.", OLD)
    room.memory.work()
    assert room.names(EdgeKind.ABOUT, "Purpose") == {"PEP 1"}
