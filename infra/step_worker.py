"""One step's work: claim it, run it, and settle what failed so that a poison piece never holds up the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Event as Flag
from typing import Protocol

from graph.errors import BackstoryError, Busy, DeadlineExceeded, ModelUnavailable, StoreError
from graph.model.events import ReceiptState, Step, Work
from graph.ports import Ledger
from infra import logs
from infra.settings import MIB, RunnerSettings

OUTAGE_AFTER = 3  # single pieces in a row that fail for want of a store or model: the rest is given back unrun
OUTAGE_ERRORS = (StoreError, ModelUnavailable, Busy)
LARGE_CHARS = 100_000  # a text above this is worked on by itself, after the others of its batch
NOW = timedelta(0)

Call = Callable[[Callable[[], object], float], None]


class UseCase(Protocol):
    """What does a step: the projector, the annotator, the linker."""

    def run(self, work: Sequence[Work]) -> None: ...


@dataclass(frozen=True)
class Policy:
    """How a step's work is claimed and retried. `deadline` in seconds, for one call of the use case."""

    runner: RunnerSettings
    deadline: float

    def seconds_for(self, chars: int) -> float:
        """How long a call may take that works on so much text."""
        return self.deadline + self.runner.deadline_per_mib * chars / MIB

    def retry_in(self, attempts: int) -> timedelta:
        """Exponential back-off: base * 2^(attempts - 1), capped."""
        seconds = self.runner.backoff * 2.0 ** min(attempts - 1, 30)
        return timedelta(seconds=min(seconds, self.runner.backoff_cap))

    def gives_up(self, error: BaseException, attempts: int) -> bool:
        if isinstance(error, OUTAGE_ERRORS):
            return attempts >= self.runner.outage_attempts
        hopeless = isinstance(error, BackstoryError) and not error.retryable
        return hopeless or attempts >= self.runner.attempts


class StepWorker:
    """Claims and runs the work of one step. `careful` is how many pieces are to be claimed one by one.

    After a crash the pieces that were under way are careful ones: should one of them have killed the process, only its own
    attempts rise, and past the limit it goes to the dead letters without being run again.
    """

    def __init__(
        self, step: Step, use_case: Callable[[], UseCase], ledger: Ledger, *, policy: Policy, call: Call, stopping: Flag
    ) -> None:
        self.step = step
        self.careful = 0
        self.outage = False  # the last claim met a store or model that did not answer
        self._use_case = use_case
        self._ledger = ledger
        self._policy = policy
        self._call = call
        self._stopping = stopping
        self._failures_in_a_row = 0
        self._log = logs.logger("runner").bind(step=step.value)

    def once(self) -> int:
        """Claim one batch and bring every piece of it to an end or back to the ledger; return how many were claimed."""
        careful = self.careful > 0
        limit = 1 if careful else self._policy.runner.batch
        work = self._ledger.claim(self.step, limit, timedelta(seconds=self._policy.runner.lease))
        self.careful = max(0, self.careful - len(work)) if work else 0
        self._failures_in_a_row = 0
        self.outage = False
        if careful and work and work[0].attempts > self._policy.runner.attempts:
            self._dead(work[0], "the process died while working on this")
        elif work:
            chars = self._chars(work)
            self._run([piece for piece in work if chars[piece.event_id] <= LARGE_CHARS], chars)
            for piece in work:
                if chars[piece.event_id] > LARGE_CHARS:
                    self._run([piece], chars)
        return len(work)

    def _chars(self, work: Sequence[Work]) -> dict[str, int]:
        """How much text each piece is about."""
        sizes = {event.id: len(event.draft.text) for event in self._ledger.events([piece.event_id for piece in work])}
        return {piece.event_id: sizes.get(piece.event_id, 0) for piece in work}

    def _run(self, work: Sequence[Work], chars: Mapping[str, int]) -> None:
        """Run the pieces together; on failure halve them until the ones that fail stand alone."""
        if not work:
            return
        if self._stopping.is_set() or self._failures_in_a_row >= OUTAGE_AFTER:
            self._give_back(work)
            return
        try:
            seconds = self._policy.seconds_for(sum(chars[piece.event_id] for piece in work))
            self._call(lambda: self._use_case().run(work), seconds)
            self._failures_in_a_row = 0
        except Exception as error:  # noqa: BLE001  (whatever a piece does, the others go on)
            if len(work) == 1:
                self._settle(work[0], error)
                return
            self._log.info("batch_halved", pieces=len(work), reason=logs.reason_of(error))
            middle = len(work) // 2
            self._run(work[:middle], chars)
            self._run(work[middle:], chars)

    def _settle(self, work: Work, error: Exception) -> None:
        self.outage = isinstance(error, OUTAGE_ERRORS)
        self._failures_in_a_row = self._failures_in_a_row + 1 if self.outage else 0
        reason = logs.reason_of(error)
        if self._policy.gives_up(error, work.attempts):
            self._dead(work, reason, _reached(error))
            return
        retry_in = self._policy.retry_in(work.attempts)
        overran = isinstance(error, DeadlineExceeded)
        self._log.warning(
            "retry", receipt=work.event_id, scope=work.scope, attempts=work.attempts, reason=reason, overran=overran
        )
        self._ledger.fail(work, reason, retry_in, _reached(error))

    def _dead(self, work: Work, reason: str, reached: ReceiptState | None = None) -> None:
        self._log.error("dead_letter", receipt=work.event_id, scope=work.scope, attempts=work.attempts, reason=reason)
        self._ledger.fail(work, reason, None, reached)

    def _give_back(self, work: Sequence[Work]) -> None:
        retry_in = self._policy.retry_in(work[0].attempts) if self.outage else NOW
        for piece in work:
            self._ledger.fail(piece, "given back", retry_in)


def _reached(error: Exception) -> ReceiptState | None:
    """The state that a use case says it reached before it failed (field `reached` of our own errors)."""
    reached = error.fields.get("reached") if isinstance(error, BackstoryError) else None
    return ReceiptState(reached) if isinstance(reached, str) else None
