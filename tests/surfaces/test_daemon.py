"""The daemon in real processes: found or started, one at a time, killed at any moment, and nothing is lost."""

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backstory import Backstory, places
from backstory.cli import exits
from backstory.errors import AlreadyOwned
from tests.surfaces.conftest import ROOT, Command, environment, run

MEBI = 1024 * 1024


def _until(true: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


def _start(data: Path, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "infra.daemon", "--data", str(data), *words],
        env=environment(),
        cwd=data.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _pid(command: Command) -> int:
    return int(json.loads(command("status", "--json").stdout)["pid"])


def test_two_first_commands_at_once_share_one_daemon(command: Command) -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(_pid(command))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert len(set(found)) == 1


def test_a_second_owner_is_refused_and_the_first_goes_on(command: Command, tmp_path: Path) -> None:
    first = _pid(command)
    second = _start(tmp_path / "d")
    _, said = second.communicate(timeout=60)
    assert second.returncode == 1
    problem = json.loads(said.splitlines()[-1])
    assert problem["code"] == "already_owned"
    assert str(first) in problem["message"]
    assert _pid(command) == first


def test_an_owner_without_a_door_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from backstory import daemon  # noqa: PLC0415  (its patience is shortened here)
    from infra import owner  # noqa: PLC0415

    monkeypatch.setattr(daemon, "OTHER_OWNER_SECONDS", 0.5)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with owner.take(tmp_path / "d"), pytest.raises(AlreadyOwned, match=str(os.getpid())):
        Backstory(tmp_path / "d").status()


def test_folders_named_like_our_rooms_do_not_get_in_the_way(command: Command, tmp_path: Path) -> None:
    """The user stands in a project that has its own `services`, `graph` and `infra`, and PYTHONPATH names it too."""
    project = tmp_path / "project"
    for room in ("services", "graph", "infra", "workers"):
        (project / room).mkdir(parents=True)
        (project / room / "__init__.py").write_text("raise RuntimeError('the wrong room')\n")
    (project / "note.md").write_text("# Kettle\n\nThe kettle was replaced because it leaked.\n")
    where: dict[str, Any] = {"cwd": project, "PYTHONPATH": f"{ROOT}{os.pathsep}{project}"}
    assert command("remember", "The mill stopped.", **where).returncode == 0
    done = command("ingest", "note.md", "--json", **where)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["created"] >= 1


def test_a_killed_daemon_loses_nothing_that_was_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real kills, at random moments, while one client goes on telling; every receipt is there once, and gets done."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    data = tmp_path / "d"
    rng = random.Random(7)  # noqa: S311  (a test's chance)
    stop, killed = threading.Event(), list[int]()

    def kill_often() -> None:
        while not stop.wait(rng.uniform(0.3, 1.5)) and len(killed) < 3:
            said = places.owner(str(data))
            if said.get("socket") and said["pid"] not in killed:
                os.kill(said["pid"], signal.SIGKILL)
                killed.append(said["pid"])

    killer = threading.Thread(target=kill_often, daemon=True)
    with Backstory(data) as memory:
        memory.status()
        killer.start()
        acknowledged = []
        while len(killed) < 3 or len(acknowledged) < 24:
            text = f"Boat {len(acknowledged)} left the harbour."
            acknowledged.append(memory.remember(text, key=f"boat-{len(acknowledged)}").event_id)
            time.sleep(0.02)
            assert len(acknowledged) < 600
        stop.set()
        killer.join()
        assert len(set(killed)) == 3
        assert len(set(acknowledged)) == len(acknowledged)
        found = memory.receipts(acknowledged, limit=1000)
        assert [receipt.event_id for receipt in found] == acknowledged
        assert memory.status()["counts"]["events"] == len(acknowledged)
        first = memory.wait(acknowledged[:24], state="done", timeout=60)
        assert {receipt.state for receipt in first} == {"done"}
        assert len(memory.show(acknowledged[0])["observations"]) == 1
    run("daemon", "stop", cwd=tmp_path, BACKSTORY_DATA=str(data))


def test_ten_megabytes_are_taken_and_the_daemon_still_answers_and_stops(command: Command) -> None:
    text = "The tide table of the harbour says when the boats leave. " * (10 * MEBI // 57)
    done = command("remember", "--key", "big", "--json", stdin=text)
    assert done.returncode == 0, done.stderr
    receipt = json.loads(done.stdout)
    assert receipt["state"] == "accepted"
    assert command("ask", "boats").returncode == 0
    assert command("daemon", "stop").returncode == 0
    shown = json.loads(command("show", receipt["event_id"], "--json").stdout)
    assert len(shown["draft"]["text"]) == len(text)


def test_it_stops_cleanly_and_its_socket_is_private(command: Command, tmp_path: Path) -> None:
    pid = _pid(command)
    said = places.owner(str(tmp_path / "d"))
    assert Path(said["socket"]).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "d").stat().st_mode & 0o777 == 0o700
    os.kill(pid, signal.SIGTERM)
    assert _until(lambda: not places.owner(str(tmp_path / "d")))
    assert not Path(said["socket"]).exists()
    log = [json.loads(line) for line in (tmp_path / "d" / "daemon.log").read_text().splitlines()]
    assert log[-1] == log[-1] | {"event": "stopped", "clean": True}


def test_it_ends_when_nobody_asks_or_its_directory_is_gone(tmp_path: Path) -> None:
    idle = _start(tmp_path / "idle", "--idle-exit", "0.5")
    moved = _start(tmp_path / "moved")
    assert _until(lambda: bool(places.owner(str(tmp_path / "moved")).get("socket")), 60)
    (tmp_path / "moved").rename(tmp_path / "elsewhere")
    for process in (idle, moved):
        process.communicate(timeout=60)
        assert process.returncode == 0


def test_a_path_too_long_for_a_socket_still_works(tmp_path: Path) -> None:
    data = tmp_path / ("long-" * 20) / "d"
    try:
        done = run("status", "--json", cwd=tmp_path, BACKSTORY_DATA=str(data))
        assert done.returncode == 0, done.stderr
        assert len(os.fsencode(places.owner(str(data))["socket"])) <= 100
    finally:
        run("daemon", "stop", cwd=tmp_path, BACKSTORY_DATA=str(data))


def test_serve_answers_on_tcp_and_clients_may_name_the_url(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    served = subprocess.Popen(
        [sys.executable, "-m", "backstory", "serve", "--data", str(tmp_path / "d"), "--port", str(port)],
        env=environment(),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert _until(lambda: places.owner(str(tmp_path / "d")).get("url") is not None, 60)
        url = f"http://127.0.0.1:{port}"
        done = run("remember", "Told over TCP.", "--url", url, "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        with Backstory(url=url) as memory:
            assert memory.status()["counts"]["events"] == 1
        there = run("status", "--json", cwd=tmp_path, BACKSTORY_DATA=str(tmp_path / "d"))
        assert json.loads(there.stdout)["pid"] == served.pid
    finally:
        served.terminate()
        assert served.wait(timeout=30) == 0


def test_only_loopback_is_served(tmp_path: Path) -> None:
    process = _start(tmp_path / "d", "--host", "0.0.0.0")  # noqa: S104  (refused)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert json.loads(said.splitlines()[-1])["code"] == "config"


def _misconfigured(data: Path) -> None:
    data.mkdir()
    (data / "config.yaml").write_text("runner: {bacth: 3}\n")


def _read_only(data: Path) -> None:
    data.mkdir()
    data.chmod(0o555)


def _newer_schema(data: Path) -> None:
    data.mkdir()
    with sqlite3.connect(data / "backstory.db") as connection:
        connection.execute("PRAGMA user_version = 9999")
        connection.execute("CREATE TABLE later (x)")
    connection.close()


def _other_model(data: Path) -> None:
    run("init", cwd=data.parent, BACKSTORY_DATA=str(data))
    run("daemon", "stop", cwd=data.parent, BACKSTORY_DATA=str(data))
    meta = data / "vectors" / "index.json"
    meta.write_text(json.dumps(json.loads(meta.read_text()) | {"model": "another/model@1"}))


@pytest.mark.parametrize(
    ("spoil", "code", "named"),
    [
        (_misconfigured, "config", "runner.bacth"),
        (_read_only, "store_read_only", "read-only"),
        (_newer_schema, "schema_too_new", "9999"),
        (_other_model, "model_mismatch", "another/model@1"),
    ],
)
def test_a_directory_that_cannot_be_used_is_a_clear_refusal(
    tmp_path: Path, spoil: Callable[[Path], None], code: str, named: str
) -> None:
    data = tmp_path / "d"
    spoil(data)
    done = run("remember", "x", "--json", cwd=tmp_path, BACKSTORY_DATA=str(data))
    assert done.returncode == exits.BY_CODE[code], done.stderr
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert named in error["message"]


def test_a_warm_question_costs_a_few_starts_of_python(command: Command, tmp_path: Path) -> None:
    """A ratio, because a busy machine slows both alike; the best of several, because it slows them at random."""
    assert command("remember", "The mill stopped because the tide was low.", "--wait").returncode == 0

    where: dict[str, Any] = {"env": environment(BACKSTORY_DATA=str(tmp_path / "d")), "cwd": tmp_path}

    def fastest(words: list[str]) -> float:
        times = []
        for _ in range(7):
            began = time.perf_counter()
            subprocess.run(words, capture_output=True, check=True, **where)
            times.append(time.perf_counter() - began)
        return min(times)

    python = [sys.executable]
    assert fastest([*python, "-m", "backstory", "why", "did the mill stop"]) < 15 * fastest([*python, "-c", "pass"])
