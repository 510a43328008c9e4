"""The runner: everything is done, a piece that cannot be done is put aside with its reason, and nobody waits for it."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from graph.errors import InvalidInput, ModelUnavailable
from graph.model.events import EventDraft, Receipt, ReceiptState, Step, Work
from infra.container import Container
from infra.runner import Runner, drain, workers
from infra.step_worker import UseCase
from services.memory import MemoryService
from tests.surfaces.conftest import FAST, Open

SCOPES = frozenset({"global"})


class Poisoned:
    """The real use case, which meets a fault at the events of one text."""

    def __init__(self, real: UseCase, container: Container, fault: Callable[[], None]) -> None:
        self.real, self.container, self.fault = real, container, fault
        self.healed = False
        self.alone = 0

    def run(self, work: Sequence[Work]) -> None:
        texts = [event.draft.text for event in self.container.ledger.events([piece.event_id for piece in work])]
        if "poison" in texts and not self.healed:
            self.alone += len(texts) == 1
            self.fault()
        self.real.run(work)


def _poisoned(container: Container, step: Step, fault: Callable[[], None]) -> tuple[Container, Poisoned]:
    poisoned = Poisoned(container.use_case(step), container, fault)
    return replace(container, steps={**container.steps, step: lambda: poisoned}), poisoned


def _raises(error: BaseException) -> Callable[[], None]:
    def fault() -> None:
        raise error

    return fault


def _remember(container: Container, *texts: str) -> list[Receipt]:
    return MemoryService(container).remember([EventDraft(text=text) for text in texts])


def _texts(healthy: int) -> list[str]:
    return [f"Healthy note number {n} about the harbour." for n in range(healthy)]


def _at_once(call: Callable[[], object], _: float) -> None:
    call()


def _states(container: Container) -> dict[str, int]:
    states = [receipt.state.value for receipt in MemoryService(container).receipts(SCOPES)]
    return {state: states.count(state) for state in set(states)}


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (Step.PROJECT, ValueError("secret words")),
        (Step.EXTRACT, MemoryError()),
        (Step.LINK, RecursionError()),
    ],
    ids=lambda value: value if isinstance(value, Step) else type(value).__name__,
)
def test_a_poison_item_ends_as_a_dead_letter_and_blocks_no_other(open_memory: Open, step: Step, error: Exception) -> None:
    container, poisoned = _poisoned(open_memory(), step, _raises(error))
    _remember(container, *_texts(4), "poison", *_texts(9)[4:])
    assert drain(container, 60)
    assert _states(container) == {"done": 9, "failed": 1}
    (letter,) = MemoryService(container).dead_letters(SCOPES)
    assert letter.attempts == 5
    assert poisoned.alone == 5
    assert letter.reason
    assert "secret" not in letter.reason


def test_a_dead_letter_is_replayed_from_the_step_that_failed(open_memory: Open) -> None:
    container, poisoned = _poisoned(open_memory(), Step.EXTRACT, _raises(ValueError()))
    _remember(container, "poison")
    assert drain(container, 60)
    poisoned.healed = True
    memory = MemoryService(container)
    assert memory.replay(frozenset({"other"})) == 0
    assert memory.replay(SCOPES) == 1
    assert drain(container, 60)
    assert _states(container) == {"done": 1}


def test_what_can_never_work_is_not_tried_again(open_memory: Open) -> None:
    container, _ = _poisoned(open_memory(), Step.PROJECT, _raises(InvalidInput("no", reached="stored")))
    _remember(container, "poison")
    assert drain(container, 60)
    (letter,) = MemoryService(container).dead_letters(SCOPES)
    assert (letter.attempts, letter.reason) == (1, "invalid_input: no")


def test_a_model_that_is_away_for_a_while_makes_no_dead_letter(open_memory: Open) -> None:
    absent = iter([ModelUnavailable("away")] * 12)

    def fault() -> None:
        for error in absent:
            raise error

    container, _ = _poisoned(open_memory(), Step.PROJECT, fault)
    _remember(container, "poison", *_texts(3))
    assert drain(container, 60)
    assert _states(container) == {"done": 4}


def test_a_piece_that_hangs_is_left_behind(open_memory: Open) -> None:
    hold = threading.Event()
    opened = open_memory(runner=FAST | {"project_deadline": 2.0, "attempts": 1})
    opened.use_case(Step.PROJECT)
    container, _ = _poisoned(opened, Step.PROJECT, lambda: (hold.wait(20), None)[1])
    _remember(container, *_texts(3), "poison")
    runner = Runner(container)
    runner.start()
    try:
        memory = MemoryService(container, runner)
        ids = [receipt.event_id for receipt in memory.receipts(SCOPES)]
        receipts = memory.wait(ids, ReceiptState.DONE, timeout=30)
        assert sorted(receipt.state for receipt in receipts) == ["done", "done", "done", "failed"]
        (reason,) = [receipt.reason for receipt in receipts if receipt.state == "failed"]
        assert reason is not None
        assert reason.startswith("deadline_exceeded: not done within 2.0")
        assert memory.status(None)["degraded"] == ["lane-project"]
    finally:
        hold.set()
        assert runner.stop()


def test_the_runner_does_everything_and_stops_in_time(open_memory: Open) -> None:
    container = open_memory()
    runner = Runner(container)
    runner.start()
    receipts = _remember(container, *_texts(20))
    later = MemoryService(container, runner).wait([receipt.event_id for receipt in receipts], timeout=60)
    assert {receipt.state for receipt in later} == {ReceiptState.DONE}
    began = time.monotonic()
    assert runner.stop()
    assert time.monotonic() - began < 5


def test_stopping_gives_back_what_was_not_begun(open_memory: Open) -> None:
    container = open_memory()
    _remember(container, *_texts(6))
    stopping = threading.Event()
    stopping.set()

    (worker,) = workers(container, [Step.PROJECT], _at_once, stopping)
    assert worker.once() == 6
    assert _states(container) == {"accepted": 6}
    assert drain(container, 60)
    assert _states(container) == {"done": 6}


def test_a_piece_that_kills_its_process_is_put_aside_alone(open_memory: Open) -> None:
    """Six owners die while they work on the oldest piece; the others lose no more than the first attempt by it."""
    container = open_memory()
    killer, *others = _remember(container, *_texts(3))
    for _ in range(6):
        (worker,) = workers(container, [Step.PROJECT], _at_once, threading.Event())
        worker.careful = container.release_leases()
        limit = 1 if worker.careful else 64

        assert container.ledger.claim(Step.PROJECT, limit, timedelta(hours=1))[0].event_id == killer.event_id
    (worker,) = workers(container, [Step.PROJECT], _at_once, threading.Event())
    worker.careful = container.release_leases()
    assert worker.once() == 1
    (letter,) = MemoryService(container).dead_letters(SCOPES)
    assert letter.event_id == killer.event_id
    assert letter.reason == "the process died while working on this"
    assert drain(container, 60)
    assert {r.event_id for r in MemoryService(container).receipts(SCOPES) if r.state == "done"} == {o.event_id for o in others}
