"""The Ledger contract: what is acknowledged is there once, work is held by one, states only go forward."""

from datetime import timedelta

import pytest

from graph.errors import Conflict, InvalidInput
from graph.model.events import ReceiptState, Step
from graph.ports import Ledger
from tests.support.clock import START, SetClock
from tests.support.values import event

LEASE = timedelta(minutes=5)


def test_an_appended_event_is_accepted_and_comes_back_as_it_was(ledger: Ledger) -> None:
    one = event("a", text="naïve “text” \x00 é", metadata={"n": [1, 2.5, None]}, identifiers=("PEP 8",), authored_at=START)
    (receipt,) = ledger.append([one])
    assert (receipt.event_id, receipt.state, receipt.created, receipt.attempts) == (one.id, ReceiptState.ACCEPTED, True, 0)
    assert ledger.events([one.id]) == [one]


def test_appending_again_changes_nothing_and_says_so(ledger: Ledger) -> None:
    ledger.append([event("a")])
    again = ledger.append([event("a"), event("b"), event("b")])
    assert [r.created for r in again] == [False, True, False]
    assert [e.key for e in ledger.events()] == sorted(["a", "b"], key=lambda k: event(k).id)


def test_a_known_key_with_another_body_is_a_conflict_and_stores_nothing(ledger: Ledger) -> None:
    ledger.append([event("a")])
    with pytest.raises(Conflict):
        ledger.append([event("new"), event("a", text="other")])
    with pytest.raises(Conflict):
        ledger.append([event("twice"), event("twice", text="other")])
    assert [e.key for e in ledger.events()] == ["a"]


def test_a_lone_surrogate_is_refused_and_stores_nothing(ledger: Ledger) -> None:
    with pytest.raises(InvalidInput):
        ledger.append([event("fine"), event("bad", metadata={"note": "\ud800"})])
    assert ledger.events() == []


def test_claim_gives_the_oldest_first_and_no_piece_twice(ledger: Ledger) -> None:
    events = [event(str(n), recorded_at=START + timedelta(seconds=-n)) for n in range(6)]
    ledger.append(events)
    first, second = ledger.claim(Step.PROJECT, 4, LEASE), ledger.claim(Step.PROJECT, 4, LEASE)
    assert [w.event_id for w in first + second] == [e.id for e in reversed(events)]
    assert {w.attempts for w in first} == {1}
    assert ledger.claim(Step.PROJECT, 4, LEASE) == []
    assert ledger.claim(Step.LINK, 4, LEASE) == []


def test_a_lease_that_ran_out_is_given_to_another_and_the_first_can_change_nothing(ledger: Ledger, clock: SetClock) -> None:
    ledger.append([event("a")])
    (late,) = ledger.claim(Step.PROJECT, 1, LEASE)
    clock.forward(LEASE)
    (holder,) = ledger.claim(Step.PROJECT, 1, LEASE)
    assert (holder.attempts, holder.lease != late.lease) == (2, True)
    ledger.advance([late], ReceiptState.DONE, None, {})
    ledger.fail(late, "too late", None)
    assert [r.state for r in ledger.receipts([late.event_id])] == [ReceiptState.ACCEPTED]
    ledger.advance([holder], ReceiptState.RECALLABLE, Step.EXTRACT, {holder.event_id: {"parts": 2}})
    (receipt,) = ledger.receipts([late.event_id])
    assert (receipt.state, receipt.marks) == (ReceiptState.RECALLABLE, {"parts": 2})


def test_a_late_holder_whose_piece_nobody_took_may_still_settle_it(ledger: Ledger, clock: SetClock) -> None:
    ledger.append([event("a")])
    work = ledger.claim(Step.PROJECT, 1, LEASE)
    clock.forward(2 * LEASE)
    ledger.advance(work, ReceiptState.RECALLABLE, Step.EXTRACT, {})
    assert [w.event_id for w in ledger.claim(Step.EXTRACT, 1, LEASE)] == [work[0].event_id]


def test_an_event_goes_through_its_steps_to_the_end(ledger: Ledger) -> None:
    ledger.append([event("a")])
    for step, state, then in [
        (Step.PROJECT, ReceiptState.RECALLABLE, Step.EXTRACT),
        (Step.EXTRACT, ReceiptState.LINKED, Step.LINK),
        (Step.LINK, ReceiptState.DONE, None),
    ]:
        work = ledger.claim(step, 10, LEASE)
        assert [w.attempts for w in work] == [1]
        ledger.advance(work, state, then, {work[0].event_id: {step.value: True}})
    (receipt,) = ledger.receipts()
    assert (receipt.state, receipt.marks) == (ReceiptState.DONE, {"project": True, "extract": True, "link": True})
    assert all(ledger.claim(step, 10, LEASE) == [] for step in Step)


def test_a_state_never_goes_backwards(ledger: Ledger) -> None:
    ledger.append([event("a")])
    ledger.advance(ledger.claim(Step.PROJECT, 1, LEASE), ReceiptState.LINKED, Step.EXTRACT, {})
    ledger.advance(ledger.claim(Step.EXTRACT, 1, LEASE), ReceiptState.STORED, Step.LINK, {})
    assert [r.state for r in ledger.receipts()] == [ReceiptState.LINKED]


def test_failed_work_waits_for_its_retry_and_keeps_what_was_reached(ledger: Ledger, clock: SetClock) -> None:
    ledger.append([event("a")])
    (work,) = ledger.claim(Step.PROJECT, 1, LEASE)
    ledger.fail(work, "no model \ud800", timedelta(seconds=30), ReceiptState.STORED)
    (receipt,) = ledger.receipts()
    assert (receipt.state, receipt.reason, receipt.attempts) == (ReceiptState.STORED, "no model ?", 1)
    clock.forward(timedelta(seconds=29))
    assert ledger.claim(Step.PROJECT, 1, LEASE) == []
    clock.forward(timedelta(seconds=1))
    assert [w.attempts for w in ledger.claim(Step.PROJECT, 1, LEASE)] == [2]


def test_a_dead_letter_is_listed_and_replayed_at_the_step_that_failed(ledger: Ledger) -> None:
    ledger.append([event("a"), event("b")])
    ledger.advance(ledger.claim(Step.PROJECT, 9, LEASE), ReceiptState.RECALLABLE, Step.EXTRACT, {})
    first, _ = ledger.claim(Step.EXTRACT, 9, LEASE)
    ledger.fail(first, "poison", None)
    (dead,) = ledger.receipts(states=frozenset({ReceiptState.FAILED}))
    assert (dead.event_id, dead.reason, dead.attempts) == (first.event_id, "poison", 1)
    assert ledger.replay([e.id for e in ledger.events()]) == 1
    assert ledger.replay([first.event_id]) == 0
    (again,) = ledger.claim(Step.EXTRACT, 9, LEASE)
    assert (again.event_id, again.attempts) == (first.event_id, 1)
    assert [r.state for r in ledger.receipts([first.event_id])] == [ReceiptState.RECALLABLE]


def test_receipts_are_listed_by_time_then_id_in_pages_and_by_what_is_asked(ledger: Ledger) -> None:
    events = [event(str(n), scope="st"[n % 2], recorded_at=START + timedelta(seconds=n // 2)) for n in range(7)]
    ledger.append(events)
    ordered = [e.id for e in sorted(events, key=lambda e: (e.recorded_at, e.id))]
    assert [r.event_id for r in ledger.receipts()] == ordered
    assert [r.event_id for r in ledger.receipts(limit=3, after=ordered[1])] == ordered[2:5]
    assert {r.scope for r in ledger.receipts(scopes=frozenset("t"))} == {"t"}
    assert ledger.receipts(scopes=frozenset()) == []
    assert len(ledger.receipts(states=frozenset({ReceiptState.ACCEPTED, ReceiptState.FAILED}))) == 7
    assert ledger.receipts(states=frozenset({ReceiptState.DONE})) == []
    assert [r.event_id for r in ledger.receipts([ordered[3], "unknown", ordered[0]])] == [ordered[3], ordered[0]]
    assert [e.id for e in ledger.events(limit=3)] == ordered[:3]
    assert [e.id for e in ledger.events(after=ordered[2])] == ordered[3:]


def test_finished_events_go_through_a_step_again(ledger: Ledger) -> None:
    ledger.append([event("done"), event("new")])
    for step, state, then in [
        (Step.PROJECT, ReceiptState.RECALLABLE, Step.EXTRACT),
        (Step.EXTRACT, ReceiptState.LINKED, Step.LINK),
        (Step.LINK, ReceiptState.DONE, None),
    ]:
        ledger.advance([w for w in ledger.claim(step, 9, LEASE) if w.event_id == event("done").id], state, then, {})

    ids = [event("done").id, event("new").id]
    assert ledger.replay(ids, Step.EXTRACT) == 1, "what has not come to the step yet will pass it anyway"
    (receipt,) = ledger.receipts(ids[:1])
    assert receipt.state is ReceiptState.RECALLABLE
    (work,) = ledger.claim(Step.EXTRACT, 9, LEASE)
    assert (work.event_id, work.attempts) == (ids[0], 1)


def test_work_under_way_loses_its_lease_when_an_earlier_step_is_asked_again(ledger: Ledger) -> None:
    ledger.append([event("a")])
    ledger.advance(ledger.claim(Step.PROJECT, 9, LEASE), ReceiptState.RECALLABLE, Step.EXTRACT, {})
    held = ledger.claim(Step.EXTRACT, 9, LEASE)

    assert ledger.replay([held[0].event_id], Step.PROJECT) == 1
    ledger.advance(held, ReceiptState.LINKED, Step.LINK, {})

    assert [r.state for r in ledger.receipts()] == [ReceiptState.ACCEPTED]
    assert [w.event_id for w in ledger.claim(Step.PROJECT, 9, LEASE)] == [held[0].event_id]


def test_a_piece_that_was_tried_before_comes_alone(ledger: Ledger, clock: SetClock) -> None:
    """Should it have killed its worker, the others do not lose their attempts by it."""
    ledger.append([event(str(n), recorded_at=START + timedelta(seconds=n)) for n in range(4)])
    first = ledger.claim(Step.PROJECT, 2, LEASE)
    clock.forward(LEASE)

    claims = [[w.event_id for w in ledger.claim(Step.PROJECT, 9, LEASE)] for _ in range(4)]

    assert claims[:2] == [[first[0].event_id], [first[1].event_id]]
    assert [len(claim) for claim in claims[2:]] == [2, 0]
