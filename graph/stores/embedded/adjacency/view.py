"""A view over the arrays of the adjacency: the same conditions as graph.stores.embedded.views, for masks instead of SQL."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from graph.model.views import View
from graph.stores.embedded.adjacency.links import LinkRows
from graph.stores.embedded.adjacency.nodes import UNKNOWN, Mask, Nodes
from graph.stores.embedded.rows import OBSERVATION, RECORD, STATUS_NO, STATUSES
from graph.stores.embedded.values import micros
from graph.stores.embedded.views import EVERY_STATUS

Intervals = npt.NDArray[np.int64]  # shape (n, 2): [valid_from, valid_to) of links; row 0 holds always

_WORTH_A_MASK = 4  # the share of all nodes that a view looks at before it is worth to look at all
_ROOM = 1024


class Membership:
    """Which of the interned names are wanted, as a table by number; higher numbers are not."""

    def __init__(self, symbols: Mapping[str, int], texts: frozenset[str]) -> None:
        numbers = [symbols[text] for text in texts if text in symbols]
        self._table = np.zeros(max(numbers, default=0) + 2, np.bool_)
        self._table[numbers] = True
        self._only = numbers[0] if len(numbers) == 1 else None

    def __call__(self, values: npt.NDArray[np.int32]) -> Mask:
        if self._only is not None:
            only: Mask = values == self._only
            return only
        wanted: Mask = self._table.take(values, mode="clip")
        return wanted


def _membership(symbols: Mapping[str, int], texts: frozenset[str] | None) -> Membership | None:
    return None if texts is None else Membership(symbols, texts)


class Filter:
    """A view with its names as numbers. `symbols` are the interned scopes, sessions and authors that the view names."""

    def __init__(self, view: View, symbols: Mapping[str, int]) -> None:
        self._view = view
        self._scopes = _membership(symbols, view.scopes)
        self._sessions = _membership(symbols, view.sessions)
        self._authors = _membership(symbols, view.authors)
        self._as_of = micros(view.as_of)
        self._statuses: Mask | None = None
        if view.statuses != EVERY_STATUS:
            self._statuses = np.zeros(len(STATUSES), np.bool_)
            self._statuses[[STATUS_NO[status] for status in view.statuses]] = True
        self._mask: Mask | None = None  # by place, as of `_current` changes in `_epoch` of the nodes
        self._epoch, self._current, self._looked_at = -1, 0, 0
        self._plain = all(part is None for part in (view.window, view.as_of, view.sessions, view.authors))

    def links(self, links: LinkRows, nodes: Nodes, intervals: Intervals) -> Mask:
        """Which links may be walked: by their own scope and validity, and by what stands at their far end."""
        mask = self._far(nodes, links["far"])
        if self._scopes is not None:
            mask &= self._scopes(links["scope"])
        if self._as_of is not None:
            timed = np.flatnonzero(links["timed"])
            if len(timed):
                held = intervals.take(links["timed"][timed], axis=0)
                mask[timed] &= (held[:, 0] <= self._as_of) & (held[:, 1] > self._as_of)
        return mask

    def observations(self, nodes: Nodes, places: npt.NDArray[np.int32]) -> Mask:
        """Which places are observations that may be seen."""
        mask: Mask = self._far(nodes, places) & (nodes.rows["label"].take(places) == OBSERVATION)
        return mask

    def _far(self, nodes: Nodes, places: npt.NDArray[np.int32]) -> Mask:
        """Which places may be seen. Once a view has looked at enough of them, a mask of all is cheaper."""
        if self._mask is None or self._epoch != nodes.epoch:
            self._looked_at += len(places)
            if self._looked_at < nodes.count // _WORTH_A_MASK:
                return self._nodes(nodes, places)
            self._mask = self._nodes(nodes, np.arange(nodes.count, dtype=np.int32))
            self._epoch, self._current, self._looked_at = nodes.epoch, len(nodes.changed), 0
        elif self._current < len(nodes.changed):
            changed = np.array(nodes.changed[self._current :], np.int32)
            if nodes.count > len(self._mask):
                self._mask = np.concatenate([self._mask, np.zeros(nodes.count - len(self._mask) + _ROOM, np.bool_)])
            self._mask[changed] = self._nodes(nodes, changed)
            self._current = len(nodes.changed)
        return self._mask.take(places)

    def _nodes(self, nodes: Nodes, places: npt.NDArray[np.int32]) -> Mask:
        rows = nodes.rows.take(places)
        label = rows["label"]
        mask: Mask = label > 0
        if self._scopes is not None:
            mask &= self._scopes(rows["scope"])
        if self._statuses is not None:
            mask &= self._statuses.take(rows["status"]) | (label == RECORD)
        if not self._plain:
            mask &= (label != OBSERVATION) | self._in_time_and_company(rows)
        return mask

    def _in_time_and_company(self, rows: npt.NDArray[np.void]) -> Mask:
        mask = np.ones(len(rows), np.bool_)
        window = self._view.window
        if window is not None:
            authored = rows["authored_at"]
            mask &= authored != UNKNOWN
            if window.start is not None:
                mask &= authored >= micros(window.start)
            if window.end is not None:
                mask &= authored < micros(window.end)
        if self._as_of is not None:
            mask &= (rows["valid_from"] <= self._as_of) & (rows["valid_to"] > self._as_of)
        for column, wanted in (("session", self._sessions), ("author", self._authors)):
            if wanted is not None:
                mask &= wanted(rows[column])
        return mask
