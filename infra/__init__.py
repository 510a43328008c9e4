"""Wiring: settings (the only reader of the environment), container, runner, daemon, models, logging.

The one room that names adapters. Imports graph; imported by services and workers.
"""
