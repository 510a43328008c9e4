"""Entities that the question names: every run of its words that is a known name, longest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.model.entities import Entity
from graph.model.views import View
from graph.ports.lookup import Lookup
from graph.text.folding import Word, words
from graph.text.names import MAX_NAME_WORDS, name_key, usable_name

NESTED_SHARE = 0.5
MAX_PHRASES = 400


@dataclass(frozen=True, slots=True)
class Named:
    """An entity named in the question; `nested` when its name stands inside a longer one that is known too."""

    entity: Entity
    nested: bool


def _phrases(found: Sequence[Word]) -> dict[str, tuple[int, int]]:
    """Usable name keys of the question with their first place [start, end) in words; single words need a capital or digit."""
    places: dict[str, tuple[int, int]] = {}
    for start in range(len(found)):
        for end in range(start + 1, min(len(found), start + MAX_NAME_WORDS) + 1):
            run = found[start:end]
            keys = tuple(word.key for word in run)
            if usable_name(keys) and any(word.upper for word in run) and len(places) < MAX_PHRASES:
                places.setdefault(" ".join(keys), (start, end))
    return places


def entities_named(text: str, lookup: Lookup, view: View) -> list[Named]:
    """Known entities whose name stands in `text`, longest first, then by place, then by id."""
    places = _phrases(words(text))
    if not places:
        return []
    matched: list[tuple[tuple[int, int], Entity]] = []
    for entity in lookup.entities_by_key(list(places), view):
        keys = [entity.name_key, *(name_key(alias) for alias in entity.aliases)]
        spots = [places[key] for key in keys if key in places]
        if spots:
            matched.append((max(spots, key=lambda spot: spot[1] - spot[0]), entity))
    matched.sort(key=lambda item: (item[0][0] - item[0][1], item[0][0], item[1].id))
    taken: list[tuple[int, int]] = []
    named = []
    for (start, end), entity in matched:
        nested = any(a <= start and end <= b and (a, b) != (start, end) for a, b in taken)
        taken.append((start, end))
        named.append(Named(entity, nested))
    return named


def rarity(df: float, size: float) -> float:
    """ln(1 + n / (1 + df)) / ln(1 + n): 1 for a name mentioned nowhere, near 0 for one mentioned everywhere."""
    return float(np.log1p(size / (1.0 + df)) / np.log1p(max(size, 1.0)))


def named_scores(defined: Mapping[str, Sequence[str]], named: Sequence[Named], size: float) -> dict[str, float]:
    """By observation: the rarity of the rarest named entity that it is about, halved for a nested name."""
    scores: dict[str, float] = {}
    for found in named:
        worth = rarity(found.entity.mentions, size) * (NESTED_SHARE if found.nested else 1.0)
        for observation in defined.get(found.entity.id, ()):
            scores[observation] = max(scores.get(observation, 0.0), worth)
    return scores
