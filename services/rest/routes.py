"""Routes for telling and asking: events, questions, states of items."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Header, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from graph.curate.rebuild import Part
from graph.errors import NotFound
from graph.model.events import EventDraft, ReceiptState
from graph.model.questions import Question
from graph.retrieve.routing.limits import hook_profile
from services import wire
from services.context import ContextService
from services.memory import MemoryService
from services.rest.grants import Grant, grant_of, scopes_of
from services.rest.schemas import (
    QUESTION_EXAMPLE,
    ContextIn,
    EventsIn,
    PinIn,
    RebuildIn,
    ReceiptsOut,
    ReplayIn,
    StatusIn,
    WaitIn,
)

LOOK_EVERY = 0.02  # seconds between looks at whether anything was settled
LOOK_ANYWAY = 0.5  # seconds after which the ledger is read even if nothing was heard

router = APIRouter(prefix="/v1")


def memory_of(request: Request) -> MemoryService:
    memory: MemoryService = request.app.state.memory
    return memory


def sent(body: Any, status: int = 200) -> Response:
    return Response(wire.encoded(body), status_code=status, media_type="application/json")


@router.post("/events", status_code=202, response_model=ReceiptsOut, tags=["telling"])
async def remember(
    request: Request,
    batch: EventsIn,
    wait: Annotated[Literal["recallable", "linked", "done"] | None, Query()] = None,
    timeout: Annotated[float, Query(ge=0)] = 30.0,
    idempotency_key: Annotated[str | None, Header(max_length=400)] = None,
) -> Response:
    """Take a batch in. 202 with a receipt each, once they are on disk; with `wait`, once they have come to that state.

    An `Idempotency-Key` is the key of events that have none (numbered after the first); with another body it is a 409.
    """
    memory = memory_of(request)
    drafts = _keyed(_within(grant_of(request), batch.events), idempotency_key)
    receipts = await run_in_threadpool(memory.remember, drafts)
    if wait:
        ids = [receipt.event_id for receipt in receipts]
        created = {receipt.event_id: receipt.created for receipt in receipts}
        later = await waited(memory, ids, ReceiptState(wait), timeout)
        receipts = [one.model_copy(update={"created": created[one.event_id]}) for one in later]
    return sent(wire.receipts(receipts), 202)


@router.post("/receipts/wait", response_model=ReceiptsOut, tags=["telling"])
async def wait_for(request: Request, body: WaitIn) -> Response:
    """The receipts once all have come to the state or failed, or as they are when the time is over."""
    grant = grant_of(request)
    receipts = await waited(memory_of(request), body.ids, body.state, body.timeout)
    return sent(wire.receipts(receipt for receipt in receipts if grant.sees(receipt.scope)))


@router.get("/receipts/{id}/progress", tags=["telling"])
async def progress(request: Request, id: str, timeout: Annotated[float, Query(ge=0, le=600)] = 60.0) -> Response:  # noqa: A002
    """Server-sent events: the receipt now, and again at every state it comes to, until its work has ended."""
    memory, grant = memory_of(request), grant_of(request)
    _, found = await run_in_threadpool(memory.reached, [id], ReceiptState.DONE)
    if not found or not grant.sees(found[0].scope):
        raise NotFound(f"no receipt has the id {id!r}", id=id)
    return StreamingResponse(_states(memory, id, time.monotonic() + timeout), media_type="text/event-stream")


@router.post("/ask", tags=["asking"])
def ask(request: Request, question: Annotated[Question, Body(examples=[QUESTION_EXAMPLE])]) -> Response:
    """Answer a question: why, when, who or what. Results best first, each with the path that led to it."""
    return sent(wire.answer(memory_of(request).ask(scoped(request, question))))


@router.post("/context", tags=["asking"])
def context(request: Request, body: ContextIn) -> Response:
    """The fenced block that a hook puts before an agent's turn; empty, with the reason, when nothing is worth it."""
    service: ContextService = request.app.state.context
    scopes = tuple(sorted(scopes_of(request, body.scopes) or ()))
    profile = hook_profile(body.profile)
    asked = body.prompt is not None
    block = (
        service.for_prompt(body.prompt or "", scopes, profile, body.session) if asked else service.for_session(scopes, profile)
    )
    return sent({"block": block.text, "reason": block.reason, "ids": block.ids})


@router.post("/status", tags=["tending"])
def set_status(request: Request, body: StatusIn) -> Response:
    """Move items to a state: snoozed, archived, forgotten, ...; `active` brings them back. Nothing is deleted."""
    _may_change(request, body.scope)
    return sent({"moved": memory_of(request).set_status(body.scope, body.ids, body.status, body.reason)})


@router.post("/pins", tags=["tending"])
def pin(request: Request, body: PinIn) -> Response:
    """Pin observations, or unpin them."""
    _may_change(request, body.scope)
    return sent({"changed": memory_of(request).set_pinned(body.scope, body.ids, body.pinned)})


@router.post("/dead-letters/replay", tags=["tending"])
def replay(request: Request, body: ReplayIn) -> Response:
    """Queue dead letters again at the step that failed."""
    grant_of(request).need("tend")
    scopes = scopes_of(request, body.scopes, everything=body.scopes is None)
    return sent({"replayed": memory_of(request).replay(scopes, body.ids)})


@router.post("/rebuild", status_code=202, tags=["tending"])
def rebuild(request: Request, body: RebuildIn) -> Response:
    """Queue every event again: vectors, extractions and links (`all`), or the latter two (`links`), are made anew."""
    scopes_of(request, None, everything=True)
    return sent({"queued": memory_of(request).rebuild(Part(body.part))}, 202)


@router.post("/repair", tags=["tending"])
def repair(request: Request) -> Response:
    """Run every check, and mend what drifted between ledger, graph and vectors."""
    scopes_of(request, None, everything=True)
    return sent(memory_of(request).doctor(repair=True))


async def _states(memory: MemoryService, id_: str, until: float) -> AsyncIterator[bytes]:
    """The receipt as an event whenever its state has changed."""
    told = None
    while True:
        ticket = memory.container.queue.ticket()
        ended, receipts = await run_in_threadpool(memory.reached, [id_], ReceiptState.DONE)
        if receipts and receipts[0].state != told:
            told = receipts[0].state
            yield b"event: state\ndata: " + wire.encoded(wire.receipt(receipts[0])) + b"\n\n"
        if ended or time.monotonic() >= until:
            return
        looked = time.monotonic()
        while memory.container.queue.ticket() == ticket and time.monotonic() < min(until, looked + LOOK_ANYWAY):
            await asyncio.sleep(LOOK_EVERY)


def _keyed(drafts: list[EventDraft], key: str | None) -> list[EventDraft]:
    """The drafts, those without a key under the request's."""
    if not key:
        return drafts
    names = [key, *(f"{key}#{number}" for number in range(1, len(drafts)))]
    return [
        one if one.key is not None else one.model_copy(update={"key": name}) for one, name in zip(drafts, names, strict=True)
    ]


def scoped(request: Request, question: Question) -> Question:
    """The question within the scopes that the asker may see; the agent's default one where none is named."""
    return question.model_copy(update={"scopes": tuple(sorted(scopes_of(request, question.scopes) or ()))})


def _may_change(request: Request, scope: str) -> None:
    grant = grant_of(request)
    grant.need("write")
    grant.allow([scope])


def _within(grant: Grant, drafts: list[EventDraft]) -> list[EventDraft]:
    """The drafts, those that name no scope in the agent's default one. Raises Forbidden for a scope that is not the agent's."""
    grant.need("write")
    placed = [one if "scope" in one.model_fields_set else one.model_copy(update={"scope": grant.default}) for one in drafts]
    grant.allow(one.scope for one in placed)
    return placed


async def waited(memory: MemoryService, ids: Sequence[str], state: ReceiptState, timeout: float) -> Any:
    """Wait without holding a thread: many may wait, and questions are still answered."""
    queue = memory.container.queue
    until = time.monotonic() + min(timeout, memory.container.settings.http.max_wait)
    while True:
        ticket, looked = queue.ticket(), time.monotonic()
        there, receipts = await run_in_threadpool(memory.reached, ids, state)
        if there or time.monotonic() >= until:
            return receipts
        while queue.ticket() == ticket and time.monotonic() < min(until, looked + LOOK_ANYWAY):
            await asyncio.sleep(LOOK_EVERY)
