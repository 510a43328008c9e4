"""Ranking: relevance first. What is newer, surer, more important or pinned only settles what is nearly equal.

Only a question for the latest lets the date count for more. Near-duplicates are demoted, never removed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from graph.model.observations import Observation
from graph.model.times import Window
from graph.retrieve.fusion import Fused
from graph.retrieve.weights import Weights
from graph.text.folding import fold

NEUTRAL = 0.5
LATEST = re.compile(
    r"\b(?:latest|newest|current(?:ly)?|most recent(?:ly)?|right now|these days|at the moment|nowadays|up to date|"
    r"as of (?:now|today)|last time)\b",
    re.IGNORECASE,
)
COMPARED = 20  # results among which dates are compared when the latest is asked for
NEAR_BEST = 3.0  # log-odds from the best within which the latest is looked for
DUPLICATE_DEPTH = 50  # results that are compared with each other
_WORD, _NUMBER = re.compile(r"\w+"), re.compile(r"\w*\d\w*")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A result with its final score and what was added to the fused log-odds, by name."""

    fused: Fused
    score: float
    added: Mapping[str, float]


def asks_latest(text: str) -> bool:
    return bool(LATEST.search(text))


def rank(
    fused: Sequence[Fused],
    observations: Mapping[str, Observation],
    weights: Weights,
    now: datetime,
    *,
    latest: bool = False,
    window: Window | None = None,
) -> list[Ranked]:
    """Best first; ties by the number of paths, then by id. `window` is one that the question speaks of but does not demand."""
    known = [hit for hit in fused if hit.id in observations]
    newest = _newness(known[:COMPARED], observations) if latest else {}
    number = weights.numbers["rank"]
    ranked = []
    for hit in known:
        added = {
            **_nudges(observations[hit.id], number, now),
            "latest": number["latest"] * newest.get(hit.id, 0.0),
            "window": number["window"] * (window is not None and _within(observations[hit.id], window)),
        }
        ranked.append(Ranked(hit, hit.score + sum(added.values()), {name: value for name, value in added.items() if value}))
    ranked.sort(key=lambda item: (-item.score, -item.fused.paths, item.fused.id))
    return demoted(ranked, observations, weights)


def _nudges(observation: Observation, number: Mapping[str, float], now: datetime) -> dict[str, float]:
    """What settles ties, each bounded by its weight."""
    return {
        "recency": number["recency"] * recency(observation.authored_at, now, number["recency_half_life_days"]),
        "confidence": number["confidence"] * (observation.confidence - NEUTRAL),
        "importance": number["importance"] * (observation.importance - NEUTRAL),
        "pinned": number["pinned"] * observation.pinned,
    }


def recency(authored_at: datetime | None, now: datetime, half_life_days: float) -> float:
    """2^(-age / half-life) in [0, 1]; 0 for an unknown date, 1 for one in the future."""
    if authored_at is None:
        return 0.0
    age = max((now - authored_at) / timedelta(days=1), 0.0)
    return float(2.0 ** (-min(age / half_life_days, 1000.0)))


def _newness(hits: Sequence[Fused], observations: Mapping[str, Observation]) -> dict[str, float]:
    """Among results near the best: 0 for the oldest to 1 for the newest, evenly by rank of date."""
    if not hits:
        return {}
    near = [hit.id for hit in hits if hit.score >= hits[0].score - NEAR_BEST]
    dates = sorted({date for id_ in near if (date := observations[id_].authored_at) is not None})
    steps = max(len(dates) - 1, 1)
    return {id_: dates.index(date) / steps for id_ in near if (date := observations[id_].authored_at) is not None}


def _within(observation: Observation, window: Window) -> bool:
    return any(moment in window for moment in (observation.authored_at, observation.valid_from) if moment is not None)


def demoted(ranked: Sequence[Ranked], observations: Mapping[str, Observation], weights: Weights) -> list[Ranked]:
    """Each result that says the same as a better one loses `duplicate` log-odds, once; then sorted again.

    The same: equal numbers in the same order and nearly the same words (Jaccard), so texts that differ by one number stay.
    """
    number = weights.numbers["rank"]
    seen: list[tuple[tuple[str, ...], frozenset[str]]] = []
    result: list[Ranked] = []
    for place, item in enumerate(ranked):
        if place >= DUPLICATE_DEPTH:
            result.append(item)
            continue
        print_ = fingerprint(observations[item.fused.id].text)
        if any(_same(print_, other, number["duplicate_overlap"]) for other in seen):
            loss = -number["duplicate"]
            result.append(Ranked(item.fused, item.score + loss, {**item.added, "duplicate": loss}))
        else:
            seen.append(print_)
            result.append(item)
    return sorted(result, key=lambda item: (-item.score, -item.fused.paths, item.fused.id))


def fingerprint(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The numbers of a text in order, and the set of its folded words."""
    folded = fold(text)
    return tuple(_NUMBER.findall(folded)), frozenset(_WORD.findall(folded))


def _same(one: tuple[tuple[str, ...], frozenset[str]], other: tuple[tuple[str, ...], frozenset[str]], overlap: float) -> bool:
    if one[0] != other[0]:
        return False
    fewer, more = len(one[1]), len(other[1])
    if fewer > more:
        fewer, more = more, fewer
    if fewer < overlap * more:  # the overlap is at most the ratio of the sizes
        return False
    shared = len(one[1] & other[1])
    return more == 0 or shared / (fewer + more - shared) >= overlap
