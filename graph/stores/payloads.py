"""What a vector index stores beside a vector, and what its views allow: the same for every engine.

Times are whole microseconds; unknown dates, sessions and authors are absent, open bounds are extremes.
"""

from typing import Any

from graph.model.points import Point
from graph.model.times import to_micros
from graph.model.views import View

OPEN_START = -(2**62)  # an unknown or open bound of a valid interval, in microseconds
OPEN_END = 2**62


def payload(point: Point) -> dict[str, Any]:
    """What is stored beside a point's vectors; unknown dates, sessions and authors are absent, open bounds are extremes."""
    optional = {
        "authored": None if point.authored_at is None else to_micros(point.authored_at),
        "session": point.session,
        "author": point.author,
    }
    return {
        "owner": point.owner,
        "ordinal": point.ordinal,
        "scope": point.scope,
        "status": point.status.value,
        "revision": point.revision,
        "valid_from": OPEN_START if point.valid_from is None else to_micros(point.valid_from),
        "valid_to": OPEN_END if point.valid_to is None else to_micros(point.valid_to),
    } | {name: value for name, value in optional.items() if value is not None}


def sees_nothing(view: View) -> bool:
    """Whether the view allows nothing at all, whatever is stored."""
    chosen = (view.scopes, view.sessions, view.authors)
    return not view.statuses or any(names is not None and not names for names in chosen)
