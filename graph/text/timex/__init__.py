"""Time expressions of English text: where they stand and what they mean. Pure: the reference moment is given, never "now".

`resolve` is the door; `expressions` gives the finer values on the author's wall clock. Imports graph.model.
"""

from graph.text.timex.grammar import expressions
from graph.text.timex.points import point
from graph.text.timex.reader import Convention
from graph.text.timex.resolve import TimeSpan, resolve
from graph.text.timex.values import Kind

__all__ = ["Convention", "Kind", "TimeSpan", "expressions", "point", "resolve"]
