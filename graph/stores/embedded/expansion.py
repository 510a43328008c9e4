"""A walk of one hop in one SQL statement: every meta-path's step from every frontier node, filtered, ranked and capped."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from graph.model.edges import Direction, EdgeKind, Hop, Walked
from graph.model.views import View
from graph.stores.embedded.database import Database
from graph.stores.embedded.rows import KIND_NO, OBSERVATION, walked_from
from graph.stores.embedded.values import as_list
from graph.stores.embedded.views import holds, in_scopes, in_time_and_company, may_be_seen

# Two edges of one kind between the same two nodes, in two scopes, go by age.
# One arm per hop. A node with more visible edges than the cap gives none: the window's count is taken after the view.
_ARM = """
SELECT * FROM (
  SELECT f.place AS place, {hop} AS hop, e.no AS edge, n.id AS target, {weight} AS weight,
    row_number() OVER (PARTITION BY f.place ORDER BY {weight} DESC, n.id, e.no) AS rank,
    count(*) OVER (PARTITION BY f.place) AS degree
  FROM frontier f CROSS JOIN edge e ON e.kind = {kind} AND e.{near} = f.no
  CROSS JOIN node n ON n.no = e.{far} {mentioned}
  WHERE {edge_seen} AND {seen} AND (n.label > {observation} OR n.label = {observation} AND {observation_seen})
) WHERE rank <= :fanout_{hop} AND degree <= :hub_{hop}
"""
_WALK = """
WITH frontier (place, no) AS MATERIALIZED (
  SELECT a.key, n.no FROM json_each(:frontier) a CROSS JOIN node n ON n.id = a.value
),
walked (place, hop, edge, target, weight, rank, degree) AS MATERIALIZED ({arms})
SELECT w.place, w.hop, w.target, s.text, w.weight, e.origin, v.id, e.sentence, e.nested, e.note, e.valid_from, e.valid_to,
  e.revision
FROM walked w CROSS JOIN edge e ON e.no = w.edge JOIN symbol s ON s.no = e.scope LEFT JOIN node v ON v.no = e.evidence
ORDER BY w.place, w.hop, w.rank
"""
_NO_CAP = 1 << 62
# The weight of a mention lies at the entity once it was counted (GraphWriter.recount); the edge's own is what was written.
_MENTION_WEIGHT = "coalesce(m.mention_weight, e.weight)"
_MENTIONED = "LEFT JOIN entity m ON m.no = e.target"


def expand_in_sql(database: Database, frontier: Sequence[str], hops: Sequence[Hop], view: View) -> list[Walked]:
    """See GraphReader.expand."""
    if not frontier or not hops:
        return []
    statement, names = _statement(tuple((hop.kind, hop.direction) for hop in hops), view)
    bounds: dict[str, Any] = {"frontier": as_list(frontier)}
    for number, hop in enumerate(hops):
        bounds[f"fanout_{number}"] = hop.fanout
        bounds[f"hub_{number}"] = _NO_CAP if hop.hub_degree is None else hop.hub_degree
    with database.read() as connection:
        rows = connection.execute(statement, names | bounds).fetchall()
    return [walked_from(frontier[place], to, hops[hop], tuple(rest)) for place, hop, to, *rest in rows]


@lru_cache(maxsize=256)
def _statement(steps: tuple[tuple[EdgeKind, Direction], ...], view: View) -> tuple[str, dict[str, Any]]:
    seen, names = may_be_seen(view)
    observation_seen, more = in_time_and_company(view)
    edge_scope, scope_names = in_scopes(view.scopes, "e.scope")
    edge_valid, valid_names = holds(view, "e")
    arms = [
        _ARM.format(
            hop=number,
            kind=KIND_NO[kind],
            near="source" if direction is Direction.OUT else "target",
            far="target" if direction is Direction.OUT else "source",
            weight=_MENTION_WEIGHT if kind is EdgeKind.MENTIONS else "e.weight",
            mentioned=_MENTIONED if kind is EdgeKind.MENTIONS else "",
            edge_seen=f"{edge_scope} AND {edge_valid}",
            seen=seen,
            observation=OBSERVATION,
            observation_seen=observation_seen,
        )
        for number, (kind, direction) in enumerate(steps)
    ]
    return _WALK.format(arms=" UNION ALL ".join(arms)), names | more | scope_names | valid_names
