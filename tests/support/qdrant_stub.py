"""A Qdrant server's HTTP face over qdrant-client's local engine: the calls our adapter makes, with a server's refusals.

It refuses bodies over the limit and filters on fields without an index, and can be told to fail the next calls: with a 500,
by applying the call and then answering too late, or by dropping it unapplied.
"""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import BaseModel
from qdrant_client import QdrantClient, models

MAX_BODY = 32 * 1024 * 1024
LATE_S = 4.0


class Stub:
    """The state of the server: one local engine behind one lock, the indexed fields, the faults still to come."""

    def __init__(self) -> None:
        self.client = QdrantClient(":memory:")
        self.lock = threading.Lock()
        self.indexed: dict[str, set[str]] = {}
        self.faults: list[str] = []
        self.fired: list[str] = []
        self.largest = 0
        self.url = ""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        self.largest = max(self.largest, len(body))
        if len(body) > MAX_BODY:
            return 413, {"status": {"error": "payload too large"}}
        fault = self.faults.pop(0) if self.faults and "/points" in path and method != "GET" else ""
        if fault:
            self.fired.append(fault)
        if fault == "500":
            return 500, {"status": {"error": "told to fail"}}
        if fault == "late":
            self._handled(method, path, body)
            time.sleep(LATE_S)
        return self._handled(method, path, body)

    def _handled(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        parts = [part for part in path.split("?", maxsplit=1)[0].split("/") if part]
        asked = json.loads(body) if body else {}
        with self.lock:
            if parts in ([], ["healthz"]):
                return 200, {"title": "qdrant - stub", "version": "1.20.0"}
            if parts == ["collections"]:
                return self._ok(self.client.get_collections())
            name, rest = parts[1], "/".join(parts[2:])
            if rest == "exists":
                return self._ok({"exists": self.client.collection_exists(name)})
            handler = getattr(self, f"_{method.lower()}_{rest.replace('/', '_')}".rstrip("_"))
            refusal = self._unindexed(name, asked)
            return refusal or self._ok(handler(name, asked))

    def _ok(self, result: Any) -> tuple[int, Any]:
        plain = result.model_dump(mode="json", exclude_none=True) if isinstance(result, BaseModel) else result
        return 200, {"result": plain, "status": "ok", "time": 0.0}

    def _unindexed(self, name: str, asked: dict[str, Any]) -> tuple[int, Any] | None:
        fields = {c["key"] for c in (asked.get("filter") or {}).get("must", []) if "key" in c}
        missing = fields - self.indexed.get(name, set())
        return (400, {"status": {"error": f"index required but not found for {sorted(missing)}"}}) if missing else None

    def _put(self, name: str, asked: dict[str, Any]) -> bool:
        config = models.CreateCollection.model_validate(asked)
        return self.client.create_collection(name, config.vectors, config.sparse_vectors)

    def _put_index(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.indexed.setdefault(name, set()).add(asked["field_name"])
        return _done()

    def _put_points(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.client.upsert(name, [models.PointStruct.model_validate(point) for point in asked["points"]])
        return _done()

    def _post_points(self, name: str, asked: dict[str, Any]) -> list[Any]:
        request = models.PointRequest.model_validate(asked)
        found = self.client.retrieve(name, request.ids, with_payload=request.with_payload or False, with_vectors=False)
        return [record.model_dump(mode="json", exclude_none=True) for record in found]

    def _post_points_query(self, name: str, asked: dict[str, Any]) -> Any:
        query = asked["query"]
        nearest = query["nearest"] if isinstance(query, dict) and "nearest" in query else query
        return self.client.query_points(
            name,
            query=models.SparseVector.model_validate(nearest) if isinstance(nearest, dict) else nearest,
            using=asked.get("using"),
            query_filter=_filter(asked),
            limit=asked["limit"],
            with_payload=asked.get("with_payload", False),
        )

    def _post_points_scroll(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        records, offset = self.client.scroll(
            name,
            scroll_filter=_filter(asked),
            offset=asked.get("offset"),
            limit=asked.get("limit", 10),
            with_payload=asked.get("with_payload", True),
            with_vectors=asked.get("with_vector", False),
        )
        return {"points": [r.model_dump(mode="json", exclude_none=True) for r in records], "next_page_offset": offset}

    def _post_points_count(self, name: str, asked: dict[str, Any]) -> dict[str, int]:
        return {"count": self.client.count(name, count_filter=_filter(asked)).count}

    def _post_points_delete(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.client.delete(name, models.FilterSelector(filter=models.Filter.model_validate(asked["filter"])))
        return _done()

    def _post_points_payload(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.client.set_payload(name, asked["payload"], points=models.Filter.model_validate(asked["filter"]))
        return _done()


def _done() -> dict[str, Any]:
    return {"operation_id": 0, "status": "completed"}


def _filter(asked: dict[str, Any]) -> models.Filter | None:
    return models.Filter.model_validate(asked["filter"]) if asked.get("filter") else None


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, answer = stub.answer(self.command, self.path, body)
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 (the base class's names)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
            """Tests are quiet."""

    return Handler


@contextmanager
def qdrant_stub(port: int = 0) -> Iterator[tuple[str, Stub]]:
    """A running stub: its URL and its state."""
    stub = Stub()
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(stub))
    server.daemon_threads = True
    server.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield stub.url, stub
    finally:
        server.shutdown()
        server.server_close()
