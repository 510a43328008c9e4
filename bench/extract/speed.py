"""Speed of the full rule path: sentences a second of processor time, and memory over a long run."""

import resource
import sys
import time
from pathlib import Path

from bench.extract.report import Report, read_rows
from graph.extract.rules import RuleExtractor
from graph.model.extraction import Passage
from graph.model.ids import ObservationId

NEWS = ("04_causal", "causal_news_corpus_v2")
MESSAGES = ("08_decisions", "git_rationale_messages")
SENTENCES, LONG = 400, 40  # news sentences and long messages of one pass
BATCH = 64


def measure(data: Path, split: str) -> Report:
    """News sentences and commit messages in batches; the model is loaded before the clock starts.

    `memory_growth_mb` is the rise of the peak between the first pass over the texts and the last of three.
    """
    texts = [
        row["text"]
        for part, most in ((NEWS, SENTENCES), (MESSAGES, LONG))
        for row in read_rows(data, *part, split, "data.jsonl")[:most]
    ]
    extractor = RuleExtractor()
    extractor.extract([_passage(texts[0])])
    sentences, early = 0, 0.0
    began, wall = time.process_time(), time.perf_counter()
    runs = [texts[i : i + BATCH] for _ in range(3) for i in range(0, len(texts), BATCH)]
    for number, batch in enumerate(runs):
        sentences += sum(len(e.sentences) for e in extractor.extract([_passage(text) for text in batch]))
        if number == len(runs) // 3:
            early = _peak_mb()
    seconds = time.process_time() - began
    scores = {
        "sentences_per_cpu_second": sentences / seconds,
        "sentences_per_second": sentences / (time.perf_counter() - wall),
        "memory_growth_mb": _peak_mb() - early,
    }
    return Report("speed", split, sentences, scores)


def _passage(text: str) -> Passage:
    return Passage(id=ObservationId("speed"), text=text)


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
