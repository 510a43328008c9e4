"""References: which record is named, and how it stands to this one."""

import time

import pytest

from bench.extract.links import peps, reverts
from graph.extract import references
from graph.extract.parsing import outline
from graph.model.extraction import Passage, ReferenceKind
from graph.model.ids import ObservationId
from tests.data import dataset

CITES, SUPERSEDES, SUPERSEDED_BY = ReferenceKind.CITES, ReferenceKind.SUPERSEDES, ReferenceKind.SUPERSEDED_BY
REVERTS, REQUIRES = ReferenceKind.REVERTS, ReferenceKind.REQUIRES
SHA = "cb4fe70b631860aa59397b4c980df4d822e7ce0a"


def read(text: str, title: str = "") -> list[tuple[ReferenceKind, str]]:
    passage = Passage(id=ObservationId("x"), text=text, title=title)
    found = references.find(outline(text), passage)
    assert all(r.span is not None and r.span.of(text) for r in found)
    return [(r.kind, r.identifier) for r in found]


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        (
            "Title: A\nStatus: Superseded\nSuperseded-By: 292, 300",
            "PEP 215: A",
            [(SUPERSEDED_BY, "PEP 292"), (SUPERSEDED_BY, "PEP 300")],
        ),
        ("Status: Final\nReplaces: 12\nRequires: ADR-7", "", [(SUPERSEDES, "#12"), (REQUIRES, "ADR 7")]),
        (".. superseded:: 292", "PEP 215: A", [(SUPERSEDED_BY, "PEP 292")]),
        ("See PEP 495 and RFC 2119.", "", [(CITES, "PEP 495"), (CITES, "RFC 2119")]),
        ("As PEPs 245, 246 and 3124 say.", "", [(CITES, "PEP 245"), (CITES, "PEP 246"), (CITES, "PEP 3124")]),
        ("As :pep:`495` and :rfc:`2119#section-3` say.", "", [(CITES, "PEP 495"), (CITES, "RFC 2119")]),
        (f'Revert "x (#15)"\n\nThis reverts commit {SHA}.', "", [(REVERTS, "#15"), (REVERTS, SHA)]),
        ("fix: gate writes (reverts #2618)", "", [(REVERTS, "#2618")]),
        ("Replaces ADR-0012.", "", [(SUPERSEDES, "ADR 12")]),
        ("This decision supersedes ADR-12.", "", [(SUPERSEDES, "ADR 12")]),
        ("This ADR was superseded by ADR 14, which is newer.", "", [(SUPERSEDED_BY, "ADR 14")]),
        ("This proposal requires PEP 495.", "", [(REQUIRES, "PEP 495")]),
        ("This record supplements rather than supersedes PEP 649.", "", [(CITES, "PEP 649")]),
        ("This PEP has partially been superseded by PEP 3137.", "", [(CITES, "PEP 3137")]),
        ("PEP 12 was superseded by PEP 14.", "", [(CITES, "PEP 12"), (CITES, "PEP 14")]),
        ("This was rejected in favour of PEP 343.", "", [(CITES, "PEP 343")]),
        (
            "See issue 12, bug #14, JIRA-77 and octo/repo#9.",
            "",
            [(CITES, "#12"), (CITES, "#14"), (CITES, "JIRA 77"), (CITES, "#9")],
        ),
        ("https://example.org/a/b/issues/123 and /pull/77", "", [(CITES, "#123"), (CITES, "#77")]),
        ("Broken since 1501725a18 as 0007-use-queues.md says.", "", [(CITES, "1501725a18"), (CITES, "0007-use-queues.md")]),
        ("UTF-8, SHA-256, ISO 8601, HTTP 404, 1234567 and deadbeef are no records.", "", []),
        ("color: #fff; a1b2; # 12 comments; C# 9", "", []),
        ("The key ``requires`` is a table.", "", []),
    ],
)
def test_references_are_read_with_their_kind(text: str, title: str, expected: list[tuple[ReferenceKind, str]]) -> None:
    assert read(text, title) == expected


@pytest.mark.parametrize("unit", ["#1", "PEP 1, ", "a/", ":pep:`", "0a", "reverts ", "A-", "0-a", "https://a/issues/"])
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()
    read(text)
    assert time.process_time() - began < 2.0


@pytest.mark.data
def test_links_between_records_are_found_and_few_are_made_up() -> None:
    for task, part in ((peps, "python_peps"), (reverts, "git_reverts")):
        report = task(dataset("08_decisions", part).parents[1], "dev")
        assert report.scores["recall"] >= 0.95
        assert report.scores["precision"] >= 0.95
