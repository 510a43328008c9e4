"""Measurements of extraction on labelled data: `python -m bench.extract TASK --data DIR --split dev [--json]`."""
