"""Plain JSON messages on a queue of Redis or RabbitMQ: `python -m workers.consumer [--broker URL] [--queue NAME]`.

A message is acknowledged only after the ledger has it. One that can never be taken in goes to the queue
`backstory.rejected` with its reason. While the ledger does not answer, messages stay where they are.
"""

import argparse
import json
import time
from typing import Any

from kombu import Connection, Exchange, Message, Queue
from kombu.mixins import ConsumerMixin

from graph.errors import BackstoryError, InvalidInput
from infra import logs, settings
from infra.container import Container
from infra.server import open_server
from workers.aside import set_aside, take_in

PAUSE_S = 1.0
PREFETCH = 50


class EventConsumer(ConsumerMixin):  # type: ignore[misc]  # kombu has no types
    """Takes events from one queue into the ledger."""

    def __init__(self, connection: Connection, queue: str, container: Container) -> None:
        self.connection = connection
        self._queue = Queue(queue, Exchange(queue), routing_key=queue)
        self._container = container
        self._log = logs.logger("consumer")

    def get_consumers(self, Consumer: Any, channel: Any) -> list[Any]:  # noqa: N803, ARG002 (kombu's names)
        # Bodies are decoded here, so that a broken one is set aside instead of breaking the consumer.
        return [Consumer([self._queue], on_message=self.on_message, accept=None, auto_declare=True, prefetch_count=PREFETCH)]

    def on_message(self, message: Message) -> None:
        """Take one message in and acknowledge it; on an outage give it back after a pause."""
        body: Any = message.body
        try:
            take_in(self._container, _decoded(body))
        except InvalidInput as error:
            with self.connection.clone() as connection:
                set_aside(connection, body if isinstance(body, str) else repr(body), error)
        except Exception as error:  # noqa: BLE001 (an outage: the message must not be lost)
            self._log.error("message_kept", reason=logs.reason_of(error))
            time.sleep(PAUSE_S)
            message.requeue()
            return
        message.ack()


def _decoded(body: Any) -> Any:
    try:
        return json.loads(body)
    except (ValueError, TypeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"the message is not JSON: {error}") from error


def main() -> None:
    parser = argparse.ArgumentParser(description="Take plain JSON messages of a queue into the memory.")
    parser.add_argument("--broker", help="URL of the broker (default: that of the settings), e.g. amqp:// or redis://")
    parser.add_argument("--queue", help="name of the queue (default: that of the settings)")
    options = parser.parse_args()
    chosen = settings.load(mode="server")
    server = chosen.server
    assert server is not None  # noqa: S101 (mode "server" is refused without it)
    logs.configure(chosen.log_level, chosen.log_format)
    container = open_server(chosen)
    try:
        with Connection(options.broker or server.broker_url.get_secret_value(), heartbeat=10) as connection:
            EventConsumer(connection, options.queue or server.events_queue, container).run()
    except BackstoryError as error:
        raise SystemExit(f"consumer: {error.message}") from error
    finally:
        container.close()


if __name__ == "__main__":
    main()
