"""init, serve, mcp, daemon, rebuild, doctor."""

import os
import sys
import time
from argparse import Namespace

from backstory import calls, daemon, places
from backstory.cli import exits
from backstory.cli.progress import Progress
from backstory.cli.session import connect, out, print_json, scope, send

LOOK_EVERY = 0.5  # seconds


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


def mcp(options: Namespace) -> int:
    """Become the stdio MCP server of a scope."""
    command = [sys.executable, "-P", "-m", "services.mcp_server", "--data", places.data_directory(options.data)]
    command += ["--scope", scope(options), "--parent", str(os.getppid())]
    command += ["--url", options.url] if options.url else []
    sys.stdout.flush()
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
    """Queue everything again and watch it being done; breaking off leaves the work to the daemon."""
    transport = connect(options)
    queued = transport.request(*calls.rebuild("links" if options.links else "all"))["queued"]
    until = time.monotonic() + options.timeout
    left = queued
    with Progress(queued, "rebuilding") as progress:
        while not options.no_wait and time.monotonic() < until:
            left = transport.request(*calls.status())["counts"]["pending"]
            progress.reach(queued - left)
            if not left:
                break
            time.sleep(LOOK_EVERY)
    body = {"queued": queued, "pending": left}
    if options.json:
        print_json(body)
    else:
        out(f"{queued} events queued" + (f", {left} still to do" if left else ", all done"))
    return exits.OK if options.no_wait or not left else exits.NOT_DONE


def doctor(options: Namespace) -> int:
    body = send(options, calls.doctor(repair=options.repair))
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
