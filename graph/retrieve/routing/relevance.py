"""Relevance on one scale, 0 to 1, so that 0.4 means the same whichever backend answered."""

from math import exp

ACCEPTED = 0.4
BM25_FACTOR = 3.0
AGE_SLOPE = 0.043  # relevance lost per day
LEAST_BY_AGE = 0.2


def of_bm25(raw: float) -> float:
    """A BM25 score of a store that gives about 0 to 1/3: min(3 raw, 1)."""
    return max(0.0, min(raw * BM25_FACTOR, 1.0))


def of_age(days: float) -> float:
    """A recent-first store knows age alone: max(0.2, 1 - 0.043 days); the future counts as now."""
    return max(LEAST_BY_AGE, min(1.0, 1.0 - AGE_SLOPE * days))


def of_cosine(cosine: float) -> float:
    return max(0.0, min(cosine, 1.0))


def of_log_odds(score: float) -> float:
    """A log-odds of being wanted as the probability that it is."""
    return 1.0 / (1.0 + exp(-score)) if score > -700 else 0.0
