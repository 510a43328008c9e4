"""Links of one edge kind in one direction: compressed sparse rows, and fresh links beside them until they are folded in."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graph.stores.embedded.adjacency_nodes import Mask, Nodes, Places

LINK = np.dtype([("far", "i4"), ("scope", "i4"), ("weight", "f8"), ("no", "i4"), ("timed", "i4")])
LinkRows = npt.NDArray[np.void]
See = Callable[[LinkRows], Mask]

LONG_ROW = 1024  # links; a longer row is read from its heavy end, as far as the fan-out and the cap need
FRESH_LIMIT = 16_384  # fresh links are looked through one by one: beyond this they are folded in
_FIRST_READ = 256


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a hop keeps: at most `fanout` links, none when more than `cap` are visible."""

    fanout: int
    cap: int | None


@dataclass(frozen=True, slots=True)
class Found:
    """Visible links: `turn` is the index into the frontier, ascending; `ordered` when each turn's links are in final order."""

    turn: npt.NDArray[np.intp]
    links: LinkRows
    ordered: bool


class Links:
    """Rows by the near node's place. A row is ordered by descending weight, then the far node's id, where `in_order`."""

    def __init__(self, indptr: npt.NDArray[np.int64], rows: LinkRows, *, in_order: bool = True) -> None:
        self.indptr = indptr
        self.rows = rows
        self.in_order = in_order
        self.reordered: set[int] = set()  # places whose weights changed since their row was put in order
        self.fresh_near = np.zeros(64, np.int32)
        self.fresh = np.zeros(64, LINK)
        self.fresh_count = 0
        self.touched = False

    def visible(self, near: Places, frontier: Mask, bounds: Bounds, see: See) -> Found:
        """Visible links of the places `near`; `frontier` marks them among all places. Long rows may be cut: see `_prefix`."""
        inside = near < len(self.indptr) - 1
        row = np.where(inside, near, 0)
        start = self.indptr[row]
        length = np.where(inside, self.indptr[row + 1] - start, 0)
        turns, parts = self._fresh_of(near, frontier, see)
        others = np.bincount(turns, minlength=len(near)) if len(turns) else np.zeros(len(near), np.intp)
        turns_found, parts_found = [turns], [parts]
        for turn in self._long_turns(near, length):
            cut = _prefix(self.rows[start[turn] : start[turn] + length[turn]], bounds, see, int(others[turn]))
            turns_found.append(np.full(len(cut), turn))
            parts_found.append(cut)
            length[turn] = 0
        gathered_turn, gathered = _gathered(self.rows, start, length)
        seen = np.flatnonzero(see(gathered))
        ordered = self.in_order and not len(parts) and not self._touches_reordered(near)
        if len(turns_found) == 1 and not len(parts):
            return Found(gathered_turn.take(seen), gathered.take(seen), ordered)
        turn_of = np.concatenate([gathered_turn.take(seen), *turns_found])
        links = np.concatenate([gathered.take(seen), *parts_found])
        order = np.argsort(turn_of, kind="stable")
        return Found(turn_of.take(order), links.take(order), ordered)

    def _touches_reordered(self, near: Places) -> bool:
        return bool(self.reordered) and not self.reordered.isdisjoint(near.tolist())

    def _long_turns(self, near: Places, length: npt.NDArray[np.int64]) -> list[int]:
        """Turns whose row is long and in order, so that its heavy end comes first."""
        if not self.in_order:
            return []
        return [turn for turn in np.flatnonzero(length > LONG_ROW).tolist() if int(near[turn]) not in self.reordered]

    def _fresh_of(self, near: Places, frontier: Mask, see: See) -> tuple[npt.NDArray[np.intp], LinkRows]:
        """Visible fresh links of the frontier, with their turns (a place that stands in it twice gives them twice)."""
        hits = np.flatnonzero(frontier.take(self.fresh_near[: self.fresh_count]))
        if len(hits):
            hits = hits[see(self.fresh.take(hits))]
        if not len(hits):
            return np.zeros(0, np.intp), self.fresh[:0]
        by_place = np.argsort(near, kind="stable")
        low = np.searchsorted(near, self.fresh_near[hits], "left", by_place)
        high = np.searchsorted(near, self.fresh_near[hits], "right", by_place)
        times = high - low
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        return by_place[np.repeat(low, times) + within], self.fresh.take(np.repeat(hits, times))

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
        if near < len(self.indptr) - 1:
            row = self.rows[self.indptr[near] : self.indptr[near + 1]]
            row["far"][row["no"] == no] = 0
        fresh = self.fresh[: self.fresh_count]
        fresh["far"][fresh["no"] == no] = 0

    def folded(self, nodes: Nodes, weights: npt.NDArray[np.float64] | None = None) -> "Links":
        """All live links as rows in order. `weights` by place replace the links' own (NaN: keep) in the order only."""
        near = np.concatenate([_near_of(self.indptr), self.fresh_near[: self.fresh_count]])
        rows = np.concatenate([self.rows, self.fresh[: self.fresh_count]])
        alive = rows["far"] > 0
        return packed(nodes, near[alive], rows.compress(alive), in_order=self.in_order, weights=weights)


def packed(
    nodes: Nodes, near: Places, rows: LinkRows, *, in_order: bool, weights: npt.NDArray[np.float64] | None = None
) -> Links:
    """Links as compressed rows. The ids' order must be up to date (Nodes.sort_ids)."""
    weight = rows["weight"]
    if weights is not None:
        weight = np.where(np.isnan(weights[near]), weight, weights[near])
    order = np.lexsort((nodes.rank[rows["far"]], -weight, near)) if in_order else np.argsort(near, kind="stable")
    indptr = np.zeros(nodes.count + 1, np.int64)
    np.cumsum(np.bincount(near, minlength=nodes.count), out=indptr[1:])
    return Links(indptr, rows.take(order), in_order=in_order)


def _near_of(indptr: npt.NDArray[np.int64]) -> Places:
    return np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))


def _gathered(
    rows: LinkRows, start: npt.NDArray[np.int64], length: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.intp], LinkRows]:
    """The rows that begin at `start`, one after the other, with the index of each one's row."""
    turn = np.repeat(np.arange(len(start)), length)
    offset = start - (np.cumsum(length) - length)
    return turn, rows.take(np.repeat(offset, length) + np.arange(len(turn)))


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
    return np.concatenate(parts)
