"""Dispatch: call the backends of a chain in order until one answers well enough, and say what happened on the way.

Accepted is a success with a normalised relevance of at least 0.4. A weaker or empty answer, an error or a time-out leads to the
next backend. When none is accepted, the best answer seen is given as partial; results of several are never mixed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.errors import BackstoryError, DeadlineExceeded
from graph.ports import Clock
from graph.retrieve.routing.envelope import Decision, Envelope, RoutedResult, RoutedStatus
from graph.retrieve.routing.relevance import ACCEPTED

ALL_BACKENDS_FAILED = "ALL_BACKENDS_FAILED"
QUERY_TIMEOUT = "QUERY_TIMEOUT"
BACKEND_ERROR = "BACKEND_ERROR"
LIMIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class BackendAnswer:
    """What one backend says. `relevance` is normalised (0 to 1); results best first."""

    status: RoutedStatus
    relevance: float = 0.0
    results: tuple[RoutedResult, ...] = ()
    mode: str | None = None
    error_code: str | None = None
    error_message: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call: which backend, what came of it, and how long it took."""

    backend: str
    answer: BackendAnswer
    ms: float

    @property
    def accepted(self) -> bool:
        return self.answer.status is RoutedStatus.SUCCESS and self.answer.relevance >= ACCEPTED

    @property
    def failed(self) -> bool:
        return self.answer.status is RoutedStatus.ERROR


Ask = Callable[[str], BackendAnswer]
Within = Callable[[Callable[[], BackendAnswer], float], BackendAnswer]


def directly(call: Callable[[], BackendAnswer], seconds: float) -> BackendAnswer:  # noqa: ARG001 - the port's shape
    """Run the call here; overrunning is seen when it comes back."""
    return call()


@dataclass
class Dispatcher:
    """`within(call, seconds)` runs a call under its time limit and raises DeadlineExceeded; the default only measures."""

    clock: Clock
    limit: float = LIMIT_SECONDS
    within: Within = directly

    def dispatch(
        self, question: str, chain: Sequence[str], ask: Ask, decision: Decision | None = None, *, trace: bool = False
    ) -> Envelope:
        """Call `ask(backend)` along the chain; always returns an envelope, an error in it when all of them failed."""
        began = self.clock.monotonic()
        attempts: list[Attempt] = []
        events: list[dict[str, Any]] = []
        for place, backend in enumerate(chain):
            attempt = self._attempt(backend, ask)
            attempts.append(attempt)
            following = chain[place + 1] if place + 1 < len(chain) and not attempt.accepted else None
            events.append(event_of(attempt, following, self.clock.now()))
            if attempt.accepted:
                break
        ms = (self.clock.monotonic() - began) * 1000
        return envelope(question, chain, attempts, ms, decision=decision, trace=tuple(events) if trace else None)

    def _attempt(self, backend: str, ask: Ask) -> Attempt:
        began = self.clock.monotonic()
        try:
            answer = self.within(lambda: ask(backend), self.limit)
        except DeadlineExceeded as error:
            answer = BackendAnswer(RoutedStatus.ERROR, error_code=QUERY_TIMEOUT, error_message=error.message)
        except BackstoryError as error:
            answer = BackendAnswer(RoutedStatus.ERROR, error_code=BACKEND_ERROR, error_message=error.message)
        seconds = self.clock.monotonic() - began
        if seconds > self.limit and answer.error_code != QUERY_TIMEOUT:
            answer = BackendAnswer(RoutedStatus.ERROR, error_code=QUERY_TIMEOUT, error_message=f"took {seconds:.1f} s")
        return Attempt(backend, answer, seconds * 1000)


def event_of(attempt: Attempt, following: str | None, at: datetime) -> dict[str, Any]:
    """One step of the trace; it never holds the question's words."""
    step = "accept" if attempt.accepted else "fallback" if following else "exhausted"
    return {
        "step": step,
        "at": at.isoformat(),
        "backend": attempt.backend,
        "status": attempt.answer.status.value,
        "relevance": attempt.answer.relevance,
        "error_code": attempt.answer.error_code,
        "next": following,
        "ms": round(attempt.ms, 3),
    }


def fallback_line(at: datetime, question: str, attempt: Attempt, following: str | None) -> str:
    """The line that other routers log on a fallback or time-out: for a person who asks for it, never for the service's log."""
    answer = attempt.answer
    said = f'query="{question}" backend={attempt.backend}'
    if answer.error_code == QUERY_TIMEOUT:
        return f"[{at.isoformat()}] TIMEOUT {said} duration_ms={attempt.ms:.0f} next={following}"
    code = answer.error_code or ("EMPTY_RESULT" if answer.status is RoutedStatus.EMPTY else "PARTIAL_RESULT")
    return f'[{at.isoformat()}] FALLBACK {said} error_code={code} error_message="{answer.error_message}" next={following}'


def envelope(
    question: str,
    chain: Sequence[str],
    attempts: Sequence[Attempt],
    ms: float,
    *,
    decision: Decision | None = None,
    trace: tuple[dict[str, Any], ...] | None = None,
) -> Envelope:
    """The envelope of a dispatch that ended with these attempts."""
    failed = bool(attempts) and all(attempt.failed for attempt in attempts)
    given = _best(attempts)
    return Envelope(
        query_echo=question,
        routed_to=given.backend if given else None,
        routed_mode=given.answer.mode if given else None,
        fallback_chain=tuple(chain),
        fallbacks_used=max(len(attempts) - 1, 0),
        results=given.answer.results if given else (),
        result_count=len(given.answer.results) if given else 0,
        normalized_relevance=given.answer.relevance if given else 0.0,
        status=_status(given, failed=failed),
        router_duration_ms=round(ms, 3),
        backend_duration_ms=round(given.ms, 3) if given else 0.0,
        error_code=ALL_BACKENDS_FAILED if failed else None,
        error_message="no backend answered; the trace says why" if failed else None,
        decision=decision,
        degraded=tuple(attempt.backend for attempt in attempts if attempt.failed),
        trace=trace,
    )


def _best(attempts: Sequence[Attempt]) -> Attempt | None:
    """The accepted attempt, else the most relevant answer (ties: the earlier), else nothing."""
    answered = [attempt for attempt in attempts if not attempt.failed and attempt.answer.relevance > 0]
    return next((attempt for attempt in answered if attempt.accepted), None) or max(
        answered, key=lambda attempt: attempt.answer.relevance, default=None
    )


def _status(given: Attempt | None, *, failed: bool) -> RoutedStatus:
    if given is not None:
        return RoutedStatus.SUCCESS if given.accepted else RoutedStatus.PARTIAL
    return RoutedStatus.ERROR if failed else RoutedStatus.EMPTY
