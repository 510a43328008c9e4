"""Whether the answer is known, and whether its two best are nearly tied."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from graph.model.observations import Observation
from graph.model.questions import Intent
from graph.retrieve.hybrid import TURN
from graph.retrieve.ranking import Ranked
from graph.retrieve.retrieval import Found
from graph.retrieve.weights import Weights
from graph.text.folding import words
from graph.text.names import CALENDAR
from graph.text.terms import STOP_WORDS

STRANGER_AMONG = 10  # results among which a name of the question must stand somewhere
REASONS_AMONG = 5  # results among which a walked cause counts as a reason
LENGTH_WORDS = 120  # up to which the prior for WHY grows with the length of a passage


def is_answered(ranked: Sequence[Ranked], found: Sequence[Found], weights: Weights) -> bool:
    """False when nothing was found, when nothing is near the question, or when nothing found names what it names.

    Near is a matter of the legs' own scores (`answer.cosine`, or a name that the question gives), not of the log-odds, whose
    level differs between intents.
    """
    if not ranked:
        return False
    near = any(
        len(one.direct.pool) and float(one.direct.pool.passage.max()) >= weights.number("answer", "cosine") for one in found
    )
    if not (near or any(one.legs.named for one in found) or found[0].query.vector is None):
        return False
    return not _asks_of_a_stranger(ranked, found)


def _asks_of_a_stranger(ranked: Sequence[Ranked], found: Sequence[Found]) -> bool:
    """Whether the question gives names, and none of them stands in any of the best results, their titles or authors.

    Abbreviations in capitals are words that an answer may do without ("DNS"), not names.
    """
    text = found[0].query.text
    asked = [word for word in words(text)[1:] if text[word.start : word.end].istitle()]
    names = {word.key for word in asked if len(word.key) > 2 and word.key not in CALENDAR | STOP_WORDS}
    if not names or any(one.legs.named for one in found):
        return False
    known = {id_: observation for one in found for id_, observation in one.observations.items()}
    for item in ranked[:STRANGER_AMONG]:
        observation = known.get(item.fused.id)
        if observation is not None:
            told = f"{observation.title} {observation.section} {observation.author or ''} {observation.text}"
            if names & {word.key for word in words(told)}:
                return False
    return True


def gives_reason(ranked: Sequence[Ranked], found: Sequence[Found], weights: Weights) -> bool:
    """Whether a cause was walked to, or the record that meets a "why" best holds a passage that states any reason.

    In talk reasons are given without words for them: it always passes. Too unsure to call a question unanswered by (of six
    it finds one or two, and doubts one in twenty that have an answer): it is said as a warning.
    """
    found = [one for one in found if one.query.intent is Intent.WHY and len(one.direct.pool)]
    if not found:
        return True
    best = [item.fused.best for item in ranked[:REASONS_AMONG]]
    if any(trail is not None and trail.path.causal for trail in best):
        return True
    for one in found:
        pool, observations = one.direct.pool, one.observations
        place = int(np.argmax(one.direct.h))
        own = observations[pool.ids[place]].record_id
        held = [observations[id_] for id_ in pool.ids if observations[id_].record_id == own]
        if one.direct.shapes[place] == TURN or any(_reason(o) > weights.number("answer", "reason") for o in held):
            return True
    return False


def _reason(observation: Observation) -> float:
    """What a passage's prior for WHY holds beyond its mere length."""
    length = math.log1p(min(len(observation.text.split()), LENGTH_WORDS))
    return max(observation.priors.get(Intent.WHY.value, 0.0) - length, float(bool(observation.marks.get("explains"))))


def is_tied(ranked: Sequence[Ranked], observations: Mapping[str, Observation], weights: Weights) -> bool:
    """Whether the two best lie within `answer.tied` log-odds and come from different records or say different things."""
    if len(ranked) < 2:
        return False
    first, second = ranked[0], ranked[1]
    near = first.score - second.score <= weights.number("answer", "tied")
    return near and observations[first.fused.id].text != observations[second.fused.id].text
