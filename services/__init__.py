"""The query service and its doors. A door adds nothing but its protocol.

`memory.py` is the service; `rest/` speaks HTTP. Imports infra and graph; never workers.
"""
