"""A view as Cypher conditions over fixed parameter names, so that what may not be seen never leaves the query."""

from typing import Any

from graph.model.times import to_micros
from graph.model.views import View

# Scope and state hold for every kind of node; a record has no state, and a node that is only named has no scope yet.
MAY_BE_SEEN = (
    "n.scope IS NOT NULL AND ($view_scopes IS NULL OR n.scope IN $view_scopes) AND (n:Record OR n.status IN $view_statuses)"
)
HOLDS = (
    "($view_as_of IS NULL OR ((n.valid_from IS NULL OR n.valid_from <= $view_as_of) "
    "AND (n.valid_to IS NULL OR n.valid_to > $view_as_of)))"
)
IN_TIME_AND_COMPANY = (
    "(NOT $view_windowed OR n.authored_at IS NOT NULL) "
    "AND ($view_start IS NULL OR n.authored_at >= $view_start) AND ($view_end IS NULL OR n.authored_at < $view_end) "
    f"AND {HOLDS} "
    "AND ($view_sessions IS NULL OR n.session IN $view_sessions) AND ($view_authors IS NULL OR n.author IN $view_authors)"
)
OBSERVATION_SEEN = f"{MAY_BE_SEEN} AND {IN_TIME_AND_COMPANY}"
EDGE_SEEN = (
    "($view_scopes IS NULL OR r.scope IN $view_scopes) AND ($view_as_of IS NULL OR ((r.valid_from IS NULL OR "
    "r.valid_from <= $view_as_of) AND (r.valid_to IS NULL OR r.valid_to > $view_as_of)))"
)


def view_parameters(view: View) -> dict[str, Any]:
    """The parameters that the conditions above name; None switches a condition off."""
    start = view.window.start if view.window is not None else None
    end = view.window.end if view.window is not None else None
    return {
        "view_scopes": _listed(view.scopes),
        "view_statuses": sorted(status.value for status in view.statuses),
        "view_windowed": view.window is not None,
        "view_start": None if start is None else to_micros(start),
        "view_end": None if end is None else to_micros(end),
        "view_as_of": None if view.as_of is None else to_micros(view.as_of),
        "view_sessions": _listed(view.sessions),
        "view_authors": _listed(view.authors),
    }


def _listed(values: frozenset[str] | None) -> list[str] | None:
    return None if values is None else sorted(values)
