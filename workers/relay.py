"""The relay: every second a hint for every step, whatever was lost. It is what makes the broker disposable.

A worker that takes a hint asks the ledger what is due: never claimed, or its lease ran out, or its retry time has come.
With nothing due that is one indexed look, so no relay needs to know what is waiting.
"""

from celery import Task, shared_task

from infra.broker import QUEUE_OF_TASK, STEP_TASKS

EXPIRES_S = 5.0  # hints that no worker took in time are dropped: the next second brings another


@shared_task(name="backstory.relay", bind=True)
def relay(self: Task) -> None:
    """Send one hint for each step."""
    for name in STEP_TASKS.values():
        self.app.send_task(name, args=[[]], queue=QUEUE_OF_TASK[name], expires=EXPIRES_S, retry=False)
