"""A view over the arrays of the adjacency: the same conditions as graph.stores.embedded.views, for masks instead of SQL."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from graph.model.views import View
from graph.stores.embedded.adjacency_links import LinkRows
from graph.stores.embedded.adjacency_nodes import UNKNOWN, Mask, Nodes
from graph.stores.embedded.rows import OBSERVATION, RECORD, STATUS_NO, STATUSES
from graph.stores.embedded.values import micros
from graph.stores.embedded.views import EVERY_STATUS

Intervals = npt.NDArray[np.int64]  # shape (n, 2): [valid_from, valid_to) of links; row 0 holds always


def _numbers(symbols: Mapping[str, int], texts: frozenset[str] | None) -> npt.NDArray[np.int32] | None:
    return None if texts is None else np.array(sorted(symbols[t] for t in texts if t in symbols), np.int32)


def _among(values: npt.NDArray[np.int32], wanted: npt.NDArray[np.int32]) -> Mask:
    return values == wanted[0] if len(wanted) == 1 else np.isin(values, wanted)


class Filter:
    """A view with its names as numbers. `symbols` are the interned scopes, sessions and authors that the view names."""

    def __init__(self, view: View, symbols: Mapping[str, int]) -> None:
        self._view = view
        self._scopes = _numbers(symbols, view.scopes)
        self._sessions = _numbers(symbols, view.sessions)
        self._authors = _numbers(symbols, view.authors)
        self._as_of = micros(view.as_of)
        self._statuses: Mask | None = None
        if view.statuses != EVERY_STATUS:
            self._statuses = np.zeros(len(STATUSES), np.bool_)
            self._statuses[[STATUS_NO[status] for status in view.statuses]] = True
        self._plain = all(part is None for part in (view.window, view.as_of, view.sessions, view.authors))

    def links(self, links: LinkRows, nodes: Nodes, intervals: Intervals) -> Mask:
        """Which links may be walked: by their own scope and validity, and by what stands at their far end."""
        mask = self._nodes(nodes, links["far"])
        if self._scopes is not None:
            mask &= _among(links["scope"], self._scopes)
        if self._as_of is not None:
            timed = np.flatnonzero(links["timed"])
            if len(timed):
                held = intervals.take(links["timed"][timed], axis=0)
                mask[timed] &= (held[:, 0] <= self._as_of) & (held[:, 1] > self._as_of)
        return mask

    def _nodes(self, nodes: Nodes, places: npt.NDArray[np.int32]) -> Mask:
        rows = nodes.rows.take(places)
        label = rows["label"]
        mask: Mask = label > 0
        if self._scopes is not None:
            mask &= _among(rows["scope"], self._scopes)
        if self._statuses is not None:
            mask &= self._statuses.take(rows["status"]) | (label == RECORD)
        if not self._plain:
            mask &= (label != OBSERVATION) | self._observations(rows)
        return mask

    def _observations(self, rows: npt.NDArray[np.void]) -> Mask:
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
                mask &= _among(rows[column], wanted)
        return mask
