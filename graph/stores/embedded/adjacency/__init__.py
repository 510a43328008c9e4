"""The graph's adjacency in memory: nodes and links as arrays, walked hop by hop, fed by the writer, equal to a walk in SQL.

`keeper` is the door: it loads, snapshots and answers; `recording` gathers what a transaction changes. Nothing here is the
truth: it can be thrown away and read again from SQLite at any time. Imports the embedded store's
other modules and numpy.
"""
