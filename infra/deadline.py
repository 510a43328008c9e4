"""Deadlines for calls that cannot be interrupted: each runs in a thread that is left behind when it overruns."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue

from graph.errors import Busy, DeadlineExceeded

MAX_ABANDONED = 4


class DeadlineThread:
    """Runs one call at a time in a thread of its own (so that its database connection is kept).

    A call that overruns is abandoned with its thread: what it still writes is keyed and does no harm, and its settlement
    is ignored because its lease is gone. After MAX_ABANDONED threads that never came back no further call is taken.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[tuple[Callable[[], object], Future[object]] | None] | None = None
        self._lost: list[Future[object]] = []

    @property
    def abandoned(self) -> int:
        """How many abandoned calls still run."""
        self._lost = [call for call in self._lost if not call.done()]
        return len(self._lost)

    def run(self, call: Callable[[], object], seconds: float) -> None:
        """Run `call` and return when it has; raises what it raises, DeadlineExceeded, or Busy."""
        if self.abandoned >= MAX_ABANDONED:
            raise Busy(f"{MAX_ABANDONED} pieces of {self._name} work hang")
        future: Future[object] = Future()
        self._open().put((call, future))
        try:
            future.result(timeout=seconds)
        except TimeoutError as error:
            if future.done():
                raise
            self._abandon(future)
            raise DeadlineExceeded(f"not done within {seconds:.1f} s") from error

    def close(self) -> None:
        """Let the thread end after the call that it is in."""
        if self._calls is not None:
            self._calls.put(None)
            self._calls = None

    def _open(self) -> "SimpleQueue[tuple[Callable[[], object], Future[object]] | None]":
        if self._calls is None:
            self._calls = SimpleQueue()
            threading.Thread(target=_serve, args=(self._calls,), name=self._name, daemon=True).start()
        return self._calls

    def _abandon(self, future: "Future[object]") -> None:
        self._lost.append(future)
        self.close()


def _serve(calls: "SimpleQueue[tuple[Callable[[], object], Future[object]] | None]") -> None:
    while (item := calls.get()) is not None:
        call, future = item
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001  (handed to the caller, MemoryError and all)
            future.set_exception(error)
        del item, call, future
