"""Time mentions of a passage: graph.text.timex over its sentences, in the author's own offset."""

from graph.extract.blocks import BlockKind
from graph.extract.parsing import Parsed
from graph.extract.sentences import Sentence
from graph.model.extraction import Passage, TimeMention
from graph.model.observations import Span
from graph.text.timex import TimeSpan, resolve

MAX_MENTIONS = 500


def find(parsed: Parsed, passage: Passage) -> tuple[TimeMention, ...]:
    """Time expressions in the order of the text, at most MAX_MENTIONS; code is left out.

    Relative ones are resolved against `authored_at` in `authored_offset`, and stay unknown without it.
    """
    found: list[TimeMention] = []
    for sentence in parsed.sentences:
        if sentence.kind is not BlockKind.CODE:
            found += [_mention(sentence, span, parsed.text) for span in _spans(sentence, parsed.text, passage)]
        if len(found) >= MAX_MENTIONS:
            break
    return tuple(found[:MAX_MENTIONS])


def _spans(sentence: Sentence, text: str, passage: Passage) -> list[TimeSpan]:
    return resolve(sentence.span.of(text), passage.authored_at, passage.authored_offset)


def _mention(sentence: Sentence, span: TimeSpan, text: str) -> TimeMention:
    start, end = sentence.span.start + span.start, sentence.span.start + span.end
    return TimeMention(
        text=text[start:end],
        span=Span(start=start, end=end),
        sentence=sentence.index,
        start=span.opens,
        end=span.closes,
        granularity=span.granularity,
    )
