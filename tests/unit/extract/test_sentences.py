"""Sentences follow layout and punctuation, whatever the language, and lose nothing."""

import time

import pytest

from graph.extract.blocks import BlockKind
from graph.extract.sentences import MAX_SENTENCE_CHARS, split


def sentences(text: str) -> list[str]:
    return [s.span.of(text) for s in split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cache was cold. As a result, the API timed out.", ["The cache was cold.", "As a result, the API timed out."]),
        ("It works with e.g. Redis and Dr. Smith agreed.", ["It works with e.g. Redis and Dr. Smith agreed."]),
        ("Version 2.13 is out! Is it good? Yes.", ["Version 2.13 is out!", "Is it good?", "Yes."]),
        ("it broke. then i fixed it.", ["it broke.", "then i fixed it."]),
        ("We met J. Smith at 5 p.m. Then we left.", ["We met J. Smith at 5 p.m.", "Then we left."]),
        ("She said “no.” We went on.", ["She said “no.”", "We went on."]),
        ("Chale was chased . He ran .", ["Chale was chased .", "He ran ."]),
        ("今天下雨了。所以我们取消了比赛。", ["今天下雨了。", "所以我们取消了比赛。"]),
        ("サーバーが落ちた。原因は不明です！", ["サーバーが落ちた。", "原因は不明です！"]),
        ("No stop at the end", ["No stop at the end"]),
        ("Wait... what? ok", ["Wait... what?", "ok"]),
        ("See fig. 3 and no. 4 there.", ["See fig. 3 and no. 4 there."]),
    ],
)
def test_punctuation_ends_sentences_but_abbreviations_do_not(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_hard_wrapped_line_goes_on_and_a_blank_line_ends_the_sentence() -> None:
    text = "Many types implement numeric operations when\nthe arguments differ in\ntheir kind\n\nAnother paragraph"
    assert sentences(text) == [
        "Many types implement numeric operations when\nthe arguments differ in\ntheir kind",
        "Another paragraph",
    ]


def test_short_lines_and_list_items_stand_alone() -> None:
    text = "Notes of the day\nCache was cold\n- first item\n- second item that\n  wraps\n1. Number one"
    assert sentences(text) == [
        "Notes of the day",
        "Cache was cold",
        "first item",
        "second item that\n  wraps",
        "Number one",
    ]


def test_headings_fields_quotes_and_code_are_kept_apart() -> None:
    text = "# Title\n\nTitle two\n=========\n\nStatus: Accepted\nSuperseded-By: 639\n\n> quoted\n\n```\nx = 1\ny()\n```\nEnd."
    assert [(s.kind, s.span.of(text)) for s in split(text)] == [
        (BlockKind.HEADING, "Title"),
        (BlockKind.HEADING, "Title two"),
        (BlockKind.FIELD, "Status: Accepted"),
        (BlockKind.FIELD, "Superseded-By: 639"),
        (BlockKind.QUOTE, "quoted"),
        (BlockKind.CODE, "x = 1\ny()"),
        (BlockKind.PROSE, "End."),
    ]


def test_a_long_sentence_is_cut_at_a_clause() -> None:
    text = "we went on and on, " * 100
    pieces = sentences(text)
    assert all(len(piece) <= MAX_SENTENCE_CHARS and piece.endswith(",") for piece in pieces)
    assert " ".join(pieces) == text.strip()


@pytest.mark.parametrize("text", ["", "   \n\t ", "\x00", "...", "?!", "#", "- ", ">", "```", "a" * 5000])
def test_strange_texts_go_through(text: str) -> None:
    assert "".join(sentences(text)).replace(" ", "") in text or not text.strip()


@pytest.mark.parametrize(
    "unit", ["a.", ". ", "- ", "> ", "`", "|-", "A: ", "\n", "(", "x = ", "。", "e.g. ", "\t", "1. ", "import "]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()
    split(text)
    assert time.process_time() - began < 2.0
