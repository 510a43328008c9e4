"""Names in a text: every place where a name of the dictionary stands, longest first, with its sentence.

The dictionary is asked, never loaded: a text offers the word groups that could be names, the store says which of them are.
After the name dictionary of the retrieval probe: nested names are kept and flagged; a name needs a capital or a digit in the
text unless it looks like code or is written without capitals wherever it was seen.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph.model.observations import Span
from graph.text.folding import Word, cjk_runs, words
from graph.text.names import MAX_NAME_WORDS, usable_name
from graph.text.terms import STOP_WORDS

MAX_PLAIN_WORDS = 5  # longest group without any capital that is looked up
MAX_CJK_CHARS = 12  # longest name looked for inside a run of a script without spaces
_CODE = re.compile(r"\w[_./:#@\\-]+\w|[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d|[()_]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A group of words [start, end) that could be a name; `marked` when capitals, digits or code signs say so."""

    key: str
    start: int
    end: int
    marked: bool


@dataclass(frozen=True, slots=True)
class Match:
    """A name in a text. `nested` when it ends inside a longer match that began no later; `sentence` -1 when unknown."""

    key: str
    start: int
    end: int
    sentence: int
    nested: bool
    marked: bool


def code_like(surface: str) -> bool:
    """Whether a surface form is an identifier, path, version or camel-case name rather than a plain word."""
    return bool(_CODE.search(surface))


def sentence_at(sentences: Sequence[Span], place: int) -> int:
    """Index of the sentence that holds a character; the one before for a gap; -1 where there are no sentences."""
    return bisect_right([span.start for span in sentences], place) - 1 if sentences else -1


def candidates(text: str, sentences: Sequence[Span], firsts: Collection[str] | None = None) -> list[Candidate]:
    """Groups of words inside one sentence that may be names, by place, longer ones first.

    With `firsts` only those that begin with one of these folded words (and any of scripts without spaces).
    """
    found = words(text)
    begins = [span.start for span in sentences]
    place = [bisect_right(begins, word.start) - 1 for word in found]
    grouped = [
        group
        for i in range(len(found))
        if firsts is None or found[i].key in firsts
        for group in _groups_from(text, found, i, place)
        if usable_name(tuple(group.key.split(" ")))
    ]
    return grouped + list(_cjk_candidates(text))


def _groups_from(text: str, found: Sequence[Word], i: int, place: Sequence[int]) -> list[Candidate]:
    """Groups that begin at word i, longest first; none begins or ends with a stop word unless it is written as a name."""
    if found[i].key in STOP_WORDS and not found[i].upper:
        return []
    groups: list[Candidate] = []
    marked = False
    for j in range(i, min(i + MAX_NAME_WORDS, len(found))):
        if place[j] != place[i]:
            break
        word = found[j]
        marked = marked or word.upper or code_like(text[found[i].start : word.end])
        if (word.key in STOP_WORDS and not word.upper) or not (marked or j - i < MAX_PLAIN_WORDS):
            continue
        key = " ".join(w.key for w in found[i : j + 1])
        groups.append(Candidate(key, found[i].start, word.end, marked))
    return groups[::-1]


def _cjk_candidates(text: str) -> Iterator[Candidate]:
    """Pieces of two or more characters of runs without spaces, by place, longer ones first."""
    begin = 0
    for run in cjk_runs(text):
        begin = text.index(run, begin)
        for i in range(len(run) - 1):
            for length in range(min(MAX_CJK_CHARS, len(run) - i), 1, -1):
                yield Candidate(run[i : i + length], begin + i, begin + i + length, True)
        begin += len(run)


def matches(found: Sequence[Candidate], sentences: Sequence[Span], dictionary: Mapping[str, bool]) -> list[Match]:
    """The candidates that `dictionary` knows; its values say whether a name needs a mark (capital, digit, code) in the text."""
    kept: list[Match] = []
    reach = -1
    for candidate in sorted(found, key=lambda c: (c.start, -c.end)):
        needs_mark = dictionary.get(candidate.key)
        if needs_mark is None or (needs_mark and not candidate.marked):
            continue
        sentence = sentence_at(sentences, candidate.start)
        nested = candidate.end <= reach
        kept.append(Match(candidate.key, candidate.start, candidate.end, sentence, nested, candidate.marked))
        reach = max(reach, candidate.end)
    return kept


def first_of_each(found: Sequence[Match]) -> dict[str, Match]:
    """One match per name: the first that is not nested, else the first."""
    best: dict[str, Match] = {}
    for match in found:
        held = best.get(match.key)
        if held is None or (held.nested and not match.nested):
            best[match.key] = match
    return best


def needs_mark(surfaces: Collection[str]) -> bool:
    """A name needs a capital in the text when some known form of it has one."""
    return any(surface != surface.lower() for surface in surfaces)
