"""A view as SQL conditions on the `node` table, so that what may not be seen never leaves the query."""

from typing import Any

from graph.model.observations import Status
from graph.model.views import View
from graph.stores.embedded.rows import RECORD, STATUS_NO
from graph.stores.embedded.values import as_list, micros

Condition = tuple[str, dict[str, Any]]
EVERY_STATUS = frozenset(Status)


def in_scopes(scopes: frozenset[str] | None, column: str) -> Condition:
    """Whether an interned scope is one of `scopes`; None allows all, an empty set nothing."""
    if scopes is None:
        return "1", {}
    named = "SELECT no FROM symbol WHERE text IN (SELECT value FROM json_each(:view_scopes))"
    return f"{column} IN ({named})", {"view_scopes": as_list(sorted(scopes))}


def may_be_seen(view: View, node: str = "n") -> Condition:
    """Scope and state, which hold for every kind of node; a record has no state."""
    scoped, names = in_scopes(view.scopes, f"{node}.scope")
    if view.statuses == EVERY_STATUS:
        return scoped, names
    states = ",".join(str(STATUS_NO[status]) for status in sorted(view.statuses))
    return f"{scoped} AND ({node}.label = {RECORD} OR {node}.status IN ({states}))", names


def in_time_and_company(view: View, node: str = "n") -> Condition:
    """The rest of a view, which holds for observations: window of authored_at, validity, sessions and authors."""
    clauses, names = ["1"], dict[str, Any]()
    if view.window is not None:
        clauses.append(f"{node}.authored_at IS NOT NULL")
        if view.window.start is not None:
            clauses.append(f"{node}.authored_at >= :view_start")
            names["view_start"] = micros(view.window.start)
        if view.window.end is not None:
            clauses.append(f"{node}.authored_at < :view_end")
            names["view_end"] = micros(view.window.end)
    valid, valid_names = holds(view, node)
    clauses.append(valid)
    for column, wanted in (("session", view.sessions), ("author", view.authors)):
        if wanted is not None:
            named = f"SELECT no FROM symbol WHERE text IN (SELECT value FROM json_each(:view_{column}))"
            clauses.append(f"{node}.{column} IN ({named})")
            names[f"view_{column}"] = as_list(sorted(wanted))
    return " AND ".join(clauses), names | valid_names


def holds(view: View, row: str) -> Condition:
    """Whether [valid_from, valid_to) holds the moment asked; an unknown bound is open."""
    if view.as_of is None:
        return "1", {}
    from_, to = f"{row}.valid_from", f"{row}.valid_to"
    condition = f"({from_} IS NULL OR {from_} <= :view_as_of) AND ({to} IS NULL OR {to} > :view_as_of)"
    return condition, {"view_as_of": micros(view.as_of)}


def observation_seen(view: View, node: str = "n") -> Condition:
    """The whole view, for a row that is known to be an observation."""
    seen, seen_names = may_be_seen(view, node)
    rest, rest_names = in_time_and_company(view, node)
    return f"{seen} AND {rest}", seen_names | rest_names
