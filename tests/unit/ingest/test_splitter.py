"""Parts fit the model, lie in order, and hold every character of the text that is not white space."""

import time
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.ingest.splitter import split
from infra.models.minilm import MiniLM

PIECES = st.sampled_from(
    [
        "a",
        "word",
        "漢字",
        "\n",
        "\n\n",
        " ",
        ". ",
        "! ",
        "。",
        "```\n",
        "~~~",
        "e\u0301",
        "\t",
        "x" * 40,
        "\r\n",
        "\u3000",
        "🙂",
        "\x1c",
    ]
)


def words_and_two(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) + 2 for text in texts]


def characters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


def dense(text: str) -> str:
    return "".join(text.split())


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=80).map("".join), st.integers(3, 30), st.sampled_from([words_and_two, characters]))
def test_nothing_is_lost_or_repeated_and_every_part_fits(text: str, limit: int, count) -> None:  # type: ignore[no-untyped-def]
    spans = split(text, limit, count)
    assert dense("".join(span.of(text) for span in spans)) == dense(text)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(span.of(text) == span.of(text).strip() != "" for span in spans)
    assert all(count([span.of(text)])[0] <= limit or len(span.of(text)) <= 2 for span in spans)


def test_it_cuts_at_paragraphs_before_lines_before_sentences_before_words() -> None:
    def parts(text: str, limit: int) -> list[str]:
        return [span.of(text) for span in split(text, limit + 2, words_and_two)]

    assert parts("a b\nc\n\nd e f", 3) == ["a b\nc", "d e f"]
    assert parts("a b\nc d. e", 3) == ["a b", "c d. e"]
    assert parts("a b c. d e f", 3) == ["a b c.", "d e f"]
    assert " ".join(parts("one two three four five", 2)) == "one two three four five"


def test_a_code_block_that_fits_is_not_cut_at_its_blank_lines() -> None:
    block = "```python\na = 1\n\nb = 2\n```"
    text = f"some words before it stand here\n\n{block}\n\nand after"
    assert [span.of(text) for span in split(text, 10, words_and_two)][1] == block


def test_the_models_own_tokens_are_never_exceeded() -> None:
    model = MiniLM()
    text = "Why did we move? Because of /srv/app/config.yaml#L12-L40 " * 60 + "漢字かな交じり文。" * 80 + "a" * 3000 + "é̂̃" * 200
    spans = split(text, model.max_tokens, model.count_tokens)
    assert max(model.count_tokens([span.of(text) for span in spans])) <= model.max_tokens
    assert dense("".join(span.of(text) for span in spans)) == dense(text)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a" * 10_000_000, "漢" * 10_000_000, "\n" * 9_999_999 + "x", "e" + "\u0301" * 2_000_000])
def test_ten_megabytes_without_a_pause_take_seconds(text: str) -> None:
    began = time.perf_counter()
    spans = split(text, 256, characters)
    assert sum(span.end - span.start for span in spans) == len(dense(text))
    assert time.perf_counter() - began < 20
