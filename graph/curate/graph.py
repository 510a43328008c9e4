"""The graph as a curator holds it: read and written, one scope at a time, in every state."""

from typing import Protocol

from graph.model.observations import Status
from graph.model.views import View
from graph.ports import GraphReader, GraphWriter


class Graph(GraphReader, GraphWriter, Protocol):
    """A store that reads and writes the graph."""


def everything(scope: str) -> View:
    """All of a scope, whatever its state: what is rewritten must lose nothing."""
    return View(scopes=frozenset({scope}), statuses=frozenset(Status))
