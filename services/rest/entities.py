"""Routes for entities by hand: merge, split, and take either back."""

from dataclasses import asdict

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from graph.curate.entities import Change
from graph.model.entities import EntityType
from graph.model.scopes import DEFAULT_SCOPE, Scope
from services.rest.grants import grant_of
from services.rest.routes import memory_of, sent
from services.rest.schemas import MAX_IDS, STRICT

entities_router = APIRouter(prefix="/v1/entities", tags=["tending"])


class MergeIn(BaseModel):
    """Two entities of one scope that are one thing; `keep` stays."""

    model_config = STRICT

    scope: Scope = DEFAULT_SCOPE
    keep: str = Field(min_length=1, max_length=64)
    absorb: str = Field(min_length=1, max_length=64)


class SplitIn(BaseModel):
    """Observations whose mentions of `entity` mean another thing, and what that is called."""

    model_config = STRICT

    scope: Scope = DEFAULT_SCOPE
    entity: str = Field(min_length=1, max_length=64)
    observations: list[str] = Field(min_length=1, max_length=MAX_IDS)
    name: str = Field(min_length=1, max_length=300)
    type: EntityType | None = None


class UndoIn(BaseModel):
    """The entity that was merged away or split off."""

    model_config = STRICT

    scope: Scope = DEFAULT_SCOPE
    entity: str = Field(min_length=1, max_length=64)


@entities_router.post("/merge")
def merge(request: Request, body: MergeIn) -> Response:
    """Make two entities one. Names, mentions and facts of the other lead to the one that stays."""
    _may_tend(request, body.scope)
    return _told(memory_of(request).entity_curator.merge(body.scope, body.keep, body.absorb))


@entities_router.post("/split")
def split(request: Request, body: SplitIn) -> Response:
    """Make two entities of one: what the named observations say of it is said of the new one."""
    _may_tend(request, body.scope)
    curator = memory_of(request).entity_curator
    return _told(curator.split(body.scope, body.entity, body.observations, body.name, body.type))


@entities_router.post("/undo")
def undo(request: Request, body: UndoIn) -> Response:
    """Take back the merge or the split that an entity came out of."""
    _may_tend(request, body.scope)
    return _told(memory_of(request).entity_curator.undo(body.scope, body.entity))


def _may_tend(request: Request, scope: str) -> None:
    grant = grant_of(request)
    grant.need("tend")
    grant.allow([scope])


def _told(change: Change) -> Response:
    return sent(asdict(change))
