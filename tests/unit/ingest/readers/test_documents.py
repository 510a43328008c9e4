"""Markdown and plain text: sections, passages, and what a document states of itself."""

import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from graph.ingest.readers.dates import moment
from graph.ingest.readers.packing import MAX_WORDS, Block, packed, paragraphs, weight
from tests.unit.ingest.readers.taking import keys, take

ADR = """# 12. Use Postgres for the ledger

Date: 2021-03-04

## Status

Superseded by [ADR-19](0019-use-mysql.md)

## Context

SQLite locked up under two writers.

```sql
SELECT 1;

SELECT 2;
```

## Decision

We will use Postgres because it allows many writers.

## Consequences

* Operators must run a server.
* Backups change.
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_decision_record_gives_its_parts_number_status_and_date(tmp_path: Path) -> None:
    drafts, problems = take(write(tmp_path / "0012-use-postgres.md", ADR))
    assert problems == []
    assert [draft.section for draft in drafts] == [None, "Status", "Context", "Decision", "Consequences"]
    assert [draft.metadata.get("part") for draft in drafts] == [None, "status", "context", "decision", "consequences"]
    assert {draft.title for draft in drafts} == {"12. Use Postgres for the ledger"}
    assert {"ADR-12", "ADR 12", "0012-use-postgres.md"} <= set(drafts[0].identifiers)
    assert drafts[0].record_kind == "decision"
    assert drafts[0].authored_at == datetime(2021, 3, 4)  # noqa: DTZ001 - a day without a zone
    assert drafts[0].metadata["status"] == "Superseded by [ADR-19](0019-use-mysql.md)"
    assert "SELECT 1;\n\nSELECT 2;" in drafts[2].text
    assert [draft.position for draft in drafts] == [0, 1, 2, 3, 4]
    assert len({draft.record for draft in drafts}) == 1


def test_front_matter_names_the_record_and_is_told_in_a_passage_of_its_own(tmp_path: Path) -> None:
    text = (
        '---\nid: PEP 215\ntitle: "PEP 215: String Interpolation"\nstatus: Superseded\ndate: 2000-07-24\n'
        'authors: ["Ka-Ping Yee <k@example.org>"]\nsuperseded-by: [PEP 292]\n---\n\n'
        "# PEP 215: String Interpolation\n\n## Abstract\n\nText.\n"
    )
    drafts, _ = take(write(tmp_path / "a.md", text))
    assert drafts[0].text == (
        "PEP 215: String Interpolation\nStatus: Superseded\nDate: 2000-07-24\nAuthors: Ka-Ping Yee <k@example.org>\n"
        "Superseded by: PEP 292"
    )
    assert [draft.record for draft in drafts] == ["PEP 215", "PEP 215"]
    assert (drafts[1].author, drafts[1].metadata["status"], drafts[1].section) == ("Ka-Ping Yee", "Superseded", "Abstract")


def test_a_head_of_lines_is_read_like_front_matter(tmp_path: Path) -> None:
    text = (
        "PEP: 292\nTitle: Simpler String Substitutions\nAuthor: Barry Warsaw <barry@example.org>\nStatus: Final\n"
        "Created: 18-Jun-2002\nReplaces: 215, 216\nPost-History: 18-Jun-2002,\n              23-Mar-2004\n\n"
        "Abstract\n========\n\nThis PEP describes.\n"
    )
    drafts, problems = take(write(tmp_path / "pep-0292.rst", text))
    assert problems == []
    assert {draft.record for draft in drafts} == {"PEP 292"}
    assert (drafts[1].title, drafts[1].author, drafts[1].section) == (
        "Simpler String Substitutions",
        "Barry Warsaw",
        "Abstract",
    )
    assert str(drafts[1].authored_at) == "2002-06-18 00:00:00"
    assert "Replaces: PEP 215, PEP 216" in drafts[0].text
    assert "Post history: 18-Jun-2002, 23-Mar-2004" in drafts[0].text
    assert drafts[1].text == "This PEP describes."


def test_toml_front_matter_is_read_and_a_dialogue_is_no_head(tmp_path: Path) -> None:
    (toml, body), _ = take(write(tmp_path / "a.md", '+++\ntitle = "T"\ndate = 2024-05-06\n+++\n\nBody.\n'))
    assert (toml.text, body.text, str(body.authored_at)) == ("T\nDate: 2024-05-06", "Body.", "2024-05-06 00:00:00")
    (talk,), _ = take(write(tmp_path / "b.txt", "Ann: hi Bob\nBob: hi Ann\n\nAnn: bye"))
    assert talk.text == "Ann: hi Bob\nBob: hi Ann\n\nAnn: bye"
    (alone,), _ = take(write(tmp_path / "c.txt", "Status: done\nFrom: Ann\n"))
    assert alone.text == "Status: done\nFrom: Ann"


def test_a_files_own_time_is_never_the_date(tmp_path: Path) -> None:
    path = write(tmp_path / "note.md", "# Note\n\nNothing dated here.\n")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert [draft.authored_at for draft in take(path)[0]] == [None]


def test_passages_stay_within_their_section_and_near_their_length(tmp_path: Path) -> None:
    paragraph = " ".join(["word"] * 45) + "."
    text = "# T\n\n" + "\n\n".join(f"## S{n}\n\n" + "\n\n".join([paragraph] * 9) for n in range(3))
    drafts, _ = take(write(tmp_path / "long.md", text))
    assert {draft.section for draft in drafts} == {"S0", "S1", "S2"}
    sizes = [weight(draft.text) for draft in drafts]
    assert max(sizes) <= MAX_WORDS
    assert sum(sizes) == 3 * 9 * 45
    assert sum(80 <= size <= 200 for size in sizes) >= len(sizes) - 3


def test_a_code_block_stays_with_the_paragraph_that_leads_to_it() -> None:
    lead, code, after = Block("lead " * 150), Block("```\n" + "x = 1\n" * 10 + "```", attached=True), Block("after " * 60)
    assert [passage.count("```") for passage in packed([lead, code, after])] == [2, 0]


def test_a_plain_text_is_cut_at_its_underlined_headings_and_keeps_its_examples(tmp_path: Path) -> None:
    text = "Title\n=====\n\nIntro.\n\nWhy\n---\n\nBecause::\n\n    code here\n\n    more\n\nEnd.\n"
    drafts, _ = take(write(tmp_path / "a.rst", text))
    assert [(draft.title, draft.section) for draft in drafts] == [("Title", None), ("Title", "Why")]
    assert drafts[1].text == "Because::\n\n    code here\n\n    more\n\nEnd."
    assert [block.attached for block in paragraphs("a\n\n    b\n\nc")] == [False, True, False]


def test_an_edited_document_keeps_the_keys_of_its_unchanged_passages(tmp_path: Path) -> None:
    path = write(tmp_path / "0012-use-postgres.md", ADR)
    before = keys(path)
    assert keys(path) == before
    write(
        path, ADR.replace("## Context", "## Scope\n\nAll services.\n\n## Context").replace("Backups change.", "Backups stay.")
    )
    assert len(set(keys(path)) & set(before)) == len(before) - 1


def test_two_equal_paragraphs_are_two_passages(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "# A\n\n## X\n\nsame\n\n## X\n\nsame\n")
    assert len(set(keys(path))) == 2


@pytest.mark.parametrize("text", ["---\n: bad: [yaml\n---\nbody", "---\n- a list\n---\nbody", "---\nnever closed\nbody"])
def test_front_matter_that_is_none_is_read_as_text(text: str, tmp_path: Path) -> None:
    drafts, problems = take(write(tmp_path / "a.md", text))
    assert problems == []
    assert any("body" in draft.text for draft in drafts)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("2024-03-01T10:00:00+02:00", "2024-03-01T10:00:00+02:00"),
        ("2024-03-01T10:00:00Z", "2024-03-01T10:00:00+00:00"),
        ("2024-03-01", "2024-03-01T00:00:00"),
        ("04-Dec-2000", "2000-12-04T00:00:00"),
        ("March 1st, 2024", "2024-03-01T00:00:00"),
        ("7:31 pm on 21 January, 2022", "2022-01-21T19:31:00"),
        ("Fri, 01 Mar 2024 10:00:00 +0100", "2024-03-01T10:00:00+01:00"),
        (1662001560.0, "2022-09-01T03:06:00+00:00"),
        (1662001560000, "2022-09-01T03:06:00+00:00"),
        ("1679922600.000100", "2023-03-27T13:10:00.000100+00:00"),
        (date(2020, 2, 29), "2020-02-29T00:00:00"),
    ],
)
def test_times_are_read_as_files_write_them(said: object, expected: str) -> None:
    found = moment(said)
    assert found is not None
    assert found.isoformat() == expected


@pytest.mark.parametrize("said", [None, True, "", "soon", "2024", 12, "v1.2.3.4.5", "99-99-9999", 1e30, float("nan"), [1]])
def test_what_states_no_time_gives_none(said: object) -> None:
    assert moment(said) is None


def test_epoch_numbers_are_utc() -> None:
    assert moment(1662001560) == datetime(2022, 9, 1, 3, 6, tzinfo=UTC)
