"""Triples: who does what to whom, with a predicate of the vocabulary, the words of the text, and when it held."""

from graph.extract.triples.facts import find

__all__ = ["find"]
