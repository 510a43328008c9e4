"""The daemon: the one process that owns a data directory, serves its doors and drives its background work.

Run as `python -P -m infra.daemon --data DIR`. A failure to start is one line of JSON (code, message) on stderr. It may be
killed at any moment: what was acknowledged is in the ledger, and the next owner goes on from there.
"""

import argparse
import errno
import importlib
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import uvicorn

from graph.errors import BackstoryError, StoreFull, StoreUnavailable
from graph.model.questions import Question
from infra import logs, settings
from infra.container import Container, open_embedded
from infra.runner import Runner
from infra.sockets import listen_tcp, listen_unix, socket_path

APPLICATION = "services.rest.serving:application"  # named, not imported: doors stand above this room
FAILED_TO_START = 1
GRACEFUL_SECONDS = 5
IDLE_LOOK_SECONDS = 1.0
SWITCH_SECONDS = 0.0005  # a question meets the lock of the interpreter dozens of times; 5 ms each would be felt


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    overrides: dict[str, Any] = {"extract_in_child": True}
    if options.host:
        overrides["http"] = {"host": options.host, **({"port": options.port} if options.port else {})}
    if options.idle_exit:
        overrides["idle_exit"] = options.idle_exit
    try:
        chosen = settings.load(options.data, **overrides)
        with ExitStack() as stack:
            container = open_embedded(chosen)
            stack.callback(container.close)
            listeners = _listeners(container, stack)
            _log_where(chosen, foreground=options.foreground)
            _serve(container, listeners)
    except BackstoryError as error:
        return _failed(error.code, error.message)
    except OSError as error:
        return _failed(StoreFull.code if error.errno == errno.ENOSPC else StoreUnavailable.code, str(error))
    return 0


def _failed(code: str, message: str) -> int:
    sys.stderr.write(json.dumps({"code": code, "message": message}) + "\n")
    return FAILED_TO_START


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="infra.daemon", description="Own a data directory and serve it.")
    parser.add_argument("--data", help="data directory (default: $BACKSTORY_DATA, else the platform's place)")
    parser.add_argument("--foreground", action="store_true", help="log to stderr instead of the data directory")
    parser.add_argument("--host", help="also serve TCP on this loopback address")
    parser.add_argument("--port", type=int)
    parser.add_argument("--idle-exit", type=float, help="end after so many seconds without requests or work")
    return parser


def _listeners(container: Container, stack: ExitStack) -> list[socket.socket]:
    path = socket_path(container.settings.data)
    listeners = [listen_unix(path)]
    stack.callback(_unlink_own, path, path.stat().st_ino)
    stack.callback(listeners[0].close)
    http = container.settings.http
    if http.host:
        listeners.append(listen_tcp(http.host, http.port, tokens=bool(http.tokens)))
        stack.callback(listeners[1].close)
    url = f"http://{http.host}:{http.port}" if http.host else None
    container.owner.announce(socket=str(path), url=url)
    return listeners


def _unlink_own(path: Path, inode: int) -> None:
    """Remove our socket file, but never that of a successor which bound the same path meanwhile."""
    with suppress(FileNotFoundError):
        if path.stat().st_ino == inode:
            path.unlink()


def _log_where(chosen: settings.Settings, *, foreground: bool) -> None:
    """From here on everything said goes to the log: a daemon has nobody at its stderr."""
    if foreground:
        logs.configure(chosen.log_level, chosen.log_format)
        return
    handle = os.open(chosen.log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.close(handle)
    logs.configure(chosen.log_level, chosen.log_format, chosen.log_file)


def _serve(container: Container, listeners: list[socket.socket]) -> None:
    log = logs.logger("daemon")
    runner = Runner(container)
    app, activity = _application(container, runner)
    server = _server(app)
    runner.start()
    sys.setswitchinterval(SWITCH_SECONDS)
    _end_when_unwanted(container, server, activity)
    threading.Thread(target=_warm, args=(container,), name="warm", daemon=True).start()
    log.info("started", pid=os.getpid(), data=str(container.settings.data))
    try:
        server.run(sockets=listeners)
    finally:
        clean = runner.stop()
        log.info("stopped", clean=clean)
        if not clean:
            _leave_at_once(container)


def _warm(container: Container) -> None:
    """Ask something before anyone does, so that the first question does not wait for what is loaded on first use."""
    try:
        container.asker.ask(Question(text="Why was this decided?", scopes=(container.settings.scope,), limit=1))
    except Exception as error:  # noqa: BLE001  (the first question will say it better, if it still is so)
        logs.logger("daemon").warning("not_warm", reason=logs.reason_of(error))


def _application(container: Container, runner: Runner) -> tuple[Any, Any]:
    module, name = APPLICATION.split(":")
    app, activity = getattr(importlib.import_module(module), name)(container, runner)
    return app, activity


def _server(app: Any) -> uvicorn.Server:
    """A server that ends at SIGTERM and SIGINT. uvicorn raises a signal again when it is done: that one is ignored."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        server_header=False,
        backlog=128,
    )
    return uvicorn.Server(config)


def _end_when_unwanted(container: Container, server: uvicorn.Server, activity: Any) -> None:
    """Watch for the two reasons to end by itself: the directory was taken away, or nobody asked for long enough."""
    seconds = container.settings.idle_exit

    def watch() -> None:
        while not server.should_exit:
            time.sleep(IDLE_LOOK_SECONDS)
            idle = seconds is not None and time.monotonic() - activity.last > seconds
            gone = not container.owner.holds()
            if gone or (idle and not container.reader.counts(None)["pending"]):
                logs.logger("daemon").info("ending", directory_gone=gone)
                server.should_exit = True

    threading.Thread(target=watch, name="watch", daemon=True).start()


def _leave_at_once(container: Container) -> None:
    """A call hangs and holds its connection: flush what can be, and go as if killed, which is always safe."""
    try:
        container.vectors.flush()
    finally:
        container.owner.release()
        os._exit(0)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # everything is closed; libraries that still run a thread would abort in the interpreter's own ending
