"""Keeps a database's adjacency: loads it when it is first asked for, feeds it what is written, answers walks from it."""

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import structlog

from graph.errors import StoreError
from graph.model.edges import Direction, Edge, Hop, Walked
from graph.model.observations import Observation
from graph.model.views import View
from graph.stores.embedded.adjacency.arrays import Adjacency, Change
from graph.stores.embedded.adjacency.kept import Kept
from graph.stores.embedded.adjacency.load import from_rows, from_snapshot, save, version_of
from graph.stores.embedded.adjacency.push import ForwardPush, Mass, Pushed, Spread, Start
from graph.stores.embedded.adjacency.view import Filter
from graph.stores.embedded.adjacency.walk import Steps, steps
from graph.stores.embedded.database import Database
from graph.stores.embedded.rows import KINDS, OBSERVATION_COLUMNS, edge_from, observation_from
from graph.stores.embedded.values import as_list

AT_ONCE_ROWS = 50_000  # nodes and edges that are loaded while the first walk waits; more are loaded in the background
SNAPSHOT_ROWS = 50_000  # fewer are not worth a file
EDGES_KEPT = 65_536
OBSERVATIONS_KEPT = 8_192
FILTERS_KEPT = 16  # each may hold a mask of all nodes

_EDGES = """
SELECT e.no, e.kind, a.id, b.id, s.text, e.weight, e.origin, v.id, e.sentence, e.nested, e.note, e.valid_from, e.valid_to,
  e.revision
FROM json_each(?) k CROSS JOIN edge e ON e.no = k.value CROSS JOIN node a ON a.no = e.source
  CROSS JOIN node b ON b.no = e.target CROSS JOIN symbol s ON s.no = e.scope LEFT JOIN node v ON v.no = e.evidence
"""
_OBSERVATIONS = f"""
SELECT {OBSERVATION_COLUMNS} FROM json_each(?) a CROSS JOIN node n ON n.id = a.value CROSS JOIN observation o ON o.no = n.no
"""
K = TypeVar("K")
V = TypeVar("V")
_log = structlog.get_logger(__name__)


class AdjacencyKeeper:
    """The adjacency of one database. States: cold, loading (changes wait in `_queue`), warm."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._folder = Path(f"{database.path}.adjacency")
        self._adjacency: Adjacency | None = None
        self._queue: list[Change] = []
        self._listening = False
        self._lock = threading.RLock()
        self._loading = threading.Lock()
        self._stopped = threading.Event()
        self._loader: threading.Thread | None = None
        self._edges: Kept[int, Edge] = Kept(EDGES_KEPT)
        self._observations: Kept[str, Observation] = Kept(OBSERVATIONS_KEPT)
        self._filters: dict[View, Filter] = {}
        self._push: ForwardPush | None = None
        database.before_close(self._close)

    @property
    def listening(self) -> bool:
        """Whether changes must be told (inside a writing transaction; it does not change before its end)."""
        return self._listening

    @property
    def warm(self) -> bool:
        return self._adjacency is not None

    def changed(self, change: Change) -> None:
        """Take over a change, in the order of commits."""
        with self._lock:
            self._edges.drop((*(edge.no for edge in change.edges), *(gone[0] for gone in change.gone)))
            self._observations.drop(id_ for _, id_, _ in change.nodes)
            adjacency = self._adjacency
            if adjacency is None:
                self._queue.append(change)
                return
        if change.version == adjacency.version + 1:
            adjacency.apply(change)
        else:
            self._forget()

    def walk(self, frontier: Sequence[str], hops: Sequence[Hop], view: View) -> list[Walked] | None:
        """The answer of GraphReader.expand; None when the arrays cannot give it now."""
        adjacency = self._adjacency or self._load()
        if adjacency is None:
            return None
        with self._database.read() as connection:
            version, _ = version_of(connection)
            see = self._filter(view, connection)
            with adjacency.lock:
                if adjacency.version != version:
                    return None
                found = steps(adjacency, adjacency.nodes.places(frontier), hops, see)
            return self._walked(connection, frontier, hops, found, version)

    def push(self, seeds: Sequence[str], mass: Mass, hops: Sequence[Hop], spread: Spread, view: View) -> Pushed | None:
        """Forward push from known `seeds` with their `mass`, see graph.stores.embedded.adjacency.push; None as in `walk`.

        All links that the view allows count: fan-outs and caps of the hops do not.
        """
        adjacency = self._adjacency or self._load()
        if adjacency is None:
            return None
        with self._database.read() as connection:
            version, _ = version_of(connection)
            see = self._filter(view, connection)
        with adjacency.lock:
            if adjacency.version != version:
                return None
            if self._push is None or self._push.adjacency is not adjacency:
                self._push = ForwardPush(adjacency)
            arrived = self._push(Start(adjacency.nodes.places(seeds), mass), hops, spread, see)
            return Pushed(adjacency.nodes.ids.take(arrived.places), arrived.mass)

    def observations(self, ids: Sequence[str], view: View) -> list[Observation] | None:
        """The answer of GraphReader.observations; None as in `walk`, and while the adjacency is not loaded."""
        adjacency = self._adjacency
        if adjacency is None:
            return None
        with self._database.read() as connection:
            version, _ = version_of(connection)
            see = self._filter(view, connection)
            with adjacency.lock:
                if adjacency.version != version:
                    return None
                seen = see.observations(adjacency.nodes, adjacency.nodes.places(ids)).tolist()
            wanted = [id_ for id_, visible in zip(ids, seen, strict=True) if visible]
            found = self._observations.among(wanted)
            missing = [id_ for id_ in dict.fromkeys(wanted) if id_ not in found]
            if missing:
                rows = connection.execute(_OBSERVATIONS, (as_list(missing),))
                fetched: dict[str, Observation] = {o.id: o for o in map(observation_from, rows)}
                if version_of(connection)[0] != version:
                    return None
                self._keep(self._observations, fetched, version)
                found.update(fetched)
        return [found[id_] for id_ in wanted]

    def _filter(self, view: View, connection: sqlite3.Connection) -> Filter:
        known = self._filters.get(view)
        if known is not None:
            return known
        texts = (view.scopes or frozenset()) | (view.sessions or frozenset()) | (view.authors or frozenset())
        found = connection.execute(
            "SELECT s.text, s.no FROM json_each(?) a JOIN symbol s ON s.text = a.value", (as_list(texts),)
        )
        symbols: dict[str, int] = dict(found.fetchall())
        made = Filter(view, symbols)
        if len(symbols) == len(texts):  # a name that is not known yet may get a number later
            if len(self._filters) >= FILTERS_KEPT:
                self._filters.clear()
            self._filters[view] = made
        return made

    def _walked(
        self, connection: sqlite3.Connection, frontier: Sequence[str], hops: Sequence[Hop], found: Steps, version: int
    ) -> list[Walked] | None:
        numbers = found.links["no"].tolist()
        edges = self._edges_of(connection, numbers, version)
        if edges is None:
            return None
        self._weigh(edges, numbers, found.links["weight"].tolist(), version)
        forward = [hop.direction is Direction.OUT for hop in hops]
        walked = []
        for turn, hop, no in zip(found.turn.tolist(), found.hop.tolist(), numbers, strict=True):
            edge = edges[no]
            walked.append(Walked(frontier[turn], edge.target if forward[hop] else edge.source, hops[hop], edge))
        return walked

    def _weigh(self, edges: dict[int, Edge], numbers: Sequence[int], weights: Sequence[float], version: int) -> None:
        """Give mentions the weight that their entities have since they were counted."""
        changed = {
            no: replace(edges[no], weight=weight)
            for no, weight in zip(numbers, weights, strict=True)
            if edges[no].weight != weight
        }
        if changed:
            edges.update(changed)
            self._keep(self._edges, changed, version)

    def _keep(self, kept: Kept[K, V], values: Mapping[K, V], version: int) -> None:
        """Keep what was read at `version`, unless a writer came in between."""
        with self._lock:
            if self._adjacency is not None and self._adjacency.version == version:
                kept.keep(values)

    def _edges_of(self, connection: sqlite3.Connection, numbers: Sequence[int], version: int) -> dict[int, Edge] | None:
        """Edges by number, as of `version`; None when a writer came in between."""
        edges = self._edges.among(dict.fromkeys(numbers))
        missing = [no for no in dict.fromkeys(numbers) if no not in edges]
        if not missing:
            return edges
        rows = connection.execute(_EDGES, (as_list(missing),)).fetchall()
        fetched = {no: edge_from(KINDS[kind], tuple(row)) for no, kind, *row in rows}
        if version_of(connection)[0] != version:
            return None
        self._keep(self._edges, fetched, version)
        return edges | fetched

    def _load(self) -> Adjacency | None:
        """Load at once what is small, in the background what is not; None while that goes on."""
        if self._database.read_only:
            return None
        with self._loading:
            if self._adjacency is not None or self._loader is not None:
                return self._adjacency
            if self._rows() <= AT_ONCE_ROWS:
                return self._take_over()
            self._loader = threading.Thread(target=self._load_in_background, name="adjacency", daemon=True)
            self._loader.start()
            return None

    def load_now(self) -> None:
        """Load if it is not loaded, and wait for it."""
        loader = self._loader
        if loader is not None:
            loader.join()
        with self._loading:
            if self._adjacency is None:
                self._take_over()

    def _rows(self) -> int:
        with self._database.read() as connection:
            counted = connection.execute(
                "SELECT total(n) FROM tally WHERE what IN ('observations', 'entities', 'facts', 'edges')"
            )
            return int(counted.fetchone()[0])

    def _take_over(self) -> Adjacency:
        """Load while others read and write; then exchange. Locks are taken in the order writer, keeper."""
        with self._database.write():
            self._listening = True  # what was committed before will be read, what comes after will be told
        with self._database.read() as connection:
            version, file = version_of(connection)
            loaded = from_snapshot(self._folder, version, file) or from_rows(connection, self._stopped.is_set)
        with self._database.write(), self._lock:  # no commit can come between the last waiting change and the exchange
            for change in self._queue:
                loaded.apply(change)
            self._queue.clear()
            self._adjacency, self._loader = loaded, None
        return loaded

    def _load_in_background(self) -> None:
        try:
            self._take_over()
        except StoreError as error:  # closed meanwhile, or not readable: walks go on in SQL
            _log.warning("adjacency_not_loaded", error=error.code)
            self._forget()

    def _forget(self) -> None:
        with self._lock:
            self._adjacency, self._loader, self._listening, self._push = None, None, False, None
            self._queue.clear()
            self._edges.clear()
            self._observations.clear()

    def _close(self) -> None:
        self._stopped.set()
        loader = self._loader
        if loader is not None:
            loader.join()
        adjacency = self._adjacency
        self._forget()
        if adjacency is not None and adjacency.size >= SNAPSHOT_ROWS:
            with self._database.read() as connection:
                version, file = version_of(connection)
            if version == adjacency.version:
                _quietly(lambda: save(adjacency, self._folder, file))


def _quietly(saving: Callable[[], None]) -> None:
    """A snapshot saves time at the next start; without room for it nothing is lost."""
    try:
        saving()
    except OSError as error:
        _log.warning("adjacency_not_saved", error=type(error).__name__)
