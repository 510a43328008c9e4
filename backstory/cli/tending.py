"""init, serve, daemon, rebuild, doctor."""

import os
import sys
from argparse import Namespace

from backstory import calls, daemon, places
from backstory.cli import exits
from backstory.cli.session import out, print_json, send

REBUILD_SECONDS = 24 * 3600.0


def init(options: Namespace) -> int:
    """Make the data directory by starting its daemon, which checks that everything works."""
    body = send(options, calls.status())
    if options.json:
        print_json({"data": body["data"], "pid": body["pid"], "version": body["version"]})
    else:
        out(f"{body['data']} is ready (process {body['pid']}).")
    return exits.OK


def serve(options: Namespace) -> int:
    """Become the server: replaces this process, so that signals and the terminal are its own."""
    directory = places.data_directory(options.data)
    command = [sys.executable, "-P", "-m", "infra.daemon", "--foreground", "--data", directory]
    command += ["--host", options.host, "--port", str(options.port)]
    print(f"backstory: serving {directory} on http://{options.host}:{options.port}", file=sys.stderr, flush=True)
    os.execve(sys.executable, command, daemon.environment())  # noqa: S606  (our own module)


def daemon_(options: Namespace) -> int:
    directory = places.data_directory(options.data)
    if options.action == "start":
        path = daemon.socket_of(directory)
        running = path if path is not None and daemon.answers(path) else daemon.start(directory, idle_exit=options.idle_exit)
        return _told(options, {"running": True, "socket": running, "pid": places.owner(directory).get("pid")})
    if options.action == "stop":
        stopped = daemon.stop(directory)
        return _told(options, {"running": False, "stopped": stopped})
    said = places.owner(directory)
    running_now = daemon.answers(daemon.socket_of(directory))
    _told(options, {"running": running_now, "data": directory} | (said if running_now else {}))
    return exits.OK if running_now else exits.NOT_RUNNING


def rebuild(options: Namespace) -> int:
    body = send(options, calls.rebuild(), timeout=REBUILD_SECONDS)
    if options.json:
        print_json(body)
    else:
        out("rebuilt: " + ", ".join(f"{count} events through {step}" for step, count in body["rebuilt"].items()))
    return exits.OK


def doctor(options: Namespace) -> int:
    body = send(options, calls.doctor())
    if options.json:
        print_json(body)
    else:
        for check in body["checks"]:
            out(f"{'ok ' if check['ok'] else 'BAD'}  {check['name']}: {check['detail']}")
    return exits.OK if body["ok"] else exits.UNWELL


def _told(options: Namespace, body: dict[str, object]) -> int:
    if options.json:
        print_json(body)
    else:
        out(", ".join(f"{name}: {value}" for name, value in body.items() if value is not None))
    return exits.OK
