"""The graph store on Neo4j: one object that reads and writes."""

from graph.stores.neo4j.graph_read import GraphReading
from graph.stores.neo4j.graph_write import GraphWriting


class Neo4jGraph(GraphReading, GraphWriting):
    """graph.ports.GraphReader and graph.ports.GraphWriter over one Connection."""
