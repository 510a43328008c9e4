"""The MCP door: a thin client of the daemon that speaks the Model Context Protocol over stdio.

`server.py` makes the server, `tools.py` has the tools, `shapes.py` what they return. Imports the public client and the SDK
only, so that thirty of these share one daemon and cost little. (Not named `mcp`: that is the SDK's name.)
"""
