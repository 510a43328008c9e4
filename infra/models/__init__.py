"""Models behind the ports: the shipped sentence embedder, and a file cache in front of any embedder.

May be imported by infra.container, bench and tests. Imports graph.model, graph.errors and its own drivers (onnxruntime,
tokenizers) only.
"""
