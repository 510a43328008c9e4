"""Measurements. Each module is a command that prints JSON and can print a table."""
