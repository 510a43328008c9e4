"""Transcripts and chats against the gold turns: every word, role and time that the format carries, and nothing else."""

import json
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from graph.errors import Unreadable
from graph.model.events import EventDraft
from tests.data import dataset
from tests.unit.ingest.readers.taking import keys, take

pytestmark = pytest.mark.data

CONVERTED = ("09_transcripts", "converted")


def gold() -> dict[str, list[dict[str, Any]]]:
    turns: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in dataset(*CONVERTED, "gold_turns.jsonl").read_text(encoding="utf-8").splitlines():
        turn = json.loads(line)
        turns[turn["conversation"]].append(turn)
    return turns


def index(name: str) -> dict[str, str]:
    named: dict[str, str] = json.loads(dataset(*CONVERTED, name).read_text(encoding="utf-8"))
    return named


def by_session(drafts: list[EventDraft]) -> dict[str, list[EventDraft]]:
    found: dict[str, list[EventDraft]] = defaultdict(list)
    for draft in drafts:
        found[str(draft.session)].append(draft)
    return found


def said(drafts: list[EventDraft]) -> list[tuple[str | None, str]]:
    return [(draft.role, draft.text) for draft in sorted(drafts, key=lambda draft: draft.position or 0)]


def expected(turns: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(turn["role"], turn["text"]) for turn in turns]


def test_claude_code_sessions_give_the_gold_turns_with_their_times() -> None:
    turns = gold()
    for name, conversation in index("claude_code_index.json").items():
        drafts, problems = take(dataset(*CONVERTED, "claude_code", name))
        assert problems == []
        spoken = [draft for draft in drafts if not draft.metadata.get("summary")]
        assert len(drafts) == len(spoken) + 1
        assert said(spoken) == expected(turns[conversation])
        times = [datetime.fromisoformat(turn["timestamp"]) for turn in turns[conversation]]
        assert [draft.authored_at for draft in spoken] == times
        assert {draft.session for draft in drafts} == {name.removesuffix(".jsonl")}


def test_a_chatgpt_export_gives_the_current_branch_and_not_the_abandoned_one() -> None:
    turns = gold()
    drafts, problems = take(dataset(*CONVERTED, "chatgpt_export"))
    assert problems == []
    assert len(drafts) == sum(map(len, turns.values())) == 103
    sessions = by_session(drafts)
    for name, conversation in index("chatgpt_export_index.json").items():
        assert said(sessions[name]) == expected(turns[conversation])
        times = [datetime.fromisoformat(turn["timestamp"]) for turn in turns[conversation]]
        assert [draft.authored_at for draft in sessions[name]] == times
    assert not any("abandoned draft" in draft.text for draft in drafts)


@pytest.mark.parametrize("name", ["openai_chat.jsonl", "anthropic_messages.jsonl", "langchain_messages.jsonl"])
def test_chat_lines_give_the_gold_turns(name: str) -> None:
    drafts, problems = take(dataset(*CONVERTED, name))
    assert problems == []
    sessions = by_session(drafts)
    for conversation, turns in gold().items():
        assert said(sessions[conversation]) == expected(turns)
    assert not any(draft.text == "You are a helpful assistant." for draft in drafts)
    extra = [session for session in sessions if session not in gold()]
    assert extra == ([] if name.startswith("anthropic") else ["tool-calls-from-real-claude-code-entries"])


def test_the_date_of_a_conversation_is_the_date_of_its_turns() -> None:
    drafts, _ = take(dataset(*CONVERTED, "openai_chat.jsonl"))
    first = gold()["answer_cbd08e3c_1"][0]["timestamp"]
    assert str(drafts[0].authored_at) == str(datetime.fromisoformat(first).replace(tzinfo=None))


def test_tool_calls_are_condensed_and_their_answers_said_by_the_tool() -> None:
    drafts, _ = take(dataset(*CONVERTED, "openai_chat.jsonl"))
    tools = [draft for draft in drafts if str(draft.session).startswith("tool-calls")]
    assert {draft.role for draft in tools} == {"user", "assistant", "tool"}
    assert all(len(draft.text) < 500 for draft in tools if draft.role == "tool")
    assert any(draft.text.startswith("[tool Bash: Copy tokenizer files to new repo") for draft in tools)


def test_the_constructor_form_of_langchain_messages_is_one_conversation() -> None:
    drafts, problems = take(dataset(*CONVERTED, "langchain_dumpd_example.json"))
    assert problems == []
    assert said(drafts) == expected(gold()["answer_cbd08e3c_1"])
    assert len({draft.session for draft in drafts}) == 1


def test_a_slack_export_gives_every_message_with_its_author_and_thread() -> None:
    turns = json.loads(dataset(*CONVERTED, "slack_export_index.json").read_text(encoding="utf-8"))
    drafts, problems = take(dataset(*CONVERTED, "slack_export"))
    assert problems == []
    assert len(drafts) == len(turns) == 149
    stamps = [f"{(draft.position or 0) / 1e6:.6f}" for draft in drafts]
    assert stamps == [turn["ts"] for turn in turns]
    assert {draft.author for draft in drafts} == {"Andrew", "Audrey"}
    assert not any("joined the channel" in draft.text for draft in drafts)
    threads = [draft for draft in drafts if draft.record_kind == "thread"]
    assert len({draft.session for draft in threads}) == 1
    assert any("[image: a photo of a small white dog sitting on a carpet]" in draft.text for draft in drafts)


def test_a_single_day_of_slack_is_read_with_its_exports_names() -> None:
    day = dataset(*CONVERTED, "slack_export", "general", "2023-03-27.json")
    drafts, problems = take(day)
    assert problems == []
    whole = [draft for draft in take(dataset(*CONVERTED, "slack_export"))[0] if draft.source == str(day)]
    assert [draft.key for draft in drafts] == [draft.key for draft in whole]


def test_real_claude_code_entries_go_in_without_thinking_notices_or_pictures() -> None:
    drafts, problems = take(dataset("09_transcripts", "claude_code", "real_entries.jsonl"))
    assert problems == []
    by_position = {draft.position: draft for draft in drafts if draft.position}
    skipped = {3: "thinking", 4: "snapshot", 5: "queue", 7: "system", 13: "empty", 54: "local", 57: "command", 59: "caveat"}
    assert not skipped.keys() & by_position.keys()
    assert by_position[2].metadata["sidechain"] is True
    assert by_position[55].text.startswith("[image]\n\nDo you think we could set up rewrites")
    assert by_position[52].text == '$ uv run pytest -m "not (tui or browser)" -v'
    assert by_position[53].role == "tool"
    assert by_position[51].text.startswith("[tool exit_plan_mode]\n## Clean Up Message Filtering Logic")
    assert not any("base64" in draft.text or "iVBOR" in draft.text for draft in drafts)
    assert not any("\x1b[" in draft.text for draft in drafts if draft.role == "tool")
    assert [draft.text for draft in drafts if draft.metadata.get("summary")] == ["CSS Details Margin Styling"]
    assert len(drafts) == 49


def test_codex_entries_go_in_once_each_and_notes_of_the_harness_do_not() -> None:
    drafts, problems = take(dataset("09_transcripts", "codex_cli"))
    assert problems == []
    texts = [draft.text for draft in drafts]
    assert texts.count("List the synthetic files.") == 1
    assert "$ printf synthetic" in texts
    assert not any("environment_context" in text or "cwd" in text for text in texts)
    assert "[tool exec_command: pytest -q]" in texts
    assert len(drafts) == 13


def test_an_older_rollout_without_envelopes_is_read_too(tmp_path: Path) -> None:
    head = {"id": "old-1", "timestamp": "2025-06-01T10:00:00Z", "instructions": "be brief"}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "List the files."}]}
    call = {"type": "function_call", "name": "shell", "arguments": '{"command": "ls"}', "call_id": "c"}
    path = tmp_path / "rollout.jsonl"
    path.write_text("\n".join(map(json.dumps, [head, {"record_type": "state"}, said, call])), encoding="utf-8")
    drafts, problems = take(path)
    assert problems == []
    assert [(draft.text, draft.session) for draft in drafts] == [("List the files.", "old-1"), ("[tool shell: ls]", "old-1")]


@pytest.mark.parametrize(
    "parts",
    [
        ("09_transcripts", "claude_code", "real_entries.jsonl"),
        ("09_transcripts", "codex_cli", "sample_entries.jsonl"),
        (*CONVERTED, "openai_chat.jsonl"),
        (*CONVERTED, "langchain_messages.jsonl"),
        (*CONVERTED, "claude_code", "10663d45-6a94-52bd-b3b4-ce06aceaa282.jsonl"),
    ],
)
def test_a_file_elsewhere_gives_the_same_keys_and_one_that_grew_only_adds(parts: tuple[str, ...], tmp_path: Path) -> None:
    original = dataset(*parts)
    lines = original.read_text(encoding="utf-8").splitlines(keepends=True)
    copy = tmp_path / original.name
    copy.write_text("".join(lines), encoding="utf-8")
    whole = keys(copy)
    assert whole == keys(original)
    assert len(whole) == len(set(whole))
    copy.write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    half = keys(copy)
    assert set(half) < set(whole)


def test_a_broken_line_and_a_cut_off_end_are_reported_with_their_place_while_the_rest_goes_in(tmp_path: Path) -> None:
    original = dataset(*CONVERTED, "claude_code", "10663d45-6a94-52bd-b3b4-ce06aceaa282.jsonl")
    lines = original.read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3][:-20]
    lines[5] = "[1, 2"
    lines[6] = '"a string"'
    broken = tmp_path / original.name
    broken.write_bytes("\n".join(lines).encode()[:-30] + b"\xff\xfe")
    drafts, problems = take(broken)
    assert [problem.fields["place"].split(" column")[0] for problem in problems] == ["line 4", "line 6", "line 7", "line 13"]
    assert all(isinstance(problem, Unreadable) and problem.fields["file"] == str(broken) for problem in problems)
    assert set(keys(broken)) < set(keys(original))
    assert len(drafts) == 13 - 4
