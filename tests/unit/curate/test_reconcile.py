"""Reconcile finds what drifted, in both directions, and mends it from the ledger."""

from datetime import timedelta

import pytest

from graph.curate.reconcile import Reconciler
from graph.ingest.projector import Projector
from graph.ingest.recorder import Recorder
from graph.model.events import EventDraft, Step
from graph.model.observations import Observation, Status
from graph.model.points import Space
from graph.model.views import View
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.vectors import EdgeVectors

ALL = View(scopes=None, statuses=frozenset(Status))
LEASE = timedelta(minutes=1)


@pytest.fixture
def remembered(recorder: Recorder, projector: Projector, ledger: SqliteLedger, graph: SqliteGraph) -> list[Observation]:
    recorder.record([EventDraft(text=f"The build of service {name} is green.", scope=name) for name in ("alpha", "beta")])
    projector.run(ledger.claim(Step.PROJECT, 9, LEASE))
    return graph.scan(ALL)


@pytest.fixture
def reconciler(ledger: SqliteLedger, graph: SqliteGraph, vectors: EdgeVectors) -> Reconciler:
    return Reconciler(ledger, graph, vectors)


def test_stores_that_agree_show_no_drift(reconciler: Reconciler, remembered: list[Observation]) -> None:
    assert len(remembered) == 2
    assert not reconciler.run()


def test_a_lost_vector_is_made_again(
    reconciler: Reconciler, remembered: list[Observation], vectors: EdgeVectors, projector: Projector, ledger: SqliteLedger
) -> None:
    vectors.delete([remembered[0].id])

    assert reconciler.run(repair=True).counts() == _only(unindexed=1)
    projector.run(ledger.claim(Step.PROJECT, 9, LEASE))
    assert not reconciler.run()
    assert remembered[0].id in vectors.vectors(Space.PASSAGE, [remembered[0].id])


def test_a_lost_observation_is_projected_again(
    reconciler: Reconciler, remembered: list[Observation], database: Database, projector: Projector, ledger: SqliteLedger
) -> None:
    with database.write() as connection:
        connection.execute("DELETE FROM observation WHERE no = (SELECT no FROM node WHERE id = ?)", (remembered[0].id,))
        connection.execute("UPDATE node SET label = 0, revision = 0 WHERE id = ?", (remembered[0].id,))

    assert reconciler.run(repair=True).counts() == _only(unprojected=1, orphaned=1)
    projector.run(ledger.claim(Step.PROJECT, 9, LEASE))
    assert not reconciler.run()


def test_a_state_that_the_index_missed_is_brought_over(
    reconciler: Reconciler, remembered: list[Observation], graph: SqliteGraph, vectors: EdgeVectors
) -> None:
    one = remembered[0]
    graph.set_status(one.scope, [one.id], Status.FORGOTTEN, "asked")

    assert reconciler.run(repair=True).counts() == _only(stale=1)
    assert not reconciler.run()
    assert {stamp.owner: stamp.status for stamp in vectors.revisions(Space.PASSAGE)}[one.id] is Status.FORGOTTEN


def test_an_observation_without_an_event_is_forgotten_and_can_come_back(
    reconciler: Reconciler, remembered: list[Observation], database: Database, graph: SqliteGraph
) -> None:
    with database.write() as connection:
        connection.execute("DELETE FROM receipt WHERE event_id = ?", (remembered[0].event_id,))

    assert reconciler.run(repair=True).counts() == _only(stray=1)
    assert graph.observations([remembered[0].id], ALL)[0].status is Status.FORGOTTEN
    assert graph.set_status(remembered[0].scope, [remembered[0].id], Status.ACTIVE, "found again", restore=True)


def test_two_runs_at_once_and_progress(reconciler: Reconciler, remembered: list[Observation], vectors: EdgeVectors) -> None:
    vectors.delete([o.id for o in remembered])
    told: list[tuple[str, int]] = []

    first = reconciler.run(repair=True, progress=lambda what, count: told.append((what, count)))
    second = reconciler.run(repair=True)

    assert first.counts() == _only(unindexed=2)
    assert second.counts() == _only(), "what is queued again is no drift"
    assert ("observations", 2) in told


def _only(**found: int) -> dict[str, int]:
    names = ("unprojected", "unindexed", "unread", "stale", "orphaned", "stray")
    return {name: found.get(name, 0) for name in names}
