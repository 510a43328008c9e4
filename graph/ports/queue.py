"""The queue carries hints only. Losing one costs time, never a memory: the ledger knows what is still to do."""

from collections.abc import Sequence
from typing import Protocol

from graph.model.events import Step


class TaskQueue(Protocol):
    def hint(self, step: Step, event_ids: Sequence[str]) -> bool:
        """Say that work is waiting. Never blocks for long and never raises; False when the hint could not be sent."""
        ...
