"""The curator's nightly run: what drifted between ledger, graph and vectors is found and mended."""

from celery import shared_task

from workers.process import container, guarded


@shared_task(name="backstory.curator")
def curator() -> None:
    """Reconcile the stores, with repair."""
    from graph.curate.reconcile import Reconciler  # noqa: PLC0415 (only in a child)

    def run() -> int:
        held = container()
        return sum(Reconciler(held.ledger, held.graph, held.vectors).run(repair=True).counts().values())

    guarded(run)
