"""Entities merged and split by hand, and both taken back without a trace left behind."""

import pytest

from graph.curate.entities import EntityCurator
from graph.errors import InvalidInput, NotFound
from graph.model.edges import EdgeKind
from graph.model.entities import Entity, EntityType
from graph.model.observations import Status
from tests.support.memory import Room


@pytest.fixture
def curator(room: Room) -> EntityCurator:
    memory = room.memory
    return EntityCurator(memory.graph, memory.lookup, memory.vectors)


def entity(room: Room, name: str) -> Entity:
    (found,) = [one for one in room.entities() if one.name == name]
    return found


def _state(room: Room) -> dict[str, object]:
    """What an undo must bring back: who names whom, aliases, states, counts and the ends of facts."""
    return {
        "edges": {
            (edge.kind, edge.source, edge.target) for kind in (EdgeKind.MENTIONS, EdgeKind.ABOUT) for edge in room.edges(kind)
        },
        "entities": {e.id: (e.aliases, e.status, e.mentions, e.about) for e in room.entities()},
        "facts": {fact.id: (fact.subject_id, fact.object_id) for fact in room.facts()},
    }


@pytest.fixture
def told(room: Room) -> Room:
    room.tell(
        "#Bob=person# fixed the pump.",
        "##Robert Hale=person## is the plumber and #Bob# too.",
        "[Bob | owns | the van]. #Bob# parked.",
        "[Robert Hale | works_at* | Oakline]. #Robert Hale# left.",
    )
    return room


def test_a_merged_entity_gives_its_names_mentions_and_facts_away(told: Room, curator: EntityCurator) -> None:
    robert, bob = entity(told, "Robert Hale"), entity(told, "Bob")
    curator.merge(told.scope, robert.id, bob.id)
    kept, gone = entity(told, "Robert Hale"), entity(told, "Bob")
    assert (kept.aliases, kept.mentions, gone.status) == (("Bob",), 4, Status.SUPERSEDED)
    assert {fact.subject_id for fact in told.facts()} == {robert.id}


def test_new_texts_with_the_old_name_lead_to_the_entity_that_stayed(told: Room, curator: EntityCurator) -> None:
    robert, bob = entity(told, "Robert Hale"), entity(told, "Bob")
    curator.merge(told.scope, robert.id, bob.id)
    told.tell("Then #Bob=person# sold the pump.")
    assert told.names(EdgeKind.MENTIONS, "Then") == {"Robert Hale"}


def test_a_merge_taken_back_leaves_nothing_behind(told: Room, curator: EntityCurator) -> None:
    before = _state(told)
    robert, bob = entity(told, "Robert Hale"), entity(told, "Bob")
    curator.merge(told.scope, robert.id, bob.id)
    assert _state(told) != before
    curator.undo(told.scope, bob.id)
    assert _state(told) == before


def test_what_bore_the_name_since_the_merge_goes_back_with_it(told: Room, curator: EntityCurator) -> None:
    robert, bob = entity(told, "Robert Hale"), entity(told, "Bob")
    curator.merge(told.scope, robert.id, bob.id)
    told.tell("Then #Bob=person# sold the pump.")
    told.memory.again(told.scope)
    curator.undo(told.scope, bob.id)
    assert told.names(EdgeKind.MENTIONS, "Then") == {"Bob"}
    assert entity(told, "Robert Hale").aliases == ()


def test_merging_twice_has_the_effect_of_once(told: Room, curator: EntityCurator) -> None:
    robert, bob = entity(told, "Robert Hale"), entity(told, "Bob")
    curator.merge(told.scope, robert.id, bob.id)
    once = _state(told)
    curator.merge(told.scope, robert.id, bob.id)
    assert _state(told) == once


def test_a_split_takes_what_some_observations_say_and_can_be_taken_back(room: Room, curator: EntityCurator) -> None:
    room.tell("#Mercury# is hot.", "#Mercury# lost a message.", "[Mercury | uses | Rust]. #Mercury# grew.")
    before = _state(room)
    whole = entity(room, "Mercury")
    service = [room.named(text).id for text in ("#Mercury# lost", "[Mercury")]
    change = curator.split(room.scope, whole.id, service, "Mercury", EntityType.SERVICE)
    (part,) = room.memory.lookup.entities([change.entity], room.view)
    assert (part.type, part.mentions) == (EntityType.SERVICE, 2)
    assert {fact.subject_id for fact in room.facts()} == {part.id}
    curator.undo(room.scope, part.id)
    after = _state(room)
    assert after["edges"] == before["edges"]
    assert after["facts"] == before["facts"]
    (part,) = room.memory.lookup.entities([change.entity], room.view)
    assert part.status is Status.INVALIDATED


def test_after_a_split_a_bare_mention_stays_open(room: Room, curator: EntityCurator) -> None:
    room.tell("#Mercury# is hot.", "#Mercury# lost a message.")
    curator.split(room.scope, entity(room, "Mercury").id, [room.named("#Mercury# lost").id], "Mercury", EntityType.SERVICE)
    room.tell("And #Mercury# again.")
    assert room.named("And").marks["ambiguous"] == ["Mercury"]
    assert room.names(EdgeKind.MENTIONS, "And") == set()


def test_what_is_not_there_or_not_ours_is_refused(told: Room, curator: EntityCurator) -> None:
    bob = entity(told, "Bob")
    with pytest.raises(InvalidInput):
        curator.merge(told.scope, bob.id, bob.id)
    with pytest.raises(NotFound):
        curator.merge(told.scope + "-other", bob.id, entity(told, "Robert Hale").id)
    with pytest.raises(NotFound):
        curator.undo(told.scope, bob.id)
    with pytest.raises(NotFound):
        curator.split(told.scope, bob.id, [], "Bobby")
