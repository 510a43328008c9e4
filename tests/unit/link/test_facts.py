"""Facts are kept once with all their evidence; only a newer value of a functional predicate, or "no longer", closes one."""

from datetime import UTC, datetime
from itertools import permutations

import pytest

from graph.link.intervals import settle
from graph.model.edges import EdgeKind
from tests.support.memory import Room


def day(number: int) -> datetime:
    return datetime(2026, 1, number, tzinfo=UTC)


def intervals(room: Room, object_: str) -> list[tuple[int | None, int | None]]:
    """(first day, last day) of each fact with that object, by its beginning."""
    found = [(f.valid_from and f.valid_from.day, f.valid_to and f.valid_to.day) for f in room.facts() if f.object == object_]
    return sorted(found, key=lambda pair: pair[0] or 0)


def test_the_same_triple_told_five_times_is_one_fact_with_five_pieces_of_evidence(room: Room) -> None:
    for number in range(1, 6):
        room.tell(f"Note {number}: [The shop | uses | Postgres].", authored_at=day(number))
    (fact,) = room.facts()
    assert len(fact.evidence) == 5
    assert fact.authored_at == day(1)
    assert len(room.edges(EdgeKind.EVIDENCE, [fact.id])) == 5


def test_an_additive_fact_retires_nothing(room: Room) -> None:
    room.tell("[Ann | works_at | Oakline].", authored_at=day(1))
    room.tell("[Ann | administers | the wiki of Birch].", "[Ann | works_at | Birch].", authored_at=day(2))
    assert [fact.valid_to for fact in room.facts()] == [None, None, None]


TOLD = ((1, "on"), (3, "off"), (5, "red"))


@pytest.mark.parametrize("order", list(permutations(TOLD)))
def test_a_newer_value_closes_the_older_whatever_the_order_of_arrival(room: Room, order: tuple[tuple[int, str], ...]) -> None:
    for number, value in order:
        room.tell(f"[The flag | has_status* | {value}].", authored_at=day(number))
    assert [intervals(room, value) for _, value in TOLD] == [[(None, 3)], [(3, 5)], [(5, None)]]
    assert {fact.status for fact in room.facts()} == {"active"}
    on, off, red = (f"[The flag | has_status* | {value}]." for _, value in TOLD)
    told = room.told(EdgeKind.SUPERSEDES)
    assert {(off, on), (red, off)} <= told <= {(off, on), (red, off), (red, on)}


def test_values_in_one_batch_are_ordered_by_their_dates(room: Room) -> None:
    for number, value in reversed(TOLD):
        room.record(f"[The flag | has_status* | {value}].", authored_at=day(number))
    room.memory.work()
    assert [intervals(room, value) for _, value in TOLD] == [[(None, 3)], [(3, 5)], [(5, None)]]


@pytest.mark.parametrize("order", list(permutations((1, 3, 5))))
def test_a_value_that_comes_back_is_a_second_interval(room: Room, order: tuple[int, ...]) -> None:
    values = {1: "Paris", 3: "Rome", 5: "Paris"}
    for number in order:
        room.tell(f"Day {number}: [Ann | lives_in* | {values[number]}].", authored_at=day(number))
    assert intervals(room, "Paris") == [(None, 3), (5, None)]
    assert intervals(room, "Rome") == [(3, 5)]


def test_a_value_told_without_a_date_closes_nothing_and_is_not_closed(room: Room) -> None:
    room.tell("[The flag | has_status* | on].")
    room.tell("[The flag | has_status* | off].", authored_at=day(2))
    assert [fact.valid_to for fact in room.facts()] == [None, None]


def test_values_of_other_subjects_do_not_touch_each_other(room: Room) -> None:
    room.tell("[Ann | lives_in* | Paris].", authored_at=day(1))
    room.tell("[Ben | lives_in* | Rome].", authored_at=day(2))
    assert [fact.valid_to for fact in room.facts()] == [None, None]


USING = (("[The shop | uses | Postgres].", 1), ("[The shop | uses | Redis].", 1), ("[The shop | no longer uses | Redis].", 4))


@pytest.mark.parametrize("order", list(permutations(USING)))
def test_no_longer_closes_exactly_what_it_denies(room: Room, order: tuple[tuple[str, int], ...]) -> None:
    for text, number in order:
        room.tell(text, authored_at=day(number))
    assert {fact.object: fact.valid_to for fact in room.facts()} == {"Postgres": None, "Redis": day(4)}
    assert room.told(EdgeKind.SUPERSEDES) == {("[The shop | no longer uses | Redis].", "[The shop | uses | Redis].")}


def test_what_was_given_up_twice_in_words_was_given_up_once(room: Room) -> None:
    room.tell("[The shop | uses | Redis].", authored_at=day(1))
    room.tell("[The shop | no longer uses | Redis].", authored_at=day(4))
    room.tell("As said: [The shop | no longer uses | Redis].", authored_at=day(6))
    assert [fact.valid_to for fact in room.facts()] == [day(4)]


@pytest.mark.parametrize("order", list(permutations((1, 4, 7))))
def test_what_was_given_up_and_taken_up_again_holds_twice(room: Room, order: tuple[int, ...]) -> None:
    forms = {1: "uses", 4: "no longer uses", 7: "uses"}
    for number in order:
        room.tell(f"Day {number}: [The shop | {forms[number]} | Redis].", authored_at=day(number))
    assert intervals(room, "Redis") == [(None, 4), (7, None)]


@pytest.mark.parametrize("left_first", [True, False])
def test_leaving_ends_the_work_there_and_nothing_else(room: Room, left_first: bool) -> None:
    told = [
        ("[#Ann# | works_at* | Oakline]. [#Ann# | member_of | the choir].".replace("#", ""), 1),
        ("[Ann | left | Oakline].", 5),
    ]
    room.tell("#Ann# came.")
    for text, number in reversed(told) if left_first else told:
        room.tell(text, authored_at=day(number))
    assert {fact.predicate: fact.valid_to for fact in room.facts()} == {"works_at": day(5), "member_of": None, "left": None}


def test_unlike_statements_are_linked_as_contradicting_and_left_standing(room: Room) -> None:
    room.tell("[The shop | uses | Redis].", authored_at=day(1))
    room.tell("[The shop | not uses | Redis].", authored_at=day(2))
    assert [fact.valid_to for fact in room.facts()] == [None, None]
    assert len(room.told(EdgeKind.CONTRADICTS)) == 1


def test_i_is_the_author_and_we_is_the_team(room: Room) -> None:
    room.tell("[I | lives_in* | Paris].", author="Ann", authored_at=day(1))
    room.tell("[I | lives_in* | Rome].", author="Ben", authored_at=day(2))
    room.tell("[we | deployed_to* | Fly].", "[us | uses | Sentry].", authored_at=day(3))
    assert {fact.subject for fact in room.facts()} == {"Ann", "Ben", "we"}
    assert [fact.valid_to for fact in room.facts()] == [None] * 4


def test_a_subject_that_could_be_anything_makes_no_fact(room: Room) -> None:
    room.tell("[it | uses | Redis]. [this | breaks | everything].")
    assert room.facts() == []


def test_working_a_step_twice_changes_nothing(room: Room) -> None:
    for number, value in TOLD:
        room.record(f"[The flag | has_status* | {value}] and #Redis# because the flag was set.", authored_at=day(number))
    room.memory.work()
    before = (room.facts(), room.observations(), room.entities(), [room.edges(kind) for kind in EdgeKind])
    room.memory.again(room.scope)
    assert (room.facts(), room.observations(), room.entities(), [room.edges(kind) for kind in EdgeKind]) == before


def test_a_timeline_of_nothing_is_nothing() -> None:
    assert settle([], []).facts == settle([], []).edges == []
