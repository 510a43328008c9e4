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
def test_every_format_goes_in_once(shell: Shell) -> None:
    for folder in FOLDERS:
        source = dataset("09_transcripts", *folder.split("/"))
        before = shell.counts()["events"]
        shell.run("ingest", str(source))
        once = shell.counts()["events"]
        shell.run("ingest", str(source))

        assert once > before, folder
        assert shell.counts()["events"] == once, folder


@pytest.mark.data
def test_conversations_and_decisions_go_in_and_settle(shell: Shell, tmp_path: Path) -> None:
    turns = _head(dataset("01_locomo", "dev", "turns.jsonl"), tmp_path / "turns.jsonl", 60)
    reverts = _head(dataset("08_decisions", "git_reverts", "dev", "data.jsonl"), tmp_path / "reverts.jsonl", 10)

    for path in (turns, reverts, turns, reverts):
        shell.run("ingest", str(path), "--wait")

    counts = shell.counts()
    assert counts["events"] >= 70
    assert counts["pending"] == 0
    assert counts["dead_letters"] == 0
    speaker = json.loads(turns.read_text(encoding="utf-8").splitlines()[0])["speaker"]
    answer = shell.json("who", f"Who is {speaker}?")
    assert answer["intents"] == ["ENTITY"]
    assert any(speaker in (hit["author"], *hit["text"].split()) for hit in answer["results"])


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


def test_a_forgotten_memory_is_out_of_sight_and_comes_back(shell: Shell) -> None:
    shell.ingest([{"text": "We chose Postgres because the vacuum blocked invoices.", "session": "s", "author": "ana"}])
    (hit,) = shell.json("why", "Why Postgres?")["results"]

    shell.run("forget", hit["id"])
    assert shell.json("what", "Postgres?")["results"] == []
    assert shell.run("forget", hit["id"], check=False).returncode != 0
    shell.run("restore", hit["id"])
    shell.run("pin", hit["id"])
    shell.run("pin", hit["id"], "--off")

    assert [found["id"] for found in shell.json("why", "Why Postgres?")["results"]] == [hit["id"]]
