"""What the tests of the doors share: a memory in this process, and the command as a user runs it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infra import settings
from infra.container import Container, open_embedded

ROOT = Path(__file__).resolve().parents[2]
FAST = {"backoff": 0.0, "idle_poll": 0.05, "flush_every": 0.2}

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Open = Callable[..., Container]


@pytest.fixture
def open_memory(tmp_path: Path) -> Iterator[Open]:
    """Opens containers (in `memory` of the test's directory unless told) and closes them afterwards."""
    opened: list[Container] = []

    def open_(directory: Path | None = None, **overrides: Any) -> Container:
        overrides.setdefault("runner", FAST)
        opened.append(open_embedded(settings.load(directory or tmp_path / "memory", **overrides)))
        return opened[-1]

    yield open_
    for container in opened:
        container.close()


def environment(**more: str) -> dict[str, str]:
    """The tests' environment with this checkout to import from and none of the user's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BACKSTORY_")}
    return kept | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | more


def run(
    *words: str, cwd: Path, stdin: str | None = None, timeout: float = 120, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "backstory", *words],
        cwd=cwd,
        env=environment(**more),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Command]:
    """The command over a data directory of the test's own; its daemon is stopped afterwards."""
    data = tmp_path / "d"

    def in_directory(*words: str, cwd: Path = tmp_path, **more: Any) -> "subprocess.CompletedProcess[str]":
        return run(*words, cwd=cwd, **({"BACKSTORY_DATA": str(data)} | more))

    yield in_directory
    run("daemon", "stop", cwd=tmp_path, BACKSTORY_DATA=str(data))


@pytest.fixture(scope="module")
def shared_command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """One daemon for all tests of a module that do not harm it."""
    directory = tmp_path_factory.mktemp("m")
    data = str(directory / "d")

    def in_directory(*words: str, cwd: Path = directory, **more: Any) -> "subprocess.CompletedProcess[str]":
        return run(*words, cwd=cwd, **({"BACKSTORY_DATA": data} | more))

    yield in_directory
    run("daemon", "stop", cwd=directory, BACKSTORY_DATA=data)
