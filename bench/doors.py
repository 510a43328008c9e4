"""What the doors cost: `python -m bench.doors --size 10000 [--seconds 5] [--json]`.

A daemon serves a made memory of this size; 1, 8 and 32 clients, each a process of its own, ask it over TCP on loopback. Printed
per number of clients: requests per second, median and p95 in milliseconds, and the median of what the door adds to the query
service's own time, which every answer carries.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from backstory.daemon import environment
from bench.door_client import load
from bench.latency import BATCH, questions
from bench.store import cache_folder, cached_embedder
from bench.synthetic import MAIN, Made
from infra import owner, settings
from infra.container import open_embedded

CLIENTS = (1, 8, 32)
WARM_SECONDS = 2.0
START_SECONDS = 120.0
FINISHED = "finished"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.doors", description="Requests per second and latencies of the REST door.")
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=5.0, help="per number of clients")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    directory = _built(options.size)
    asked = [text for _, text in questions(Made(options.size, cached_embedder(cache_folder())))]
    with _served(directory) as url:
        load(url, MAIN, asked, WARM_SECONDS)
        figures = [_measured(url, asked, clients, options.seconds) for clients in CLIENTS]
    if options.json:
        print(json.dumps({"size": options.size, "doors": figures}))
    else:
        _show(options.size, figures)
    return 0


def _built(size: int) -> Path:
    """The data directory of a made memory; built once."""
    directory = cache_folder() / f"doors-{size}"
    if (directory / FINISHED).exists():
        return directory
    shutil.rmtree(directory, ignore_errors=True)
    with closing(open_embedded(settings.load(directory))) as container:
        for batch in Made(size, cached_embedder(cache_folder())).batches(BATCH):
            container.graph.write(batch.graph)
            container.vectors.upsert(batch.points)
        container.vectors.flush()
    (directory / FINISHED).touch()
    return directory


@contextmanager
def _served(directory: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-P", "-m", "infra.daemon", "--data", str(directory), "--host", "127.0.0.1", "--port", str(port)]
    daemon = subprocess.Popen(command, env=environment())
    try:
        until = time.monotonic() + START_SECONDS
        while owner.read(directory).get("url") is None and time.monotonic() < until and daemon.poll() is None:
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        daemon.terminate()
        daemon.wait(timeout=60)


def _measured(url: str, asked: list[str], clients: int, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-P", "-m", "bench.door_client", url, MAIN, str(seconds)]
    each = []
    for place in range(clients):
        client = subprocess.Popen(command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        each.append((client, json.dumps(asked[place:] + asked[:place])))
    with ThreadPoolExecutor(clients) as pool:
        said = pool.map(lambda pair: pair[0].communicate(pair[1])[0], each)
        taken = np.array([pair for text in said for pair in json.loads(text)])
    return {
        "clients": clients,
        "per_second": round(len(taken) / seconds, 1),
        "p50_ms": round(float(np.percentile(taken[:, 0], 50)), 2),
        "p95_ms": round(float(np.percentile(taken[:, 0], 95)), 2),
        "added_p50_ms": round(float(np.percentile(taken[:, 0] - taken[:, 1], 50)), 2),
    }


def _show(size: int, figures: list[dict[str, Any]]) -> None:
    print(f"{size} observations\n{'clients':>8} {'per s':>8} {'p50 ms':>8} {'p95 ms':>8} {'added':>8}")
    for one in figures:
        print(f"{one['clients']:>8} {one['per_second']:>8} {one['p50_ms']:>8} {one['p95_ms']:>8} {one['added_p50_ms']:>8}")


if __name__ == "__main__":
    sys.exit(main())
