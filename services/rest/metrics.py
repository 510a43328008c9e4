"""Figures for Prometheus: requests by route and status, how long they took, and how the memory stands."""

from collections import Counter, defaultdict
from threading import Lock

from services.memory import MemoryService

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts requests; routes are templates, so that no id or word of a request becomes a label."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: Counter[tuple[str, float]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._lock = Lock()

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Take one finished request in."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds[route] += seconds
            for edge in (*BUCKETS, float("inf")):
                self._buckets[route, edge] += seconds <= edge

    def text(self, memory: MemoryService) -> str:
        """The exposition: requests, latencies, counts of the memory, age of the backlog."""
        lines = ["# TYPE backstory_requests_total counter"]
        with self._lock:
            for (method, route, status), count in sorted(self._requests.items()):
                lines.append(f'backstory_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}')
            lines.append("# TYPE backstory_request_seconds histogram")
            for (route, edge), count in sorted(self._buckets.items()):
                label = "+Inf" if edge == float("inf") else f"{edge:g}"
                lines.append(f'backstory_request_seconds_bucket{{route="{route}",le="{label}"}} {count}')
            for route, seconds in sorted(self._seconds.items()):
                lines.append(f'backstory_request_seconds_sum{{route="{route}"}} {seconds:.6f}')
                lines.append(f'backstory_request_seconds_count{{route="{route}"}} {self._buckets[route, float("inf")]}')
        state = memory.status(None)
        lines.append("# TYPE backstory_items gauge")
        lines += [f'backstory_items{{kind="{kind}"}} {count}' for kind, count in state["counts"].items()]
        lines += ["# TYPE backstory_backlog_age_seconds gauge"]
        lines += [f"backstory_backlog_age_seconds {state['backlog_age_seconds'] or 0:.3f}"]
        lines += ["# TYPE backstory_degraded gauge", f"backstory_degraded {len(state['degraded'])}"]
        return "\n".join(lines) + "\n"
