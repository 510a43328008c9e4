"""What stands around a turn: the turns before and after it (NEXT), who said it (SPEAKER), and its own shape."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.observations import Observation
from graph.model.views import View
from graph.ports.graph import GraphReader
from graph.retrieve.weights import Floats
from graph.text.folding import words

AFTER = Hop(EdgeKind.NEXT, Direction.OUT, fanout=1)
BEFORE = Hop(EdgeKind.NEXT, Direction.IN, fanout=1)
MOST_WORDS = 40  # of a turn; more of them tell no more


def neighbours(reader: GraphReader, ids: Sequence[str], view: View) -> dict[str, list[str]]:
    """By observation, the visible ones right before and after it in its record."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for step in reader.expand(ids, [BEFORE, AFTER], view) if ids else ():
        found[step.at].append(step.to)
    return dict(found)


def beyond(around: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """By observation, those two steps away, as far as `around` knows them."""
    return {
        id_: sorted({far for near in others for far in around.get(near, ()) if far != id_} - set(others))
        for id_, others in around.items()
    }


def context(ids: Sequence[str], h: Floats, around: Mapping[str, Sequence[str]]) -> Floats:
    """The sum of the h of those around; nought for one that is no candidate itself."""
    value = dict(zip(ids, map(float, h), strict=True))
    return np.array([sum(value.get(other, 0.0) for other in around.get(id_, ())) for id_ in ids], np.float64)


def shapes(observations: Sequence[Observation]) -> dict[str, Floats]:
    """`length`: ln(1 + words), bounded: a bare "yes" tells little. `question`: 1 for what only asks."""
    texts = [observation.text for observation in observations]
    return {
        "length": np.log1p(np.array([min(len(text.split()), MOST_WORDS) for text in texts], np.float64)),
        "question": np.array([float(text.rstrip().endswith("?")) for text in texts], np.float64),
    }


def spoken_by_named(observations: Sequence[Observation | None], asked: frozenset[str]) -> Floats:
    """1 where the question names the author (every word of the author's first name, or of the whole name), else 0."""
    known: dict[str, float] = {}
    for author in {o.author for o in observations if o is not None and o.author}:
        parts = [word.key for word in words(author)]
        known[author] = float(bool(parts) and (parts[0] in asked or set(parts) <= asked))
    return np.array([known.get(o.author or "", 0.0) if o is not None else 0.0 for o in observations], np.float64)
