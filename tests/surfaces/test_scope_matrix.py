"""Scope matrix: fifty scopes hold the same texts, and every read of every door shows one of them alone.

A route or tool that is not in the table fails the test until someone says how it keeps to its scope.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from httpx import ASGITransport, AsyncClient

from graph.model.events import EventDraft
from infra import settings
from infra.container import open_embedded
from infra.runner import drain
from services.memory import MemoryService
from services.rest import create_app
from tests.surfaces.conftest import FAST

SCOPES = [f"team-{number:02}" for number in range(50)]
MINE = "team-07"
TEXT = "Ana Berg stopped the mill because the tide was low."
QUESTION = {"text": "why did Ana Berg stop the mill", "scopes": [MINE], "limit": 200}
ONE_SCOPE: dict[str, Any] = {"params": {"scope": MINE, "limit": 1000}}

Read = Callable[[TestClient, str], Any]
# Every route that shows what was told, with a request that should show one scope's part of it.
READS: dict[str, Read] = {
    "POST /v1/ask": lambda client, _: client.post("/v1/ask", json=QUESTION | {"trace": True, "include_inactive": True}),
    "POST /v1/recall": lambda client, _: client.post("/v1/recall", json=QUESTION | {"profile": "router-7", "trace": True}),
    "POST /v1/search": lambda client, _: client.post("/v1/search", json=QUESTION | {"backend": "keyword"}),
    "POST /v1/context": lambda client, _: client.post("/v1/context", json={"prompt": QUESTION["text"], "scopes": [MINE]}),
    "GET /v1/observations/{id}": lambda client, id_: client.get(f"/v1/observations/{id_}", params={"scope": MINE}),
    "GET /v1/observations/{id}/similar": lambda client, id_: client.get(f"/v1/observations/{id_}/similar", **ONE_SCOPE),
    "GET /v1/observations/{id}/causes": lambda client, id_: client.get(
        f"/v1/observations/{id_}/causes", params={"scope": MINE}
    ),
    "GET /v1/facts": lambda client, _: client.get("/v1/facts", **ONE_SCOPE),
    "GET /v1/timeline": lambda client, _: client.get("/v1/timeline", **ONE_SCOPE),
    "GET /v1/entities": lambda client, _: client.get("/v1/entities", **ONE_SCOPE),
    "GET /v1/receipts": lambda client, _: client.get("/v1/receipts", **ONE_SCOPE),
    "GET /v1/dead-letters": lambda client, _: client.get("/v1/dead-letters", **ONE_SCOPE),
    "GET /v1/status": lambda client, _: client.get("/v1/status", params={"scope": MINE}),
}
# Routes that change something: each names its scope in the body, or works by receipts' ids alone and shows no content.
WRITES = {
    "POST /v1/events",
    "POST /v1/receipts/wait",
    "POST /v1/status",
    "POST /v1/pins",
    "POST /v1/dead-letters/replay",
    "POST /v1/entities/merge",
    "POST /v1/entities/split",
    "POST /v1/entities/undo",
    "POST /v1/rebuild",
    "POST /v1/repair",
}
# Routes that show nothing of what anyone said: states and figures.
OTHERS = {"GET /v1/receipts/{id}/progress", "GET /metrics", "GET /v1/doctor", "GET /healthz", "GET /readyz"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    container = open_embedded(settings.load(tmp_path_factory.mktemp("scopes"), runner=FAST))
    memory = MemoryService(container)
    drafts = [EventDraft(text=TEXT, author="bo", scope=scope, session=f"session of {scope}") for scope in SCOPES]
    memory.remember(drafts)
    assert drain(container, 120)
    yield create_app(memory)
    container.close()


def _routes(app: FastAPI) -> set[str]:
    paths = app.openapi()["paths"]
    return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def test_every_route_is_in_the_table(app: FastAPI) -> None:
    assert any(isinstance(route, APIRoute) for route in app.routes) or _routes(app)
    assert _routes(app) == set(READS) | WRITES | OTHERS


@pytest.mark.parametrize("name", READS)
def test_a_read_shows_one_scope_alone(app: FastAPI, name: str) -> None:
    client = TestClient(app, base_url="http://localhost")
    (mine,) = client.post("/v1/ask", json=QUESTION).json()["results"]
    answer = READS[name](client, mine["id"])
    assert answer.status_code == 200, answer.text
    others = [scope for scope in SCOPES if scope != MINE and scope in answer.text]
    assert others == []


def test_an_id_of_another_scope_is_as_unknown_as_any(app: FastAPI) -> None:
    client = TestClient(app, base_url="http://localhost")
    (mine,) = client.post("/v1/ask", json=QUESTION).json()["results"]
    links = client.get(f"/v1/observations/{mine['id']}", params={"scope": MINE}).json()["links"]
    for id_ in {mine["id"], *(link["to"] for link in links)}:
        assert client.get(f"/v1/observations/{id_}", params={"scope": "team-08"}).status_code == 404
    body = {"scope": "team-08", "ids": [mine["id"]], "status": "forgotten"}
    assert client.post("/v1/status", json=body).json() == {"moved": []}
    assert client.post("/v1/pins", json={"scope": "team-08", "ids": [mine["id"]]}).json() == {"changed": []}


def test_two_scopes_may_be_asked_together_and_no_third_comes_along(app: FastAPI) -> None:
    client = TestClient(app, base_url="http://localhost")
    both = client.post("/v1/ask", json=QUESTION | {"scopes": ["team-07", "team-33"]}).json()
    assert {hit["scope"] for hit in both["results"]} == {"team-07", "team-33"}
    assert client.post("/v1/ask", json=QUESTION | {"scopes": []}).json()["results"] == []


def test_many_at_once_do_not_mix(app: FastAPI) -> None:
    async def all_at_once() -> list[dict[str, Any]]:
        async with AsyncClient(transport=ASGITransport(app), base_url="http://localhost") as client:
            asked = [client.post("/v1/ask", json=QUESTION | {"scopes": [scope]}) for scope in SCOPES]
            return [json.loads(answer.content) for answer in await asyncio.gather(*asked)]

    for scope, body in zip(SCOPES, asyncio.run(all_at_once()), strict=True):
        assert [hit["scope"] for hit in body["results"]] == [scope]
        assert body["results"][0]["session"] == f"session of {scope}"
