"""Time expressions, resolved against the time at which they were said."""

from graph.extract.parsing import Parsed
from graph.model.extraction import Passage, TimeMention


def find(parsed: Parsed, passage: Passage) -> tuple[TimeMention, ...]:
    """Time expressions of a passage in the order of the text."""
    del parsed, passage
    return ()
