"""Folders, detection by content, git history, and what is passed over or reported."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from graph.errors import InvalidInput
from graph.ingest.readers import GitReader, count_hint, read_path
from graph.ingest.readers.injected import has_injected, without_injected
from graph.model.events import EventDraft
from tests.unit.ingest.readers.taking import take


def test_a_folder_is_read_in_order_without_binaries_and_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "b" / "two.md").write_text("two")
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "c").write_text("three")
    (tmp_path / ".env").write_text("SECRET=1")
    (tmp_path / ".hidden" / "x.md").write_text("no")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\x00\x00")
    (tmp_path / "tool.bin").write_bytes(b"\x00\x01")
    (tmp_path / "code.py").write_text("print(1)")
    (tmp_path / "empty.md").write_text("")
    drafts, problems = take(tmp_path)
    assert [draft.text for draft in drafts] == ["one", "two", "three"]
    assert problems == []
    assert count_hint(tmp_path) >= 3


def test_what_cannot_be_read_is_reported_and_the_rest_goes_in(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"caf\xe9 au lait")
    (tmp_path / "b.md").write_bytes(b"\x00\x01\x02 binary")
    (tmp_path / "c.json").write_text("{")
    (tmp_path / "d.md").write_text("fine")
    drafts, problems = take(tmp_path)
    assert [draft.text for draft in drafts] == ["fine"]
    names = [(Path(problem.fields["file"]).name, problem.fields["reason"].split(":")[0]) for problem in problems]
    assert names == [("a.md", "not UTF-8 text"), ("b.md", "a binary file"), ("c.json", "not JSON")]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the owner of everything may read everything")
def test_a_file_without_permission_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "a.md").chmod(0)
    assert "ermission" in str(take(tmp_path)[1][0])


def test_a_named_file_is_read_or_reported_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("x = 1  # because of y")
    (tmp_path / "a.bin").write_bytes(b"\x00\x01")
    (tmp_path / "empty.md").write_text("")
    assert [draft.text for draft in take(tmp_path / "code.py")[0]] == ["x = 1  # because of y"]
    assert [problem.fields["reason"] for name in ("a.bin", "empty.md", "gone.md") for problem in take(tmp_path / name)[1]] == [
        "a binary file",
        "an empty file",
        "no such file or folder",
    ]


def test_an_archive_is_named_as_one(tmp_path: Path) -> None:
    (tmp_path / "export.zip").write_bytes(b"PK\x03\x04\x14\x00\x00")
    (problem,) = take(tmp_path / "export.zip")[1]
    assert "unpack it" in str(problem)


def test_content_tells_the_format_before_the_name(tmp_path: Path) -> None:
    session = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"role": "user", "content": "hello there"}}
    (tmp_path / "log.txt").write_text(json.dumps(session) + "\n")
    (tmp_path / "lines.json").write_text('{"role": "user", "content": "a"}\n{"role": "assistant", "content": "b"}\n')
    (draft,), _ = take(tmp_path / "log.txt")
    assert (draft.text, draft.session) == ("hello there", "s")
    drafts, problems = take(tmp_path / "lines.json")
    assert problems == []
    assert [(draft.role, draft.text) for draft in drafts] == [("user", "a"), ("assistant", "b")]


def test_a_format_can_be_forced_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "one", "other": 1}\n{"text": "two"}\n')
    assert [len(part) for part in take(tmp_path / "a.jsonl", format="backstory")] == [1, 1]
    assert take(tmp_path / "a.jsonl", format="text")[0][0].text.startswith('{"text": "one"')
    with pytest.raises(InvalidInput, match="known are"):
        list(read_path(tmp_path, format="docx"))


def test_a_utf8_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("\ufeff# Title\r\n\r\nText.\r\n".encode())
    (tmp_path / "b.jsonl").write_bytes('\ufeff{"text": "x"}\r\n'.encode())
    (tmp_path / "c.md").write_bytes("# Wide\n\nText.".encode("utf-16"))
    drafts, problems = take(tmp_path)
    assert problems == []
    assert [(draft.title, draft.text) for draft in drafts] == [("Title", "Text."), (None, "x"), ("Wide", "Text.")]


def git(repo: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ann Ünal", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    dated = os.environ | {"GIT_AUTHOR_DATE": "2024-05-06T07:08:09+02:00", "GIT_COMMITTER_DATE": "2024-05-06T07:08:09+02:00"}
    subprocess.run(["git", *identity, *arguments], cwd=repo, check=True, capture_output=True, env=dated)


def test_git_history_gives_a_record_per_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    body = (
        "Retry on 429\n\nThe limiter answers early, so a second try works.\n\nSigned-off-by: Ann\nCo-authored-by: Bob <b@x.y>"
    )
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", body)
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Fix reverts #4 (#12)")
    git(tmp_path, "checkout", "-q", "-b", "side")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Side")
    git(tmp_path, "checkout", "-q", "main")
    git(tmp_path, "merge", "-q", "--no-ff", "-m", "Merge pull request #13 from side", "side")
    items = list(GitReader(tmp_path, scope="team").read())
    drafts = [item for item in items if isinstance(item, EventDraft)]
    assert [draft.title for draft in drafts] == ["Retry on 429", "Fix reverts #4 (#12)", "Side"]
    first = drafts[0]
    assert first.text == "Retry on 429\n\nThe limiter answers early, so a second try works."
    assert (first.author, first.record_kind, first.scope) == ("Ann Ünal", "commit", "team")
    assert first.authored_at is not None
    assert first.authored_at.isoformat() == "2024-05-06T07:08:09+02:00"
    assert first.metadata["co_authors"] == ["Bob"]
    assert len(first.record or "") == 40
    assert len(list(GitReader(tmp_path, merges=True).read())) == 4
    assert [i.key for i in drafts] == [i.key for i in GitReader(tmp_path, scope="team").read() if isinstance(i, EventDraft)]
    assert [draft.title for draft in take(tmp_path, format="git")[0]] == [draft.title for draft in drafts]


def test_a_folder_without_history_is_reported(tmp_path: Path) -> None:
    (problem,) = list(GitReader(tmp_path).read())
    assert not isinstance(problem, EventDraft)
    assert "not a git repository" in str(problem)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<system-reminder>be quick</system-reminder>\nWhy X?", "Why X?"),
        ("a <relevant-memories>\n[fact] old\n</relevant-memories> b", "a  b"),
        ("<backstory-context trust='none'>x", ""),
        ("Caveat: The messages below were generated by the user while running local commands. DO NOT", ""),
        ("a < b and b > c", "a < b and b > c"),
        ("<div>kept</div>", "<div>kept</div>"),
    ],
)
def test_what_a_tool_put_into_a_prompt_is_cut_out(text: str, left: str) -> None:
    assert without_injected(text) == left
    assert has_injected(text) == (left != text)
