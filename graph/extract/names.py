"""Names: people, tools, places, tickets, paths and identifiers that a passage mentions."""

from graph.extract.parsing import Parsed
from graph.model.extraction import NameSeen, Passage


def find(parsed: Parsed, passage: Passage) -> tuple[NameSeen, ...]:
    """Names of a passage in the order of the text. `parsed.doc` is empty for a text that is not English."""
    del parsed, passage
    return ()
