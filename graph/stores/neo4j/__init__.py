"""Neo4j 5+ for ledger and graph: constrained ids, sorted batches, keyed writes, and a fixed set of Cypher texts.

May be imported by infra and tests; imports graph.ports, graph.text, graph.model, graph.errors and the neo4j driver.
"""
