"""The Celery side of the server mode: its settings, each with its reason, and a queue that sends hints by task name.

Redis holds hints only. What is still to do stands in the ledger, so a lost, doubled or late message costs time and never a
memory; hence no result backend, no retries and no due times in the broker.
"""

import threading
import time
from collections.abc import Sequence
from typing import Any

from celery import Celery
from kombu import Exchange, Queue

from graph.errors import ConfigError
from graph.model.events import Step
from infra import logs

INTERACTIVE, BULK, MAINTENANCE = "backstory.interactive", "backstory.bulk", "backstory.maintenance"
STEP_TASKS = {Step.PROJECT: "backstory.project", Step.EXTRACT: "backstory.extract", Step.LINK: "backstory.link"}
QUEUE_OF_TASK = {
    "backstory.ingest": INTERACTIVE,
    "backstory.project": INTERACTIVE,
    "backstory.relay": INTERACTIVE,
    "backstory.extract": BULK,
    "backstory.link": BULK,
    "backstory.graph_rebuild": MAINTENANCE,
    "backstory.curator": MAINTENANCE,
}

TASK_TIME_LIMIT_S = 90
TASK_SOFT_TIME_LIMIT_S = 60
VISIBILITY_TIMEOUT_S = 300
HINT_EXPIRES_S = 60.0
HINTED_IDS = 50  # ids sent along for tracing; the ledger decides what is done

SETTINGS: dict[str, Any] = {
    # Only JSON is read, so that a message can never run code.
    "task_serializer": "json",
    "result_serializer": "json",
    "accept_content": ["json"],
    # A worker that dies gives its message back; the ledger's leases and attempts decide what happens then.
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "task_time_limit": TASK_TIME_LIMIT_S,
    "task_soft_time_limit": TASK_SOFT_TIME_LIMIT_S,
    # Receipts live in the ledger: a result backend and remote control would only fill Redis.
    "task_ignore_result": True,
    "worker_enable_remote_control": False,
    # One message at a time, so that a slow batch does not hide others behind it.
    "worker_prefetch_multiplier": 1,
    "worker_eta_task_limit": 100,
    "worker_max_tasks_per_child": 500,
    "worker_soft_shutdown_timeout": 15,
    "worker_enable_soft_shutdown_on_idle": True,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "timezone": "UTC",
    # Redelivery after five minutes, swept every five seconds; sockets that hang are given up.
    "broker_transport_options": {
        "visibility_timeout": VISIBILITY_TIMEOUT_S,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "unacked_mutex_expire": 10,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "health_check_interval": 5,
    },
    "task_publish_retry_policy": {"max_retries": 0},
    "task_queues": [Queue(name, Exchange(name), routing_key=name) for name in (INTERACTIVE, BULK, MAINTENANCE)],
    "task_default_queue": INTERACTIVE,
    "task_routes": {task: {"queue": queue} for task, queue in QUEUE_OF_TASK.items()},
}


def application(broker_url: str, **changes: Any) -> Celery:
    """A Celery application with the house's settings. Raises ConfigError for limits that would run tasks twice."""
    app = Celery("backstory", broker=broker_url)
    app.conf.update(SETTINGS | changes)
    check_limits(app)
    return app


def check_limits(app: Celery) -> None:
    """Twice the longest time limit must be below the visibility timeout: else a running task is started again beside itself."""
    limit = int(app.conf.task_time_limit)
    visible = int(app.conf.broker_transport_options["visibility_timeout"])
    if limit * 2 >= visible:
        raise ConfigError(
            f"task_time_limit {limit} s is too long for visibility_timeout {visible} s: it must be less than half of it"
        )


class CeleryQueue:
    """graph.ports.TaskQueue that sends from a thread of its own: `hint` never waits for the broker.

    While the broker does not answer, hints are dropped for a growing while (1 to 30 s): the relay sends them again.
    """

    MAX_PAUSE_S = 30.0

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._waiting: dict[Step, list[str]] = {}
        self._changed = threading.Condition()
        self._open_from = 0.0
        self._pause = 1.0
        self._stopping = False
        self._thread = threading.Thread(target=self._send_all, name="hints", daemon=True)
        self._thread.start()

    def hint(self, step: Step, event_ids: Sequence[str] = ()) -> bool:
        """Take the hint for sending; False while the broker is known not to answer."""
        if time.monotonic() < self._open_from:
            return False
        with self._changed:
            ids = self._waiting.setdefault(step, [])
            ids.extend(event_ids[: max(0, HINTED_IDS - len(ids))])
            self._changed.notify()
        return True

    def close(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join(timeout=2.0)

    def _send_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._stopping)
                if self._stopping and not self._waiting:
                    return
                waiting, self._waiting = self._waiting, {}
            for step, ids in waiting.items():
                self._send(step, ids)

    def _send(self, step: Step, ids: list[str]) -> None:
        task = STEP_TASKS[step]
        try:
            self._app.send_task(task, args=[ids], expires=HINT_EXPIRES_S, queue=QUEUE_OF_TASK[task], retry=False)
            self._pause = 1.0
        except Exception as error:  # noqa: BLE001 (whatever the broker's client raises, the relay will send it again)
            self._open_from = time.monotonic() + self._pause
            self._pause = min(self._pause * 2, self.MAX_PAUSE_S)
            logs.logger("queue").warning("hint_not_sent", step=step.value, reason=type(error).__name__)
