"""Time expressions, resolved against the time at which they were said."""

from graph.extract.timex.mentions import find

__all__ = ["find"]
