"""Who asks and what they may see: bearer tokens bound to agents, each with its scopes and rights.

The owner of the data directory (its Unix socket, or loopback while no token is configured) may do everything. A token's scopes
are patterns (`team-*`); a request may narrow them and never widen them.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, MutableMapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from fastapi import Request

from graph.errors import Forbidden
from infra.settings import HttpSettings, TokenSettings

SCHEME = "bearer "


class Unauthorised(Forbidden):
    """No token, or one that nobody knows. Told with status 401."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What one agent may do; `patterns` None is every scope. `default` is the scope of requests that name none."""

    agent: str
    default: str
    patterns: tuple[str, ...] | None = None
    rights: frozenset[str] = frozenset({"read", "write", "tend"})

    def allow(self, scopes: Iterable[str]) -> None:
        """Raise Forbidden for a scope that is not the agent's."""
        for scope in scopes:
            if self.patterns is not None and not any(fnmatchcase(scope, pattern) for pattern in self.patterns):
                raise Forbidden(f"the scope {scope!r} is not yours", scope=scope)

    def need(self, right: str) -> None:
        if right not in self.rights:
            raise Forbidden(f"this needs the right to {right}")

    def sees(self, scope: str) -> bool:
        return self.patterns is None or any(fnmatchcase(scope, pattern) for pattern in self.patterns)


def authenticated(http: HttpSettings, default: str, scope: MutableMapping[str, Any], headers: dict[str, str]) -> Grant:
    """The grant of a request. Raises Unauthorised over TCP when tokens are configured and none of them is shown."""
    over_tcp = isinstance(scope.get("server"), (tuple, list)) and scope["server"][1] is not None
    if not over_tcp or not http.tokens:
        return Grant("owner", default)
    shown = headers.get("authorization", "")
    if not shown.lower().startswith(SCHEME):
        raise Unauthorised("a bearer token is needed here")
    token = _known(http.tokens, shown[len(SCHEME) :].strip())
    if token is None:
        raise Unauthorised("this token is not known here")
    return Grant(token.agent, token.default_scope or default, token.scopes, frozenset(token.rights))


def _known(tokens: Collection[TokenSettings], shown: str) -> TokenSettings | None:
    """The token with this secret. All are compared, each in constant time."""
    digest = hashlib.sha256(shown.encode()).hexdigest()
    found = [token for token in tokens if hmac.compare_digest(token.sha256, digest)]
    return found[0] if found else None


def grant_of(request: Request) -> Grant:
    """The grant that the guard put beside the request."""
    grant: Grant = request.scope["backstory.grant"]
    return grant


def scopes_of(request: Request, named: Collection[str] | None, *, everything: bool = False) -> frozenset[str] | None:
    """The scopes to look in: those named, else the agent's default one; all of them (None) only for the owner."""
    grant = grant_of(request)
    grant.need("read")
    if everything:
        if grant.patterns is not None:
            raise Forbidden("only the owner sees every scope")
        return None
    scopes = frozenset(named) if named is not None else frozenset({grant.default})
    grant.allow(scopes)
    return scopes
