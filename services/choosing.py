"""Which memory is meant, and whether a change is sure enough to be made: by id, by the head of an id, or by what was found.

Pure: what was found comes in as scores (1 is certain), best first. What is not sure is answered with candidates.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.errors import InvalidInput
from graph.ingest.noise import NoiseFilter

RECALL_LIMITS = (1, 20)
LIST_LIMITS = (1, 50)
MOST_SKIPPED = 1000
DUPLICATE = 0.98  # a text closer than this to a known one is the known one
SURE_TO_FORGET = 0.9
SURE_TO_UPDATE = 0.85
CANDIDATES = 3
SHORT_ID = 8
_ID = re.compile(r"[0-9a-f]{8}[0-9a-f-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """`place` of the one that is meant among what was found, or None; then `action` says what to answer instead."""

    action: str
    place: int | None = None


def clamped(value: int, limits: tuple[int, int]) -> int:
    low, high = limits
    return max(low, min(value, high))


def skipped(offset: int) -> int:
    return clamped(offset, (0, MOST_SKIPPED))


def is_id(name: str) -> bool:
    """Whether a name is an id or the head of one (at least eight hexadecimal digits), and not words to look for."""
    return bool(_ID.fullmatch(name))


def by_prefix(prefix: str, ids: Sequence[str]) -> Chosen:
    """The one id that begins so; not_found for none, ambiguous for several or for a head that is too short."""
    if len(prefix) < SHORT_ID:
        return Chosen("ambiguous")
    found = [place for place, known in enumerate(ids) if known.startswith(prefix.lower())]
    if len(found) == 1:
        return Chosen("resolved", found[0])
    return Chosen("ambiguous" if found else "not_found")


def to_forget(scores: Sequence[float]) -> Chosen:
    """Only a single find that is surer than 0.9 is forgotten by words; several, or an unsure one, are candidates."""
    if not scores:
        return Chosen("not_found")
    return Chosen("deleted", 0) if len(scores) == 1 and scores[0] > SURE_TO_FORGET else Chosen("candidates")


def to_update(scores: Sequence[float]) -> Chosen:
    """A single find, or one that is surer than 0.85, is updated by words."""
    if not scores:
        return Chosen("not_found")
    return Chosen("updated", 0) if len(scores) == 1 or scores[0] > SURE_TO_UPDATE else Chosen("candidates")


def to_store(text: str, nearest: float | None, noise: NoiseFilter | None = None) -> Chosen:
    """Whether a text is new: noise is not stored, and nothing that is closer than 0.98 to what is known."""
    if (noise or NoiseFilter()).is_noise(text):
        return Chosen("noise_filtered")
    return Chosen("duplicate", 0) if nearest is not None and nearest > DUPLICATE else Chosen("created")


def changes(given: Mapping[str, Any], fields: Sequence[str] = ("text", "importance", "category")) -> dict[str, Any]:
    """The fields that are to be changed; empty when nothing is. Importance is kept within 0 to 1."""
    found = {name: given[name] for name in fields if given.get(name) is not None}
    if "importance" in found:
        found["importance"] = max(0.0, min(float(found["importance"]), 1.0))
    return found


def bulk_filter(scopes: Sequence[str], before: Any) -> None:
    """Raises InvalidInput for a removal of many that names neither a scope nor a time."""
    if not scopes and before is None:
        raise InvalidInput("needs a scope or a timestamp filter")
