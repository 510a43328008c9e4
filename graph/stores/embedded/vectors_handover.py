"""An index built beside a live shard: a child process copies and indexes it, then it takes over with what changed meanwhile."""

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import qdrant_edge as edge
import structlog

from graph.errors import StoreError
from graph.stores.embedded import vectors_build
from graph.stores.embedded.vectors_engine import LiveShard

POINTER = "current.json"
FIRST = "shard"
FIRST_FACTOR = 2  # how many times `after` points the first index waits for: small memories are searched exactly
SHARE = 40  # an index also waits for one point in so many that are indexed: a build copies the whole shard
REPLAY_UNDER_LOCK = 20  # changes that are replayed while writers wait; more are replayed before that
_log = structlog.get_logger()


def shard_in_use(directory: Path) -> Path:
    """The directory of the shard that the pointer names; what other builds left behind is removed."""
    pointer = _pointer(directory)
    path = directory / str(pointer.get("shard", FIRST))
    if pointer and not path.exists():
        raise StoreError(f"the vector index has lost {str(path)!r}: run `backstory rebuild vectors`")
    for other in directory.glob(FIRST + "*"):
        if other != path:
            shutil.rmtree(other, ignore_errors=True)
    return path


class Handover:
    """Decides when a shard gets a new index, has it built, and exchanges the shards under the writers' lock.

    A build that fails leaves the live shard as it is; the next one is tried when `after` more points have come.
    """

    def __init__(
        self, directory: Path, live: LiveShard, writing: threading.Lock, *, dim: int, sparse: bool, after: int
    ) -> None:
        self._directory = directory
        self._order = {"dim": dim, "sparse": sparse}
        self._live = live
        self._writing = writing
        self._after = after
        self.indexed = int(_pointer(directory).get("indexed", 0))
        self._due = self._next_after(self.indexed) if self.indexed else FIRST_FACTOR * after
        self._changes: list[edge.UpdateOperation] | None = None
        self._child: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False

    def consider(self, points: int) -> None:
        """Start a build in the background when enough points have no index and none is being built."""
        if not self._after or points < self._due or self._stopped or (self._thread is not None and self._thread.is_alive()):
            return
        self._due = self._next_after(points)
        self._thread = threading.Thread(target=self._run, name="vector-index-build", daemon=True)
        self._thread.start()

    def _next_after(self, points: int) -> int:
        return points + max(self._after, points // SHARE)

    def note(self, change: edge.UpdateOperation) -> None:
        """Remember a change for the index that is being built. The caller holds the writers' lock."""
        if self._changes is not None:
            self._changes.append(change)

    def wait(self) -> None:
        """Return when no build is running."""
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """End a running build and start no other."""
        self._stopped = True
        if self._child is not None:
            self._child.kill()
        self.wait()

    def _run(self) -> None:
        target = self._directory / _next_name(self._directory)
        try:
            count = self._build(target)
            self._take_over(target, count)
        except Exception as error:  # noqa: BLE001  (whatever went wrong, the live shard goes on and searches stay right)
            if not self._stopped:
                _log.warning("vector_index_build_failed", space=self._directory.name, error=type(error).__name__)
        finally:
            self._changes = None
            self._child = None
            if self._in_use() != target:
                shutil.rmtree(target, ignore_errors=True)

    def _build(self, target: Path) -> int:
        """Have the live shard copied and indexed; return how many points the copy has."""
        order = {"source": str(self._in_use()), "target": str(target), **self._order}
        command = [sys.executable, "-P", vectors_build.__file__, json.dumps(order)]
        with self._writing:  # nothing may change while the files are copied
            count = int(self._live.shard.count(edge.CountRequest()))
            self._child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
            _expect(self._child, vectors_build.COPIED)
            self._changes = []
        with self._child as child:
            if self._stopped:
                child.kill()
            _expect(child, vectors_build.DONE)
        return count

    def _take_over(self, target: Path, count: int) -> None:
        """Load the indexed copy, replay what changed, exchange, and remove the old one."""
        fresh, before = edge.EdgeShard.load(str(target)), self._in_use()
        try:
            done = self._replay(fresh, 0, REPLAY_UNDER_LOCK)
            fresh.flush()
            with self._writing:
                self._replay(fresh, done, 0)
                fresh.flush()
                _point_to(self._directory, target.name, count)
                old = self._live.exchange(fresh)
                self._changes = None
        except BaseException:
            fresh.close()
            raise
        self.indexed = count
        self._due = self._next_after(count)
        self._live.retire(old)
        shutil.rmtree(before, ignore_errors=True)

    def _replay(self, fresh: edge.EdgeShard, done: int, leave: int) -> int:
        """Apply changes after the first `done` ones until at most `leave` are left; return how many are applied."""
        changes = self._changes or []
        while len(changes) - done > leave:
            fresh.update(changes[done])
            done += 1
        return done

    def _in_use(self) -> Path:
        return self._directory / str(_pointer(self._directory).get("shard", FIRST))


def _expect(child: "subprocess.Popen[str]", word: str) -> None:
    line = child.stdout.readline().strip() if child.stdout else ""
    if line != word:
        raise RuntimeError(f"the build ended before it was {word}")


def _pointer(directory: Path) -> dict[str, Any]:
    path = directory / POINTER
    return dict(json.loads(path.read_text())) if path.exists() else {}


def _point_to(directory: Path, name: str, indexed: int) -> None:
    fresh = directory / (POINTER + ".new")
    with fresh.open("w") as file:
        json.dump({"shard": name, "indexed": indexed}, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(directory / POINTER)


def _next_name(directory: Path) -> str:
    """A new name, numbered for readers; this process's id keeps it apart from what the child of a killed one still writes."""
    numbers = [path.name.split("-")[1] for path in directory.glob(FIRST + "-*")]
    number = max((int(number) for number in numbers if number.isdigit()), default=1) + 1
    return f"{FIRST}-{number}-{os.getpid()}"
