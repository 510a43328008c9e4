"""Names: what is found, of what type, and what a passage defines."""

import pytest

import graph.extract.names
from graph.extract.names import find
from graph.extract.names.defined import lead_name, short_forms, title_names
from graph.extract.parsing import parse
from graph.model.entities import EntityType
from graph.model.extraction import NameSeen, Passage
from graph.model.ids import ObservationId
from graph.text.names import name_key
from tests.hostile import slow_expressions


def names(text: str, title: str = "", author: str | None = None) -> list[NameSeen]:
    passage = Passage(id=ObservationId("o"), text=text, title=title, author=author)
    return list(find(parse([text])[0], passage))


def texts(text: str) -> set[str]:
    return {name.text for name in names(text)}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("We met Maria Kowalska in Lisbon last week.", "Maria Kowalska", EntityType.PERSON),
        ("We met Maria Kowalska in Lisbon last week.", "Lisbon", EntityType.LOCATION),
        ("The jobs moved to kubernetes in March.", "kubernetes", EntityType.TOOL),
        ("Terraform and Helm were dropped.", "Terraform", EntityType.TOOL),
        ("The billing-api service is slow.", "billing-api", EntityType.SERVICE),
        ("We pinned auth-worker and left the well-known state-of-the-art model.", "auth-worker", EntityType.SERVICE),
        ("Look at src/core/parser.py for the fix.", "src/core/parser.py", EntityType.DOCUMENT),
        ("The page https://example.com/a?b=c. It is old.", "https://example.com/a?b=c", EntityType.DOCUMENT),
        ("This closes #123 for good.", "#123", EntityType.DOCUMENT),
        ("It was tracked in OPS-417.", "OPS-417", EntityType.DOCUMENT),
        ("See PR 12 about it.", "PR 12", EntityType.DOCUMENT),
        ("Thanks to @ana for it.", "@ana", EntityType.PERSON),
        ("Tagged #release-train today.", "#release-train", EntityType.TOPIC),
        ("parseUserName returned nothing.", "parseUserName", EntityType.CONCEPT),
        ("Raise MAX_RETRY_COUNT to five.", "MAX_RETRY_COUNT", EntityType.CONCEPT),
        ("Call `load_state` first.", "load_state", EntityType.CONCEPT),
        ("The office moved to Room 101.", "Room 101", EntityType.OTHER),
        ("王小明先生在北京的清华大学工作。", "王小明", EntityType.PERSON),
        ("王小明先生在北京的清华大学工作。", "清华大学", EntityType.ORGANISATION),
        ("Мы встретили Ивана Петрова вчера.", "Ивана Петрова", EntityType.OTHER),
        ("田中さんが来ました。", "田中", EntityType.PERSON),
    ],
)
def test_a_name_is_found_with_its_type(text: str, name: str, kind: EntityType) -> None:
    found = {one.text: one.type for one in names(text)}
    assert found.get(name) == kind


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ich wohne in Berlin und arbeite nicht bei Siemens.", "Siemens"),
        ("Wir haben das mit Anna Schmidt besprochen und nicht gebaut.", "Anna Schmidt"),
        ("El equipo se mudó a Barcelona porque la oficina de Madrid era cara.", "Barcelona"),
        ("Nous avons choisi Kafka parce que la base de données est lente, dit Amélie.", "Amélie"),
        ("Wren 🕯️ is our cat and Wren 🫧 is too.", "Wren"),
        ("Tigran lives in Iran.", "Tigran"),
    ],
)
def test_names_of_other_languages_and_with_ornaments_are_found(text: str, name: str) -> None:
    assert name in texts(text)


def test_a_given_name_is_a_person_whatever_the_model_says() -> None:
    found = {one.text: one.type for one in names("Alice said that Priya owns it.")}
    assert found == {"Alice": EntityType.PERSON, "Priya": EntityType.PERSON}


def test_spans_hold_the_name_as_written() -> None:
    text = "First line.\nThen *Maria\nKowalska* met `load_state` and src/a/b.py at OPS-417."
    for name in names(text):
        assert name.span is not None
        assert name_key(name.span.of(text)) == name_key(name.text)


@pytest.mark.parametrize(
    "text",
    [
        "It is a well-known, long-term and state-of-the-art way to do it.",
        "Use UTF-8 and/or 24/7 support at 50%.",
        "The colour #fff and #a1b2c3 stay.",
        "Yesterday it rained on Monday in May.",
    ],
)
def test_ordinary_words_are_no_technical_names(text: str) -> None:
    assert texts(text) <= {"UTF-8"}


def test_a_version_names_the_bare_thing_too_but_a_room_number_does_not() -> None:
    assert {"Python 3.11", "Python"} <= texts("We run Python 3.11 there.")
    assert {"Room 101", "Room 102"} <= texts("Room 101 is next to Room 102.")
    assert "Room" not in texts("Room 101 is next to Room 102.")


def test_the_author_is_a_person_of_the_passage_and_a_role_is_not() -> None:
    (author,) = [n for n in names("it works", author="Ana Costa <ana@x.org>") if n.span is None]
    assert (author.text, author.type, author.sentence) == ("Ana Costa", EntityType.PERSON, -1)
    assert names("it works", author="assistant") == []


def test_a_title_and_a_lead_define_what_they_name() -> None:
    found = names("Marie Curie (born 1867) was a physicist, known as Madame Curie. She lived in Paris.", title="Marie Curie")
    assert [n.text for n in found if n.defines] == ["Marie Curie", "Marie Curie"]
    assert "Madame Curie" in found[1].aliases
    assert not next(n for n in found if n.text == "Paris").defines


def test_talk_defines_only_what_it_says_is_something() -> None:
    assert [n.text for n in names("Kubernetes is an orchestrator.", author="Bo") if n.defines] == ["Kubernetes"]
    assert not [n for n in names("Great, I love hiking!", author="Bo") if n.defines]
    assert not [n for n in names("Melanie was late again.", author="Bo") if n.defines]


def test_title_forms_and_short_forms() -> None:
    assert title_names("PEP 495 – Local Time Disambiguation")[1:] == ["PEP 495", "Local Time Disambiguation"]
    assert title_names("Springfield, Illinois (city)") == ["Springfield, Illinois", "Springfield"]
    assert "Ada Lovelace" in short_forms("Ada King Lovelace")
    assert short_forms("Royal Society of Arts") == ["Society of Arts", "Royal Society"]
    assert short_forms("Widget Suite 2024 Edition") == []
    assert lead_name("It was late.", strict=False) is None


def test_one_name_has_one_type_in_a_passage_and_stands_once_a_sentence() -> None:
    found = names("Docker is here. Docker and Docker again.", author=None)
    assert [(n.text, n.sentence) for n in found] == [("Docker", 0), ("Docker", 1)]
    assert {n.type for n in found} == {EntityType.TOOL}


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "#" * 5000, "@" * 5000, "A" * 5000, "日本" * 2000, "a/" * 3000])
def test_strange_texts_give_names_or_none(text: str) -> None:
    assert isinstance(names(text), list)


def test_expressions_are_linear_in_hostile_text() -> None:
    assert slow_expressions(graph.extract.names) == []
