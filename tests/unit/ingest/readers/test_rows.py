"""The project's own JSONL is strict; any other JSON with a text in it is read by what its fields are called."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.data import dataset
from tests.unit.ingest.readers.taking import keys, take


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def test_our_own_lines_carry_every_field(tmp_path: Path) -> None:
    full = {
        "text": "We chose X.",
        "scope": "team/a",
        "author": "Ann",
        "authored_at": "2024-01-02T03:04:05+02:00",
        "session": "s",
        "record": "r",
        "title": "T",
        "section": "S",
        "source": "mail",
        "key": "k1",
        "metadata": {"n": 1},
    }
    drafts, problems = take(lines(tmp_path / "a.jsonl", full, {"text": "only text"}), scope="other")
    assert problems == []
    dumped = drafts[0].model_dump(mode="json")
    assert {name: dumped[name] for name in full} == full
    assert (drafts[1].text, drafts[1].scope, drafts[1].position) == ("only text", "other", None)


def test_an_unknown_field_is_an_error_of_its_line_and_the_rest_goes_in(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        {"text": "one"},
        {"text": "two", "autor": "Ann"},
        {"txt": "three"},
        {"text": "   "},
        {"text": "five", "authored_at": "someday"},
        {"text": "six", "scope": "a b"},
        {"text": 7},
        "{broken",
        "[]",
        {"text": "ten", "metadata": []},
        {"text": "last"},
    )
    drafts, problems = take(path)
    assert [draft.text for draft in drafts] == ["one", "last"]
    places = [problem.fields["place"].split(" column")[0] for problem in problems]
    assert places == [f"line {number}" for number in range(2, 11)]
    assert "'autor'" in str(problems[0])
    assert "scope" in str(problems[4])


def test_the_same_words_in_our_own_lines_twice_are_two_unless_keyed(tmp_path: Path) -> None:
    assert len(set(keys(lines(tmp_path / "a.jsonl", {"text": "ok"}, {"text": "ok"})))) == 2


def test_fields_are_known_by_their_usual_names(tmp_path: Path) -> None:
    row = {"id": "n-100", "subject": "Move", "message": "We moved.", "speaker": "Bob", "created_at": 1662001560, "mood": "good"}
    (draft,), problems = take(lines(tmp_path / "a.jsonl", row))
    assert problems == []
    assert (draft.text, draft.title, draft.author, draft.record) == ("We moved.", "Move", "Bob", "n-100")
    assert draft.authored_at == datetime(2022, 9, 1, 3, 6, tzinfo=UTC)
    assert draft.metadata == {"id": "n-100", "mood": "good"}


@pytest.mark.parametrize(
    "shape", [lambda rows: rows, lambda rows: {"data": rows}, lambda rows: {"a": {"items": rows}, "n": [1]}]
)
def test_rows_are_found_in_a_json_value(shape: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(shape([{"text": "one"}, {"text": "two", "extra": 1}])), encoding="utf-8")
    drafts, problems = take(path)
    assert problems == []
    assert [draft.text for draft in drafts] == ["one", "two"]


def test_a_file_without_any_text_is_one_problem(tmp_path: Path) -> None:
    drafts, problems = take(lines(tmp_path / "a.jsonl", *[{"source": "a", "target": "b"}] * 50))
    assert drafts == []
    assert len(problems) == 1


def test_broken_json_is_reported_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"text": "a",\n "b": }', encoding="utf-8")
    _, (problem,) = take(path)
    assert problem.fields["place"] == "line 2 column 7"


@pytest.mark.data
def test_locomo_turns_all_go_in_under_their_sessions_and_speakers() -> None:
    path = dataset("01_locomo", "dev", "turns.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    drafts, problems = take(path)
    assert problems == []
    assert [draft.text for draft in drafts] == [row["text"] for row in rows]
    assert [draft.author for draft in drafts] == [row["speaker"] for row in rows]
    assert [draft.session for draft in drafts] == [f"{row['conv']}/{row['session']}" for row in rows]
    assert [str(draft.authored_at) for draft in drafts] == [row["datetime"].replace("T", " ") for row in rows]
    assert len(set(keys(path))) == len(rows)


@pytest.mark.data
def test_decision_records_with_sections_go_in_whole_under_their_headings() -> None:
    path = dataset("08_decisions", "python_peps", "dev", "records.jsonl")
    rows = {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    drafts, problems = take(path)
    assert problems == []
    assert {draft.record for draft in drafts} == set(rows)
    for name, row in rows.items():
        own = [draft for draft in drafts if draft.record == name]
        assert own[0].title == row["title"]
        assert own[0].author == ", ".join(row["authors"])
        body = "".join("".join(draft.text.split()) for draft in own[1:])
        assert body == "".join("".join(section["text"].split()) for section in row["sections"])
    superseded = next(draft for draft in drafts if draft.record == "pep-0215" and draft.position == 0)
    assert "Superseded by: PEP 292" in superseded.text


@pytest.mark.data
def test_commit_messages_are_records_of_their_hash() -> None:
    for name, count in (("git_rationale_messages", 122), ("git_reverts", 42)):
        drafts, problems = take(dataset("08_decisions", name, "dev", "data.jsonl"))
        assert problems == []
        assert len(drafts) == count
        assert all(draft.record_kind == "commit" and len(draft.record or "") == 40 for draft in drafts)
        assert all(draft.text.startswith(draft.title or "?") for draft in drafts)


@pytest.mark.data
def test_sessions_with_nested_turns_are_chats() -> None:
    path = dataset("02_longmemeval", "oracle", "dev", "sessions.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    drafts, problems = take(path)
    assert problems == []
    assert len(drafts) == sum(len([turn for turn in row["turns"] if turn["text"].strip()]) for row in rows)
    assert {draft.session for draft in drafts} == {row["id"] for row in rows}
