"""Any history of calls leaves the ledger as a plain model of it says: append, claim, settle, replay, time going on."""

import tempfile
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from graph.errors import Conflict
from graph.model.events import Event, ReceiptState, Step, Work
from graph.stores.embedded.database import Database
from graph.stores.embedded.ledger import SqliteLedger
from tests.support.clock import START, SetClock
from tests.support.values import event

ORDER = list(ReceiptState)
LEASE = timedelta(seconds=60)


@dataclass
class Piece:
    """What the model knows of one event."""

    event: Event
    state: ReceiptState = ReceiptState.ACCEPTED
    step: Step | None = Step.PROJECT
    dead: bool = False
    attempts: int = 0
    reason: str | None = None
    available: datetime = START
    holder: Work | None = None
    marks: dict[str, Any] = field(default_factory=dict)

    def goes_on_to(self, state: ReceiptState | None) -> None:
        self.state = max(self.state, state or self.state, key=ORDER.index)


class LedgerHistory(RuleBasedStateMachine):
    """A ledger beside its model. `given_out` keeps every lease ever given, so that old ones are tried too."""

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = SetClock()
        self.model: dict[str, Piece] = {}
        self.given_out: list[Work] = []
        self.reopen()

    @rule()
    def reopen(self) -> None:
        if hasattr(self, "database"):
            self.database.close()
        self.database = Database(Path(self.folder.name) / "memory.db")
        self.ledger = SqliteLedger(self.database, self.clock)

    @rule(keys=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4), text=st.sampled_from(["one", "one", "two"]))
    def append(self, keys: list[str], text: str) -> None:
        events = [event(key, text=text, recorded_at=self.clock.now()) for key in keys]
        if any(e.id in self.model and self.model[e.id].event.body_hash != e.body_hash for e in events):
            with pytest.raises(Conflict):
                self.ledger.append(events)
            return
        expected = []
        for e in events:
            expected.append(e.id not in self.model)
            self.model.setdefault(e.id, Piece(e, available=self.clock.now()))
        assert [r.created for r in self.ledger.append(events)] == expected

    @rule(step=st.sampled_from(Step), limit=st.integers(0, 4))
    def claim(self, step: Step, limit: int) -> None:
        now = self.clock.now()
        due = [p for p in self.model.values() if p.step is step and not p.dead and p.available <= now]
        due = sorted(due, key=lambda p: (p.event.recorded_at, p.event.id))[:limit]
        due = list(takewhile(lambda p: p.attempts == 0, due)) or due[:1]
        work = self.ledger.claim(step, limit, LEASE)
        assert [w.event_id for w in work] == [p.event.id for p in due]
        for piece, given in zip(due, work, strict=True):
            piece.attempts += 1
            piece.available, piece.holder = now + LEASE, given
            assert (given.attempts, given.leased_until) == (piece.attempts, now + LEASE)
        self.given_out += work

    @rule(data=st.data(), state=st.sampled_from(ORDER[1:5]), then=st.sampled_from([None, Step.EXTRACT, Step.LINK]))
    def advance(self, data: st.DataObject, state: ReceiptState, then: Step | None) -> None:
        work = data.draw(st.lists(st.sampled_from(self.given_out), max_size=3)) if self.given_out else []
        marks = {w.event_id: {state.value: w.attempts} for w in work}
        self.ledger.advance(work, state, then, marks)
        for given in work:
            piece = self.model[given.event_id]
            if piece.holder == given:
                piece.goes_on_to(state)
                piece.marks |= marks[given.event_id]
                piece.step, piece.reason, piece.holder, piece.available = then, None, None, START
                piece.attempts = piece.attempts if then is None else 0

    @rule(data=st.data(), wait=st.sampled_from([None, 0, 30]), reached=st.sampled_from([None, ReceiptState.STORED]))
    def fail(self, data: st.DataObject, wait: int | None, reached: ReceiptState | None) -> None:
        if not self.given_out:
            return
        given = data.draw(st.sampled_from(self.given_out))
        retry_in = None if wait is None else timedelta(seconds=wait)
        self.ledger.fail(given, "reason", retry_in, reached)
        piece = self.model[given.event_id]
        if piece.holder == given:
            piece.goes_on_to(reached)
            piece.dead, piece.reason, piece.holder = wait is None, "reason", None
            piece.available = self.clock.now() + (retry_in or timedelta())

    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        ids = data.draw(st.lists(st.sampled_from(sorted(self.model)), max_size=3)) if self.model else ["unknown"]
        dead = {self.model[i].event.id: self.model[i] for i in ids if i in self.model and self.model[i].dead}
        assert self.ledger.replay(ids) == len(dead)
        for piece in dead.values():
            piece.dead, piece.attempts, piece.reason, piece.available = False, 0, None, START

    @rule(seconds=st.sampled_from([1, 29, 30, 60]))
    def time_goes_on(self, seconds: int) -> None:
        self.clock.forward(timedelta(seconds=seconds))

    @invariant()
    def receipts_agree(self) -> None:
        if not hasattr(self, "ledger"):
            return
        ordered = sorted(self.model.values(), key=lambda p: (p.event.recorded_at, p.event.id))
        told = [(r.event_id, r.state, r.attempts, r.reason, r.marks) for r in self.ledger.receipts()]
        assert told == [
            (p.event.id, ReceiptState.FAILED if p.dead else p.state, p.attempts, p.reason, p.marks) for p in ordered
        ]
        dead = self.ledger.receipts(states=frozenset({ReceiptState.FAILED}))
        assert [r.event_id for r in dead] == [p.event.id for p in ordered if p.dead]

    def teardown(self) -> None:
        if hasattr(self, "database"):
            self.database.close()
            self.folder.cleanup()


TestLedgerHistory = LedgerHistory.TestCase
TestLedgerHistory.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
