"""Server mode: what was acknowledged is there once, whatever was killed meanwhile; and the answers are the embedded ones."""

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from graph.curate.reconcile import EVERYTHING, Reconciler
from graph.model.events import EventDraft, ReceiptState
from graph.model.questions import Question
from infra import settings
from infra.container import Container, open_embedded
from infra.runner import drain
from tests.support.cluster import Cluster

SEED = 20261130
SCOPES = ("red", "green", "blue")
STORY = [
    ("The replication slot was deleted by mistake.", "2025-03-03T09:00:00Z"),
    ("Because the replication slot had been deleted, the standby database fell two days behind.", "2025-03-10T09:00:00Z"),
    ("Finance published wrong numbers, since the standby database was two days behind.", "2025-05-20T09:00:00Z"),
    ("Ana Sousa leads the billing project.", "2025-01-02T09:00:00Z"),
    ("We decided to use Postgres because invoices need transactions.", "2025-01-03T09:00:00Z"),
    ("The cafeteria closes at four on Fridays.", None),
]
QUESTIONS = [
    "Why did finance publish wrong numbers?",
    "Who leads the billing project?",
    "When did the standby database fall behind?",
    "What does the cafeteria do on Fridays?",
]


def drafts(scope: str, count: int) -> list[EventDraft]:
    return [
        EventDraft(text=f"Service {scope}{n} failed because disk {n} was full.", scope=scope, key=f"k{n}") for n in range(count)
    ]


@pytest.mark.timeout(400)
def test_acknowledged_events_survive_killed_workers_and_a_killed_broker(servers: Cluster) -> None:
    chance = random.Random(SEED)  # noqa: S311 (moments of faults, not secrets)
    acknowledged: list[str] = []
    worker = servers.work()
    for round_ in range(3):
        for scope in SCOPES:
            receipts = servers.client.recorder.record(drafts(scope, 3 * (round_ + 1)))
            acknowledged += [receipt.event_id for receipt in receipts if receipt.created]
        time.sleep(chance.uniform(2.0, 4.0))
        worker.kill()
        if round_ % 2:
            servers.redis.kill()
            servers.redis.start()
        worker.start()

    assert servers.drained(240), servers.logs()
    assert (worker.kills, servers.redis.kills) == (3, 1), "the faults must have fired"
    assert len(acknowledged) == 27
    assert {r.state for r in servers.client.ledger.receipts(acknowledged)} == {ReceiptState.DONE}
    per_event = Counter(o.event_id for o in servers.client.reader.scan(EVERYTHING))
    assert per_event == Counter(acknowledged), "every event has its observation, once"
    assert Reconciler(servers.client.ledger, servers.client.graph, servers.client.vectors).run().counts() == dict.fromkeys(
        ("unprojected", "unindexed", "unread", "stale", "orphaned", "stray"), 0
    )


@pytest.mark.timeout(400)
def test_the_same_questions_give_the_same_ranked_ids_on_servers_and_embedded(servers: Cluster, tmp_path: Path) -> None:
    story = [EventDraft(text=text, authored_at=at, scope="s", session="told") for text, at in STORY]  # type: ignore[arg-type]  # parsed by the model
    embedded = open_embedded(settings.load(tmp_path / "embedded"))
    try:
        answers = [_ranked(container, story) for container in (embedded, servers.client)]
    finally:
        embedded.close()

    assert [[id_ for id_, _ in ranked] for ranked in answers[0]] == [[id_ for id_, _ in ranked] for ranked in answers[1]]
    for one, other in zip(answers[0], answers[1], strict=True):
        assert all(abs(a - b) <= 1e-2 for (_, a), (_, b) in zip(one, other, strict=True)), (one, other)


def _ranked(container: Container, story: list[EventDraft]) -> list[list[tuple[str, float]]]:
    container.recorder.record(story)
    assert drain(container, 120)
    answers = [container.asker.ask(Question(text=text, scopes=("s",))) for text in QUESTIONS]
    assert all(not answer.degraded for answer in answers)
    return [[(hit.id, hit.score) for hit in answer.results] for answer in answers]
