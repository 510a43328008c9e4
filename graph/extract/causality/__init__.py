"""Causal claims: what a text says brought about what, always cause -> effect, whatever the order of its words."""

from graph.extract.parsing import Parsed
from graph.model.extraction import CausalClaim, Passage


def find(parsed: Parsed, passage: Passage) -> tuple[CausalClaim, ...]:
    """Claims of a passage in the order of the text."""
    del parsed, passage
    return ()
