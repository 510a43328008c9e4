"""How much looking-up a question is worth, by its words alone: 0 none, 1 simple, 2 moderate, 3 complex."""

import re
from dataclasses import dataclass

STRATEGIES = ("none", "simple", "moderate", "complex")
FEW_WORDS = 5
SIMPLE_WORDS = 15
ABSTRACT_WORDS = 10
MANY_WORDS = 30
LEAST_CONFIDENCE = 0.7
HIGHEST = 3

_PLEASANTRY = re.compile(
    r"\s*(?:hi|hello|hey|thanks|thank you|thx|good (?:morning|afternoon|evening|night)|greetings|bye)\b", re.IGNORECASE
)
_ABSTRACT = re.compile(
    r"\b(?:how|why|explain|compare|analy[sz]e|implications?|impact|trade-?offs?|differences?|pros and cons)\b", re.IGNORECASE
)
_PARTS = re.compile(
    r"\?.*\?|\bfirst\b.*\bthen\b|\band then\b|\bstep[- ]by[- ]step\b|\bafter that\b|\bbreak (?:it )?down\b|"
    r"\bfirstly\b|\bsecondly\b|\badditionally\b|\band also\b",
    re.IGNORECASE | re.DOTALL,
)
_SIMPLE_QUESTION = re.compile(r"\b(?:what|who|when|where|which|is|are|does|do|did|can|how)\b", re.IGNORECASE)
_QUESTION = re.compile(r"\b(?:what|who|when|where|which|why|how|is|are|does|do|did|can)\b", re.IGNORECASE)


def tier_of(text: str) -> int:
    """The tier of a question, first match: pleasantry; short and concrete; several parts or long; abstract; question."""
    if _PLEASANTRY.match(text):
        return 0
    words = len(text.split())
    abstract = bool(_ABSTRACT.search(text))
    if words <= FEW_WORDS and not abstract:
        return 1
    if words > MANY_WORDS or _PARTS.search(text):
        return 3
    if abstract and words > ABSTRACT_WORDS:
        return 2
    if words <= SIMPLE_WORDS and _SIMPLE_QUESTION.search(text):
        return 1
    return 2 if words > SIMPLE_WORDS and _QUESTION.search(text) else 1


@dataclass(frozen=True, slots=True)
class TierGuess:
    """A tier and how sure its source was of it (0 to 1); `sources` are where to look."""

    tier: int
    confidence: float
    sources: tuple[str, ...] = ("vector",)

    @property
    def strategy(self) -> str:
        return STRATEGIES[self.tier]


WITHOUT_CLASSIFIER = TierGuess(1, 0.0)  # what counts when a classifier failed: look simply, and be sure of nothing


def raised(tier: int, confidence: float, least: float = LEAST_CONFIDENCE, highest: int = HIGHEST) -> int:
    """A tier that its classifier was not sure of is raised by one, never above the highest."""
    return min(tier + 1, highest) if confidence < least else tier
