"""Links of one edge kind in one direction: compressed sparse rows, and fresh links beside them until they are folded in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from graph.stores.embedded.adjacency.nodes import Mask, Nodes, Places

LINK = np.dtype([("far", "i4"), ("scope", "i4"), ("weight", "f8"), ("no", "i4"), ("timed", "i4")])
LinkRows = npt.NDArray[np.void]
See = Callable[[LinkRows], Mask]
Turned = tuple[npt.NDArray[np.intp], LinkRows]

LONG_ROW = 1024  # links; a longer row is read from its heavy end, as far as the fan-out and the cap need
FRESH_LIMIT = 16_384  # fresh links are looked through one by one: beyond this they are folded in
_FIRST_READ = 256


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a hop keeps: at most `fanout` links, none when more than `cap` are visible."""

    fanout: int
    cap: int | None


class Frontier:
    """The places a hop starts from, in order; a place may stand there twice. A turn is an index into `near`."""

    def __init__(self, near: Places, nodes: int) -> None:
        self.near = near
        self._nodes = nodes

    @cached_property
    def marked(self) -> Mask:
        """Which of all places are in the frontier; place 0, which stands for no node, is not."""
        marked = np.zeros(self._nodes, np.bool_)
        marked[self.near] = True
        marked[0] = False
        return marked

    @cached_property
    def places(self) -> frozenset[int]:
        return frozenset(self.near.tolist())

    def turns_of(self, places: Places) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Pairs (index into `places`, turn) for every turn of every place given."""
        by_place = np.argsort(self.near, kind="stable")
        low = np.searchsorted(self.near, places, "left", by_place)
        times = np.searchsorted(self.near, places, "right", by_place) - low
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        return np.repeat(np.arange(len(places)), times), by_place[np.repeat(low, times) + within]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Links to look at: for every turn `length` rows from `start` on, and `beside` them those that stand elsewhere.

    `ordered`: the links of one turn are in their final order.
    """

    start: npt.NDArray[np.int64]
    length: npt.NDArray[np.int64]
    beside: list[Turned]
    ordered: bool


class Links:
    """Rows by the near node's place. Where `in_order`, a row goes by descending weight, the far node's id, the edge's number.

    `indptr` has one entry more than the usual, so that a place without a row reads as an empty one.
    """

    def __init__(self, indptr: npt.NDArray[np.int64], rows: LinkRows, *, in_order: bool = True) -> None:
        self.indptr = indptr
        self.rows = rows
        self.in_order = in_order
        self.reordered: set[int] = set()  # places whose weights changed since their row was put in order
        self.fresh_near = np.zeros(64, np.int32)
        self.fresh = np.zeros(64, LINK)
        self.fresh_count = 0
        self.touched = False

    def candidates(self, frontier: Frontier, bounds: Bounds, see: See) -> Candidates:
        """All links of the frontier, visible or not; of a long row in order only as many visible ones as `_prefix` needs."""
        start = self.indptr.take(frontier.near, mode="clip")
        length = self.indptr[1:].take(frontier.near, mode="clip") - start
        fresh = self._fresh_of(frontier)
        beside = [] if fresh is None else [fresh]
        if self.in_order and len(length) and length.max() > LONG_ROW:
            beside += self._long_rows(frontier, (start, length), bounds, see, fresh)
        ordered = self.in_order and fresh is None and self.reordered.isdisjoint(frontier.places if self.reordered else ())
        return Candidates(start, length, beside, ordered)

    def _fresh_of(self, frontier: Frontier) -> Turned | None:
        if not self.fresh_count:
            return None
        hits = frontier.marked.take(self.fresh_near[: self.fresh_count]).nonzero()[0]
        if not len(hits):
            return None
        index, turn = frontier.turns_of(self.fresh_near[hits])
        return turn, self.fresh.take(hits[index])

    def _long_rows(
        self, frontier: Frontier, rows: tuple[npt.NDArray[np.int64], ...], bounds: Bounds, see: See, fresh: Turned | None
    ) -> list[Turned]:
        """The deciding part of each long row, whose length is set to 0."""
        start, length = rows
        found = []
        for turn in (length > LONG_ROW).nonzero()[0].tolist():
            if int(frontier.near[turn]) in self.reordered:
                continue
            others = 0 if fresh is None else int(see(fresh[1].compress(fresh[0] == turn)).sum())
            part = _prefix(self.rows[start[turn] : start[turn] + length[turn]], bounds, see, others)
            found.append((np.full(len(part), turn), part))
            length[turn] = 0
        return found

    def add(self, near: Places, links: LinkRows) -> None:
        """Append fresh links."""
        self.touched = True
        count = self.fresh_count + len(links)
        if count > len(self.fresh):
            self.fresh = np.concatenate([self.fresh, np.zeros(count, LINK)])
            self.fresh_near = np.concatenate([self.fresh_near, np.zeros(count, np.int32)])
        self.fresh[self.fresh_count : count] = links
        self.fresh_near[self.fresh_count : count] = near
        self.fresh_count = count

    def remove(self, near: int, no: int) -> None:
        """Turn the link `no` of a row into one that leads nowhere."""
        self.touched = True
        if near < len(self.indptr) - 2:
            row = self.rows[self.indptr[near] : self.indptr[near + 1]]
            row["far"][row["no"] == no] = 0
        fresh = self.fresh[: self.fresh_count]
        fresh["far"][fresh["no"] == no] = 0

    def folded(self, nodes: Nodes, weights: npt.NDArray[np.float64] | None = None) -> "Links":
        """All live links as rows in order. `weights` by place replace the links' own (NaN: keep) in the order only."""
        near = np.concatenate([_near_of(self.indptr), self.fresh_near[: self.fresh_count]])
        rows = joined([self.rows, self.fresh[: self.fresh_count]])
        alive = rows["far"] > 0
        return packed(nodes, near[alive], rows.compress(alive), in_order=self.in_order, weights=weights)


def packed(
    nodes: Nodes, near: Places, rows: LinkRows, *, in_order: bool, weights: npt.NDArray[np.float64] | None = None
) -> Links:
    """Links as compressed rows. The ids' order must be up to date (Nodes.sort_ids)."""
    weight = rows["weight"]
    if weights is not None:
        weight = np.where(np.isnan(weights[near]), weight, weights[near])
    order = np.lexsort((rows["no"], nodes.rank[rows["far"]], -weight, near)) if in_order else np.argsort(near, kind="stable")
    indptr = np.zeros(nodes.count + 2, np.int64)
    np.cumsum(np.bincount(near, minlength=nodes.count + 1), out=indptr[1:])
    return Links(indptr, rows.take(order), in_order=in_order)


def joined(parts: Sequence[LinkRows]) -> LinkRows:
    """One array of all. As plain integers, since numpy joins records field by field."""
    whole = np.concatenate([np.ascontiguousarray(part).view(np.int64).reshape(-1, LINK.itemsize // 8) for part in parts])
    return whole.reshape(-1).view(LINK)


def _near_of(indptr: npt.NDArray[np.int64]) -> Places:
    return np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))


def _prefix(row: LinkRows, bounds: Bounds, see: See, others: int) -> LinkRows:
    """As many visible links from the row's heavy end as decide what is kept; `others` are visible links from elsewhere.

    Without a cap these are the first `fanout`; with one, reading ends as soon as more than `cap` are seen.
    """
    wanted = bounds.fanout if bounds.cap is None else bounds.cap + 1 - others
    parts, seen, at, size = [row[:0]], 0, 0, max(_FIRST_READ, 2 * wanted)
    while at < len(row) and seen < wanted:
        read = row[at : at + size]
        parts.append(read.compress(see(read)))
        seen, at, size = seen + len(parts[-1]), at + size, size * 2
    return joined(parts)
