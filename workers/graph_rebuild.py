"""Rebuilding in the background: events are queued again at a step, and the ordinary workers do the rest."""

from celery import shared_task

from workers.process import container, guarded


@shared_task(name="backstory.graph_rebuild")
def graph_rebuild(part: str) -> None:
    """Queue every event again for `links` or `all`."""
    from graph.curate.rebuild import Part, requeue  # noqa: PLC0415 (only in a child)

    guarded(lambda: requeue(container().ledger, Part(part)))
