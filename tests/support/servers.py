"""Real servers for tests, started on a free port of the loopback and stopped again."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NEO4J_RUN = Path(__file__).parents[3] / "shared" / "neo4j" / "run"
READY_TIMEOUT_S = 90.0


def required(server: str) -> bool:
    """Whether BACKSTORY_TEST_REQUIRE names the server: then its absence is a failure, not a skip."""
    return server in os.environ.get("BACKSTORY_TEST_REQUIRE", "").split(",")


def missing(server: str, why: str) -> None:
    """Skip the test, or fail it where the server was promised."""
    if required(server):
        pytest.fail(f"{server} is required here: {why}")
    pytest.skip(f"{server}: {why}")


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"the server ended with {process.returncode}")
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not open its port in time")


@contextmanager
def neo4j_server(folder: Path) -> Iterator[str]:
    """The bolt URI of a Neo4j of our own; an URI in NEO4J_TEST_URI is used instead where it is set."""
    given = os.environ.get("NEO4J_TEST_URI")
    if given:
        yield given
        return
    if not NEO4J_RUN.exists() or shutil.which("java") is None:
        missing("neo4j", "no server beside the checkout and no NEO4J_TEST_URI")
    port = free_port()
    process = subprocess.Popen(
        ["bash", str(NEO4J_RUN), str(folder), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for_port(port, process)
        yield f"bolt://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
