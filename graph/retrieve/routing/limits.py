"""How much a hook may inject: profiles with their budgets, and which hits are relevant enough to be shown."""

import re
from dataclasses import dataclass

from graph.errors import InvalidInput

_RECENT = re.compile(
    r"\brecent(?:ly)?\b|\blatest\b|\blast (?:session|time|week|month|few days)\b|\bleft off\b|\bwhere (?:was|were) (?:we|i)\b|"
    r"\bpick up\b|\bcontinu(?:e|ing)\b|\byesterday\b|\btoday\b|\bwhat (?:was|were) (?:we|i) (?:doing|working)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class HookProfile:
    """`ratio` of the best score that a hit needs, `floor` that it needs at least, `activation` that the best one needs."""

    name: str
    token_budget: int
    max_results: int
    vector: bool
    vector_limit_ms: int
    ratio: float
    floor: float
    activation: float
    facts_budget: int
    expansion_and_rerank: bool

    def keeps(self, score: float, best: float) -> bool:
        """Whether a hit of this normalised score is shown, given the best one's; nothing is when the best is too weak."""
        return best >= self.activation and score >= max(self.ratio * best, self.floor)


PROFILES = {
    profile.name: profile
    for profile in (
        HookProfile("speed", 400, 5, False, 0, 0.65, 0.18, 0.24, 0, False),
        HookProfile("balanced", 800, 10, True, 900, 0.55, 0.15, 0.20, 200, False),
        HookProfile("deep", 1200, 15, True, 2000, 0.45, 0.12, 0.16, 250, True),
    )
}


def hook_profile(name: str) -> HookProfile:
    """Raises InvalidInput for an unknown name."""
    if name not in PROFILES:
        raise InvalidInput(f"unknown hook profile {name!r}; known are {', '.join(PROFILES)}")
    return PROFILES[name]


def asks_for_recent(question: str) -> bool:
    """Whether a question is after what happened last: then time weighs most."""
    return bool(_RECENT.search(question))
