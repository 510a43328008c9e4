"""The calls of the service as values: what both clients and the command line send. Pure functions."""

from datetime import datetime
from typing import Any, NamedTuple

WAIT_SLICE = 20.0  # seconds that one request waits; longer waits are several requests
IDS_PER_WAIT = 1000


class Call(NamedTuple):
    """One request."""

    method: str
    path: str
    body: Any = None


def remember(events: list[dict[str, Any]], wait: str | None = None, timeout: float = WAIT_SLICE) -> Call:
    query = _query(wait=wait, timeout=timeout) if wait else ""
    return Call("POST", "/v1/events" + query, {"events": [_plain(event) for event in events]})


def state_of(wait: bool | str) -> str:
    """The state that `wait` names; True is the end of all work."""
    return wait if isinstance(wait, str) else "done"


def wait(ids: list[str], state: str, timeout: float) -> Call:
    return Call("POST", "/v1/receipts/wait", {"ids": ids, "state": state, "timeout": min(timeout, WAIT_SLICE)})


def ask(text: str, scopes: list[str], **options: Any) -> Call:
    """`options` are fields of a question: intent, limit, as_of, session, author, include_inactive, trace, ...

    `asked_at` is this machine's clock unless given: "yesterday" is the asker's yesterday.
    """
    given = {"asked_at": _now()} | {name: value for name, value in options.items() if value is not None}
    return Call("POST", "/v1/ask", _plain({"text": text, "scopes": scopes, **given}))


def recall(text: str, scopes: list[str], profile: str | None, **options: Any) -> Call:
    call = ask(text, scopes, **options)
    return Call("POST", "/v1/recall", call.body | {"profile": profile})


def search(text: str, scopes: list[str], backend: str, **options: Any) -> Call:
    call = ask(text, scopes, **options)
    return Call("POST", "/v1/search", call.body | {"backend": backend})


def similar(id_: str, scopes: list[str], limit: int) -> Call:
    return Call("GET", f"/v1/observations/{_quoted(id_)}/similar" + _query(scope=scopes, limit=limit))


def causes(id_: str, scopes: list[str], direction: str, depth: int) -> Call:
    query = _query(scope=scopes, direction=direction, depth=depth)
    return Call("GET", f"/v1/observations/{_quoted(id_)}/causes" + query)


def context(prompt: str | None, scopes: list[str], profile: str, session: str | None) -> Call:
    return Call("POST", "/v1/context", {"prompt": prompt, "scopes": scopes, "profile": profile, "session": session})


def show(id_: str, scopes: list[str]) -> Call:
    return Call("GET", f"/v1/observations/{_quoted(id_)}" + _query(scope=scopes))


def facts(scopes: list[str], **options: Any) -> Call:
    return Call("GET", "/v1/facts" + _query(scope=scopes, **options))


def timeline(scopes: list[str], **options: Any) -> Call:
    return Call("GET", "/v1/timeline" + _query(scope=scopes, **options))


def entities(scopes: list[str], **options: Any) -> Call:
    return Call("GET", "/v1/entities" + _query(scope=scopes, **options))


def merge_entities(scope: str, keep: str, absorb: str) -> Call:
    return Call("POST", "/v1/entities/merge", {"scope": scope, "keep": keep, "absorb": absorb})


def split_entity(scope: str, entity: str, observations: list[str], name: str, type_: str | None = None) -> Call:
    body = {"scope": scope, "entity": entity, "observations": observations, "name": name, "type": type_}
    return Call("POST", "/v1/entities/split", body)


def undo_entity(scope: str, entity: str) -> Call:
    return Call("POST", "/v1/entities/undo", {"scope": scope, "entity": entity})


def receipts(scopes: list[str] | None, **options: Any) -> Call:
    return Call("GET", "/v1/receipts" + _query(scope=scopes, **_everything(scopes), **options))


def dead_letters(scopes: list[str] | None, **options: Any) -> Call:
    return Call("GET", "/v1/dead-letters" + _query(scope=scopes, **_everything(scopes), **options))


def replay(scopes: list[str] | None, ids: list[str] | None) -> Call:
    return Call("POST", "/v1/dead-letters/replay", {"ids": ids, "scopes": scopes})


def set_status(scope: str, ids: list[str], status: str, reason: str = "") -> Call:
    return Call("POST", "/v1/status", {"scope": scope, "ids": ids, "status": status, "reason": reason})


def pin(scope: str, ids: list[str], *, pinned: bool = True) -> Call:
    return Call("POST", "/v1/pins", {"scope": scope, "ids": ids, "pinned": pinned})


def status(scopes: list[str] | None = None) -> Call:
    return Call("GET", "/v1/status" + _query(scope=scopes))


def doctor(*, repair: bool = False) -> Call:
    return Call("POST", "/v1/repair") if repair else Call("GET", "/v1/doctor")


def rebuild(part: str = "all") -> Call:
    return Call("POST", "/v1/rebuild", {"part": part})


def _now() -> datetime:
    return datetime.now().astimezone()


def _everything(scopes: list[str] | None) -> dict[str, Any]:
    return {"all": "true"} if scopes is None else {}


def _query(**options: Any) -> str:
    given = {name: _text(value) for name, value in options.items() if value is not None and value is not False}
    if not given:
        return ""
    from urllib.parse import urlencode  # noqa: PLC0415  (a question has no need of it, and it costs the command's start)

    return "?" + urlencode(given, doseq=True)


def _quoted(id_: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415  (see _query)

    return quote(id_, safe="")


def _text(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return "true" if value is True else value


def _plain(body: dict[str, Any]) -> dict[str, Any]:
    """The body with times as ISO 8601."""
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in body.items()}
