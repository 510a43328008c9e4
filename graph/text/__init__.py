"""Text made comparable: folding, index terms, names, tokens. Pure functions without state or I/O.

Used by both sides, so that what is stored and what is asked meet in the same form. Imports the standard library,
snowballstemmer and graph.model.
"""
