"""The time window that a question speaks of: [start, end) relative to the asker's clock and zone."""

from dataclasses import dataclass
from datetime import datetime

from graph.model.times import Window


@dataclass(frozen=True, slots=True)
class Spoken:
    """`demanded` windows bound what is looked at; others only prefer what lies in them."""

    window: Window | None = None
    demanded: bool = False


def spoken_window(text: str, asked_at: datetime) -> Spoken:
    """The window of the question, if it speaks of one."""
    del text, asked_at
    return Spoken()
