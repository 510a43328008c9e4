"""The block that a hook puts before an agent's turn: what is worth recalling for a prompt, fenced, within a budget.

How much and how probable it must be are the hook profile's; the probability is that of the log-odds score.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock

from graph.ingest.gate import Caller, Gate
from graph.model.ids import content_hash
from graph.model.observations import Observation, ObservationKind
from graph.model.questions import Hit, Question
from graph.retrieve.routing.limits import HookProfile
from graph.retrieve.routing.relevance import of_log_odds
from services.fence import fenced, neutral
from services.memory import MemoryService

CHARS_PER_TOKEN = 4
LINE_CHARS = 420
DUPLICATE_SECONDS = 600.0
REMEMBERED_PROMPTS = 4096
LOOKED_BACK = timedelta(days=30)
LOOKED_AT = 400  # observations of the last weeks among which a session's opening is chosen
OPENING_KINDS = frozenset(
    {ObservationKind.DECISION, ObservationKind.PREFERENCE, ObservationKind.PLAN, ObservationKind.CORRECTION}
)


@dataclass(frozen=True, slots=True)
class Block:
    """`text` is empty when nothing is to be said, and `reason` says why (or "recalled"); `ids` are what it shows."""

    text: str
    reason: str
    ids: tuple[str, ...] = ()


class ContextService:
    """Makes blocks. Remembers for ten minutes which prompts of a session were answered, so as not to repeat itself."""

    def __init__(self, memory: MemoryService) -> None:
        self._memory = memory
        self._gate = Gate()
        self._seen: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def for_prompt(self, prompt: str, scopes: tuple[str, ...], profile: HookProfile, session: str | None) -> Block:
        """The block for one prompt; the gate, a repetition, or nothing probable enough leave it empty."""
        verdict = self._gate.judge(prompt, Caller.HOOK)
        if verdict.skip:
            return Block("", f"gate:{verdict.reason}")
        if self._repeated(content_hash({"prompt": prompt, "session": session, "scopes": scopes})):
            return Block("", "duplicate")
        answer = self._memory.ask(Question(text=verdict.text, scopes=scopes, limit=profile.max_results))
        hits = probable(answer.results, profile)
        if not hits:
            return Block("", f"degraded:{','.join(answer.degraded)}" if answer.degraded else "nothing relevant")
        return _block([_line(hit) for hit in hits], [hit.id for hit in hits], profile, "what was said before")

    def for_session(self, scopes: tuple[str, ...], profile: HookProfile) -> Block:
        """The block for a session's start: decisions, preferences, plans and corrections of the last weeks, newest first."""
        now = self._memory.container.clock.now()
        recent = self._memory.recent(frozenset(scopes), now - LOOKED_BACK, LOOKED_AT)
        chosen = [one for one in recent if one.pinned or one.kind in OPENING_KINDS][: profile.max_results]
        if not chosen:
            return Block("", "nothing recent")
        return _block([_said(one) for one in chosen], [one.id for one in chosen], profile, "recent decisions and plans")

    def _repeated(self, digest: str) -> bool:
        now = self._memory.container.clock.monotonic()
        with self._lock:
            before = self._seen.pop(digest, None)
            self._seen[digest] = now
            while len(self._seen) > REMEMBERED_PROMPTS:
                self._seen.popitem(last=False)
        return before is not None and now - before < DUPLICATE_SECONDS


def probable(hits: tuple[Hit, ...], profile: HookProfile) -> list[Hit]:
    """The hits sure enough to be shown unasked, in their order."""
    chances = [of_log_odds(hit.score) for hit in hits]
    return [hit for hit, chance in zip(hits, chances, strict=True) if profile.keeps(chance, max(chances))]


def _block(lines: list[str], ids: list[str], profile: HookProfile, about: str) -> Block:
    """As many lines as fit; the first one always does."""
    left = profile.token_budget * CHARS_PER_TOKEN - len(fenced([], about))
    kept = 0
    for line in lines:
        left -= len(line) + 1
        if left < 0 and kept:
            break
        kept += 1
    return Block(fenced(lines[:kept], about), "recalled", tuple(ids[:kept]))


def _line(hit: Hit) -> str:
    when = hit.authored_at.date().isoformat() if hit.authored_at else "undated"
    names = " -> ".join(neutral(step.label) for step in hit.path if step.label)
    via = f" (through: {_short(names, 120)})" if names else ""
    return f"- [{when}{_who(hit.author, hit.source)}] {_short(hit.text)}{via}"


def _said(one: Observation) -> str:
    when = one.authored_at.date().isoformat() if one.authored_at else "undated"
    return f"- [{when}{_who(one.author, one.source)}] {_short(one.text)}"


def _who(author: str | None, source: str | None) -> str:
    return "".join(f", {_short(name, 60)}" for name in (author, source) if name)


def _short(text: str, limit: int = LINE_CHARS) -> str:
    shown = neutral(" ".join(text.split()))
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"
