"""One step of a walk over the arrays: all hops from all places of a frontier at once, filtered, ranked and cut."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graph.model.edges import Direction, EdgeKind, Hop
from graph.stores.embedded.adjacency.arrays import Adjacency
from graph.stores.embedded.adjacency.links import LINK, Bounds, Candidates, Frontier, LinkRows, Links, joined
from graph.stores.embedded.adjacency.nodes import Mask, Nodes, Places
from graph.stores.embedded.adjacency.view import Filter

_NO_CAP = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Steps:
    """Links walked: parallel arrays of the frontier's turn, the hop's number and the link."""

    turn: npt.NDArray[np.intp]
    hop: npt.NDArray[np.int64]
    links: LinkRows


def steps(adjacency: Adjacency, near: Places, hops: Sequence[Hop], see: Filter) -> Steps:
    """What `GraphReader.expand` gives, in its order: by turn, hop, descending weight, the far node's id; cut to the bounds.

    The caller holds the adjacency's lock.
    """
    found, ordered = visible(adjacency, near, hops, see)
    if not len(found.links):
        return found
    found = _in_order(found, ordered, adjacency.nodes)
    key = found.turn * len(hops) + found.hop
    first = np.concatenate([[True], key[1:] != key[:-1]]).nonzero()[0]
    count = np.diff(first, append=len(key))
    hop = found.hop.take(first)
    fanout = np.array([hop.fanout for hop in hops]).take(hop)
    cap = np.array([_NO_CAP if hop.hub_degree is None else hop.hub_degree for hop in hops]).take(hop)
    allowed = np.where(count <= cap, fanout, 0)
    kept = (np.arange(len(key)) - first.repeat(count) < allowed.repeat(count)).nonzero()[0]
    return _taken(found, kept)


def visible(adjacency: Adjacency, near: Places, hops: Sequence[Hop], see: Filter) -> tuple[Steps, list[bool]]:
    """Visible links by hop, and for each hop whether the links of a turn are in order; long rows may be cut already."""
    frontier = Frontier(near, adjacency.nodes.count)

    def look(links: LinkRows) -> Mask:
        return see.links(links, adjacency.nodes, adjacency.intervals)

    tables = [adjacency.table(hop) for hop in hops]
    parts = [t.candidates(frontier, Bounds(h.fanout, h.hub_degree), look) for t, h in zip(tables, hops, strict=True)]
    if not parts or not len(near):
        return Steps(np.zeros(0, np.intp), np.zeros(0, np.int64), np.zeros(0, LINK)), [part.ordered for part in parts]
    found = _gathered(tables, parts, len(near))
    if any(part.beside for part in parts):
        found = _with_beside(found, parts)
    if any(hop.kind is EdgeKind.MENTIONS for hop in hops):
        _weigh_mentions(adjacency.nodes, near, hops, found)
    seen = look(found.links)
    return (found if seen.all() else _taken(found, seen.nonzero()[0])), [part.ordered for part in parts]


def _gathered(tables: Sequence[Links], parts: Sequence[Candidates], turns: int) -> Steps:
    """The candidates' rows, by hop, then turn: the places of all are worked out together, and taken table by table."""
    length = np.concatenate([part.length for part in parts])
    end = length.cumsum()
    begin = np.concatenate([part.start for part in parts]) - (end - length)
    row = np.arange(len(length)).repeat(length)
    index = begin.take(row) + np.arange(len(row))
    border = [0, *end[turns - 1 :: turns].tolist()]
    links = joined([table.rows.take(index[border[n] : border[n + 1]]) for n, table in enumerate(tables)])
    hop = row // turns
    return Steps(row - hop * turns, hop, links)


def _with_beside(found: Steps, parts: Sequence[Candidates]) -> Steps:
    """What stands beside the rows put in, still by hop."""
    beside = [(number, turn, links) for number, part in enumerate(parts) for turn, links in part.beside]
    hop = np.concatenate([found.hop, *(np.full(len(turn), number) for number, turn, _ in beside)])
    turn = np.concatenate([found.turn, *(turn for _, turn, _ in beside)])
    links = joined([found.links, *(links for _, _, links in beside)])
    return _taken(Steps(turn, hop, links), hop.argsort(kind="stable"))


def _taken(steps: Steps, index: npt.NDArray[np.intp]) -> Steps:
    return Steps(steps.turn.take(index), steps.hop.take(index), steps.links.take(index))


def _weigh_mentions(nodes: Nodes, near: Places, hops: Sequence[Hop], found: Steps) -> None:
    """A mention weighs what its entity says, once that was counted (GraphWriter.recount)."""
    borders = np.searchsorted(found.hop, np.arange(len(hops) + 1))
    for number, hop in enumerate(hops):
        if hop.kind is EdgeKind.MENTIONS:
            part = slice(borders[number], borders[number + 1])
            links = found.links[part]
            entities = links["far"] if hop.direction is Direction.OUT else near.take(found.turn[part])
            weights = nodes.rows["mention_weight"].take(entities)
            links["weight"] = np.where(np.isnan(weights), links["weight"], weights)


def _in_order(found: Steps, ordered: Sequence[bool], nodes: Nodes) -> Steps:
    """By turn, hop, descending weight, id. Hops that came in order are only joined; the others are sorted one by one."""
    if len(ordered) == 1 and ordered[0] and len(found.turn) and bool((found.turn[1:] >= found.turn[:-1]).all()):
        return found
    borders = np.searchsorted(found.hop, np.arange(len(ordered) + 1))
    index = np.arange(len(found.turn))
    for number, in_order in enumerate(ordered):
        part = slice(borders[number], borders[number + 1])
        if not in_order:
            links = found.links[part]
            keys = (links["no"], nodes.tie_order(links["far"]), -links["weight"], found.turn[part])
            index[part] = index[part][np.lexsort(keys)]
    index = index.take(found.turn.take(index).argsort(kind="stable"))
    return _taken(found, index)
