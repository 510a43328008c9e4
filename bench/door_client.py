"""One client of `bench.doors`, in a process of its own: asks until its time is over, prints what each answer took.

Reads questions (a JSON list) from standard input; prints pairs of milliseconds: as seen here, and of the query service.
"""

import json
import sys
import time

from backstory import calls
from backstory.transport import Transport


def load(url: str, scope: str, asked: list[str], seconds: float) -> list[tuple[float, float]]:
    """Ask over one connection, one question after the other."""
    transport = Transport(None, url, start=False)
    transport.request(*calls.status([scope]))
    taken = []
    until = time.perf_counter() + seconds
    number = 0
    while (began := time.perf_counter()) < until:
        body = transport.request(*calls.ask(asked[number % len(asked)], [scope], limit=10))
        taken.append(((time.perf_counter() - began) * 1000, float(body["ms"].get("total", 0.0))))
        number += 7
    transport.close()
    return taken


if __name__ == "__main__":
    print(json.dumps(load(sys.argv[1], sys.argv[2], json.load(sys.stdin), float(sys.argv[3]))))
