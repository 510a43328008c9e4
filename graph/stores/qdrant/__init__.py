"""Vectors on a Qdrant server, behind the same port and contract as the embedded index.

May be imported by infra and tests; imports graph.ports, graph.model, graph.errors and qdrant-client.
"""
