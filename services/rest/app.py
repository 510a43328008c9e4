"""The FastAPI application: routes, the guard before them, and one place where errors become problem documents."""

import time
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from graph.errors import BackstoryError, InvalidInput
from infra import logs
from services import health, problems, wire
from services.context import ContextService
from services.memory import MemoryService
from services.recalling import Recall
from services.rest.entities import entities_router
from services.rest.guard import Guard
from services.rest.inspection import inspection_router
from services.rest.metrics import Metrics
from services.rest.recalling import recall_router
from services.rest.routes import router

HTTP_CODES = {404: "not_found", 405: "invalid_input", 413: "too_large"}


class Activity:
    """When the last request came; for an owner that ends when nobody asks."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def seen(self) -> None:
        self.last = time.monotonic()


def create_app(memory: MemoryService, activity: Activity | None = None) -> FastAPI:
    """The application over a memory service. It opens and closes nothing."""
    app = FastAPI(
        title="Backstory",
        summary="The memory of AI agents: remember, ask why, when, who and what, and see the path to each answer.",
        version=health.package_version(),
        responses={"default": {"description": "A problem document (RFC 9457)", "content": {problems.MEDIA_TYPE: {}}}},
    )
    app.state.memory = memory
    app.state.context = ContextService(memory)
    app.state.recall = Recall(memory)
    app.state.metrics = Metrics()
    app.include_router(router)
    app.include_router(recall_router)
    app.include_router(inspection_router)
    app.include_router(entities_router)
    app.add_exception_handler(BackstoryError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)
    app.add_middleware(Guard, settings=memory.container.settings, seen=(activity or Activity()).seen, metrics=app.state.metrics)
    return app


def _answer(error: BackstoryError, request: Request, **extra: Any) -> Response:
    body = problems.problem(error, request.url.path) | extra
    return Response(
        wire.encoded(body),
        status_code=extra.get("status", problems.status_of(error)),
        media_type=problems.MEDIA_TYPE,
        headers=problems.headers(error),
    )


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, BackstoryError)  # noqa: S101  (registered for that class)
    if problems.status_of(error) >= 500:
        logs.logger("rest").error("request_failed", path=request.url.path, reason=logs.reason_of(error))
    return _answer(error, request)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  (registered for that class)
    found = [{"at": ".".join(map(str, item["loc"])), "problem": item["msg"]} for item in error.errors()]
    detail = "; ".join(f"{one['at']}: {one['problem']}" for one in found[:5])
    return _answer(InvalidInput(detail or "the request cannot be read"), request, errors=found)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  (registered for that class)
    code = HTTP_CODES.get(error.status_code, "invalid_input")
    title = problems.STATUS[code][1]
    return _answer(InvalidInput(str(error.detail)), request, status=error.status_code, code=code, title=title)


async def _unexpected(request: Request, error: Exception) -> Response:
    reason = logs.reason_of(error)
    logs.logger("rest").error("request_fault", path=request.url.path, reason=reason)
    return _answer(BackstoryError(f"a fault in Backstory: {reason}"), request)
