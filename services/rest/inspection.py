"""Routes for looking: items, facts, timeline, entities, receipts, dead letters, health."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from graph.errors import BackstoryError
from graph.model.events import Receipt, ReceiptState
from graph.model.times import Window, to_utc
from services import problems, wire
from services.rest.grants import grant_of, scopes_of
from services.rest.metrics import MEDIA_TYPE, Metrics
from services.rest.routes import memory_of, sent
from services.rest.schemas import LimitQuery, ReceiptsOut, ScopesQuery

inspection_router = APIRouter()

MomentQuery = Annotated[datetime | None, Query()]
AllQuery = Annotated[bool, Query(alias="all", description="Every scope; for the owner of the data.")]


def _paged(found: Sequence[Receipt], limit: int) -> dict[str, Any]:
    """A page and the cursor of the next one (`after`), null when this is the last."""
    return wire.receipts(found) | {"next": found[-1].event_id if len(found) == limit else None}


def _utc(moment: datetime | None) -> datetime | None:
    return to_utc(moment)[0] if moment else None


@inspection_router.get("/v1/observations/{id}", tags=["looking"])
def show(request: Request, id: str, scope: ScopesQuery = None, everything: AllQuery = False) -> Response:  # noqa: A002
    """One item by its id (observation, entity, fact, record or event) with what it is joined to."""
    body = wire.encoded(memory_of(request).show(id, scopes_of(request, scope, everything=everything)))
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    return Response(body, media_type="application/json", headers={"ETag": tag})


@inspection_router.get("/v1/facts", tags=["looking"])
def facts(
    request: Request,
    *,
    scope: ScopesQuery = None,
    about: str | None = None,
    predicate: str | None = None,
    as_of: MomentQuery = None,
    history: bool = False,
    limit: LimitQuery = 200,
) -> Response:
    """Facts, of an entity if named, as they held at a moment if given; `history` shows superseded ones too."""
    memory = memory_of(request)
    found = memory.facts(
        scopes_of(request, scope), about=about, predicate=predicate, as_of=_utc(as_of), include_inactive=history, limit=limit
    )
    return sent({"facts": [wire.fact(one) for one in found]})


@inspection_router.get("/v1/timeline", tags=["looking"])
def timeline(
    request: Request,
    *,
    scope: ScopesQuery = None,
    about: str | None = None,
    since: MomentQuery = None,
    until: MomentQuery = None,
    session: str | None = None,
    newest_first: bool = False,
    limit: LimitQuery = 100,
) -> Response:
    """Dated observations in order of time, within [since, until), of an entity or session if named."""
    memory = memory_of(request)
    window = Window(start=_utc(since), end=_utc(until)) if since or until else None
    found = memory.timeline(
        scopes_of(request, scope), about=about, window=window, session=session, newest_first=newest_first, limit=limit
    )
    return sent({"timeline": [wire.observation(one) for one in found]})


@inspection_router.get("/v1/entities", tags=["looking"])
def entities(request: Request, scope: ScopesQuery = None, prefix: str = "", limit: LimitQuery = 100) -> Response:
    """Entities by how many observations mention them."""
    found = memory_of(request).entities(scopes_of(request, scope), prefix=prefix, limit=limit)
    return sent({"entities": [wire.entity(one) for one in found]})


@inspection_router.get("/v1/receipts", response_model=ReceiptsOut, tags=["looking"])
def receipts(
    request: Request,
    *,
    scope: ScopesQuery = None,
    id: Annotated[list[str] | None, Query()] = None,  # noqa: A002
    state: Annotated[list[ReceiptState] | None, Query()] = None,
    after: str | None = None,
    limit: LimitQuery = 100,
    everything: AllQuery = False,
) -> Response:
    """Receipts by id, or by state, in the order they were recorded; `after` is the id of the last one seen."""
    memory = memory_of(request)
    states = frozenset(state) if state else None
    scopes = scopes_of(request, scope, everything=everything)
    return sent(_paged(memory.receipts(scopes, ids=id, states=states, after=after, limit=limit), limit))


@inspection_router.get("/v1/dead-letters", response_model=ReceiptsOut, tags=["looking"])
def dead_letters(
    request: Request, scope: ScopesQuery = None, after: str | None = None, limit: LimitQuery = 100, everything: AllQuery = False
) -> Response:
    """Events whose work failed for good, each with the reason."""
    memory = memory_of(request)
    scopes = scopes_of(request, scope, everything=everything)
    return sent(_paged(memory.dead_letters(scopes, after=after, limit=limit), limit))


@inspection_router.get("/v1/status", tags=["health"])
def status(request: Request, scope: ScopesQuery = None) -> Response:
    """Counts (of every scope unless some are named), backlog, degradation, model and version."""
    mine = grant_of(request).patterns is None
    return sent(memory_of(request).status(scopes_of(request, scope, everything=mine and scope is None)))


@inspection_router.get("/v1/doctor", tags=["health"])
def doctor(request: Request) -> Response:
    """Every check of the data directory, the model, the stores and the background work."""
    scopes_of(request, None, everything=True)
    return sent(memory_of(request).doctor())


@inspection_router.get("/metrics", tags=["health"])
def metrics(request: Request) -> Response:
    """Figures for Prometheus; the owner's, or those of whoever may tend."""
    grant_of(request).need("tend")
    figures: Metrics = request.app.state.metrics
    return Response(figures.text(memory_of(request)), media_type=MEDIA_TYPE)


@inspection_router.get("/healthz", tags=["health"])
async def healthz() -> Response:
    """The process answers."""
    return sent({"status": "ok"})


@inspection_router.get("/readyz", tags=["health"])
def readyz(request: Request) -> Response:
    """The stores answer: 200, or a problem document."""
    memory = memory_of(request)
    try:
        counts = memory.container.reader.counts(None)
    except BackstoryError as error:
        return Response(wire.encoded(problems.problem(error, "/readyz")), status_code=503, media_type=problems.MEDIA_TYPE)
    return sent({"status": "ready", "pending": counts["pending"]})
