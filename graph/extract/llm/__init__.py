"""Extraction with a language model, which may only add to what the rules read: its reply is validated and every word of it
must stand in the text.

`prompt` fences the text, `reply` is the shape of the answer, `support` looks its words up in the passage, `extractor` asks and
counts. Imports graph.extract, graph.ports, graph.model and graph.errors.
"""

from graph.extract.llm.extractor import LlmExtractor, Mode

__all__ = ["LlmExtractor", "Mode"]
