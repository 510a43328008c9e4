"""Names of records, what a record is when many speak of it, and the order inside it."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.ingest.chain import chained
from graph.ingest.naming import identifiers_of
from graph.ingest.recorder import to_event
from graph.ingest.records import joined, record_of
from graph.model.events import Event, EventDraft
from graph.model.ids import EventId, ObservationId, RecordId
from graph.model.observations import Observation, Record

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def event(**fields: object) -> Event:
    return to_event(EventDraft.model_validate({"text": "t"} | fields), NOW)


@pytest.mark.parametrize(
    ("key", "title", "expected"),
    [
        ("pep-0208", "Reworking the Coercion Model", {"pep-0208", "PEP 208", "PEP-208"}),
        ("x", "PEP 208: Reworking the Coercion Model", {"PEP 208", "PEP-208"}),
        ("/srv/docs/adr/0007-queues.md", "Use queues", {"0007-queues.md", "0007-queues"}),
        ("/srv/docs/ADR-12.md", "[ADR-12] Use X", {"ADR-12.md", "ADR-12", "ADR 12"}),
        ("x", "Fix the crash, reverts #12 (#34)", {"#34"}),
        ("x", "#31 Retry on 429", {"#31"}),
        ("x", "Merge pull request #9 from me/branch", {"#9"}),
        ("a" * 40, "Subject", {"a" * 7, "a" * 12}),
        ("JIRA-77", "Broken", {"JIRA-77", "JIRA 77"}),
    ],
)
def test_key_and_title_show_by_which_names_a_record_is_cited(key: str, title: str, expected: set[str]) -> None:
    assert expected <= set(identifiers_of(key, title))


@pytest.mark.parametrize("title", ["Fix #12 in parser", "Python 3 support", "The 12 rules", "A 2 B", "reverts #2618 for now"])
def test_numbers_of_other_things_are_not_taken_for_the_records_own(title: str) -> None:
    assert identifiers_of("key", title) == ("key",)


def test_a_path_without_a_number_lends_its_file_name_but_not_its_stem() -> None:
    assert identifiers_of("/srv/docs/README.md", "") == ("/srv/docs/README.md", "README.md")


def test_an_event_is_part_of_its_record_else_of_its_session_else_of_nothing_but_itself() -> None:
    assert record_of(event(record="r", session="s", author="Ann")).key == "r"
    session = record_of(event(session="s", author="Ann"))
    assert (session.key, session.kind, session.author) == ("session:s", "session", None)
    alone = event()
    assert record_of(alone).key == alone.key


def test_a_record_keeps_what_all_its_events_say_and_joining_twice_changes_nothing() -> None:
    early = NOW - timedelta(days=1)
    stated = [
        record_of(event(record="r", author="Ann", authored_at=NOW)),
        record_of(event(record="r", author="Bob", authored_at=early, title="PEP 8: Style", identifiers=("style",))),
    ]
    record = joined(stated)
    assert (record.title, record.author, record.authored_at) == ("PEP 8: Style", None, early)
    assert {"r", "style", "PEP 8"} <= set(record.identifiers)
    assert joined([record, *stated]) == record


def passage(name: str, position: int, record: str = "r", part: int = 0) -> Observation:
    return Observation(
        id=ObservationId(name),
        scope="s",
        event_id=EventId("e" + name),
        record_id=RecordId(record),
        key=name,
        position=position,
        part=part,
        text=name,
        recorded_at=NOW,
    )


def test_next_joins_a_late_passage_to_both_neighbours_and_leaves_other_records_alone() -> None:
    row = [passage("c", 3), passage("a", 1), passage("b", 2), passage("z", 2, "other")]
    assert [(edge.source, edge.target) for edge in chained(row, {"b"})] == [("a", "b"), ("b", "c")]
    assert chained(row, {"z"}) == []


def test_a_record_is_a_frozen_value_so_known_ones_are_not_changed_in_place() -> None:
    known = Record(id=RecordId("r"), scope="s", key="r")
    joined([known, known.model_copy(update={"title": "T"})])
    assert known.title == ""
