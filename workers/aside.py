"""Messages of other producers: taken into the ledger, or set aside with the reason when they can never be."""

import json
from typing import Any

from kombu import Connection, Exchange, Queue
from pydantic import ValidationError

from graph.errors import BackstoryError, InvalidInput
from graph.model.events import EventDraft
from infra import logs
from infra.container import Container

REJECTED_QUEUE = "backstory.rejected"


def take_in(container: Container, message: Any) -> int:
    """Record one JSON event, durably. Raises InvalidInput, naming the field, for one that can never be taken in."""
    if not isinstance(message, dict):
        raise InvalidInput(f"the message is a JSON {type(message).__name__}, not an object")
    try:
        draft = EventDraft.model_validate(message)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InvalidInput(f"{'.'.join(map(str, first['loc'])) or 'message'}: {first['msg']}") from error
    return len(container.recorder.record([draft]))


def set_aside(connection: Connection, message: object, error: BackstoryError) -> None:
    """Put a message that can never be taken in on the rejected queue, with the reason. Raises what the broker raises."""
    body = {"reason": error.message, "code": error.code, "message": _plain(message)}
    queue = Queue(REJECTED_QUEUE, Exchange(REJECTED_QUEUE), routing_key=REJECTED_QUEUE)
    with connection.Producer(serializer="json") as producer:
        producer.publish(body, exchange=queue.exchange, routing_key=queue.routing_key, declare=[queue], retry=True)
    logs.logger("workers").warning("message_set_aside", code=error.code)


def _plain(message: object) -> object:
    try:
        json.dumps(message)
    except (TypeError, ValueError):
        return repr(message)
    return message
