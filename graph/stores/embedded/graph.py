"""The embedded graph store: one object that reads and writes the graph in a SQLite file."""

from graph.stores.embedded.graph_read import GraphReading
from graph.stores.embedded.graph_write import GraphWriting


class SqliteGraph(GraphReading, GraphWriting):
    """graph.ports.GraphReader and graph.ports.GraphWriter over one Database."""
