"""The command `backstory`: parses, sends one call to the daemon, prints. Imports almost nothing, so that it starts fast.

`main.py` runs it, `options.py` lists the commands, `exits.py` the exit codes; the other modules hold the commands.
"""
