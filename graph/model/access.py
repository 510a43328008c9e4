"""Which scopes an agent may see and where it writes: a policy made from configuration, judged without any store.

An agent without an entry of its own sees `global` and its own scope; with one, exactly what is listed. Nobody (an operator on
the machine) sees every valid scope. Scopes named in a configuration keep to the characters that every earlier system allowed.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from graph.errors import ConfigError, Forbidden
from graph.model.scopes import DEFAULT_SCOPE

MAX_CONFIGURED_LENGTH = 100
KINDS = ("agent", "custom", "project", "user")
_CONFIGURED = re.compile(r"[A-Za-z0-9._:-]+")


def is_configurable(scope: str) -> bool:
    """Whether a scope may stand in a configuration: 1 to 100 letters, digits, dots, underscores, colons and hyphens."""
    return len(scope) <= MAX_CONFIGURED_LENGTH and bool(_CONFIGURED.fullmatch(scope))


def parsed(scope: str) -> tuple[str, str] | None:
    """(kind, id) of a scope: `global` has an empty id; None for one that is neither global nor written with a colon."""
    if scope == DEFAULT_SCOPE:
        return DEFAULT_SCOPE, ""
    kind, colon, name = scope.partition(":")
    return (kind, name) if colon else None


def agent_scope(agent: str) -> str:
    return f"agent:{agent}"


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """`access` lists scopes per agent; `default` is where who has no scope of its own writes; `warnings` name what is odd."""

    definitions: frozenset[str] = frozenset({DEFAULT_SCOPE})
    default: str = DEFAULT_SCOPE
    access: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def accessible(self, agent: str | None) -> tuple[str, ...] | None:
        """The agent's scopes in order; None: every scope (no agent)."""
        if agent is None:
            return None
        if agent in self.access:
            return self.access[agent]
        return (DEFAULT_SCOPE, agent_scope(agent))

    def allows(self, agent: str | None, scope: str) -> bool:
        scopes = self.accessible(agent)
        return scopes is None or scope in scopes

    def writes_to(self, agent: str | None) -> str:
        """The agent's own scope where it may see it, else the configured default where it may, else its first.

        Raises Forbidden for an agent that may see nothing.
        """
        scopes = self.accessible(agent)
        if scopes is None or agent is None:
            return self.default
        if not scopes:
            raise Forbidden(f"agent {agent!r} has no scope")
        own = agent_scope(agent)
        return own if own in scopes else self.default if self.default in scopes else scopes[0]


def policy(
    definitions: Iterable[str] = (), default: str = DEFAULT_SCOPE, access: Mapping[str, Iterable[str]] | None = None
) -> AccessPolicy:
    """A checked policy. `global` always exists. Raises ConfigError for an undefined default or a scope that cannot be."""
    defined = frozenset({DEFAULT_SCOPE, *definitions})
    listed = {agent: tuple(dict.fromkeys(scopes)) for agent, scopes in (access or {}).items()}
    for scope in [*defined, *(scope for scopes in listed.values() for scope in scopes)]:
        if not is_configurable(scope):
            raise ConfigError(
                f"scope {scope[:40]!r}: write 1 to {MAX_CONFIGURED_LENGTH} letters, digits or . _ : -", scope=scope
            )
    if default not in defined:
        raise ConfigError(f"the default scope {default!r} is not defined", scope=default)
    own = {agent_scope(agent) for agent in listed}
    odd = sorted({scope for scopes in listed.values() for scope in scopes} - defined - own)
    return AccessPolicy(
        defined, default, listed, tuple(f"scope {scope!r} is listed for an agent but not defined" for scope in odd)
    )
