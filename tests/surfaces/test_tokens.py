"""Tokens: over TCP, where any is configured, one must be shown, and it opens its own scopes alone on every route."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from graph.errors import ConfigError
from graph.model.events import EventDraft
from infra import settings
from infra.container import open_embedded
from infra.runner import drain
from infra.settings import HttpSettings, TokenSettings
from infra.sockets import listen_tcp
from services.memory import MemoryService
from services.rest import create_app
from tests.surfaces.conftest import FAST, Command
from tests.surfaces.test_scope_matrix import MINE, READS, WRITES

TEXT = "Ana Berg stopped the mill because the tide was low."


def _token(secret: str, *scopes: str, **more: Any) -> dict[str, Any]:
    return {"agent": secret, "sha256": hashlib.sha256(secret.encode()).hexdigest(), "scopes": scopes, **more}


TOKENS = [
    _token("seven", MINE, default_scope=MINE),
    _token("teams", "team-*", default_scope="team-00", rights=("read", "write", "tend")),
    _token("reader", "team-*", rights=("read",)),
    _token("stranger", "elsewhere", default_scope="elsewhere"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    http = {"tokens": TOKENS}
    container = open_embedded(settings.load(tmp_path_factory.mktemp("tokens"), runner=FAST, http=http))
    memory = MemoryService(container)
    memory.remember([EventDraft(text=TEXT, scope=scope) for scope in (MINE, "team-08", "elsewhere")])
    assert drain(container, 60)
    yield TestClient(create_app(memory), base_url="http://localhost")
    container.close()


def _as(client: TestClient, secret: str) -> TestClient:
    return TestClient(client.app, base_url="http://localhost", headers={"Authorization": f"Bearer {secret}"})


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Basic seven", "Bearer ", "seven"])
def test_without_a_known_token_nothing_is_told(client: TestClient, header: str | None) -> None:
    for name in READS:
        method, path = name.split(" ")
        answer = client.request(method, path.replace("{id}", "x"), json={}, headers={"Authorization": header} if header else {})
        assert answer.status_code == 401, name
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["code"] == "forbidden"


def _mine(client: TestClient) -> str:
    found = _as(client, "seven").post("/v1/ask", json={"text": "why did the mill stop"}).json()["results"]
    assert [hit["scope"] for hit in found] == [MINE]
    return str(found[0]["id"])


@pytest.mark.parametrize("name", READS)
def test_a_token_opens_its_own_scope_and_no_other(client: TestClient, name: str) -> None:
    id_ = _mine(client)
    assert READS[name](_as(client, "seven"), id_).status_code == 200
    refused = READS[name](_as(client, "stranger"), id_)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert TEXT not in refused.text


def test_every_scope_at_once_is_the_owners_alone(client: TestClient) -> None:
    seven = _as(client, "teams")
    for path in ("/v1/receipts", "/v1/dead-letters"):
        assert seven.get(path, params={"all": True}).status_code == 403
    for path in ("/v1/rebuild", "/v1/repair"):
        assert seven.post(path, json={}).status_code == 403
    assert seven.get("/v1/doctor").status_code == 403
    assert seven.post("/v1/dead-letters/replay", json={}).status_code == 403
    assert seven.post("/v1/dead-letters/replay", json={"scopes": [MINE]}).json() == {"replayed": 0}
    assert _as(client, "seven").get("/v1/status").json()["counts"]["events"] == 1
    for path in ("merge", "split", "undo"):
        body = {"scope": "elsewhere", "keep": "a", "absorb": "b", "entity": "a", "observations": ["o"], "name": "n"}
        wanted = {"merge": {"keep", "absorb"}, "split": {"entity", "observations", "name"}, "undo": {"entity"}}[path] | {
            "scope"
        }
        refused = seven.post(f"/v1/entities/{path}", json={name: body[name] for name in wanted})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert len(WRITES) == 10  # a new one must be tried here too


def test_writing_stays_within_the_tokens_scopes_and_rights(client: TestClient) -> None:
    seven, reader = _as(client, "seven"), _as(client, "reader")
    event = {"text": "The pump was bought in May."}
    (receipt,) = seven.post("/v1/events", json={"events": [event]}).json()["receipts"]
    assert receipt["scope"] == MINE
    assert seven.post("/v1/events", json={"events": [event, event | {"scope": "team-08"}]}).status_code == 403
    assert reader.post("/v1/events", json={"events": [event | {"scope": MINE}]}).status_code == 403
    change = {"scope": MINE, "ids": [_mine(client)]}
    assert reader.post("/v1/status", json=change | {"status": "forgotten"}).status_code == 403
    assert _as(client, "stranger").post("/v1/pins", json=change).status_code == 403
    assert seven.post("/v1/pins", json=change).status_code == 200
    waited = {"ids": [receipt["event_id"]], "timeout": 0}
    assert len(seven.post("/v1/receipts/wait", json=waited).json()["receipts"]) == 1
    assert _as(client, "stranger").post("/v1/receipts/wait", json=waited).json() == {"receipts": []}


def test_every_answer_carries_a_request_id(client: TestClient) -> None:
    assert (
        client.get("/healthz", headers={"X-Request-Id": "abc-1", "Authorization": "Bearer seven"}).headers["x-request-id"]
        == "abc-1"
    )
    assert len(client.get("/healthz", headers={"X-Request-Id": "no\tgood"}).headers["x-request-id"]) == 32


def test_tokens_are_kept_as_digests_and_open_the_door_beyond_loopback() -> None:
    with pytest.raises(ValidationError):
        TokenSettings(agent="a", sha256="the secret itself", scopes=("x",))
    with pytest.raises(ConfigError):
        listen_tcp("0.0.0.0", 0)  # noqa: S104  (refused)
    listen_tcp("0.0.0.0", 0, tokens=True).close()  # noqa: S104
    assert HttpSettings().tokens == ()


def test_the_owner_needs_no_token_on_the_socket(command: Command, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "config.yaml").write_text(json.dumps({"http": {"tokens": TOKENS}}))
    done = command("status", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"]["events"] == 0
