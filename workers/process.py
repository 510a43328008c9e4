"""What one worker process holds: its own connections and models, made at first use and never carried across a fork."""

import os
import threading
import time
from collections.abc import Callable

from graph.errors import BackstoryError
from graph.model.events import Step
from infra import logs, settings
from infra.container import Container
from infra.server import open_server
from infra.step_worker import Policy, StepWorker

WORKING_TIME_S = 20.0  # a batch begun within it still ends before the soft time limit

_lock = threading.Lock()
_held: tuple[int, Container] | None = None
_never = threading.Event()


def container() -> Container:
    """This process's container; a child that finds its parent's makes its own."""
    global _held  # noqa: PLW0603 (one per process is the point)
    with _lock:
        if _held is None or _held[0] != os.getpid():
            _held = (os.getpid(), open_server(settings.load(mode="server"), hints=False))
        return _held[1]


def work_on(step: Step) -> int:
    """Claim batches of a step and settle all of them, until nothing is due or the time for it is over; how many pieces."""
    until = time.monotonic() + WORKING_TIME_S
    worker, total = _worker(step), 0
    while (done := worker.once()) and time.monotonic() < until:
        total += done
    return total + done


def guarded(call: Callable[[], int]) -> int:
    """Run `call`; whatever it raises is logged and counts as nothing done, a MemoryError too, which would stop the queue."""
    try:
        return call()
    except (BackstoryError, MemoryError) as error:
        logs.logger("workers").error("task_failed", reason=logs.reason_of(error))
    except Exception as error:  # noqa: BLE001 (a task never takes its worker down)
        logs.logger("workers").error("task_fault", reason=logs.reason_of(error))
    return 0


def _worker(step: Step) -> StepWorker:
    held = container()
    runner = held.settings.runner
    policy = Policy(runner, runner.project_deadline)
    return StepWorker(step, lambda: held.use_case(step), held.ledger, policy=policy, call=_at_once, stopping=_never)


def _at_once(call: Callable[[], object], _: float) -> None:
    """The deadline of a task is Celery's own: its soft time limit raises inside the call."""
    call()
