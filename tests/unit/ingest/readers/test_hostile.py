"""Whatever a file holds, a reader gives drafts and problems and never breaks."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.errors import Unreadable
from graph.ingest.readers import read_path
from graph.ingest.readers.chat import MESSAGE_LISTS
from graph.model.events import EventDraft
from tests.unit.ingest.readers.taking import take

WORDS = (
    "text content message messages turns role type user assistant ai human uuid sessionId leafUuid summary payload "
    "response_item event_msg session_meta mapping current_node parent children author parts content_type ts "
    "thread_ts subtype files sections heading id kwargs data lc tool_use tool_result tool_calls function name "
    "arguments input timestamp created_at authored_at metadata title scope key record session position identifiers "
    "image entry sha conv"
).split()
NAMES = st.sampled_from([*WORDS, *MESSAGE_LISTS])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | NAMES
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6), max_leaves=25
)


def all_is_well(path: Path, **options: str) -> None:
    for item in read_path(path, **options):
        assert isinstance(item, EventDraft | Unreadable)


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(value=st.lists(VALUES, max_size=5))
def test_no_json_breaks_a_reader(value: list[Any], suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text("\n".join(map(json.dumps, value)) if suffix == ".jsonl" else json.dumps(value), encoding="utf-8")
    all_is_well(path)


def test_a_message_whose_class_has_no_name_breaks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": null, "id": [], "kwargs": {}}\n{"text": "fine"}', encoding="utf-8")
    all_is_well(path)


def test_a_list_within_the_list_of_conversations_is_a_problem_with_a_name(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([[{"text": None, "mapping": {}}]]), encoding="utf-8")
    assert [type(item) for item in read_path(path)] == [Unreadable]


@pytest.mark.parametrize("name", ["backstory", "chat", "chatgpt", "claude-code", "codex", "json", "markdown", "slack", "text"])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(value=st.lists(VALUES, max_size=4))
def test_no_json_breaks_a_reader_that_was_forced(value: list[Any], name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, value)), encoding="utf-8")
    all_is_well(path, format=name)
    path = tmp_path / "b.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    all_is_well(path, format=name)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_break_a_reader(data: bytes, tmp_path: Path) -> None:
    for name in ("a.md", "a.txt", "a.json", "a.jsonl", "a"):
        (tmp_path / name).write_bytes(data)
        all_is_well(tmp_path / name)


def test_a_deeply_nested_json_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" * 200_000 + "]" * 200_000)
    (tmp_path / "b.jsonl").write_text('{"text": ' * 100_000 + "1" + "}" * 100_000 + '\n{"text": "fine"}\n')
    drafts, problems = take(tmp_path)
    assert [draft.text for draft in drafts] == ["fine"]
    assert len(problems) == 2


def test_links_in_a_circle_and_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.md").write_text("x")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    drafts, problems = take(tmp_path)
    assert ([draft.text for draft in drafts], problems) == (["x"], [])


def test_a_chatgpt_tree_with_a_circle_or_without_a_current_node_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    def node(parent: str | None, text: str, time: float, children: list[str]) -> dict[str, Any]:
        message = {"author": {"role": "user"}, "create_time": time, "content": {"content_type": "text", "parts": [text]}}
        return {"message": message, "parent": parent, "children": children}

    circle = {
        "mapping": {"a": node("b", "one", 1e9, ["b"]), "b": node("a", "two", 2e9, ["a"])},
        "current_node": "b",
        "id": "c1",
    }
    loose = {"mapping": {"a": node(None, "three", 1e9, ["b"]), "b": node("a", "four", 2e9, [])}, "id": "c2"}
    (tmp_path / "conversations.json").write_text(json.dumps([circle, loose]))
    drafts, problems = take(tmp_path)
    assert [draft.text for draft in drafts] == ["one", "two", "three", "four"]
    assert ["breaks at node" in str(problem) for problem in problems] == [True]
