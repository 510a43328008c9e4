"""Recall by rules: one question per rule goes where its rule says; nothing is routed unless a profile is named."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from graph.model.events import EventDraft
from graph.retrieve.routing.backends import ALIASES, Backend
from graph.retrieve.routing.rules import PROFILES, profile
from infra import settings
from infra.container import open_embedded
from infra.runner import drain
from services.memory import MemoryService
from services.recalling import chain_of
from services.rest import create_app
from tests.surfaces.conftest import FAST

TEXTS = [
    "Because the tide was low the mill stopped.",
    "The mill stopped, and so the bakery closed.",
    "AuthService was moved to src/auth/login.py last week.",
]
ENVELOPE = set(
    "query_echo routed_to routed_mode fallback_chain fallbacks_used results result_count normalized_relevance status "
    "router_duration_ms backend_duration_ms decision degraded warnings score_basis".split()
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    container = open_embedded(settings.load(tmp_path_factory.mktemp("recall"), runner=FAST))
    memory = MemoryService(container)
    memory.remember([EventDraft(text=text, authored_at="2026-03-02", session="s1") for text in TEXTS])  # type: ignore[arg-type]  # parsed
    memory.remember([EventDraft(text=TEXTS[0], scope="foreign", session="s9")])
    assert drain(container, 60)
    yield TestClient(create_app(memory), base_url="http://localhost")
    container.close()


def _recall(client: TestClient, text: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/v1/recall", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_without_a_profile_nothing_is_routed(client: TestClient) -> None:
    body = _recall(client, "why did the mill stop")
    assert body.keys() >= ENVELOPE
    assert (body["decision"]["rule"], body["fallback_chain"], body["routed_to"]) == ("ordinary", ["graph"], "graph")
    assert body["status"] in {"success", "partial"}  # how sure it is depends on the fitted weights
    assert TEXTS[0] in [one["content"] for one in body["results"]]
    assert "trace" not in body or body["trace"] is None


@pytest.mark.parametrize("name", PROFILES)
def test_every_rule_has_a_chain_that_can_be_called(name: str) -> None:
    from graph.retrieve.routing.rules import Match  # noqa: PLC0415

    for rule in profile(name):
        chain = chain_of(Match(rule, ""))
        assert chain, rule.id
        assert len(chain) == len(set(chain))


@pytest.mark.parametrize("name", PROFILES)
def test_a_named_profile_says_which_rule_fired(client: TestClient, name: str) -> None:
    body = _recall(client, "why did we decide to stop the mill", profile=name, trace=True)
    assert body["decision"]["profile"] == name
    assert body["decision"]["rule"] != "ordinary"
    assert body["decision"]["intents"][0] == "WHY"
    assert body["status"] in {"success", "partial"}
    assert len(body["trace"]) == body["fallbacks_used"] + 1


@pytest.mark.parametrize("backend", [*Backend, *ALIASES])
def test_every_backend_answers_under_its_names_and_within_its_scope(client: TestClient, backend: str) -> None:
    answer = client.post("/v1/search", json={"text": "the mill stopped", "backend": backend})
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] in {"success", "partial", "empty"}
    assert body["degraded"] == []
    assert [one["relevance"] for one in body["results"]] == sorted((one["relevance"] for one in body["results"]), reverse=True)
    assert len({one["content"] for one in body["results"]}) == body["result_count"]  # the foreign twin would repeat a text


def test_an_unknown_profile_or_backend_is_refused(client: TestClient) -> None:
    assert client.post("/v1/recall", json={"text": "x", "profile": "router-99"}).status_code == 422
    assert client.post("/v1/search", json={"text": "x", "backend": "oracle"}).json()["code"] == "invalid_input"


def test_neighbours_of_an_observation_stay_in_its_scope(client: TestClient) -> None:
    body = _recall(client, "the tide was low")
    id_ = next(one["id"] for one in body["results"] if one["content"] == TEXTS[0])
    near = client.get(f"/v1/observations/{id_}/similar").json()["similar"]
    assert near
    assert {one["scope"] for one in near} == {"global"}
    assert id_ not in {one["id"] for one in near}
    chain = client.get(f"/v1/observations/{id_}/causes", params={"direction": "out"}).json()["chain"]
    assert {link["text"] for link in chain} <= set(TEXTS)
    for path in ("similar", "causes"):
        assert client.get(f"/v1/observations/{id_}/{path}", params={"scope": "foreign"}).status_code == 404
