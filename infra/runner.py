"""The local runner: threads that drive background work in the one process that owns the data directory.

A lane for each step. They never wait for each other, a failing piece never holds one up for long, and stopping either
finishes what is under way or gives it back.
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from graph.errors import BackstoryError, ConfigError
from graph.model.events import Step
from infra import logs
from infra.container import Container
from infra.deadline import DeadlineThread
from infra.queue import LocalQueue
from infra.settings import RunnerSettings
from infra.step_worker import Call, Policy, StepWorker

LANES: tuple[tuple[Step, ...], ...] = ((Step.PROJECT,), (Step.EXTRACT,), (Step.LINK,))
OUTAGE_PAUSE_CAP = 30.0  # seconds
DRAIN_POLL = 0.05  # seconds


class Lane(threading.Thread):
    """Takes the work of its steps in turn until told to stop."""

    def __init__(self, container: Container, steps: Sequence[Step], stopping: threading.Event) -> None:
        super().__init__(name="lane-" + "-".join(steps), daemon=True)
        self._guard = DeadlineThread(self.name)
        self.workers = workers(container, steps, self._guard.run, stopping)
        self._queue = _local(container)
        self._steps = steps
        self._runner: RunnerSettings = container.settings.runner
        self._stopping = stopping
        self._outages = 0
        self.processed = 0
        self.working_since: float | None = None

    @property
    def hanging(self) -> int:
        return self._guard.abandoned

    def run(self) -> None:
        while not self._stopping.is_set():
            if not self._round():
                self._queue.wait(self._steps, self._runner.idle_poll)
        self._guard.close()

    def _round(self) -> int:
        """One batch of each step; the number of pieces claimed. A ledger that does not answer counts as an outage."""
        claimed = 0
        self.working_since = time.monotonic()
        try:
            for worker in self.workers:
                done = worker.once()
                claimed += done
                if done:
                    self._queue.settled()
                    self._queue.hint(_after(worker.step))
            self._pause(any(worker.outage for worker in self.workers))
        except BackstoryError as error:
            logs.logger("runner").error("lane_outage", lane=self.name, reason=logs.reason_of(error))
            self._pause(outage=True)
        except Exception as error:  # noqa: BLE001  (a lane must not die of a fault in one round)
            logs.logger("runner").error("lane_fault", lane=self.name, reason=logs.reason_of(error))
            self._pause(outage=True)
        finally:
            self.working_since = None
        self.processed += claimed
        return claimed

    def _pause(self, outage: bool) -> None:
        self._outages = self._outages + 1 if outage else 0
        if outage:
            self._stopping.wait(min(self._runner.backoff * 2.0 ** min(self._outages - 1, 10), OUTAGE_PAUSE_CAP))


class Runner:
    """The lanes and the flusher. `start` once, `stop` once."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._stopping = threading.Event()
        self._lanes = [Lane(container, steps, self._stopping) for steps in LANES]
        self._flusher = threading.Thread(target=self._flush_often, name="flusher", daemon=True)

    def start(self) -> None:
        careful = self._container.release_leases()
        for lane in self._lanes:
            for worker in lane.workers:
                worker.careful = careful
            lane.start()
        self._flusher.start()

    def stop(self) -> bool:
        """Finish or give back what is under way; False when something still hangs after the grace time."""
        self._stopping.set()
        for step in Step:
            self._container.queue.hint(step)
        until = time.monotonic() + self._container.settings.runner.stop_grace
        for thread in (*self._lanes, self._flusher):
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in (*self._lanes, self._flusher))

    def state(self) -> list[dict[str, Any]]:
        """Per lane: pieces processed, whether it works now, calls that hang, whether it meets an outage."""
        return [
            {
                "lane": lane.name,
                "processed": lane.processed,
                "working": lane.working_since is not None,
                "hanging": lane.hanging,
                "outage": any(worker.outage for worker in lane.workers),
            }
            for lane in self._lanes
        ]

    def _flush_often(self) -> None:
        """Make vectors durable every few seconds, away from requests, when anything was processed since."""
        flushed = 0
        while True:
            stopping = self._stopping.wait(self._container.settings.runner.flush_every)
            processed = sum(lane.processed for lane in self._lanes)
            if processed != flushed:
                try:
                    self._container.vectors.flush()
                    flushed = processed
                except Exception as error:  # noqa: BLE001  (the index can be rebuilt; the next round tries again)
                    logs.logger("runner").warning("flush_failed", reason=logs.reason_of(error))
            if stopping:
                return


def workers(container: Container, steps: Sequence[Step], call: Call, stopping: threading.Event) -> list[StepWorker]:
    """Workers for `steps`, in their order, that run use cases through `call`."""
    runner = container.settings.runner
    deadlines = {
        Step.PROJECT: runner.project_deadline,
        Step.EXTRACT: runner.extract_deadline,
        Step.LINK: runner.link_deadline,
    }

    def worker(step: Step) -> StepWorker:
        policy = Policy(runner, deadlines[step])
        return StepWorker(step, lambda: container.use_case(step), container.ledger, policy=policy, call=call, stopping=stopping)

    return [worker(step) for step in steps]


def _local(container: Container) -> LocalQueue:
    if not isinstance(container.queue, LocalQueue):
        raise ConfigError("the local runner drives the embedded mode only; the server mode has workers")
    return container.queue


def drain(container: Container, timeout: float = 600.0) -> bool:
    """Do all background work in this thread, for tests and benches; True when nothing is pending any more.

    Work that failed is waited for until its retry time comes. No deadline is kept within a call.
    """
    until = time.monotonic() + timeout
    steps = workers(container, list(Step), _at_once, threading.Event())
    while time.monotonic() < until:
        if sum(worker.once() for worker in steps):
            continue
        if not container.reader.counts(None)["pending"]:
            container.vectors.flush()
            return True
        time.sleep(DRAIN_POLL)
    return False


def _at_once(call: Callable[[], object], _: float) -> None:
    call()


def _after(step: Step) -> Step:
    order = list(Step)
    return order[min(order.index(step) + 1, len(order) - 1)]
