"""Names of a passage: who and what it mentions, and what it defines.

`find` is the door. Statistical entities, proper-noun runs, technical names by pattern, names of other scripts, and the
names that the title and the lead define. Imports graph.model and graph.text.
"""

from graph.extract.names.finder import find

__all__ = ["find"]
