"""Whether the answer is known, and whether its two best are nearly tied."""

from collections.abc import Mapping, Sequence

from graph.model.observations import Observation
from graph.retrieve.ranking import Ranked
from graph.retrieve.retrieval import Found
from graph.retrieve.weights import Weights


def is_answered(ranked: Sequence[Ranked], found: Sequence[Found], weights: Weights) -> bool:
    """False when nothing was found or the best is too unlikely to be wanted (log-odds below `answer.known`)."""
    del found
    return bool(ranked) and ranked[0].score >= weights.number("answer", "known")


def is_tied(ranked: Sequence[Ranked], observations: Mapping[str, Observation], weights: Weights) -> bool:
    """Whether the two best lie within `answer.tied` log-odds and come from different records or say different things."""
    if len(ranked) < 2:
        return False
    first, second = ranked[0], ranked[1]
    near = first.score - second.score <= weights.number("answer", "tied")
    return near and observations[first.fused.id].text != observations[second.fused.id].text
