"""Reading the graph: observations, records and walks, all under a view that is part of the query."""

from collections.abc import Sequence

from graph.model.edges import Direction, EdgeKind, Hop, Walked
from graph.model.observations import Observation, Record
from graph.model.views import View
from graph.stores.neo4j.connection import Connection
from graph.stores.neo4j.rows import edge_from, observation_from, record_from
from graph.stores.neo4j.views import EDGE_SEEN, IN_TIME_AND_COMPANY, MAY_BE_SEEN, OBSERVATION_SEEN, view_parameters

_BY_ID = """
UNWIND range(0, size($ids) - 1) AS place
MATCH (n:Node {{id: $ids[place]}}) WHERE n:{label} AND {seen}
RETURN n {{.*}} AS n ORDER BY place
"""
_PASSAGES = f"""
UNWIND range(0, size($ids) - 1) AS place
MATCH (n:Observation {{record_id: $ids[place]}}) WHERE {OBSERVATION_SEEN}
RETURN n {{.*}} AS n ORDER BY place, n.position, n.part, n.id LIMIT $limit
"""
_TIMELINE = f"""
MATCH (n:Observation) WHERE n.authored_at IS NOT NULL AND {OBSERVATION_SEEN}
RETURN n {{{{.*}}}} AS n ORDER BY n.authored_at {{order}}, n.id {{order}} LIMIT $limit
"""
_TIMELINE_OF = f"""
MATCH (n:Observation)-[:MENTIONS|ABOUT]->(:Node {{{{id: $entity}}}}) WHERE n.authored_at IS NOT NULL AND {OBSERVATION_SEEN}
WITH DISTINCT n RETURN n {{{{.*}}}} AS n ORDER BY n.authored_at {{order}}, n.id {{order}} LIMIT $limit
"""
_SCAN = f"""
MATCH (n:Observation) WHERE n.id > $after AND {OBSERVATION_SEEN}
RETURN n {{.*}} AS n ORDER BY n.id LIMIT $limit
"""
# One arm per hop. Of a node with more visible edges than its cap nothing is returned; one more than the cap is enough to know.
_ARM = """
  MATCH (a){left}[r:{kind}]{right}(n:Node)
  WHERE {edge_seen} AND {seen} AND (NOT n:Observation OR ({observation_seen}))
  WITH r, n, {weight} AS weight ORDER BY weight DESC, n.id LIMIT $look_{hop}
  WITH collect({{to: n.id, weight: weight, edge: properties(r)}}) AS found WHERE size(found) <= $hub_{hop}
  UNWIND range(0, size(found) - 1) AS rank
  WITH found[rank] AS one, rank WHERE rank < $fanout_{hop}
  RETURN {hop} AS hop, rank, one.to AS to, one.weight AS weight, one.edge AS edge
"""
_WALK = """
UNWIND range(0, size($frontier) - 1) AS place
MATCH (a:Node {{id: $frontier[place]}})
CALL (a) {{ {arms} }}
RETURN place, hop, to, weight, edge ORDER BY place, hop, rank
"""
_COUNTS = {
    "events": "MATCH (n:Event) WHERE $scopes IS NULL OR n.scope IN $scopes RETURN count(n) AS n",
    "observations": "MATCH (n:Observation) WHERE $scopes IS NULL OR n.scope IN $scopes RETURN count(n) AS n",
    "entities": "MATCH (n:Entity) WHERE $scopes IS NULL OR n.scope IN $scopes RETURN count(n) AS n",
    "facts": "MATCH (n:Fact) WHERE $scopes IS NULL OR n.scope IN $scopes RETURN count(n) AS n",
    "edges": "MATCH (:Node)-[r]->(:Node) WHERE $scopes IS NULL OR r.scope IN $scopes RETURN count(r) AS n",
    "records": "MATCH (n:Record) WHERE $scopes IS NULL OR n.scope IN $scopes RETURN count(n) AS n",
    "pending": (
        "MATCH (n:Receipt) WHERE n.available_at IS NOT NULL AND ($scopes IS NULL OR n.scope IN $scopes) RETURN count(n) AS n"
    ),
    "dead_letters": "MATCH (n:Receipt {dead: true}) WHERE $scopes IS NULL OR n.scope IN $scopes RETURN count(n) AS n",
}
_NO_CAP = 1 << 40


class GraphReading:
    """graph.ports.GraphReader over Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def observations(self, ids: Sequence[str], view: View) -> list[Observation]:
        text = _BY_ID.format(label="Observation", seen=OBSERVATION_SEEN)
        rows = self._connection.read(text, ids=list(ids), **view_parameters(view))
        return [observation_from(row["n"]) for row in rows]

    def expand(self, frontier: Sequence[str], hops: Sequence[Hop], view: View) -> list[Walked]:
        """See GraphReader.expand. An edge's own scope and validity are held against the view too."""
        if not frontier or not hops:
            return []
        bounds: dict[str, int] = {}
        for number, hop in enumerate(hops):
            hub = _NO_CAP if hop.hub_degree is None else hop.hub_degree
            bounds |= {f"fanout_{number}": hop.fanout, f"hub_{number}": hub}
            bounds[f"look_{number}"] = hop.fanout if hop.hub_degree is None else hop.hub_degree + 1
        arms = " UNION ALL ".join(_arm(number, hop) for number, hop in enumerate(hops))
        rows = self._connection.read(_WALK.format(arms=arms), frontier=list(frontier), **bounds, **view_parameters(view))
        walked = []
        for row in rows:
            at, to, hop = frontier[row["place"]], row["to"], hops[row["hop"]]
            source, target = (at, to) if hop.direction is Direction.OUT else (to, at)
            walked.append(Walked(at, to, hop, edge_from(hop.kind, source, target, row["edge"], row["weight"])))
        return walked

    def records(self, ids: Sequence[str], view: View) -> list[Record]:
        text = _BY_ID.format(label="Record", seen=MAY_BE_SEEN)
        return [record_from(row["n"]) for row in self._connection.read(text, ids=list(ids), **view_parameters(view))]

    def passages_of(self, record_ids: Sequence[str], view: View, limit: int = 500) -> list[Observation]:
        """See GraphReader.passages_of. Ties of (position, part) by id; `limit` bounds all records together."""
        rows = self._connection.read(_PASSAGES, ids=list(record_ids), limit=limit, **view_parameters(view))
        return [observation_from(row["n"]) for row in rows]

    def timeline(
        self, view: View, *, entity_id: str | None = None, limit: int = 100, newest_first: bool = False
    ) -> list[Observation]:
        """See GraphReader.timeline. `newest_first` turns the whole order round, ties included."""
        text = (_TIMELINE if entity_id is None else _TIMELINE_OF).format(order="DESC" if newest_first else "ASC")
        rows = self._connection.read(text, entity=entity_id, limit=limit, **view_parameters(view))
        return [observation_from(row["n"]) for row in rows]

    def scan(self, view: View, *, after: str | None = None, limit: int = 1000) -> list[Observation]:
        rows = self._connection.read(_SCAN, after=after or "", limit=limit, **view_parameters(view))
        return [observation_from(row["n"]) for row in rows]

    def counts(self, scopes: frozenset[str] | None) -> dict[str, int]:
        """See GraphReader.counts. Nodes are counted in every state."""
        asked = None if scopes is None else sorted(scopes)
        return {what: int(self._connection.read(text, scopes=asked)[0]["n"]) for what, text in _COUNTS.items()}


def _arm(number: int, hop: Hop) -> str:
    left, right = ("-", "->") if hop.direction is Direction.OUT else ("<-", "-")
    entity = "n" if hop.direction is Direction.OUT else "a"
    # The weight of a mention lies at the entity once it was counted (GraphWriter.recount).
    weight = f"coalesce({entity}.mention_weight, r.weight)" if hop.kind is EdgeKind.MENTIONS else "r.weight"
    return _ARM.format(
        hop=number,
        kind=hop.kind.value,
        left=left,
        right=right,
        weight=weight,
        edge_seen=EDGE_SEEN,
        seen=MAY_BE_SEEN,
        observation_seen=IN_TIME_AND_COMPANY,
    )
