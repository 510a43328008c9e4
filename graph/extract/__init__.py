"""The decision extractor: what a passage says was decided, what caused what, who, when, and which records it names.

RuleExtractor is an Extractor with no LLM (spaCy and rules); its parts are one file a kind. Pure: text in, Extraction out.
Imports graph.text, graph.ports and graph.model.
"""
