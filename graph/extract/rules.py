"""RuleExtractor: the Extractor without a language model. Each part of an extraction is one module with a `find`."""

from collections.abc import Sequence
from threading import Lock
from typing import Any

from graph.extract import causality, decisions, kinds, names, references, signals, timex, triples
from graph.extract.blocks import BlockKind
from graph.extract.parsing import Parsed, parse, pipeline
from graph.model.extraction import Extraction, Passage

BATCH_PASSAGES = 64  # after which the words that the parser learned are forgotten again
_READING = Lock()  # the parser's vocabulary is shared, and one batch at a time may borrow it


class RuleExtractor:
    """Reads passages by grammar over a dependency parse. Deterministic, holds no state, any text goes through."""

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        found: list[Extraction] = []
        for i in range(0, len(passages), BATCH_PASSAGES):
            batch = passages[i : i + BATCH_PASSAGES]
            with _READING, pipeline().memory_zone():
                parses = parse([passage.text for passage in batch])
                found += [read(parsed, passage) for parsed, passage in zip(parses, batch, strict=True)]
        return found


def read(parsed: Parsed, passage: Passage) -> Extraction:
    """All parts of one passage's extraction; `marks["extraction"]` is `partial` when not all of the text could be read."""
    marks: dict[str, Any] = {"extraction": "partial", "why": parsed.partial} if parsed.partial else {}
    causes = causality.find(parsed, passage)
    decided = decisions.find(parsed, passage, causes)
    kind, confidence = kinds.classify(parsed, passage, decided)
    return Extraction(
        id=passage.id,
        sentences=tuple(sentence.span for sentence in parsed.sentences),
        kind=kind,
        confidence=confidence,
        decisions=decided,
        causes=causes,
        triples=tuple(triple for triple in triples.find(parsed, passage) if not _quoted(parsed, triple.sentence)),
        names=names.find(parsed, passage),
        times=timex.find(parsed, passage),
        references=references.find(parsed, passage),
        priors=signals.priors(parsed, passage),
        marks=marks,
    )


def _quoted(parsed: Parsed, sentence: int) -> bool:
    """Whether a sentence is someone else's words: what a quotation says is not stated here."""
    return parsed.sentences[sentence].kind == BlockKind.QUOTE
