"""How long a question takes: `python -m bench.latency --sizes 10000,100000 [--json]`.

Builds made memories of these sizes through the product's stores (kept in the cache folder), asks each kind of question, and
prints per size the median, p95 and p99 in milliseconds: in all, per intent, per leg, in a small scope, and while another
thread writes; and memory and disk. The question's embedding is included.
"""

import argparse
import gc
import hashlib
import json
import multiprocessing
import shutil
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench import synthetic
from bench.store import cache_folder, cached_embedder
from bench.synthetic import MAIN, SIDE, Made, name_of
from graph.model.questions import Intent, Question
from graph.retrieve.asker import Asker
from graph.stores.embedded.database import Database
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.lookup import SqliteLookup
from graph.stores.embedded.vectors import EdgeVectors
from infra.clock import SystemClock
from infra.models.minilm import MiniLM

BATCH = 500  # observations written together
FLUSHED = 10  # batches between flushes
QUESTIONS = 40  # of each intent
WARM_UP = 8
WRITTEN_PER_SECOND = 100  # observations, while questions are asked
FINISHED = "finished"
FORMS: dict[Intent, tuple[str, ...]] = {
    Intent.WHY: ("Why did {a} {stem}?", "What caused {a} to be changed?", "Why was {a} changed?", "What led to {reason}?"),
    Intent.WHEN: ("When did {a} change?", "When was it that {reason}?", "When did we talk about {a} and {b}?"),
    Intent.ENTITY: ("Who works on {a}?", "Which service depends on {a}?", "What is {a}?"),
    Intent.WHAT: ("What happened to {a}?", "What do we know about {reason}?", "Tell me about {a} and {b}."),
}


_clock = time.perf_counter


class Timed:
    """A port whose calls are timed by name; a search is named by its space, and by whether it is among given owners."""

    def __init__(self, port: object, spent: defaultdict[str, float]) -> None:
        self._port = port
        self._spent = spent

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)
        return self._timed(name, found) if callable(found) else found

    def _timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            began = _clock()
            try:
                return call(*given, **named)
            finally:
                self._spent[_leg(name, given, named)] += (_clock() - began) * 1000

        return timed


def _leg(name: str, given: tuple[Any, ...], named: dict[str, Any]) -> str:
    if name not in {"search", "vectors"}:
        return name
    kind = "sparse" if len(given) > 1 and hasattr(given[1], "indices") else "dense"
    owners = " among" if named.get("among") is not None else ""
    return f"{name} {given[0].value}" + (f" {kind}{owners}" if name == "search" else "")


def questions(made: Made) -> list[tuple[Intent, str]]:
    """The same questions for every run: names of middling frequency, happenings and reasons of the memory."""
    pick = np.random.default_rng(synthetic.SEED)
    asked = []
    for intent, forms in FORMS.items():
        for number in range(QUESTIONS):
            observation = int(pick.integers(made.size))
            action, reason = made.topics[made.topic[observation]]
            a, b = (name_of(int(entity)) for entity in made.names[observation][:2])
            text = forms[number % len(forms)].format(a=a, b=b, reason=reason, stem=action)
            asked.append((intent, text))
    return asked


def measure(size: int, folder: Path) -> dict[str, Any]:
    """All figures of one size; the memory is built first where it is not there yet."""
    _built(size, folder)
    made = Made(size, cached_embedder(folder.parent))
    began = time.perf_counter()
    with _stores(folder) as (graph, lookup, vectors):
        opened = (time.perf_counter() - began) * 1000
        spent: defaultdict[str, float] = defaultdict(float)
        timed: list[Any] = [Timed(port, spent) for port in (graph, lookup, vectors, MiniLM())]
        asker = Asker(timed[0], timed[1], timed[2], timed[3], SystemClock())
        asked = questions(made)
        for _, text in asked[:: len(asked) // WARM_UP]:
            asker.ask(Question(text=text, scopes=(MAIN,)))
        legs: defaultdict[str, list[float]] = defaultdict(list)
        times = [(intent, _ask(asker, text, MAIN, spent, legs)) for intent, text in asked]
        found: dict[str, Any] = {
            "size": size,
            "ms": _percentiles([ms for _, ms in times]),
            "by_intent": {i.value: _percentiles([ms for intent, ms in times if intent is i]) for i in FORMS},
            "legs": {leg: _percentiles(values) for leg, values in sorted(legs.items())},
            "small_scope": _percentiles([_ask(asker, text, SIDE, spent, None) for _, text in asked[::2]]),
            "open_ms": round(opened, 1),
            "rss_mb": _memory_mb("VmRSS"),
            "anon_mb": _memory_mb("RssAnon"),
            "disk_mb": sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) >> 20,
            "indexed": {space.value: count for space, count in vectors.indexed().items()},
        }
        with _writing(made, graph, vectors) as written:
            found["while_writing"] = _percentiles([_ask(asker, text, MAIN, spent, None) for _, text in asked])
        return found | {"written_meanwhile": written[0]}


def _ask(
    asker: Asker, text: str, scope: str, spent: defaultdict[str, float], legs: defaultdict[str, list[float]] | None
) -> float:
    """Milliseconds of one question; time spent in each port is added to `legs`."""
    spent.clear()
    began = _clock()
    asker.ask(Question(text=text, scopes=(scope,)))
    ms = (_clock() - began) * 1000
    if legs is not None:
        for leg, part in spent.items():
            legs[leg].append(part)
        legs["all else"].append(ms - sum(spent.values()))
    return ms


@contextmanager
def _writing(made: Made, graph: SqliteGraph, vectors: EdgeVectors) -> Iterator[list[int]]:
    """Observations are written again from another thread, at most WRITTEN_PER_SECOND, while the block runs."""
    stop, written = threading.Event(), [0]
    length = WRITTEN_PER_SECOND // 5

    def write() -> None:
        for batch in made.batches(length):
            began = time.perf_counter()
            graph.write(batch.graph)
            vectors.upsert(batch.points)
            written[0] += len(batch.graph.observations)
            if stop.wait(max(0.0, length / WRITTEN_PER_SECOND - (time.perf_counter() - began))):
                return

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield written
    finally:
        stop.set()
        thread.join()


@contextmanager
def _stores(folder: Path) -> Iterator[tuple[SqliteGraph, SqliteLookup, EdgeVectors]]:
    database = Database(folder / "memory.sqlite")
    with closing(database), closing(EdgeVectors(folder / "vectors", MiniLM.dim, "bench")) as vectors:
        yield SqliteGraph(database), SqliteLookup(database), vectors


def _built(size: int, folder: Path) -> None:
    """Build in a process of its own, so that its memory is not measured."""
    if (folder / FINISHED).exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    builder = multiprocessing.get_context("spawn").Process(target=_build, args=(size, folder))
    builder.start()
    builder.join()
    if builder.exitcode:
        raise SystemExit(f"the memory of {size} observations could not be built")


def _build(size: int, folder: Path) -> None:
    made = Made(size, cached_embedder(folder.parent))
    with _stores(folder) as (graph, _, vectors):
        for number, batch in enumerate(made.batches(BATCH)):
            graph.write(batch.graph)
            vectors.upsert(batch.points)
            if number % FLUSHED == 0:
                vectors.flush()
                print(f"\r{size}: {number * BATCH}", end="", file=sys.stderr, flush=True)
        vectors.settle()
    print(file=sys.stderr)
    (folder / FINISHED).touch()


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    return {f"p{p}": round(float(np.percentile(values, p)), 2) for p in (50, 95, 99)} if values else {}


def _memory_mb(line: str) -> int:
    """A line of this process's status in MiB (Linux; 0 elsewhere): VmRSS counts mapped files too, RssAnon does not."""
    gc.collect()
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(found.split()[1]) >> 10 for found in lines if found.startswith(line)), 0)


def _folder(size: int) -> Path:
    digest = hashlib.sha256(Path(synthetic.__file__).read_bytes()).hexdigest()[:12]
    return cache_folder() / f"latency-{size}-{digest}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.latency", description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--fresh", action="store_true", help="build the memories anew")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--cpu", action="store_true", help="this process's CPU time instead of time on the wall")
    options = parser.parse_args(arguments)
    if options.cpu:
        global _clock  # noqa: PLW0603  (one clock for the whole run)
        _clock = time.process_time
    found = []
    for size in (int(size) for size in options.sizes.split(",")):
        if options.fresh:
            shutil.rmtree(_folder(size), ignore_errors=True)
        found.append(measure(size, _folder(size)))
        if not options.json:
            _show(found[-1])
    if options.json:
        print(json.dumps({"sizes": found}))
    return 0


def _show(figures: dict[str, Any]) -> None:
    size, opened, rss, anon, disk = (figures[name] for name in ("size", "open_ms", "rss_mb", "anon_mb", "disk_mb"))
    print(f"{size:>9,} observations: opened in {opened:.0f} ms, {rss} MB ({anon} without mapped files), disk {disk} MB")
    rows = {"all": figures["ms"], **figures["by_intent"], "small scope": figures["small_scope"]}
    rows |= {"while writing": figures["while_writing"], **figures["legs"]}
    for name, row in rows.items():
        print(f"  {name:<28}" + "".join(f"{row.get(f'p{p}', 0):>9.2f}" for p in (50, 95, 99)))


if __name__ == "__main__":
    raise SystemExit(main())
