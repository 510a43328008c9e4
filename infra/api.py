"""The HTTP interface of the server mode: `python -P -m infra.api --host 127.0.0.1 --port 7867`.

It drives no background work: the workers do. Off loopback it refuses to start without tokens.
"""

import argparse
import importlib

import uvicorn

from graph.errors import BackstoryError
from infra import logs, settings
from infra.server import open_server
from infra.sockets import listen_tcp

APPLICATION = "services.rest.serving:application"  # by name: this room imports no door
GRACEFUL_S = 10


def main() -> int:
    parser = argparse.ArgumentParser(description="Serve the HTTP interface over Neo4j, Qdrant and Celery.")
    parser.add_argument("--host", default="127.0.0.1", help="address (default 127.0.0.1; others need tokens)")
    parser.add_argument("--port", type=int, default=7867, help="port (default 7867)")
    options = parser.parse_args()
    try:
        chosen = settings.load(mode="server", http={"host": options.host, "port": options.port})
        logs.configure(chosen.log_level, chosen.log_format)
        listener = listen_tcp(options.host, options.port, tokens=bool(chosen.http.tokens))
        container = open_server(chosen)
    except BackstoryError as error:
        parser.exit(1, f"{parser.prog}: {error.message}\n")
    module, name = APPLICATION.split(":")
    app, _ = getattr(importlib.import_module(module), name)(container, None)
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=GRACEFUL_S, server_header=False)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        container.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
