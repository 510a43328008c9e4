"""The REST door: takes batches, answers, refuses clearly, and never shows what is not asked for by scope."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from graph import errors
from infra import settings
from infra.container import open_embedded
from infra.runner import Runner
from services import problems
from services.memory import MemoryService
from services.rest import create_app
from tests.surfaces.conftest import FAST

TEXTS = [
    "The billing service was moved to Postgres because the nightly vacuum blocked invoices.",
    "The nightly vacuum ran long because the invoice table was bloated.",
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryService]:
    http = {"max_body_bytes": 100_000, "max_batch": 50, "max_wait": 60.0}
    container = open_embedded(settings.load(tmp_path_factory.mktemp("rest"), runner=FAST, http=http))
    runner = Runner(container)
    runner.start()
    yield MemoryService(container, runner)
    runner.stop()
    container.close()


@pytest.fixture(scope="module")
def client(memory: MemoryService) -> TestClient:
    made = TestClient(create_app(memory), base_url="http://localhost", raise_server_exceptions=False)
    events = [{"text": text, "author": "ana", "authored_at": "2026-03-02T09:30:00+01:00"} for text in TEXTS]
    answer = made.post("/v1/events?wait=done&timeout=60", json={"events": events})
    assert answer.status_code == 202
    assert [receipt["state"] for receipt in answer.json()["receipts"]] == ["done", "done"]
    return made


def _ask(client: TestClient, **question: Any) -> dict[str, Any]:
    answer = client.post("/v1/ask", json={"text": "Why was billing moved to Postgres?", **question})
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def _done(client: TestClient, **event: Any) -> list[dict[str, Any]]:
    """Remember one event and wait for it; sent as ASCII, so that a lone surrogate arrives."""
    body, json_type = json.dumps({"events": [event]}), {"content-type": "application/json"}
    answer = client.post("/v1/events?wait=done", content=body, headers=json_type)
    receipts: list[dict[str, Any]] = answer.json()["receipts"]
    return receipts


def test_an_answer_has_the_shape_that_is_promised(client: TestClient) -> None:
    body = _ask(client)
    assert body["intents"][0] == "WHY"
    assert body["degraded"] == []
    assert body["warnings"] == []
    best = body["results"][0]
    assert best["text"] in TEXTS
    assert {"id", "text", "score", "authored_at", "author", "source", "session", "scope", "status", "path"} <= best.keys()
    assert (best["author"], best["authored_at"], best["scope"], best["status"]) == (
        "ana",
        "2026-03-02T08:30:00Z",
        "global",
        "active",
    )
    for step in (step for hit in body["results"] for step in hit["path"]):
        assert {"from", "to", "kind", "direction", "weight"} <= step.keys()
        assert step["direction"] in {"out", "in"}


def test_taking_the_same_in_again_gives_the_same_receipt(client: TestClient) -> None:
    body = {"events": [{"text": TEXTS[0], "author": "ana", "authored_at": "2026-03-02T09:30:00+01:00"}]}
    (receipt,) = client.post("/v1/events", json=body).json()["receipts"]
    assert receipt["created"] is False
    assert receipt["state"] == "done"


def test_the_same_key_with_another_body_is_a_conflict_and_stores_nothing(client: TestClient) -> None:
    first = client.post("/v1/events", json={"events": [{"text": "one", "key": "k", "scope": "conflict"}]})
    assert first.status_code == 202
    batch = {"events": [{"text": "fine", "scope": "conflict"}, {"text": "two", "key": "k", "scope": "conflict"}]}
    refused = client.post("/v1/events", json=batch)
    assert refused.status_code == 409
    assert refused.json()["code"] == "conflict"
    assert len(client.get("/v1/receipts", params={"scope": "conflict"}).json()["receipts"]) == 1


@pytest.mark.parametrize(
    ("event", "code", "named"),
    [
        ({"text": ""}, "invalid_input", "empty"),
        ({"text": " \n\t "}, "invalid_input", "empty"),
        ({}, "invalid_input", "events.0.text"),
        ({"text": "x", "txet": 1}, "invalid_input", "events.0.txet"),
        ({"text": "x", "scope": "../etc"}, "invalid_scope", "scope"),
        ({"text": "x", "scope": ""}, "invalid_scope", "scope"),
        ({"text": "x", "scope": "a b"}, "invalid_scope", "scope"),
        ({"text": "x", "authored_at": "yesterday"}, "invalid_input", "authored_at"),
        ({"text": "x", "authored_at": "0001-01-01T00:00:00+14:00"}, "invalid_time", "years 1 to 9999"),
    ],
)
def test_an_item_that_cannot_be_used_is_refused_by_its_place(
    client: TestClient, event: dict[str, Any], code: str, named: str
) -> None:
    before = client.get("/v1/status").json()["counts"]["events"]
    answer = client.post("/v1/events", json={"events": [event]})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == problems.MEDIA_TYPE
    body = answer.json()
    assert body["code"] == code
    assert named in body["detail"]
    assert body["retryable"] is False
    assert client.get("/v1/status").json()["counts"]["events"] == before


@pytest.mark.parametrize(
    "text",
    [
        "NUL \x00 inside",
        "lone \ud800 surrogate",
        "\u202eright to left",
        "\U000e0041tag",
        "emoji 👩‍👩‍👧 and ﷽",
        "0001-01-01 to 9999-12-31",
    ],
)
def test_strange_text_is_kept(client: TestClient, text: str) -> None:
    (receipt,) = _done(client, text=text, scope="odd")
    assert receipt["state"] == "done"
    shown = client.get(f"/v1/observations/{receipt['event_id']}", params={"scope": "odd"}).json()
    assert shown["draft"]["text"] == text.replace("\ud800", "\ufffd").replace("\x00", "")  # what no JSON or file could carry


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-03-02T09:30:00", "2026-03-02"])
def test_every_year_and_naive_times_are_taken(client: TestClient, moment: str) -> None:
    answer = client.post(
        "/v1/events", json={"events": [{"text": f"said at {moment}", "authored_at": moment, "scope": "times"}]}
    )
    assert answer.status_code == 202


@pytest.mark.parametrize("scope", ["team:a/b@c+d-e.f_g", "Grüße", "工程", "a" * 128])
def test_odd_scopes_work_on_every_read(client: TestClient, scope: str) -> None:
    (receipt,) = _done(client, text="Only here.", scope=scope)
    assert receipt["state"] == "done"
    assert [hit["text"] for hit in _ask(client, text="only here", scopes=[scope])["results"]] == ["Only here."]
    assert len(client.get("/v1/receipts", params={"scope": scope}).json()["receipts"]) == 1
    assert client.get("/v1/status", params={"scope": scope}).json()["counts"]["events"] == 1


def test_no_read_shows_another_scope(client: TestClient) -> None:
    secret = {"text": "Zanzibar is the code word of Postgres.", "scope": "secret", "authored_at": "2026-01-01", "author": "zed"}
    (receipt,) = client.post("/v1/events?wait=done", json={"events": [secret]}).json()["receipts"]
    (hit,) = _ask(client, text="Zanzibar code word", scopes=["secret"])["results"]
    for path in ("facts", "timeline", "entities", "receipts", "dead-letters"):
        assert "secret" not in client.get(f"/v1/{path}", params={"limit": 1000}).text
    assert "Zanzibar" not in str(_ask(client, text="Zanzibar code word Postgres", include_inactive=True, trace=True)["results"])
    for id_ in (receipt["event_id"], hit["id"]):
        assert client.get(f"/v1/observations/{id_}").status_code == 404
        assert client.get(f"/v1/observations/{id_}", params={"scope": "secret"}).status_code == 200
    assert client.post("/v1/status", json={"ids": [hit["id"]], "status": "forgotten"}).json() == {"moved": []}


def test_a_forgotten_item_is_not_found_until_it_is_restored(client: TestClient) -> None:
    text = "The walrus prefers the northern harbour."
    client.post("/v1/events?wait=done", json={"events": [{"text": text, "scope": "zoo"}]})
    (hit,) = _ask(client, text="walrus harbour", scopes=["zoo"])["results"]
    move = {"scope": "zoo", "ids": [hit["id"]]}
    assert client.post("/v1/status", json=move | {"status": "forgotten"}).json() == {"moved": [hit["id"]]}
    assert _ask(client, text="walrus harbour", scopes=["zoo"])["results"] == []
    assert client.post("/v1/status", json=move | {"status": "active"}).json() == {"moved": [hit["id"]]}
    assert [one["text"] for one in _ask(client, text="walrus harbour", scopes=["zoo"])["results"]] == [text]
    assert client.post("/v1/pins", json=move).json() == {"changed": [hit["id"]]}


def test_everything_shown_names_what_it_is_joined_to(client: TestClient) -> None:
    best = _ask(client)["results"][0]
    shown = client.get(f"/v1/observations/{best['id']}").json()
    assert shown["node"] == "observation"
    assert shown["text"] == best["text"]
    (record,) = [link["to"] for link in shown["links"] if link["kind"] == "PART_OF"]
    named = [link for link in shown["links"] if link["kind"] == "MENTIONS"]
    assert client.get(f"/v1/observations/{record}").json()["node"] == "record"
    assert client.get(f"/v1/observations/{named[0]['to']}").json()["node"] == "entity"
    assert named[0]["name"]


def test_bodies_are_limited_by_their_real_size(client: TestClient) -> None:
    big = b'{"events": [{"text": "' + b"x" * 200_000 + b'"}]}'
    told = client.post("/v1/events", content=big)
    assert (told.status_code, told.json()["code"]) == (413, "too_large")
    untold = client.post("/v1/events", content=(big[at : at + 10_000] for at in range(0, len(big), 10_000)))
    assert (untold.status_code, untold.json()["code"]) == (413, "too_large")
    many = client.post("/v1/events", json={"events": [{"text": str(n)} for n in range(51)]})
    assert (many.status_code, many.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 403),
        ({"host": "localhost.evil.example:80"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:7867"}, 200),
        ({"host": "127.0.0.1:7867"}, 200),
        ({"host": "[::1]:7867"}, 200),
        ({"content-encoding": "gzip"}, 422),
    ],
)
def test_only_our_own_hosts_and_origins_are_served(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.get("/healthz", headers=headers).status_code == status


def test_unknown_paths_and_methods_are_problems_too(client: TestClient) -> None:
    for answer in (client.get("/v1/nothing"), client.get("/v1/events"), client.post("/v1/ask", content=b"{not json")):
        assert answer.headers["content-type"] == problems.MEDIA_TYPE
        assert 400 <= answer.status_code < 500
        assert answer.json()["status"] == answer.status_code


@pytest.mark.parametrize(
    "question", [{"text": ""}, {"text": "x", "limit": 0}, {"text": "x", "limit": 201}, {"text": "x", "nope": 1}]
)
def test_a_question_that_cannot_be_asked_is_refused(client: TestClient, question: dict[str, Any]) -> None:
    answer = client.post("/v1/ask", json=question)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


def test_health_tells_the_seven_counts(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json()["status"] == "ready"
    body = client.get("/v1/status").json()
    assert {"events", "observations", "entities", "facts", "edges", "pending", "dead_letters"} <= body["counts"].keys()
    assert body["degraded"] == []


def test_every_error_of_the_tree_has_a_status() -> None:
    def codes(kind: type[errors.BackstoryError]) -> set[str]:
        return {kind.code}.union(*(codes(child) for child in kind.__subclasses__()))

    assert codes(errors.BackstoryError) == set(problems.STATUS)


def test_the_openapi_document_has_examples_of_what_is_sent(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert document["components"]["schemas"]["EventsIn"]["examples"]
    assert document["paths"]["/v1/ask"]["post"]["requestBody"]["content"]["application/json"]["schema"]["examples"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), f"{method} {path} says nothing"


def test_an_idempotency_key_is_the_key_of_what_it_comes_with(client: TestClient) -> None:
    headers, body = {"Idempotency-Key": "once"}, {"events": [{"text": "a", "scope": "idem"}, {"text": "b", "scope": "idem"}]}
    first = client.post("/v1/events", json=body, headers=headers).json()["receipts"]
    again = client.post("/v1/events", json=body, headers=headers).json()["receipts"]
    assert [one["event_id"] for one in first] == [one["event_id"] for one in again]
    assert [one["created"] for one in (*first, *again)] == [True, True, False, False]
    other = {"events": [{"text": "c", "scope": "idem"}]}
    assert client.post("/v1/events", json=other, headers=headers).status_code == 409


def test_an_item_that_did_not_change_is_not_sent_again(client: TestClient) -> None:
    path = f"/v1/observations/{_ask(client)['results'][0]['id']}"
    tag = client.get(path).headers["etag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_lists_of_receipts_go_on_at_their_cursor(client: TestClient) -> None:
    events = [{"text": f"page {number}", "scope": "pages"} for number in range(5)]
    told = [one["event_id"] for one in client.post("/v1/events", json={"events": events}).json()["receipts"]]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = client.get("/v1/receipts", params={"scope": "pages", "limit": 2} | ({"after": cursor} if cursor else {})).json()
        seen += [one["event_id"] for one in page["receipts"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == told


def test_progress_is_told_until_the_work_has_ended(client: TestClient) -> None:
    (receipt,) = client.post("/v1/events", json={"events": [{"text": "A new crane.", "scope": "sse"}]}).json()["receipts"]
    with client.stream("GET", f"/v1/receipts/{receipt['event_id']}/progress") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line.startswith("data: ")]
    states = [json.loads(line.removeprefix("data: "))["state"] for line in lines]
    assert states[-1] == "done"
    assert len(states) == len(set(states))
    assert client.get("/v1/receipts/nothing/progress").status_code == 404


def test_metrics_name_routes_and_never_ids_or_words(client: TestClient) -> None:
    id_ = _ask(client, text="a telling word: zanzibar")["results"][0]["id"]
    client.get(f"/v1/observations/{id_}")
    text = client.get("/metrics").text
    assert 'backstory_requests_total{method="POST",route="/v1/ask",status="200"}' in text
    assert 'backstory_items{kind="observations"}' in text
    assert 'le="+Inf"' in text
    assert id_ not in text
    assert "zanzibar" not in text
