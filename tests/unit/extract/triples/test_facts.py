"""Facts of the vocabulary: direction, persons, mood and time."""

import re
from datetime import UTC, datetime

import pytest

from graph.extract.parsing import parse
from graph.extract.triples import find
from graph.extract.triples.predicates import FORMS, functional
from graph.model.extraction import Passage, Triple
from graph.model.ids import ObservationId

TOLD = datetime(2024, 5, 10, 12, tzinfo=UTC)


def facts(text: str, author: str | None = "Ana", told: datetime | None = TOLD, role: str | None = None) -> list[Triple]:
    passage = Passage(id=ObservationId("o"), text=text, author=author, authored_at=told, role=role)
    return list(find(parse([text])[0], passage))


def told(text: str, author: str | None = "Ana") -> set[tuple[str, str, str]]:
    return {(one.subject, one.predicate, one.object) for one in facts(text, author)}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I live in Paris.", ("Ana", "lives_in", "Paris")),
        ("I moved to Lisbon.", ("Ana", "lives_in", "Lisbon")),
        ("We moved to PostgreSQL.", ("we", "migrated_to", "PostgreSQL")),
        ("We migrated from Jenkins to GitHub Actions.", ("we", "migrated_to", "GitHub Actions")),
        ("We migrated from Jenkins to GitHub Actions.", ("we", "migrated_from", "Jenkins")),
        ("We adopted Rust.", ("we", "adopted", "Rust")),
        ("The team agreed to adopt Rust.", ("team", "adopted", "Rust")),
        ("We replaced Jenkins with GitHub Actions.", ("GitHub Actions", "replaced", "Jenkins")),
        ("Jenkins was replaced by GitHub Actions.", ("GitHub Actions", "replaced", "Jenkins")),
        ("GitHub Actions replaced Jenkins.", ("GitHub Actions", "replaced", "Jenkins")),
        ("The billing service depends on PostgreSQL and Kafka.", ("billing service", "depends_on", "Kafka")),
        ("The worker runs on Kubernetes.", ("worker", "runs_on", "Kubernetes")),
        ("The worker was deployed to production.", ("worker", "deployed_to", "production")),
        ("The service was deployed on Monday to staging.", ("service", "deployed_to", "staging")),
        ("The parser is written in Rust.", ("parser", "uses", "Rust")),
        ("Maria Lopez owns the billing service.", ("billing service", "owned_by", "Maria Lopez")),
        ("The billing service is owned by Maria Lopez.", ("billing service", "owned_by", "Maria Lopez")),
        ("PR 12 fixed the memory leak.", ("memory leak", "resolved_by", "PR 12")),
        ("PEP 495 was accepted by Guido.", ("PEP 495", "approved_by", "Guido")),
        ("The api is down.", ("api", "has_status", "down")),
        ("The flag is off.", ("flag", "has_status", "off")),
        ("Maria Lopez is a doctor.", ("Maria Lopez", "is_a", "doctor")),
        ("Maria Lopez was born in Rome.", ("Maria Lopez", "born_in", "Rome")),
        ("I am allergic to peanuts.", ("Ana", "allergic_to", "peanuts")),
        ("My sister loves jazz.", ("Ana's sister", "likes", "jazz")),
        ("I hate country music. He hates it.", ("Ana", "dislikes", "country music")),
        ("Bob is responsible for the gateway.", ("Bob", "responsible_for", "gateway")),
        ("Paris is in France.", ("Paris", "located_in", "France")),
        ("We decided that the cache must be dropped.", ("we", "decided", "the cache must be dropped")),
        ("We enabled the dark-mode flag.", ("dark-mode flag", "has_status", "enabled")),
        ("Bob turned off the cache.", ("cache", "has_status", "off")),
        ("The PR was merged by Ana.", ("PR", "has_status", "merged")),
        ("I set the retry limit to 5.", ("retry limit", "has_value", "5")),
        ("The retry limit is set to 7.", ("retry limit", "has_value", "7")),
        ("The timeout was raised to 30 seconds.", ("timeout", "has_value", "30 seconds")),
        ("I prefer tea.", ("Ana", "prefers", "tea")),
    ],
)
def test_a_sentence_says_a_fact_in_its_own_direction(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "It depends on Redis.",
        "They moved to Rome.",
        "She has worked there since 2021.",
        "This is great.",
        "There is a bug.",
        "Nobody likes it.",
        "Someone broke it.",
        "This approach supports Windows.",
        "Hey James, long time no talk!",
    ],
)
def test_pronouns_that_name_nobody_give_no_fact(text: str) -> None:
    assert told(text) == set()


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("The data lives in many tables.", "lives_in"),
        ("These desserts work for every diet.", "works_at"),
        ("Coconut ice is at the top of my list.", "located_in"),
        ("I'm always down to play.", "has_status"),
        ("The runtime maintains a small state.", "owned_by"),
        ("I set up a play area.", "has_status"),
        ("Ana has two cats named Luna and Max.", "functional"),
    ],
)
def test_a_word_of_the_vocabulary_in_another_sense_gives_another_predicate(text: str, predicate: str) -> None:
    assert predicate not in {fact.predicate for fact in facts(text)}
    assert not any(fact.functional for fact in facts(text))


def test_the_first_person_is_the_author_and_nobody_without_one() -> None:
    assert told("I live in Paris.", author=None) == set()
    assert [one.subject for one in facts("I live in Paris.", None, role="user")] == ["user"]
    assert [one.subject for one in facts("I live in Paris.", "Bo Li <bo@x.org>")] == ["Bo Li"]


def test_he_and_she_are_the_one_person_named_before() -> None:
    assert ("Maria Lopez", "works_at", "Acme") in told("Maria Lopez is a doctor. She works at Acme.")
    two = told("Maria Lopez met Jane Stone. She works at Acme.")
    assert not [fact for fact in two if fact[1] == "works_at"]


def test_several_subjects_are_told_one_by_one() -> None:
    found = told("Maria Lopez and Peter Stone own the parser.")
    assert {("parser", "owned_by", "Maria Lopez"), ("parser", "owned_by", "Peter Stone")} <= found


def one(text: str, predicate: str) -> Triple:
    return next(fact for fact in facts(text) if fact.predicate == predicate)


def test_negation_is_kept_apart() -> None:
    assert one("I don't like coffee.", "likes").negated
    assert one("We do not use Redis.", "uses").negated
    assert not one("I like coffee.", "likes").negated


@pytest.mark.parametrize(
    "text",
    ["Do we use Kafka?", "If we used Kafka, it works.", "We could use Kafka.", "We want to use Kafka.", "We might use Kafka."],
)
def test_what_is_asked_or_thought_of_is_hypothetical(text: str) -> None:
    assert one(text, "uses").hypothetical
    assert one(text, "uses").confidence < one("We use Kafka.", "uses").confidence


@pytest.mark.parametrize(
    "text", ["We no longer use Redis.", "We stopped using Redis.", "We used to use Redis.", "We don't use Redis anymore."]
)
def test_what_is_over_ends_when_it_was_told(text: str) -> None:
    fact = one(text, "uses")
    assert (fact.object, fact.valid_to, fact.negated) == ("Redis", TOLD, False)
    (undated,) = [fact for fact in facts(text, told=None) if fact.predicate == "uses"]
    assert undated.negated, "without a date only the denial is known"


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]  # year, month, day


def test_validity_follows_the_words_of_time() -> None:
    assert one("I lived in Berlin until June 2020.", "lives_in").valid_to == utc(2020, 6, 1)
    assert one("I have lived in Berlin since 2021.", "lives_in").valid_from == utc(2021, 1, 1)
    both = one("Maria Lopez worked at Acme from 2015 to 2019.", "works_at")
    assert (both.valid_from, both.valid_to) == (utc(2015, 1, 1), utc(2020, 1, 1))
    assert one("I lived in Berlin.", "lives_in").valid_to == TOLD
    assert one("I live in Berlin.", "lives_in").valid_to is None
    assert one("The worker was deployed to production on Monday.", "deployed_to").valid_from == utc(2024, 5, 6)
    assert one("The flag was enabled.", "has_status").valid_to is None
    assert one("Maria Lopez was born in Rome in 1990.", "born_in").valid_to is None


def test_an_event_ends_the_state_before_it() -> None:
    sold = one("Bob sold his car yesterday.", "owned_by")
    assert (sold.subject, sold.object, sold.valid_to) == ("car", "Bob", utc(2024, 5, 9))
    uses = {
        fact.object: fact.valid_to
        for fact in facts("We migrated from Jenkins to Buildkite in March.")
        if fact.predicate == "uses"
    }
    assert uses == {"Jenkins": utc(2024, 3, 1), "Buildkite": None}


@pytest.mark.parametrize(
    "text", ["We use Postgres instead of MySQL.", "We dropped MySQL in favor of Postgres.", "We replaced MySQL with Postgres."]
)
def test_what_is_used_instead_closes_what_was_used(text: str) -> None:
    uses = {fact.object: fact.valid_to for fact in facts(text) if fact.predicate == "uses"}
    assert uses == {"MySQL": TOLD, "Postgres": None}


def test_an_additional_fact_closes_nothing() -> None:
    found = facts("Bob Stone works at Acme. Bob Stone administers the repository of Acme. We also use Kafka.")
    assert all(fact.valid_to is None and not fact.negated for fact in found)


def test_functional_predicates_are_declared() -> None:
    assert functional("lives_in")
    assert functional("owned_by")
    assert not functional("uses")
    assert not functional("likes")
    assert all(form == form.strip() and name.predicate.name for form, name in FORMS.items())


def test_facts_hold_only_words_of_their_sentence_and_the_author() -> None:
    text = (
        "Maria Lopez, the lead of data, moved from Rome to Oslo in 2020 and she now runs the billing team. "
        "My brother said that the old cache, which Bob wrote in C++, wasn't replaced with Redis; I'm glad."
    )
    words = set(re.findall(r"\w+", text.lower())) | {"ana", "s"}
    for fact in facts(text):
        said = f"{fact.subject} {fact.phrase} {fact.object}".lower()
        assert set(re.findall(r"\w+", said)) <= words, fact


@pytest.mark.parametrize("text", ["", "\x00", "of of of the the", "a" * 3000, "and " * 300, "is is is is", "\ud800 is a thing"])
def test_strange_texts_give_facts_or_none(text: str) -> None:
    assert isinstance(facts(text), list)
