"""The server mode on loopback: Redis, Neo4j, a Qdrant stub of our own, and workers as processes that can be killed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from infra import settings
from infra.container import Container
from infra.server import open_server
from tests.support.qdrant_stub import Stub, qdrant_stub
from tests.support.servers import free_port, missing, neo4j_server, wait_for_port

ROOT = Path(__file__).parents[2]


class Redis:
    """A redis-server without persistence, which can be killed and started again on its port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        server = shutil.which("redis-server") or missing("redis", "redis-server is not installed")
        command = [str(server), "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen([*command, "--dir", str(self.folder)], stdout=subprocess.DEVNULL)
        wait_for_port(self.port, self.process)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.kills += 1


class Worker:
    """One Celery worker in a process group of its own."""

    def __init__(self, env: dict[str, str], queues: str, log: Path, *, beat: bool = False) -> None:
        self.kills = 0
        self._command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "workers.app",
            "worker",
            "-Q",
            queues,
            "-c",
            "1",
            "-l",
            "warning",
        ]
        if beat:
            self._command += ["-B", "-s", str(log.with_suffix(".beat"))]
        self._env = env
        self._log = log
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._env, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """kill -9 of the worker and its child; returns when they are gone."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.kills += 1


class Cluster:
    """Everything that is running, and a client's own container."""

    def __init__(self, folder: Path, redis: Redis, stub: Stub, env: dict[str, str], client: Container) -> None:
        self.folder, self.redis, self.stub, self.env, self.client = folder, redis, stub, env, client
        self.workers: list[Worker] = []

    def work(self, queues: str = "backstory.interactive,backstory.bulk,backstory.maintenance", *, beat: bool = True) -> Worker:
        worker = Worker(self.env, queues, self.folder / f"worker-{len(self.workers)}.log", beat=beat)
        self.workers.append(worker)
        return worker

    def drained(self, timeout: float) -> bool:
        """Wait until nothing is pending any more."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            if not self.client.reader.counts(None)["pending"]:
                return True
            time.sleep(0.3)
        return False

    def logs(self) -> str:
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(self.folder.glob("worker-*.log")))


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        redis = Redis(folder)
        redis.start()
        stack.callback(redis.kill)
        neo4j = stack.enter_context(neo4j_server(folder / "neo4j"))
        qdrant, stub = stack.enter_context(qdrant_stub())
        named = {
            "neo4j_uri": neo4j,
            "neo4j_user": "",
            "qdrant_url": qdrant,
            "qdrant_prefix": f"t{free_port()}",
            "broker_url": redis.url,
        }
        quick = {"lease": 5.0, "backoff": 0.2}
        env = {**os.environ, "BACKSTORY_DATA": str(folder / "data"), "BACKSTORY_MODE": "server"}
        env |= {f"BACKSTORY_SERVER__{name.upper()}": value for name, value in named.items()}
        env |= {f"BACKSTORY_RUNNER__{name.upper()}": str(value) for name, value in quick.items()}
        client = open_server(settings.load(folder / "data", mode="server", server=named, runner=quick))
        stack.callback(client.close)
        running = Cluster(folder, redis, stub, env, client)
        try:
            yield running
        finally:
            for worker in running.workers:
                worker.kill()
