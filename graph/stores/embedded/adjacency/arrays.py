"""The adjacency as arrays: nodes, links by kind and direction, and how a writer's change goes into them."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from graph.model.edges import Direction, EdgeKind, Hop
from graph.stores.embedded.adjacency.links import FRESH_LIMIT, LINK, Links
from graph.stores.embedded.adjacency.nodes import NEVER, UNKNOWN, NodeRow, Nodes
from graph.stores.embedded.adjacency.view import Intervals
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


class Adjacency:
    """Nodes, and links by kind and direction. Readers and the one writer may be different threads: `lock` is between them."""

    def __init__(self, nodes: Nodes, tables: list[tuple[Links, Links]], intervals: Intervals, version: int) -> None:
        self.nodes = nodes
        self.tables = tables
        self.intervals = intervals
        self.version = version
        self.lock = threading.Lock()

    def table(self, hop: Hop) -> Links:
        """The links that a hop follows."""
        return self.tables[KIND_NO[hop.kind]][OUT if hop.direction is Direction.OUT else IN]

    @property
    def size(self) -> int:
        """Nodes and links out, as loaded and since."""
        return self.nodes.count + sum(len(out.rows) + out.fresh_count for out, _ in self.tables)

    def apply(self, change: Change) -> None:
        """Take over what a transaction left. Called by the writer in the order of commits."""
        with self.lock:
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
            with self.lock:
                self.nodes.sort_ids()
        for kind, tables in enumerate(self.tables):
            if any(table.fresh_count > max(FRESH_LIMIT, len(table.rows) // 16) for table in tables):
                self._fold_kind(kind)

    def fold_all(self) -> None:
        """Fold in every fresh link, and drop the links that lead nowhere."""
        with self.lock:
            self.nodes.sort_ids()
        for kind, tables in enumerate(self.tables):
            if any(table.touched for table in tables):
                self._fold_kind(kind)

    def _fold_kind(self, kind: int) -> None:
        """Only the writer changes tables, so readers have to wait for the exchange alone."""
        with self.lock:
            self.nodes.sort_ids()
        out, into = self.tables[kind]
        weights = self.nodes.rows["mention_weight"] if kind == _MENTIONS else None
        folded = out.folded(self.nodes), into.folded(self.nodes, weights)
        with self.lock:
            self.tables[kind] = folded
