"""Causes and effects told apart are joined, in one direction, whoever comes first; near-misses are not."""

from datetime import UTC, datetime
from itertools import permutations

import pytest

from graph.link.content import content, opposed
from graph.model.edges import EdgeKind
from tests.support.memory import Room

DISK = "The disk filled up on Tuesday night."
BACKUP = "Nightly backups failed because the disk was full."
RESTORE = "The customer table could not be restored because the nightly backup had failed."
CHAIN = {(DISK, BACKUP), (BACKUP, RESTORE)}


@pytest.mark.parametrize("order", list(permutations((DISK, BACKUP, RESTORE))))
def test_a_chain_told_in_any_order_is_joined_from_cause_to_effect(room: Room, order: tuple[str, ...]) -> None:
    for text in order:
        room.tell(text)
    assert room.told(EdgeKind.CAUSES) == CHAIN


def test_titles_do_not_stand_between_cause_and_effect(room: Room) -> None:
    for number, text in enumerate((DISK, BACKUP, RESTORE)):
        room.tell(text, title=f"Weekly report {number} of the platform team", record=f"report-{number}")
    assert room.told(EdgeKind.CAUSES) == CHAIN


def test_the_same_chain_in_one_batch_gives_the_same_edges(room: Room) -> None:
    room.tell(DISK, BACKUP, RESTORE)
    assert room.told(EdgeKind.CAUSES) == CHAIN


def test_an_explanation_causes_what_was_only_told(room: Room) -> None:
    room.tell("The branch office went offline because a contractor cut the cable.")
    room.tell("The branch office lost its connection.")
    assert room.told(EdgeKind.CAUSES) == {
        ("The branch office went offline because a contractor cut the cable.", "The branch office lost its connection.")
    }


@pytest.mark.parametrize("same", [True, False])
def test_what_is_only_pointed_at_is_the_same_thing_only_in_the_same_record(room: Room, same: bool) -> None:
    stated, claimed = "This proposal has been rejected.", "This proposal is rejected because nobody asked for it."
    room.tell(claimed, record="first")
    room.tell(stated, record="first" if same else "second")
    assert room.told(EdgeKind.CAUSES) == ({(claimed, stated)} if same else set())


def test_all_causes_of_an_effect_are_kept(room: Room) -> None:
    effect = "Checkout was down because the database had been killed."
    first, second = "The database was killed by the kernel.", "An operator killed the database."
    room.tell(first, second, effect)
    assert room.told(EdgeKind.CAUSES) == {(first, effect), (second, effect)}


def test_a_cause_is_never_authored_after_its_effect(room: Room) -> None:
    later, earlier = datetime(2026, 5, 2, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)
    room.tell(DISK, authored_at=later)
    room.tell(BACKUP, authored_at=earlier)
    assert room.told(EdgeKind.CAUSES) == set()


def test_an_unknown_date_forbids_no_cause(room: Room) -> None:
    room.tell(DISK)
    room.tell(BACKUP, authored_at=datetime(2026, 5, 1, tzinfo=UTC))
    assert room.told(EdgeKind.CAUSES) == {(DISK, BACKUP)}


@pytest.mark.parametrize(
    ("statement", "claim"),
    [
        (
            "Ticket 1231 changed the rounding of prices.",
            "Totals were wrong because ticket 1123 changed the rounding of prices.",
        ),
        ("The parking lot filled up on Tuesday night.", BACKUP),
        ("The import job crashed.", "Finance was late because the export job crashed."),
        ("Did the disk fill up?", BACKUP),
        ("If the disk fills up, call Ben.", BACKUP),
    ],
)
def test_a_near_miss_is_not_joined(room: Room, statement: str, claim: str) -> None:
    room.tell(statement, claim)
    assert room.told(EdgeKind.CAUSES) == set()


@pytest.mark.parametrize("later", [True, False])
def test_what_is_only_alike_gives_way_to_the_very_words(room: Room, later: bool) -> None:
    very, alike = "The blue pump of the mill jammed during the audit.", "During the audit the mill had a jammed pump."
    other = "The blue pump of the mill was painted during the audit."
    claim = "The mill stood still because the blue pump of the mill jammed during the audit."
    for text in (very, claim, alike, other) if not later else (other, alike, claim, very):
        room.tell(text)
    assert (very, claim) in room.told(EdgeKind.CAUSES)
    assert (other, claim) not in room.told(EdgeKind.CAUSES)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("the search worker leaked memory", "The mail worker leaked memory.", True),
        ("the northern gateway overheated", "The southern mirror overheated.", True),
        ("the encrypted kiosk jammed", "The hidden kiosk jammed.", True),
        ("the grant had been denied", "The grant was refused.", False),
        ("of the cut cable", "A contractor cut the cable.", False),
        ("phones rejected the update", "Every phone refused the update.", False),
        ("Ann missed the train to Vienna", "Ann missed the train to Prague.", True),
        ("seven seats were free", "Nine seats were free.", True),
        ("the import stopped", "The export stopped.", True),
    ],
)
def test_a_word_in_the_place_of_another_keeps_two_events_apart_unless_it_is_a_verb(one: str, other: str, apart: bool) -> None:
    assert opposed(content(one), content(other)) is apart


def test_two_tellings_of_one_claim_do_not_cause_each_other(room: Room) -> None:
    room.tell(BACKUP, "The backup failed last night because the disk was full.")
    assert room.told(EdgeKind.CAUSES) == set()


def test_as_a_result_points_at_the_passage_before(room: Room) -> None:
    room.record("The cache was cold.", record="notes", position=1)
    room.record("As a result, pages loaded slowly.", record="notes", position=2)
    room.memory.work()
    (edge,) = room.edges(EdgeKind.CAUSES)
    assert room.told(EdgeKind.CAUSES) == {("The cache was cold.", "As a result, pages loaded slowly.")}
    assert edge.note == "as a result"


def test_a_claim_marks_its_observation_and_is_a_fact_with_its_evidence(room: Room) -> None:
    room.tell(BACKUP)
    observation = room.named("Nightly")
    assert observation.marks["explains"] is True
    assert room.edges(EdgeKind.CAUSES) == []
    (fact,) = room.facts()
    assert (fact.subject, fact.predicate, fact.object) == ("the disk was full", "caused", "Nightly backups failed")
    assert fact.evidence == (observation.id,)


def test_an_edge_says_which_words_join_and_how_surely(room: Room) -> None:
    room.tell(DISK, BACKUP)
    (edge,) = room.edges(EdgeKind.CAUSES)
    assert (edge.note, edge.evidence) == ("because", room.named("Nightly").id)
    assert 0.4 < edge.weight < 0.9


def test_nothing_crosses_the_border_of_a_scope(room: Room) -> None:
    other = Room(room.memory, room.scope + "-other")
    room.record(DISK)
    other.record(BACKUP)
    room.memory.work()
    assert room.edges(EdgeKind.CAUSES) == other.edges(EdgeKind.CAUSES) == []


@pytest.mark.parametrize(
    ("statement", "claim"),
    [
        ("Thanks, Nate!", "I will try the cake because you said thanks for the recipe."),
        ("Great, that was awesome.", "She smiled because it was great."),
        ("Nate went home.", "We won because Nate helped."),
    ],
)
def test_courtesies_and_names_alone_join_nothing(room: Room, statement: str, claim: str) -> None:
    room.tell(statement, claim)
    assert room.told(EdgeKind.CAUSES) == set()


@pytest.mark.parametrize(("speaker", "joined"), [("Ann", True), ("Ben", False)])
def test_what_somebody_says_of_himself_is_stated_by_nobody_else(room: Room, speaker: str, joined: bool) -> None:
    room.tell("I lost the key of the boat house.", author=speaker)
    room.tell("The boats stayed dry because I lost the key.", author="Ann")
    assert bool(room.told(EdgeKind.CAUSES)) is joined
