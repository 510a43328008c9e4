"""Routes for telling and asking: events, questions, states of items."""

import asyncio
import time
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from graph.curate.rebuild import Part
from graph.model.events import ReceiptState
from graph.model.questions import Question
from graph.retrieve.routing.limits import hook_profile
from services import wire
from services.context import ContextService
from services.memory import MemoryService
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
) -> Response:
    """Take a batch in. 202 with a receipt each, once they are on disk; with `wait`, once they have come to that state."""
    memory = memory_of(request)
    receipts = await run_in_threadpool(memory.remember, batch.events)
    if wait:
        ids = [receipt.event_id for receipt in receipts]
        created = {receipt.event_id: receipt.created for receipt in receipts}
        later = await waited(memory, ids, ReceiptState(wait), timeout)
        receipts = [one.model_copy(update={"created": created[one.event_id]}) for one in later]
    return sent(wire.receipts(receipts), 202)


@router.post("/receipts/wait", response_model=ReceiptsOut, tags=["telling"])
async def wait_for(request: Request, body: WaitIn) -> Response:
    """The receipts once all have come to the state or failed, or as they are when the time is over."""
    return sent(wire.receipts(await waited(memory_of(request), body.ids, body.state, body.timeout)))


@router.post("/ask", tags=["asking"])
def ask(request: Request, question: Annotated[Question, Body(examples=[QUESTION_EXAMPLE])]) -> Response:
    """Answer a question: why, when, who or what. Results best first, each with the path that led to it."""
    return sent(wire.answer(memory_of(request).ask(question)))


@router.post("/context", tags=["asking"])
def context(request: Request, body: ContextIn) -> Response:
    """The fenced block that a hook puts before an agent's turn; empty, with the reason, when nothing is worth it."""
    service: ContextService = request.app.state.context
    scopes = tuple(body.scopes or (memory_of(request).container.settings.scope,))
    profile = hook_profile(body.profile)
    asked = body.prompt is not None
    block = (
        service.for_prompt(body.prompt or "", scopes, profile, body.session) if asked else service.for_session(scopes, profile)
    )
    return sent({"block": block.text, "reason": block.reason, "ids": block.ids})


@router.post("/status", tags=["tending"])
def set_status(request: Request, body: StatusIn) -> Response:
    """Move items to a state: snoozed, archived, forgotten, ...; `active` brings them back. Nothing is deleted."""
    return sent({"moved": memory_of(request).set_status(body.scope, body.ids, body.status, body.reason)})


@router.post("/pins", tags=["tending"])
def pin(request: Request, body: PinIn) -> Response:
    """Pin observations, or unpin them."""
    return sent({"changed": memory_of(request).set_pinned(body.scope, body.ids, body.pinned)})


@router.post("/dead-letters/replay", tags=["tending"])
def replay(request: Request, body: ReplayIn) -> Response:
    """Queue dead letters again at the step that failed."""
    scopes = frozenset(body.scopes) if body.scopes is not None else None
    return sent({"replayed": memory_of(request).replay(scopes, body.ids)})


@router.post("/rebuild", status_code=202, tags=["tending"])
def rebuild(request: Request, body: RebuildIn) -> Response:
    """Queue every event again: vectors, extractions and links (`all`), or the latter two (`links`), are made anew."""
    return sent({"queued": memory_of(request).rebuild(Part(body.part))}, 202)


@router.post("/repair", tags=["tending"])
def repair(request: Request) -> Response:
    """Run every check, and mend what drifted between ledger, graph and vectors."""
    return sent(memory_of(request).doctor(repair=True))


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
