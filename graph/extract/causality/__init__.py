"""Causal claims: what a text says brought about what, always cause -> effect, whatever the order of its words.

`grammar` finds relations by cues over the dependency parse (`cues`, `connectives`, `verbs`, `nominals`, `clauses`),
`arguments` their token ranges, `decision` weighs them, `claims` and `context` make them readable.
"""

from graph.extract.blocks import BlockKind
from graph.extract.causality.claims import read
from graph.extract.causality.context import Reading
from graph.extract.causality.decision import Profiles, fitted
from graph.extract.parsing import Parsed
from graph.model.extraction import CausalClaim, Passage


def find(parsed: Parsed, passage: Passage, profiles: Profiles | None = None) -> tuple[CausalClaim, ...]:
    """Claims sentence by sentence, the best of a sentence first. Quoted sentences claim nothing."""
    reading = Reading(parsed, passage)
    weights = profiles or fitted()
    return tuple(
        claim
        for sentence, _ in parsed.parsed_sentences()
        if sentence.kind != BlockKind.QUOTE
        for claim in read(reading, sentence.index, weights)
    )
