"""Ingest tasks: an event of any Celery client goes into the ledger; accepted events become recallable."""

from typing import Any

from celery import Task, shared_task

from graph.errors import InvalidInput
from graph.model.events import Step
from infra.broker import STEP_TASKS
from workers.process import container, guarded, work_on


@shared_task(name="backstory.ingest", bind=True, max_retries=None)
def ingest(self: Task, event: Any) -> None:
    """Take one JSON event in, as `POST /v1/events` would; a malformed one is set aside with its reason.

    The message is the only copy of the event: while the ledger does not answer it is given back, not acknowledged.
    """
    from workers.aside import set_aside, take_in  # noqa: PLC0415 (drivers and models: only in a child)

    try:
        take_in(container(), event)
    except InvalidInput as error:
        with self.app.connection_for_write() as connection:
            set_aside(connection, event, error)
    except Exception as error:
        raise self.retry(exc=error, countdown=1) from error


@shared_task(name=STEP_TASKS[Step.PROJECT])
def project(event_ids: list[str]) -> None:  # noqa: ARG001 (the ledger decides what is due; the ids are for tracing)
    """Make accepted events recallable."""
    guarded(lambda: work_on(Step.PROJECT))
