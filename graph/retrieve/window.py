"""The time window that a question speaks of: [start, end) relative to the asker's clock and zone.

What needs the asker's clock to be understood ("yesterday", "in December", "before 5pm") bounds what is looked at. A date that
stands for itself ("in 1996") only prefers what lies in it: it is as often part of the question's subject. A bound named by
an event ("since the outage") is found in the memory itself.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from graph.model.questions import Intent
from graph.model.times import Granularity, Window
from graph.text.timex import TimeSpan, resolve

MOMENT = timedelta(seconds=1)  # "now" lasts a second: no window to look in
_BY_EVENT = re.compile(
    r"\b(?P<side>since|after|before|until|till|prior to|ever since)\s+"
    r"(?P<event>(?:the|our|my|we|i|they|he|she|it)\b[^?.,;!]{3,80})",
    re.IGNORECASE,
)
_OPENING = frozenset({"since", "after", "ever since"})


@dataclass(frozen=True, slots=True)
class Spoken:
    """`demanded` windows bound what is looked at; others only prefer what lies in them.

    `event` is the text of an event that bounds the time, `opens` whether the window begins with it (else it ends there).
    """

    window: Window | None = None
    demanded: bool = False
    event: str = ""
    opens: bool = True

    def anchored(self, moment: datetime) -> "Spoken":
        """The window that the event's own time gives: preferred, not demanded."""
        start, end = (moment, None) if self.opens else (None, moment)
        return Spoken(Window(start=start, end=end, granularity=Granularity.DAY))


def spoken_window(text: str, asked_at: datetime, intent: Intent | None = None) -> Spoken:
    """The window of the question: the first time it names, else the event that bounds it, else none.

    A time that lies ahead, and one inside a question for a date (WHEN), is preferred at most: what is asked about may have
    been said at another time.
    """
    offset = asked_at.utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset else None
    for span in resolve(text, asked_at, minutes):
        window = _window(span)
        if window is not None:
            ahead = window.start is not None and window.start >= asked_at
            relative = not _stands_alone(text, span)
            return Spoken(window, demanded=relative and not ahead and intent is not Intent.WHEN)
    match = _BY_EVENT.search(text)
    if match:
        return Spoken(event=match["event"].strip(), opens=match["side"].lower() in _OPENING)
    return Spoken()


def _window(span: TimeSpan) -> Window | None:
    """The span as a window; None for what is unknown or shorter than can be looked in."""
    if not span.known or (span.opens and span.closes and span.closes - span.opens <= MOMENT):
        return None
    return Window(start=span.opens, end=span.closes, granularity=span.granularity or Granularity.DAY)


def _stands_alone(text: str, span: TimeSpan) -> bool:
    """Whether the expression means the same without knowing when it was said."""
    return any(other.known for other in resolve(text[span.start : span.end], None))
