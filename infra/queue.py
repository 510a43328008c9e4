"""The local queue: hints wake the runner's lanes in the same process, and settled work wakes whoever waits for it."""

from collections.abc import Collection, Sequence
from threading import Condition

from graph.model.events import Step


class LocalQueue:
    """TaskQueue within one process. A hint is a flag per step: it can be repeated, and losing it costs one poll."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._hinted: set[Step] = set()
        self._settled = 0

    def hint(self, step: Step, event_ids: Sequence[str] = ()) -> bool:  # noqa: ARG002  (the ledger knows which)
        with self._changed:
            self._hinted.add(step)
            self._changed.notify_all()
        return True

    def wait(self, steps: Collection[Step], timeout: float) -> bool:
        """Wait until one of `steps` is hinted (True, and the hints are taken) or `timeout` seconds have passed."""
        with self._changed:
            found = self._changed.wait_for(lambda: not self._hinted.isdisjoint(steps), timeout)
            self._hinted.difference_update(steps)
        return found

    def settled(self) -> None:
        """Say that some work came to a state."""
        with self._changed:
            self._settled += 1
            self._changed.notify_all()

    def ticket(self) -> int:
        """A number that rises with every settlement; take it before looking, wait on it after."""
        with self._changed:
            return self._settled

    def wait_settled(self, ticket: int, timeout: float) -> None:
        """Wait until something settled after `ticket` was taken, or `timeout` seconds have passed."""
        with self._changed:
            self._changed.wait_for(lambda: self._settled != ticket, timeout)
