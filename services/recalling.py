"""Recall by rules: a profile sends a question to a backend, and on to the next when that does not answer well enough.

Only a caller who names a profile is routed; without one the question goes the ordinary way through the graph. Either way the
answer comes in the same envelope.
"""

from collections.abc import Callable

from graph.errors import InvalidInput
from graph.model.questions import Question
from graph.retrieve.intent import intents
from graph.retrieve.routing.backends import CLASSES, MODES, Backend, eligible, resolve
from graph.retrieve.routing.dispatch import LIMIT_SECONDS, BackendAnswer, Dispatcher
from graph.retrieve.routing.envelope import Decision, Envelope
from graph.retrieve.routing.rules import Match, route
from infra.deadline import DeadlineThread
from services.memory import MemoryService
from services.searching import Searching

ORDINARY = Decision(profile="none", rule="ordinary", reason="no profile was named")


class Recall:
    """Routes questions over the backends of one memory; each call is held to its time limit."""

    def __init__(self, memory: MemoryService, limit: float = LIMIT_SECONDS) -> None:
        self._memory = memory
        self._searching = Searching(memory)
        self._limit = limit

    def recall(self, question: Question, profile: str | None = None) -> Envelope:
        """The answer of the profile's chain, or of the graph without one. Raises InvalidInput for an unknown profile."""
        if not question.text.strip():
            raise InvalidInput("the question is empty")
        asked = question.model_copy(update={"scopes": question.scopes or (self._memory.container.settings.scope,)})
        if profile is None:
            return self._dispatched(asked, [Backend.GRAPH], ORDINARY)
        match = route(asked.text, profile)
        return self._dispatched(asked, chain_of(match), self._decision(asked, match, profile))

    def search(self, question: Question, backend: str) -> Envelope:
        """The answer of one backend, by its name or an alias."""
        found = resolve(backend)
        if found is None:
            raise InvalidInput(f"unknown backend {backend!r}; known are {', '.join(Backend)}")
        asked = question.model_copy(update={"scopes": question.scopes or (self._memory.container.settings.scope,)})
        return self._dispatched(asked, [found], Decision(profile="none", rule="named", reason="the caller named it"))

    @property
    def searching(self) -> Searching:
        return self._searching

    def _dispatched(self, question: Question, chain: list[Backend], decision: Decision) -> Envelope:
        guard = DeadlineThread("recall")
        try:
            dispatcher = Dispatcher(self._memory.container.clock, self._limit, within=_within(guard))
            return dispatcher.dispatch(
                question.text,
                chain,
                lambda name: self._searching.answer(Backend(name), question),
                decision,
                trace=question.trace,
            )
        finally:
            guard.close()

    @staticmethod
    def _decision(question: Question, match: Match, profile: str) -> Decision:
        guessed = tuple(guess.intent.value for guess in intents(question.text, question.intent))
        return Decision(profile=profile, rule=match.rule.id, signal=match.signal, hint=match.rule.hint, intents=guessed)


def chain_of(match: Match) -> list[Backend]:
    """The logical backends of a rule in the order of calling, each once; a class stands for those of it that fit the hint."""
    chain: list[Backend] = []
    for place in match.rule.chain:
        named = resolve(place)
        members = [named] if named else list(CLASSES.get(place, ()))
        fitting = eligible(match.rule.hint if named is None else "", {one: sorted(MODES[one]) for one in members})
        chain += [Backend(name) for name in fitting or members if Backend(name) not in chain]
    return chain


def _within(guard: DeadlineThread) -> Callable[[Callable[[], BackendAnswer], float], BackendAnswer]:
    def run(call: Callable[[], BackendAnswer], seconds: float) -> BackendAnswer:
        given: list[BackendAnswer] = []
        guard.run(lambda: given.append(call()), seconds)
        return given[0]

    return run
