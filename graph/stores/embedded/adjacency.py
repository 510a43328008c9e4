"""The graph's adjacency in memory: every hop of a walk as array operations, kept fresh by the writer."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from graph.model.edges import Direction, EdgeKind, Hop
from graph.stores.embedded.adjacency_links import FRESH_LIMIT, LINK, Bounds, Found, LinkRows, Links
from graph.stores.embedded.adjacency_nodes import NEVER, UNKNOWN, Mask, NodeRow, Nodes, Places
from graph.stores.embedded.adjacency_view import Filter, Intervals
from graph.stores.embedded.rows import KIND_NO

ALWAYS = np.array([[UNKNOWN, NEVER]], np.int64)
_MENTIONS = KIND_NO[EdgeKind.MENTIONS]
LATE_LIMIT = 16_384  # nodes found through a dictionary; beyond this their ids are sorted in
OUT, IN = 0, 1  # index of a kind's two tables


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """An edge as the adjacency keeps it: numbers of the database, times in microseconds."""

    no: int
    kind: int
    source: int
    target: int
    scope: int
    weight: float
    valid_from: int
    valid_to: int


@dataclass(slots=True)
class Change:
    """What one transaction left: nodes and edges as they stand now, and edges (no, kind, source, target) that are gone."""

    version: int
    nodes: list[tuple[int, str, NodeRow]] = field(default_factory=list)
    edges: list[EdgeRow] = field(default_factory=list)
    gone: list[tuple[int, int, int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Steps:
    """Links walked, by frontier position, hop, rank: parallel arrays."""

    turn: npt.NDArray[np.intp]
    hop: npt.NDArray[np.int16]
    links: LinkRows


class Adjacency:
    """Nodes, and links by kind and direction. Readers and the one writer may be different threads."""

    def __init__(self, nodes: Nodes, tables: list[tuple[Links, Links]], intervals: Intervals, version: int) -> None:
        self.nodes = nodes
        self.tables = tables
        self.intervals = intervals
        self.version = version
        self._lock = threading.Lock()

    def walk(self, frontier: Sequence[str], hops: Sequence[Hop], see: Filter, version: int) -> Steps | None:
        """The links that `GraphReader.expand` asks for, in its order; None when the arrays are not of this version."""
        with self._lock:
            if self.version != version:
                return None
            return self.steps(self.nodes.places(frontier), hops, see)

    def steps(self, near: Places, hops: Sequence[Hop], see: Filter) -> Steps:
        """As `walk`, from places. The caller holds off the writer."""
        marked = np.zeros(self.nodes.count, np.bool_)
        marked[near] = True
        marked[0] = False
        turns, numbers, links = [], [], []
        for number, hop in enumerate(hops):
            found = self._hop(near, marked, hop, see)
            turns.append(found.turn)
            links.append(found.links)
            numbers.append(np.full(len(found.turn), number, np.int16))
        if not links:
            return Steps(np.zeros(0, np.intp), np.zeros(0, np.int16), np.zeros(0, LINK))
        turn, hop_number, every = np.concatenate(turns), np.concatenate(numbers), np.concatenate(links)
        order = np.argsort(turn, kind="stable")  # hops were joined in their order
        return Steps(turn[order], hop_number[order], every.take(order))

    def _hop(self, near: Places, marked: Mask, hop: Hop, see: Filter) -> Found:
        kind, direction = KIND_NO[hop.kind], OUT if hop.direction is Direction.OUT else IN
        table = self.tables[kind][direction]
        bounds = Bounds(hop.fanout, hop.hub_degree)
        found = table.visible(near, marked, bounds, lambda links: see.links(links, self.nodes, self.intervals))
        if kind == _MENTIONS and len(found.links):
            self._weigh_mentions(near, found, direction)
        return _ranked(found, bounds, self.nodes)

    def _weigh_mentions(self, near: Places, found: Found, direction: int) -> None:
        """A mention weighs what its entity says, once that was counted (GraphWriter.recount)."""
        entities = found.links["far"] if direction == OUT else near.take(found.turn)
        weights = self.nodes.rows["mention_weight"].take(entities)
        found.links["weight"] = np.where(np.isnan(weights), found.links["weight"], weights)

    @property
    def size(self) -> int:
        """Nodes and links out, as loaded and since."""
        return self.nodes.count + sum(len(out.rows) + out.fresh_count for out, _ in self.tables)

    def apply(self, change: Change) -> None:
        """Take over what a transaction left. Called by the writer in the order of commits."""
        with self._lock:
            self._put_nodes(change)
            for no, kind, source, target in change.gone:
                self._remove(no, kind, source, target)
            self._put_edges(change.edges)
            self.version = max(self.version, change.version)
        self._fold()

    def _put_nodes(self, change: Change) -> None:
        mentions = self.tables[_MENTIONS][IN]
        before = {no: self._mention_weight(no) for no, _, _ in change.nodes} if mentions.rows.size else {}
        self.nodes.put(change.nodes)
        for no, weight in before.items():
            if np.isnan(weight) and not np.isnan(self._mention_weight(no)):
                mentions.reordered.add(int(self.nodes.place_of_no[no]))

    def _mention_weight(self, no: int) -> float:
        if no >= len(self.nodes.place_of_no):
            return float("nan")
        return float(self.nodes.rows["mention_weight"][self.nodes.place_of_no[no]])

    def _remove(self, no: int, kind: int, source: int, target: int) -> None:
        out, into = self.tables[kind]
        out.remove(int(self.nodes.place_of_no[source]), no)
        into.remove(int(self.nodes.place_of_no[target]), no)

    def _put_edges(self, edges: Iterable[EdgeRow]) -> None:
        by_kind: dict[int, list[EdgeRow]] = {}
        for edge in edges:
            by_kind.setdefault(edge.kind, []).append(edge)
        for kind, group in by_kind.items():
            source = self.nodes.place_of_no[[edge.source for edge in group]]
            target = self.nodes.place_of_no[[edge.target for edge in group]]
            rows = np.zeros(len(group), LINK)
            rows["scope"] = [edge.scope for edge in group]
            rows["weight"] = [edge.weight for edge in group]
            rows["no"] = [edge.no for edge in group]
            rows["timed"] = self._intervals_of(group)
            for table, near, far in zip(self.tables[kind], (source, target), (target, source), strict=True):
                rows["far"] = far
                table.add(near, rows)

    def _intervals_of(self, edges: Sequence[EdgeRow]) -> list[int]:
        """Rows of `intervals` for these edges; the bounded ones get new rows."""
        bounds = [(edge.valid_from, edge.valid_to) for edge in edges]
        bounded = [pair for pair in bounds if pair != (UNKNOWN, NEVER)]
        number = iter(range(len(self.intervals), len(self.intervals) + len(bounded)))
        if bounded:
            self.intervals = np.concatenate([self.intervals, np.array(bounded, np.int64)])
        return [0 if pair == (UNKNOWN, NEVER) else next(number) for pair in bounds]

    def _fold(self) -> None:
        """Fold in what has become too much to look through."""
        if self.nodes.late > LATE_LIMIT:
            with self._lock:
                self.nodes.sort_ids()
        for kind, tables in enumerate(self.tables):
            if any(table.fresh_count > max(FRESH_LIMIT, len(table.rows) // 16) for table in tables):
                self._fold_kind(kind)

    def fold_all(self) -> None:
        """Fold in every fresh link, and drop the links that lead nowhere."""
        with self._lock:
            self.nodes.sort_ids()
        for kind, tables in enumerate(self.tables):
            if any(table.touched for table in tables):
                self._fold_kind(kind)

    def _fold_kind(self, kind: int) -> None:
        """Only the writer changes tables, so readers have to wait for the exchange alone."""
        with self._lock:
            self.nodes.sort_ids()
        out, into = self.tables[kind]
        weights = self.nodes.rows["mention_weight"] if kind == _MENTIONS else None
        folded = out.folded(self.nodes), into.folded(self.nodes, weights)
        with self._lock:
            self.tables[kind] = folded


def _ranked(found: Found, bounds: Bounds, nodes: Nodes) -> Found:
    """The links of each turn in their order, cut to the fan-out; none of a turn that has more than the cap."""
    turn, links = found.turn, found.links
    if not len(turn):
        return found
    if not found.ordered:
        order = np.lexsort((nodes.tie_order(links["far"]), -links["weight"], turn))
        turn, links = turn[order], links.take(order)
    first = np.flatnonzero(np.concatenate([[True], turn[1:] != turn[:-1]]))
    count = np.diff(np.append(first, len(turn)))
    kept = np.arange(len(turn)) - np.repeat(first, count) < bounds.fanout
    if bounds.cap is not None:
        kept &= np.repeat(count <= bounds.cap, count)
    return Found(turn[kept], links.compress(kept), True)
