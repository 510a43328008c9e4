"""Backstory: the memory of AI agents. This package is what users import and type.

Client for Python and the command line; standard library and httpx only. Imports no other room when it is imported.
"""
