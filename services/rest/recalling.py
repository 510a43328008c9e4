"""Routes for asking by rules or one backend, and for what stands near an observation: similar ones, causes, effects."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from graph.model.edges import Direction
from graph.model.questions import Question
from services import wire
from services.recalling import Recall
from services.rest.grants import scopes_of
from services.rest.routes import scoped, sent
from services.rest.schemas import LimitQuery, RecallIn, ScopesQuery, SearchIn
from services.searching import MAX_DEPTH

recall_router = APIRouter(prefix="/v1")


def recall_of(request: Request) -> Recall:
    recall: Recall = request.app.state.recall
    return recall


@recall_router.post("/recall", tags=["asking"])
def recall(request: Request, body: RecallIn) -> Response:
    """Ask by the rules of a profile; the envelope says where the question went, what else was tried, and what came of it."""
    return _enveloped(recall_of(request).recall(scoped(request, _question(body)), body.profile))


@recall_router.post("/search", tags=["asking"])
def search(request: Request, body: SearchIn) -> Response:
    """Ask one backend by its name or an alias; the answer comes in the same envelope."""
    return _enveloped(recall_of(request).search(scoped(request, _question(body)), body.backend))


@recall_router.get("/observations/{id}/similar", tags=["looking"])
def similar(request: Request, id: str, scope: ScopesQuery = None, limit: LimitQuery = 10) -> Response:  # noqa: A002
    """Observations nearest in meaning, with their cosine."""
    scopes = scopes_of(request, scope) or frozenset()
    found = recall_of(request).searching.similar(id, sorted(scopes), limit)
    return sent({"similar": [wire.observation(one) | {"relevance": score} for one, score in found]})


@recall_router.get("/observations/{id}/causes", tags=["looking"])
def causes(
    request: Request,
    id: str,  # noqa: A002
    *,
    scope: ScopesQuery = None,
    direction: Direction = Direction.IN,
    depth: Annotated[int, Query(ge=1, le=MAX_DEPTH)] = 5,
) -> Response:
    """The chain of causes behind an observation (`in`) or of effects after it (`out`), nearest first."""
    scopes = scopes_of(request, scope) or frozenset()
    return sent({"chain": recall_of(request).searching.causes(id, sorted(scopes), direction, depth)})


def _question(body: Question) -> Question:
    return Question(**{name: getattr(body, name) for name in Question.model_fields})


def _enveloped(envelope: Any) -> Response:
    return sent(envelope.model_dump(mode="json"))
