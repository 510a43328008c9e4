"""The decision extractor's tasks: what recallable events say is read out, then joined to what is known."""

from celery import shared_task

from graph.model.events import Step
from infra.broker import STEP_TASKS
from workers.process import guarded, work_on


@shared_task(name=STEP_TASKS[Step.EXTRACT])
def extract(event_ids: list[str]) -> None:  # noqa: ARG001 (the ledger decides what is due)
    """Read out decisions, causes, triples, names and times."""
    guarded(lambda: work_on(Step.EXTRACT))


@shared_task(name=STEP_TASKS[Step.LINK])
def link(event_ids: list[str]) -> None:  # noqa: ARG001
    """Join causes to effects, names to texts, facts to their intervals."""
    guarded(lambda: work_on(Step.LINK))
