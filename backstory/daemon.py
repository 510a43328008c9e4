"""Finding, starting and stopping the daemon of a data directory, from a client's side."""

import contextlib
import json
import os
import signal
import socket
import sys
import time
from typing import Any

from backstory import places
from backstory.errors import AlreadyOwned, BackstoryError, Unreachable, from_problem

START_SECONDS = 90.0
STOP_SECONDS = 30.0
OTHER_OWNER_SECONDS = 20.0  # how long an owner that does not serve yet is waited for
LOOK_EVERY = 0.05
_STARTED: list[Any] = []  # daemons outlive whoever starts them; dropping the handle would warn of that


def socket_of(directory: str) -> str | None:
    """The socket that the owner of a data directory names, if there is one."""
    said = places.owner(directory).get("socket")
    return said if isinstance(said, str) else None


def answers(path: str | None) -> bool:
    """Whether something listens on a socket."""
    if path is None:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(path)
        except OSError:
            return False
    return True


def start(directory: str, *, idle_exit: float | None = None) -> str:
    """Start the daemon, or find the one that another is starting; its socket, once it answers.

    Raises the error that kept it from starting, or Unreachable when it does not answer in time.
    """
    child, said = spawn(directory, idle_exit=idle_exit)
    with said:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            path = socket_of(directory)
            if path is not None and answers(path):
                return path
            if child.poll() is not None:
                return _after_refusal(directory, _complaint(said, killed=child.returncode < 0))
            time.sleep(LOOK_EVERY)
    raise Unreachable(f"the daemon did not answer within {START_SECONDS:g} s; see {directory}/{places.LOG_NAME}")


def spawn(directory: str, *, idle_exit: float | None = None) -> tuple[Any, Any]:
    """Start the daemon without waiting for it: its process, and the file in which a failure to start is told."""
    import tempfile  # noqa: PLC0415  (only for starting)

    words = ["-m", "infra.daemon", "--data", directory] + (["--idle-exit", str(idle_exit)] if idle_exit else [])
    said = tempfile.TemporaryFile()  # noqa: SIM115  (handed to the caller)
    return detached(words, said), said


def detached(words: list[str], output: Any = None) -> Any:
    """Run Python with these words in a session of its own, away from the terminal and from the caller's directory."""
    import subprocess  # noqa: PLC0415  (only the first command of a day needs it)

    home = os.path.expanduser("~")  # noqa: PTH111
    where = subprocess.DEVNULL if output is None else output
    child = subprocess.Popen(  # noqa: S603  (our own modules)
        [sys.executable, "-P", *words],
        stdin=subprocess.DEVNULL,
        stdout=where,
        stderr=where,
        cwd=home if os.path.isdir(home) else "/",  # noqa: PTH112
        env=environment(),
        start_new_session=True,
    )
    _STARTED.append(child)
    return child


def stop(directory: str) -> int | None:
    """Ask the daemon to end and wait until it has; its process id, or None when none ran."""
    said = places.owner(directory)
    pid = said.get("pid")
    if not isinstance(pid, int) or not answers(socket_of(directory)):
        return None
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + STOP_SECONDS
    while time.monotonic() < until:
        if not owned(directory):
            return pid
        time.sleep(LOOK_EVERY)
    raise Unreachable(f"process {pid} did not end within {STOP_SECONDS:g} s")


def owned(directory: str) -> bool:
    """Whether a living process owns a data directory: its lock is held, whatever the lock file says."""
    import fcntl  # noqa: PLC0415  (only for stopping)

    try:
        handle = os.open(os.path.join(directory, places.LOCK_NAME), os.O_RDONLY | os.O_CLOEXEC)  # noqa: PTH118
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def root() -> str:
    """The directory that holds this package and the rooms beside it."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120


def environment() -> dict[str, str]:
    """The environment of a process that must find our rooms and not a user's folders of the same names.

    Installed, a user's PYTHONPATH is left out; run from a checkout, the checkout comes first in it.
    """
    import sysconfig  # noqa: PLC0415  (only for starting)

    clean = dict(os.environ)
    before = clean.pop("PYTHONPATH", "")
    installed = root() in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    if not installed:
        clean["PYTHONPATH"] = root() + (os.pathsep + before if before else "")
    return clean


def _after_refusal(directory: str, error: BackstoryError) -> str:
    """Another process may have become the owner first: then its socket will do."""
    until = time.monotonic() + OTHER_OWNER_SECONDS
    while isinstance(error, AlreadyOwned) and time.monotonic() < until:
        path = socket_of(directory)
        if path is not None and answers(path):
            return path
        time.sleep(LOOK_EVERY)
    raise error


def _complaint(said: Any, *, killed: bool) -> BackstoryError:
    """Why it did not start; one that was killed as it started may be started again."""
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    with contextlib.suppress(ValueError):
        problem = json.loads(lines[-1]) if lines else None
        if isinstance(problem, dict):
            return from_problem({"code": problem.get("code"), "detail": problem.get("message")})
    why = lines[-1] if lines else "it was killed" if killed else "it said nothing"
    return Unreachable(f"the daemon did not start: {why}", retryable=killed)
