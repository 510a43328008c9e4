"""Plain JSON messages of other producers: acknowledged only once the ledger has them, malformed ones set aside."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from kombu import Connection, Exchange, Queue

from graph.errors import StoreUnavailable
from infra import settings
from infra.container import Container, open_embedded
from tests.support.cluster import Redis
from tests.support.servers import missing
from workers.aside import REJECTED_QUEUE
from workers.consumer import EventConsumer

GOOD = {"text": "The gateway was restarted because its certificate had expired.", "scope": "ops", "key": "gw-1"}
RABBIT = "amqp://guest:guest@127.0.0.1:5672//"


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Container]:
    opened = open_embedded(settings.load(tmp_path / "data"))
    yield opened
    opened.close()


@pytest.fixture(params=["redis", "rabbitmq"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "rabbitmq":
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", 5672)) != 0:
                missing("rabbitmq", "nothing listens on 127.0.0.1:5672")
        yield RABBIT
        return
    redis = Redis(tmp_path)
    redis.start()
    yield redis.url
    redis.kill()


def _declared(name: str) -> Queue:
    return Queue(name, Exchange(name), routing_key=name)


def _send(connection: Connection, queue: Queue, body: str) -> None:
    with connection.Producer() as producer:
        producer.publish(
            body,
            exchange=queue.exchange,
            routing_key=queue.routing_key,
            declare=[queue],
            content_type="application/json",
            content_encoding="utf-8",
            serializer=None,
        )


def _until(done: object, timeout: float = 20.0) -> bool:
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        if done():  # type: ignore[operator]  # a function
            return True
        time.sleep(0.05)
    return False


def _rejected(connection: Connection) -> list[dict[str, object]]:
    """Everything on the rejected queue, taken off it."""
    found = []
    with connection.SimpleQueue(_declared(REJECTED_QUEUE)) as queue, suppress(queue.Empty):
        while True:
            message = queue.get(timeout=0.5)
            found.append(message.payload)
            message.ack()
    return found


def test_messages_are_taken_in_once_and_malformed_ones_are_set_aside(
    broker: str, container: Container, request: pytest.FixtureRequest
) -> None:
    queue = _declared(f"backstory.test.{id(request)}")
    with Connection(broker) as connection:
        _rejected(connection)
        for body in (json.dumps(GOOD), json.dumps(GOOD), "{half", json.dumps([1]), json.dumps({"txt": "?"})):
            _send(connection, queue, body)
        consumer = EventConsumer(connection.clone(), queue.name, container)
        threading.Thread(target=consumer.run, daemon=True).start()

        assert _until(lambda: container.reader.counts(None)["events"] == 1)
        aside: list[dict[str, object]] = []
        assert _until(lambda: aside.extend(_rejected(connection)) or len(aside) >= 3)
        consumer.should_stop = True
        queue(connection.default_channel).delete()

    assert container.reader.counts(None)["events"] == 1
    assert len(aside) == 3
    assert all(item["reason"] and item["code"] == "invalid_input" for item in aside)


def test_a_message_stays_while_the_ledger_does_not_answer(tmp_path: Path, container: Container) -> None:
    redis = Redis(tmp_path)
    redis.start()
    queue = _declared("backstory.test.outage")
    outages = [StoreUnavailable("told to fail")] * 2
    record = container.recorder.record

    def failing(drafts: object) -> object:
        if outages:
            raise outages.pop()
        return record(drafts)  # type: ignore[arg-type]  # passed through

    container.recorder.record = failing  # type: ignore[method-assign,assignment]  # an outage cannot be had otherwise
    try:
        with Connection(redis.url) as connection:
            _send(connection, queue, json.dumps(GOOD))
            consumer = EventConsumer(connection.clone(), queue.name, container)
            threading.Thread(target=consumer.run, daemon=True).start()
            assert _until(lambda: container.reader.counts(None)["events"] == 1)
            consumer.should_stop = True
    finally:
        redis.kill()
    assert outages == [], "the outages must have been met"
