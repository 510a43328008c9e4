"""Real files go in once: every folder of transcripts, conversations and decision records, twice with the same counts."""

import json
from pathlib import Path

import pytest

from tests.data import dataset
from tests.e2e.conftest import Shell

FOLDERS = [
    "converted/claude_code",
    "converted/chatgpt_export",
    "converted/slack_export",
    "converted/openai_chat.jsonl",
    "converted/anthropic_messages.jsonl",
    "converted/langchain_messages.jsonl",
    "claude_code/real_entries.jsonl",
    "codex_cli",
]


def _head(source: Path, target: Path, lines: int) -> Path:
    target.write_text("".join(source.open(encoding="utf-8").readlines()[:lines]), encoding="utf-8")
    return target


@pytest.mark.data
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_format_goes_in_once(shell: Shell, folder: str) -> None:
    source = dataset("09_transcripts", *folder.split("/"))

    shell.run("ingest", str(source))
    first = shell.counts()
    shell.run("ingest", str(source))

    assert first["events"] > 0
    assert shell.counts()["events"] == first["events"]


@pytest.mark.data
def test_conversations_and_decisions_go_in_and_settle(shell: Shell, tmp_path: Path) -> None:
    turns = _head(dataset("01_locomo", "dev", "turns.jsonl"), tmp_path / "turns.jsonl", 120)
    reverts = _head(dataset("08_decisions", "git_reverts", "dev", "data.jsonl"), tmp_path / "reverts.jsonl", 10)

    for path in (turns, reverts, turns, reverts):
        shell.run("ingest", str(path), "--wait")

    counts = shell.counts()
    assert counts["events"] >= 130
    assert counts["pending"] == 0
    assert counts["dead_letters"] == 0
    speaker = json.loads(turns.read_text(encoding="utf-8").splitlines()[0])["speaker"]
    answer = shell.json("who", f"Who is {speaker}?")
    assert answer["intents"][0]["intent"] == "ENTITY"
    assert any(hit["author"] == speaker for hit in answer["results"])


def test_an_unreadable_file_is_named_and_the_rest_goes_in(shell: Shell) -> None:
    folder = shell.cwd / "mixed"
    folder.mkdir()
    (folder / "good.md").write_text("# Cache\n\nWe disabled the cache because it served stale prices.\n", encoding="utf-8")
    (folder / "broken.jsonl").write_text('{"text": "fine"}\n{"text": \n', encoding="utf-8")

    done = shell.run("ingest", str(folder), "--wait", check=False)

    assert done.returncode != 0
    assert "broken.jsonl" in done.stderr
    assert "2" in done.stderr
    assert shell.counts()["events"] == 2
