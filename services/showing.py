"""Showing one item by its id: an observation, entity, fact, record or event, with what it is joined to."""

from collections.abc import Callable
from typing import Any

from graph.errors import NotFound
from graph.model.edges import Direction, EdgeKind, Hop, Walked
from graph.model.ids import EventId, observation_id
from graph.model.observations import Observation, Status
from graph.model.views import View
from infra.container import Container
from services import wire

EVERY_STATUS = frozenset(Status)
LINKS_PER_KIND = 16
MAX_PARTS = 64  # parts of an event that are looked for
SNIPPET_CHARS = 160


def everything_of(scopes: frozenset[str] | None) -> View:
    """A view of all states of the given scopes."""
    return View(scopes=scopes, statuses=EVERY_STATUS)


def item(container: Container, id_: str, scopes: frozenset[str] | None) -> dict[str, Any]:
    """The item as a table, with the kind of `node` it is and its `links`.

    Raises NotFound, for an item of another scope just as for none.
    """
    view = everything_of(scopes)
    finders: tuple[Callable[[], dict[str, Any] | None], ...] = (
        lambda: _observation(container, id_, view),
        lambda: _entity(container, id_, view),
        lambda: _fact(container, id_, view),
        lambda: _record(container, id_, view),
        lambda: _event(container, id_, view),
    )
    for find in finders:
        if (found := find()) is not None:
            return found
    raise NotFound(f"nothing has the id {id_!r} in the scopes asked for", id=id_)


def _observation(container: Container, id_: str, view: View) -> dict[str, Any] | None:
    found = container.reader.observations([id_], view)
    if not found:
        return None
    return {"node": "observation", **wire.observation(found[0]), "links": links(container, id_, view)}


def _entity(container: Container, id_: str, view: View) -> dict[str, Any] | None:
    found = container.lookup.entities([id_], view)
    return {"node": "entity", **wire.entity(found[0]), "links": links(container, id_, view)} if found else None


def _fact(container: Container, id_: str, view: View) -> dict[str, Any] | None:
    found = container.lookup.facts(view, ids=[id_])
    return {"node": "fact", **wire.fact(found[0]), "links": links(container, id_, view)} if found else None


def _record(container: Container, id_: str, view: View) -> dict[str, Any] | None:
    found = container.reader.records([id_], view)
    if not found:
        return None
    passages = container.reader.passages_of([id_], view, limit=200)
    return {"node": "record", **found[0].model_dump(mode="json"), "observations": [_short(one) for one in passages]}


def _event(container: Container, id_: str, view: View) -> dict[str, Any] | None:
    receipts = container.ledger.receipts([id_], scopes=view.scopes)
    receipts = [one for one in receipts if view.scopes is None or one.scope in view.scopes]
    events = container.ledger.events([id_]) if receipts else []
    if not events:
        return None
    event = events[0]
    parts = [observation_id(EventId(id_), event.scope, part) for part in range(MAX_PARTS)]
    seen = container.reader.observations(parts, view)
    return {
        "node": "event",
        **event.model_dump(mode="json"),
        "receipt": wire.receipt(receipts[0]),
        "observations": [_short(one) for one in seen],
    }


def links(container: Container, id_: str, view: View) -> list[dict[str, Any]]:
    """The heaviest edges of each kind and direction, with a readable name of the other end where it has one."""
    hops = [Hop(kind, direction, fanout=LINKS_PER_KIND) for kind in EdgeKind for direction in Direction]
    walked = container.reader.expand([id_], hops, view)
    names = _names(container, walked, view)
    return [wire.link(one) | {"name": names.get(one.to, "")} for one in walked]


def _names(container: Container, walked: list[Walked], view: View) -> dict[str, str]:
    ids = list(dict.fromkeys(one.to for one in walked))
    named: dict[str, str] = {one.id: _snippet(one) for one in container.reader.observations(ids, view)}
    named.update((one.id, one.name) for one in container.lookup.entities(ids, view))
    named.update((one.id, one.sentence) for one in container.lookup.facts(view, ids=ids, limit=max(1, len(ids))))
    named.update((one.id, one.title or one.key) for one in container.reader.records(ids, view))
    return named


def _short(one: Observation) -> dict[str, Any]:
    return {"id": one.id, "position": one.position, "part": one.part, "section": one.section, "text": _snippet(one)}


def _snippet(one: Observation) -> str:
    text = " ".join(one.text.split())
    return text if len(text) <= SNIPPET_CHARS else text[: SNIPPET_CHARS - 1] + "…"
