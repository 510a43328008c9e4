"""SQLite for ledger and graph, Qdrant Edge for vectors, in one process that owns the data directory.

May be imported by infra and tests; imports graph.ports, graph.text, graph.model and graph.errors.
"""
