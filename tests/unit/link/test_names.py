"""Names meet their texts in both directions; entities that differ stay apart, and what is unclear says so."""

from itertools import permutations

import pytest

from graph.link.mentions import candidates, first_of_each, matches
from graph.model.edges import EdgeKind
from graph.model.entities import EntityType
from graph.model.observations import Span
from tests.support.memory import Room


def _matched(text: str, *names: str, marked: bool = True) -> list[tuple[str, bool]]:
    sentences = [Span(start=0, end=len(text))]
    found = matches(candidates(text, sentences), sentences, dict.fromkeys(names, marked))
    return [(match.key, match.nested) for match in found]


def test_longer_names_come_first_and_what_stands_inside_them_is_nested() -> None:
    assert _matched("We met at New York University.", "new york", "new york university", "york") == [
        ("new york university", False),
        ("new york", True),
        ("york", True),
    ]


def test_a_one_word_name_needs_a_capital_unless_it_is_written_without_one_or_as_code() -> None:
    assert _matched("the mercury rose", "mercury") == []
    assert _matched("the Mercury rose", "mercury") == [("mercury", False)]
    assert _matched("we use numpy here", "numpy", marked=False) == [("numpy", False)]
    assert _matched("see rate_limiter for more", "rate limiter") == [("rate limiter", False)]


def test_a_name_never_spans_two_sentences() -> None:
    text = "We moved to New. York was next."
    sentences = [Span(start=0, end=16), Span(start=17, end=len(text))]
    assert matches(candidates(text, sentences), sentences, {"new york": True}) == []


def test_a_mention_knows_its_sentence_and_the_first_plain_place_wins() -> None:
    text = "Old Bern Road is closed. Bern is far."
    sentences = [Span(start=0, end=24), Span(start=25, end=len(text))]
    found = matches(candidates(text, sentences), sentences, {"bern": True, "old bern road": True})
    best = first_of_each(found)
    assert (best["bern"].sentence, best["bern"].nested) == (1, False)


def test_names_inside_scripts_without_spaces_are_found() -> None:
    assert ("東京", False) in _matched("私は東京に住んでいます", "東京")


def test_a_new_name_is_found_in_texts_that_were_there_before(room: Room) -> None:
    room.tell("Halvorsen called about the crane.")
    assert room.names(EdgeKind.MENTIONS, "Halvorsen") == set()
    room.tell("The crane belongs to #Halvorsen=person#.")
    assert room.names(EdgeKind.MENTIONS, "Halvorsen") == {"Halvorsen"}


def test_a_known_name_is_found_in_a_new_text_that_the_extractor_did_not_see(room: Room) -> None:
    room.tell("The crane belongs to #Halvorsen=person#.")
    room.tell("Halvorsen called about the crane.")
    (entity,) = room.entities()
    assert room.names(EdgeKind.MENTIONS, "Halvorsen") == {"Halvorsen"}
    assert entity.mentions == 2


NAMED = (
    "##Redis=tool## is a store for sessions.",
    "Redis was slow on Monday.",
    "We talked about #Redis# and #Kafka=tool#.",
    "kafka and redis in lower case.",
    "Kafka lost a broker.",
)


@pytest.mark.parametrize("order", [order for number, order in enumerate(permutations(NAMED)) if number % 29 == 0])
@pytest.mark.parametrize("batch", [1, 2, 32])
def test_the_order_and_size_of_batches_do_not_change_the_names(room: Room, order: tuple[str, ...], batch: int) -> None:
    for text in order:
        room.record(text)
        if batch == 1:
            room.memory.work()
    room.memory.work(batch)
    assert {entity.name_key: (entity.mentions, entity.about) for entity in room.entities()} == {
        "redis": (3, 1),
        "kafka": (2, 0),
    }
    assert room.names(EdgeKind.ABOUT, "##Redis") == {"Redis"}
    assert room.names(EdgeKind.MENTIONS, "We talked") == {"Redis", "Kafka"}
    assert room.names(EdgeKind.MENTIONS, "kafka and") == set()


def test_a_typed_and_an_untyped_mention_are_one_entity(room: Room) -> None:
    room.tell("Ask #Mira#.", "Then #Mira=person# left.", "Again #Mira#.")
    (entity,) = room.entities()
    assert (entity.type, entity.mentions) == (EntityType.PERSON, 3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Room 101", "Room 102"),
        ("UA123", "UA124"),
        ("2023 Tax Return", "2024 Tax Return"),
        ("Dr John Richardson", "Dr Jane Richardson"),
        ("Iran", "Tigran"),
        ("Python 3.11", "Python 3.12"),
        ("Dr Richardson=person", "Jane Richardson=person"),
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_names_that_differ_stay_apart(room: Room, one: str, other: str, together: bool) -> None:
    texts = (f"We saw #{one}# with Ann.", f"We saw #{other}# with Ann.")
    if together:
        room.tell(*texts)
    else:
        for text in texts:
            room.tell(text)
    assert {entity.name for entity in room.entities()} == {one.split("=", maxsplit=1)[0], other.split("=", maxsplit=1)[0]}


def test_signs_and_spelling_do_not_split_a_name(room: Room) -> None:
    room.tell("We named it #Wren#.", "Then #Wren ✨# and #WREN# sang, and #the Wren#.")
    (entity,) = room.entities()
    assert entity.mentions == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Oakline=organisation", "Oakline Ltd=organisation"),
        ("Jane Richardson=person", "Dr Jane Richardson=person"),
        ("Wren 🕯️", "Wren 🫧"),
    ],
)
@pytest.mark.parametrize("turned", [True, False])
def test_a_title_or_a_legal_form_makes_no_other_thing_whichever_came_first(
    room: Room, one: str, other: str, turned: bool
) -> None:
    for name in (other, one) if turned else (one, other):
        room.tell(f"We met #{name}#.")
    (entity,) = room.entities()
    assert entity.mentions == 2
    room.tell(f"Again {other.split('=', maxsplit=1)[0]} came.")
    assert room.names(EdgeKind.MENTIONS, "Again") == {entity.name}


def test_a_name_that_is_defined_in_two_ways_is_two_entities_and_a_bare_mention_stays_open(room: Room) -> None:
    room.tell("##Apple=organisation## makes phones.")
    room.tell("##Apple=location## is a village.")
    room.tell("We went to #Apple#.")
    assert {entity.type for entity in room.entities()} == {EntityType.ORGANISATION, EntityType.LOCATION}
    assert room.names(EdgeKind.MENTIONS, "We went") == set()
    assert room.named("We went").marks["ambiguous"] == ["Apple"]


def test_a_tagger_that_changes_its_mind_does_not_split_a_name(room: Room) -> None:
    room.tell("We use #Kafka=tool#.", "Then #Kafka=person# failed.", "And #Kafka=organisation# came back.")
    assert [entity.mentions for entity in room.entities()] == [3]


def test_a_bare_given_name_of_two_known_persons_stays_by_itself_and_is_listed(room: Room) -> None:
    room.tell("#Alice Smith=person# and #Alice Jones=person# met.")
    room.tell("#Alice=person# said no.")
    assert room.named("#Alice=").marks["ambiguous"] == ["Alice"]
    assert {entity.name for entity in room.entities()} == {"Alice", "Alice Smith", "Alice Jones"}


def test_a_name_of_another_script_is_never_nothing(room: Room) -> None:
    room.tell("We met #東京#.", "And #Привет Мир#.", "And #++#.")
    assert {entity.name_key for entity in room.entities()} >= {"東京", "привет мир"}


def test_every_passage_bears_the_title_but_only_the_first_is_sure_to_be_about_it(room: Room) -> None:
    for position in (1, 2):
        room.record(f"Part {position} of it.", record="doc", position=position, title="Lamport Clocks")
    room.memory.work()
    weights = {edge.source: (edge.weight, edge.note) for edge in room.edges(EdgeKind.ABOUT)}
    assert weights == {room.named("Part 1").id: (1.0, "title"), room.named("Part 2").id: (0.25, "title")}


def test_a_name_that_stands_everywhere_is_no_bridge(room: Room) -> None:
    room.tell(*(f"#Ubiquity# and #Name{number}q#." for number in range(40)))
    by_name = {entity.name: entity for entity in room.entities()}
    assert by_name["Ubiquity"].mentions == 40
    weights = {edge.target: edge.weight for edge in room.edges(EdgeKind.MENTIONS)}
    assert weights[by_name["Ubiquity"].id] < 0.3
    assert weights[by_name["Name7q"].id] > 0.7


def test_two_scopes_share_no_entity(room: Room) -> None:
    other = Room(room.memory, room.scope + "-other")
    for one in (room, other):
        one.record("We use #Redis=tool#.", "Redis was slow.")
    room.memory.work()
    (mine,), (theirs,) = room.entities(), other.entities()
    assert mine.id != theirs.id
    assert (mine.mentions, theirs.mentions) == (2, 2)
    assert {edge.scope for edge in room.edges(EdgeKind.MENTIONS)} == {room.scope}
