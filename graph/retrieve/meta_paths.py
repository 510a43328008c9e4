"""The meta-paths: which edges a walk follows from an anchor, in which order and direction, for which intent.

A path's name switches it off (`Question.without`), as does the kind of any of its edges. Caps are relative to the store.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.questions import Intent

IN, OUT = Direction.IN, Direction.OUT
EVERY = frozenset(Intent)
WHY = frozenset({Intent.WHY})
SOME, MANY, ALL_OF_IT = 8, 64, 200

CAUSE_OF = Hop(EdgeKind.CAUSES, IN, fanout=SOME)
EFFECT_OF = Hop(EdgeKind.CAUSES, OUT, fanout=SOME)
LIKE = Hop(EdgeKind.SIMILAR, OUT, fanout=SOME)
LIKE_BACK = Hop(EdgeKind.SIMILAR, IN, fanout=SOME)
NAMES = Hop(EdgeKind.MENTIONS, OUT, fanout=MANY)
DEFINED_BY = Hop(EdgeKind.ABOUT, IN, fanout=40)
NAMED_BY = Hop(EdgeKind.MENTIONS, IN, fanout=40, hub_degree=40)
CITED_RECORD = Hop(EdgeKind.CITES, OUT, fanout=SOME)
HOLDS = Hop(EdgeKind.PART_OF, IN, fanout=ALL_OF_IT)


@dataclass(frozen=True, slots=True)
class MetaPath:
    """`steps` are walked in order; the last one up to `repeat` times, each arrival being a target.

    `causal` paths lead from effect to cause: never to what was said after the effect.
    """

    name: str
    steps: tuple[Hop, ...]
    intents: frozenset[Intent] = EVERY
    repeat: int = 1
    causal: bool = False

    @property
    def length(self) -> int:
        return len(self.steps) + self.repeat - 1

    def hop(self, step: int) -> Hop:
        return self.steps[min(step, len(self.steps) - 1)]

    def arrives(self, step: int) -> bool:
        """Whether what is reached by step number `step` (from 0) is a target."""
        return step >= len(self.steps) - 1

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(hop.kind.value for hop in self.steps)


META_PATHS = (
    MetaPath("about", (NAMES, DEFINED_BY)),
    MetaPath("co_mention", (NAMES, NAMED_BY)),
    MetaPath("cites", (CITED_RECORD, HOLDS)),
    MetaPath("cause", (CAUSE_OF,), WHY, repeat=4, causal=True),
    MetaPath("similar_cause", (LIKE, CAUSE_OF), WHY, repeat=2, causal=True),
    MetaPath("similar_cause", (LIKE_BACK, CAUSE_OF), WHY, repeat=2, causal=True),
    MetaPath("entity_cause", (NAMES, NAMED_BY, CAUSE_OF), WHY, causal=True),
    MetaPath("cause_similar", (CAUSE_OF, LIKE), WHY, causal=True),
    MetaPath("cause_similar", (CAUSE_OF, LIKE_BACK), WHY, causal=True),
    MetaPath("effect", (EFFECT_OF,), frozenset({Intent.WHAT, Intent.WHEN}), repeat=2),
)


def co_mention_cap(size: float, share: float, least: float, most: float) -> int:
    """The most observations that an entity may be mentioned in and still be walked through: a share of `size`, bounded."""
    return int(min(most, max(least, share * size)))


def active(intent: Intent, without: frozenset[str], cap: int) -> Iterator[MetaPath]:
    """The meta-paths of an intent that are switched on, with the co-mention cap filled in."""
    for path in META_PATHS:
        if intent in path.intents and path.name not in without and not path.kinds & without:
            capped = (replace(hop, fanout=cap, hub_degree=cap) if hop == NAMED_BY else hop for hop in path.steps)
            yield replace(path, steps=tuple(capped))


def names() -> tuple[str, ...]:
    """The names of all meta-paths, in order, each once."""
    return tuple(dict.fromkeys(path.name for path in META_PATHS))
