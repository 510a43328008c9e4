"""Names that mean one thing, two, or cannot be told apart by themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.model.entities import EntityType
from graph.text.entities import bare, may_merge, numbers, one_edit, resolve_bare
from graph.text.names import name_key

PERSON, ORG, OTHER, TOOL, DOC = (
    EntityType.PERSON,
    EntityType.ORGANISATION,
    EntityType.OTHER,
    EntityType.TOOL,
    EntityType.DOCUMENT,
)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Room 101", "Room 102", OTHER),
        ("Room 0101", "Room 101", OTHER),
        ("UA123", "UA124", OTHER),
        ("2023 Tax Return", "2024 Tax Return", DOC),
        ("John Richardson", "Jane Richardson", PERSON),
        ("Dr John Richardson", "Dr Jane Richardson", PERSON),
        ("Tigran", "Iran", OTHER),
        ("Tigran", "Iran", PERSON),
        ("Python 3.11", "Python 3.12", TOOL),
        ("Python 3.11", "Python", TOOL),
        ("GPT-4", "GPT-5", TOOL),
        ("v1.2.3", "v1.2.4", OTHER),
        ("PEP 8", "PEP 80", DOC),
        ("#12", "#13", DOC),
        ("C", "C++", TOOL),
        ("C#", "C++", TOOL),
        ("World War II", "World War III", EntityType.EVENT),
        ("Java", "JavaScript", TOOL),
        ("王小明", "王小红", PERSON),
        ("Иван Петров", "Анна Петров", PERSON),
        ("billing-api-v1", "billing-api-v2", EntityType.SERVICE),
        ("us-east-1", "us-east-2", OTHER),
        ("Alice", "Bob", PERSON),
        ("John A. Smith", "John B. Smith", PERSON),
    ],
)
def test_what_differs_in_number_code_or_given_name_stays_apart(a: str, b: str, kind: EntityType) -> None:
    assert may_merge(a, kind, b, kind) is False


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Wren 🕯️", "Wren 🫧", OTHER),
        ("Wren", "wren ✨", PERSON),
        ("José Álvarez", "Jose Alvarez", PERSON),
        ("Dr. John Richardson", "John Richardson", PERSON),
        ("GitHub", "Git Hub", TOOL),
        ("billing-api", "Billing API", EntityType.SERVICE),
        ("the Payment Service", "Payment Service", EntityType.SERVICE),
        ("Colour Centre", "Color Center", ORG),
        ("World Health Organisation", "World Health Organization", ORG),
        ("Acme", "Acme Inc.", ORG),
        ("ＡＰＩ Gateway", "API Gateway", OTHER),
        ("🫧", "🫧", OTHER),
    ],
)
def test_spellings_and_ornaments_of_one_name_are_one(a: str, b: str, kind: EntityType) -> None:
    assert may_merge(a, kind, b, kind) is True


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Alice", "Alice Smith", PERSON),
        ("Smith", "Alice Smith", PERSON),
        ("J. Richardson", "John Richardson", PERSON),
        ("John Smith", "John A. Smith", PERSON),
        ("Mr Smith", "Mrs Smith", PERSON),
        ("IBM", "International Business Machines", ORG),
        ("Payment Service", "Payment Service Team", OTHER),
        ("Kubernetes", "Kubernets", TOOL),
        ("Mercury (planet)", "Mercury", OTHER),
        ("Mercury (planet)", "Mercury (element)", OTHER),
    ],
)
def test_what_names_alone_do_not_say_is_left_open(a: str, b: str, kind: EntityType) -> None:
    assert may_merge(a, kind, b, kind) is None


def test_the_same_name_of_another_type_is_another_thing() -> None:
    assert may_merge("Apple", ORG, "Apple", EntityType.CONCEPT) is False
    assert may_merge("Mercury", TOOL, "Mercury", EntityType.LOCATION) is False
    assert may_merge("Apple", ORG, "Apple", OTHER) is True


def test_a_bare_first_name_with_two_bearers_is_ambiguous() -> None:
    known = {"Alice Smith": PERSON, "Alice Jones": PERSON, "Bob Stone": PERSON}
    assert resolve_bare("Alice", known) == ["Alice Smith", "Alice Jones"]
    assert resolve_bare("Bob", known) == ["Bob Stone"]
    assert resolve_bare("Alice Smith", known) == ["Alice Smith"]
    assert resolve_bare("Carol", known) == []


NAMES = st.text(min_size=1, max_size=30).filter(str.strip)
KINDS = st.sampled_from(list(EntityType))


@given(NAMES, KINDS, NAMES, KINDS)
def test_merging_is_symmetric(a: str, type_a: EntityType, b: str, type_b: EntityType) -> None:
    assert may_merge(a, type_a, b, type_b) is may_merge(b, type_b, a, type_a)


@given(NAMES, KINDS)
def test_a_name_is_itself_and_never_nothing(name: str, kind: EntityType) -> None:
    assert may_merge(name, kind, name, kind) is True
    assert bare(name)
    assert name_key(bare(name))


@given(st.text("abcdefgh ", min_size=3, max_size=12).filter(str.strip), st.integers(0, 10**6), st.integers(0, 10**6))
def test_another_number_is_another_thing(word: str, one: int, other: int) -> None:
    expected = one == other
    assert (may_merge(f"{word} {one}", OTHER, f"{word} {other}", OTHER) is True) == expected


@given(st.text("abcd", min_size=1, max_size=8), st.integers(0, 7), st.sampled_from("abcd"))
def test_one_edit_finds_what_one_edit_made(word: str, place: int, letter: str) -> None:
    k = min(place, len(word) - 1)
    for other in (word[:k] + word[k + 1 :], word[:k] + letter + word[k:], word[:k] + letter + word[k + 1 :]):
        assert one_edit(word, other)
        assert one_edit(other, word)


def test_numbers_of_a_name() -> None:
    assert numbers("Python 3.11 on UA0123") == ("3", "11", "ua0123")
    assert numbers("World War II") == ("II",)
    assert numbers("Room") == ()
