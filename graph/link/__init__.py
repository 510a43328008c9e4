"""From extractions to edges: entities resolved, names matched, causes joined to effects, facts kept, neighbours found.

Use case: Linker (observations and their extractions -> graph and vector writes).
Imports graph.text, graph.ports and graph.model.
"""
