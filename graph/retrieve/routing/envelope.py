"""The envelope around a routed answer: what was asked, where it went, what came of it. The same on every door."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

FROZEN = ConfigDict(frozen=True)


class RoutedStatus(StrEnum):
    SUCCESS = "success"
    PARTIAL = "partial"
    EMPTY = "empty"
    ERROR = "error"


class RoutedResult(BaseModel):
    """One result; `timestamp` is when it was authored, None when that is unknown."""

    model_config = FROZEN

    content: str
    relevance: float
    source: str = ""
    timestamp: datetime | None = None
    id: str = ""


class Decision(BaseModel):
    """Why it went there. Costs in US dollars, as configured by the operator; None where nothing was chosen by cost."""

    model_config = FROZEN

    profile: str
    rule: str
    signal: str = ""
    hint: str = ""
    intents: tuple[str, ...] = ()
    category: str | None = None
    preset: str | None = None
    budget_usd: float | None = None
    estimated_cost_usd: float | None = None
    budget_exceeded: bool = False
    reason: str = ""


class Envelope(BaseModel):
    """`fallback_chain` is the whole planned chain; `fallbacks_used` how many backends were called beyond the first.

    `router_duration_ms` covers the whole operation, `backend_duration_ms` the call whose results are given.
    """

    model_config = FROZEN

    query_echo: str
    routed_to: str | None
    routed_mode: str | None = None
    fallback_chain: tuple[str, ...]
    fallbacks_used: int
    results: tuple[RoutedResult, ...]
    result_count: int
    normalized_relevance: float
    status: RoutedStatus
    router_duration_ms: float
    backend_duration_ms: float
    error_code: str | None = None
    error_message: str | None = None
    decision: Decision | None = None
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    score_basis: str = "normalized_relevance"
    trace: tuple[dict[str, Any], ...] | None = Field(default=None)
