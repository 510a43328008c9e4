"""Phrases: text as folded words in a row, for a full-text index. Scripts without spaces are indexed character by character."""

from collections.abc import Iterable, Sequence
from itertools import chain

from graph.text.folding import cjk_runs, words


def spaced(key: str) -> str:
    """A folded word with every character of a script without spaces standing alone."""
    if key.isascii():
        return key
    for run in cjk_runs(key):
        key = key.replace(run, f" {' '.join(run)} ")
    return " ".join(key.split())


def indexed_words(text: str) -> str:
    """What is indexed of a text: its folded words in order, separated by single spaces."""
    return " ".join(spaced(word.key) for word in words(text))


def phrase_query(phrase_words: Sequence[str]) -> str | None:
    """A quoted phrase of folded words; None when one of them has no letter or digit, so that no text can hold it."""
    keys = [[word.key for word in words(phrase)] for phrase in phrase_words]
    if not keys or not all(keys):
        return None
    return '"' + _joined(chain.from_iterable(keys)) + '"'


def _joined(keys: Iterable[str]) -> str:
    return " ".join(spaced(key) for key in keys)
