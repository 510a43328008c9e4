"""Keeping what is remembered in order: rebuild, reconcile, lifecycle. Each is one use case over ports.

Imports graph.text, graph.ports and graph.model.
"""
