"""A view as a filter of the vector index, and a point's payload: the two sides of what can be filtered.

Times are whole microseconds. The engine compares them as float64: whole seconds are exact in the years 1 to 9999,
microseconds from 1685 to 2255.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import qdrant_edge as edge

from graph.model.observations import Status
from graph.model.times import Window, to_micros
from graph.model.views import View
from graph.stores.payloads import OPEN_END, OPEN_START


def indexes() -> dict[str, Any]:
    """Payload fields that are indexed, with the kind of index.

    Scope and status are in every question's filter, so theirs are in memory (a full search takes a third longer otherwise);
    the others are memory-mapped, which halves the time to open. Owners have none: it would hold one entry for each point,
    and the mirror knows the points of an owner.
    """
    time = edge.IntegerIndexParams(lookup=False, range=True, on_disk=True)
    word = edge.KeywordIndexParams(on_disk=True)
    return {
        "scope": edge.KeywordIndexParams(is_tenant=True),
        "status": edge.KeywordIndexParams(),
        "session": word,
        "author": word,
        "authored": time,
        "valid_from": time,
        "valid_to": time,
    }


def view_filter(view: View, among: Iterable[str] | None = None) -> edge.Filter | None:
    """The filter that keeps what the view allows (None: everything); `among` keeps only these points."""
    conditions: list[Any] = list(_conditions(view))
    if among is not None:
        conditions.append(edge.HasIdCondition(set(among)))
    return edge.Filter(must=conditions) if conditions else None


def _conditions(view: View) -> Iterator[edge.FieldCondition]:
    if len(view.statuses) < len(Status):
        yield _any("status", (status.value for status in view.statuses))
    for field, names in (("scope", view.scopes), ("session", view.sessions), ("author", view.authors)):
        if names is not None:
            yield _any(field, names)
    if view.window is not None:
        yield _authored_in(view.window)
    if view.as_of is not None:
        yield from _valid_at(view.as_of)


def _authored_in(window: Window) -> edge.FieldCondition:
    """Dated points in [start, end); a window open on both sides still wants a date."""
    start = OPEN_START if window.start is None else to_micros(window.start)
    end = OPEN_END if window.end is None else to_micros(window.end)
    return _between("authored", gte=start, lt=end)


def _valid_at(moment: datetime) -> Iterator[edge.FieldCondition]:
    """valid_from <= moment < valid_to."""
    yield _between("valid_from", lte=to_micros(moment))
    yield _between("valid_to", gt=to_micros(moment))


def _any(field: str, names: Iterable[str]) -> edge.FieldCondition:
    ordered = sorted(names)
    match = edge.MatchValue(ordered[0]) if len(ordered) == 1 else edge.MatchAny(ordered)
    return edge.FieldCondition(field, match=match)


def _between(field: str, **bounds: int) -> edge.FieldCondition:
    return edge.FieldCondition(field, range=edge.RangeFloat(**{side: float(bound) for side, bound in bounds.items()}))
