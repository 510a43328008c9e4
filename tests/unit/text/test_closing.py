"""Words that close something, and words that only look like them."""

import pytest

import graph.text.closing
from graph.text.closing import Closing, closes, closing_cues
from tests.hostile import slow_expressions


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We no longer use Redis.", Closing.ENDED),
        ("I don't work there any more.", Closing.ENDED),
        ("She doesn't live in Rome anymore.", Closing.ENDED),
        ("We stopped paying for it.", Closing.ENDED),
        ("I used to play tennis.", Closing.ENDED),
        ("Use uv instead of pip.", Closing.REPLACED),
        ("Dropped in favour of Kafka.", Closing.REPLACED),
        ("We replaced the cache.", Closing.REPLACED),
        ("They migrated off Heroku.", Closing.REPLACED),
        ("This reverts commit 1234abc.", Closing.REVERTED),
        ("We rolled back the release.", Closing.REVERTED),
        ("PEP 1 is superseded by PEP 2.", Closing.SUPERSEDED),
        ("The old API is deprecated.", Closing.SUPERSEDED),
        ("Bob sold his car.", Closing.PARTED),
        ("We got rid of the monolith.", Closing.PARTED),
        ("Correction: the port is 80.", Closing.CORRECTED),
        ("Actually, it was Tuesday.", Closing.CORRECTED),
        ("Scratch that, use port 81.", Closing.CORRECTED),
        ("Done: write the docs", Closing.FINISHED),
        ("[x] write the docs", Closing.FINISHED),
    ],
)
def test_a_text_tells_of_an_end(text: str, kind: Closing) -> None:
    assert kind in closes(text)


@pytest.mark.parametrize(
    "text",
    [
        "We use Redis and Kafka.",
        "I am used to it.",
        "It is used to parse dates and it is not slow.",
        "He works at Acme. He administers Acme's repository.",
        "There is no reason to wait longer.",
        "It is actually fine.",
        "I also like tea.",
    ],
)
def test_additions_tell_of_no_end(text: str) -> None:
    assert closes(text) == frozenset()


def test_cues_stand_where_their_words_are() -> None:
    text = "We no longer use A; we use B instead of C."
    assert [(cue.kind, text[cue.start : cue.end]) for cue in closing_cues(text)] == [
        (Closing.ENDED, "no longer"),
        (Closing.REPLACED, "instead of"),
    ]


def test_expressions_are_linear_in_hostile_text() -> None:
    assert slow_expressions(graph.text.closing) == []
