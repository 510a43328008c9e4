"""What stands around a candidate: the turns before and after it (NEXT), and who said it (SPEAKER)."""

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


def neighbours(reader: GraphReader, ids: Sequence[str], view: View) -> dict[str, list[str]]:
    """By observation, the visible ones right before and after it in its record."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for step in reader.expand(ids, [BEFORE, AFTER], view) if ids else ():
        found[step.at].append(step.to)
    return dict(found)


def context(ids: Sequence[str], h: Floats, around: Mapping[str, Sequence[str]]) -> Floats:
    """The sum of the neighbours' h; nought for one whose neighbours were not looked at."""
    value = dict(zip(ids, map(float, h), strict=True))
    return np.array([sum(value.get(other, 0.0) for other in around.get(id_, ())) for id_ in ids], np.float64)


def spoken_by_named(observations: Sequence[Observation | None], asked: frozenset[str]) -> Floats:
    """1 where the question names the author (every word of the author's first name, or of the whole name), else 0."""
    known: dict[str, float] = {}
    for author in {o.author for o in observations if o is not None and o.author}:
        parts = [word.key for word in words(author)]
        known[author] = float(bool(parts) and (parts[0] in asked or set(parts) <= asked))
    return np.array([known.get(o.author or "", 0.0) if o is not None else 0.0 for o in observations], np.float64)
