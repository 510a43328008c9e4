"""The memory itself: model, ports and the use cases of both sides, with no server and no framework in it.

Holds ingest, extract, link (write side), retrieve (read side), curate, and the stores behind the ports.
Imported by services, workers, infra and bench; imports nothing of ours.
Inside: stores | ingest | extract | link | retrieve | curate -> text -> ports -> model -> errors.
"""
