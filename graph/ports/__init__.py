"""What the memory needs from outside, as small protocols: stores, models, the queue and the clock.

Each method states its order, ties, idempotency, units and errors. Adapters live in graph.stores and infra; use cases take
ports in their constructors. Imports graph.model and graph.errors only.
"""

from graph.ports.clock import Clock
from graph.ports.graph import GraphReader, GraphWriter
from graph.ports.ledger import Ledger
from graph.ports.lookup import Lookup
from graph.ports.models import ChatModel, Completion, Embedder, Extractor, Reranker
from graph.ports.queue import TaskQueue
from graph.ports.vectors import VectorStore

__all__ = [
    "ChatModel",
    "Clock",
    "Completion",
    "Embedder",
    "Extractor",
    "GraphReader",
    "GraphWriter",
    "Ledger",
    "Lookup",
    "Reranker",
    "TaskQueue",
    "VectorStore",
]
