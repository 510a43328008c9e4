"""From a question to hits with their paths: intent, time window, anchors, hybrid, traversal, fusion, ranking, explanation.

Use case: Asker (question -> answer). Imports graph.text, graph.ports and graph.model.
"""
