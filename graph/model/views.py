"""A view says what may be seen: scopes, states and times, applied by the store in every query and at every hop."""

from dataclasses import dataclass, field
from datetime import datetime

from graph.model.observations import Status
from graph.model.times import Window

ACTIVE_ONLY = frozenset({Status.ACTIVE})


@dataclass(frozen=True, slots=True)
class View:
    """`scopes` None sees every scope (trusted surfaces only); an empty set sees nothing.

    `window` bounds authored_at (an observation of unknown date is outside every window); `as_of` keeps what was valid
    at that moment; `sessions` and `authors`, when given, keep only theirs.
    """

    scopes: frozenset[str] | None
    statuses: frozenset[Status] = field(default=ACTIVE_ONLY)
    window: Window | None = None
    as_of: datetime | None = None
    sessions: frozenset[str] | None = None
    authors: frozenset[str] | None = None
