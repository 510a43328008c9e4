"""Rule profiles: ordered rules that are data, of which the first that matches a question says where it goes.

`router-7` sends to logical backends, `router-13` to classes of backends with a hint of what they must be able to do,
`router-modes` by the retrieval modes. A profile's last rule always matches.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from graph.errors import InvalidInput
from graph.retrieve.modes import mode

PROFILES = ("router-7", "router-13", "router-modes")


@dataclass(frozen=True, slots=True)
class Rule:
    """`primary`, `co_primary` and `fallback` name logical backends or classes of them; `number` is the rule's in its source."""

    id: str
    number: int
    primary: str
    fallback: tuple[str, ...]
    hint: str = ""
    co_primary: str | None = None
    mode: str = ""
    signals: tuple[re.Pattern[str], ...] = ()

    @property
    def chain(self) -> tuple[str, ...]:
        """All places in order, the primary first."""
        return (self.primary, *([self.co_primary] if self.co_primary else []), *self.fallback)


@dataclass(frozen=True, slots=True)
class Match:
    """The rule that fired, and the signal that made it (the matched words; empty for a default)."""

    rule: Rule
    signal: str


@lru_cache(maxsize=8)
def profile(name: str) -> tuple[Rule, ...]:
    """The rules of a profile in order. Raises InvalidInput for an unknown name."""
    if name not in PROFILES:
        raise InvalidInput(f"unknown routing profile {name!r}; known are {', '.join(PROFILES)}")
    data = json.loads(files("graph.retrieve.routing").joinpath("rules.json").read_text(encoding="utf-8"))
    return tuple(_rule(row) for row in data[name])


def _rule(row: dict[str, object]) -> Rule:
    signals, fallback = row.get("signals", ()), row["fallback"]
    flags = re.NOFLAG if row.get("exact") else re.IGNORECASE
    return Rule(
        id=str(row["id"]),
        number=int(str(row["number"])),
        primary=str(row["primary"]),
        fallback=tuple(fallback) if isinstance(fallback, list) else (),
        hint=str(row["hint"]),
        co_primary=str(row["co_primary"]) if row.get("co_primary") else None,
        mode=str(row.get("mode", "")),
        signals=tuple(_compiled(str(signal), flags) for signal in signals) if isinstance(signals, list) else (),
    )


def _compiled(signal: str, flags: re.RegexFlag) -> re.Pattern[str]:
    """The signal as a pattern; one that is no pattern is looked for as it stands."""
    try:
        return re.compile(signal, flags)
    except re.error:
        return re.compile(re.escape(signal), flags)


def route(question: str, name: str) -> Match:
    """The first rule of the profile that matches the question."""
    rules = profile(name)
    wanted = mode(question) if any(rule.mode for rule in rules) else ""
    for rule in rules:
        if rule.mode and rule.mode == wanted:
            return Match(rule, wanted)
        for signal in rule.signals:
            if found := signal.search(question):
                return Match(rule, found.group())
    return Match(rules[-1], "")
