"""From what was said to what can be recalled: readers of real formats, gate, splitter, recorder, projector.

Use cases: Recorder (drafts -> ledger, receipts) and Projector (events -> observations, NEXT edges, passage vectors).
Imports graph.text, graph.ports and graph.model.
"""
