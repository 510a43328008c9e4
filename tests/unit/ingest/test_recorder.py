"""Saying a thing twice is the same as once, and a refusal stores nothing."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.errors import Conflict, InvalidInput, InvalidTime
from graph.ingest.recorder import Recorder
from graph.model.events import EventDraft, ReceiptState, Step
from graph.stores.embedded.ledger import SqliteLedger
from tests.support.clock import SetClock
from tests.unit.conftest import Hints


def test_receipts_come_in_order_and_the_queue_hears_of_each_event_once(recorder: Recorder, hints: Hints) -> None:
    receipts = recorder.record([EventDraft(text="one"), EventDraft(text="two"), EventDraft(text="one")])
    assert [receipt.created for receipt in receipts] == [True, True, False]
    assert receipts[0].event_id == receipts[2].event_id != receipts[1].event_id
    assert receipts[0].state is ReceiptState.ACCEPTED
    assert sorted(hints.sent) == sorted((Step.PROJECT, receipt.event_id) for receipt in receipts[:2])


def test_the_same_body_again_gives_its_receipt_and_later_time_does_not_make_another(
    recorder: Recorder, hints: Hints, clock: SetClock
) -> None:
    draft = EventDraft(text="one", author="Ann", session="s", authored_at=datetime(2024, 1, 1, tzinfo=UTC))
    first = recorder.record([draft])[0]
    clock.forward(timedelta(hours=1))
    again = recorder.record([draft])[0]
    assert (again.event_id, again.created, again.recorded_at) == (first.event_id, False, first.recorded_at)
    assert len(hints.sent) == 1


@pytest.mark.parametrize(
    "other",
    [{"text": "two"}, {"author": "Bob"}, {"session": "t"}, {"scope": "x"}, {"record": "r"}, {"section": "c"}, {"position": 3}],
)
def test_another_body_or_scope_is_another_event(recorder: Recorder, other: dict[str, object]) -> None:
    base = {"text": "one", "author": "Ann", "session": "s", "position": 2}
    one, two = recorder.record([EventDraft.model_validate(base), EventDraft.model_validate(base | other)])
    assert one.event_id != two.event_id


def test_a_key_with_another_body_is_a_conflict_and_nothing_of_the_batch_is_stored(
    recorder: Recorder, ledger: SqliteLedger
) -> None:
    recorder.record([EventDraft(text="one", key="k")])
    with pytest.raises(Conflict):
        recorder.record([EventDraft(text="new"), EventDraft(text="two", key="k")])
    with pytest.raises(Conflict):
        recorder.record([EventDraft(text="a", key="l"), EventDraft(text="b", key="l")])
    assert [event.draft.text for event in ledger.events()] == ["one"]


def test_a_keyed_event_stays_itself_when_its_file_or_place_moves(recorder: Recorder) -> None:
    one = recorder.record([EventDraft(text="t", key="k", source="/a/x.md", position=1)])[0]
    two = recorder.record([EventDraft(text="t", key="k", source="/b/x.md", position=5)])[0]
    assert (two.event_id, two.created) == (one.event_id, False)


def test_the_same_key_in_two_scopes_is_two_events(recorder: Recorder) -> None:
    one, two = recorder.record([EventDraft(text="t", key="k", scope="a"), EventDraft(text="u", key="k", scope="b")])
    assert one.event_id != two.event_id
    assert one.created
    assert two.created


def test_a_refused_draft_is_named_and_stores_nothing(recorder: Recorder, ledger: SqliteLedger, hints: Hints) -> None:
    with pytest.raises(InvalidInput, match="item 1"):
        recorder.record([EventDraft(text="good"), EventDraft(text="  ")])
    with pytest.raises(InvalidTime):
        recorder.record([EventDraft(text="t", authored_at=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))))])
    assert ledger.events() == []
    assert hints.sent == []


def test_ten_megabytes_are_one_event_and_come_back_whole(recorder: Recorder, ledger: SqliteLedger) -> None:
    text = "漢字 and words. " * 770_000
    receipt = recorder.record([EventDraft(text=text)])[0]
    assert ledger.events([receipt.event_id])[0].draft.text == text


def test_events_of_one_batch_keep_their_order(recorder: Recorder, ledger: SqliteLedger) -> None:
    recorder.record([EventDraft(text=f"turn {number}") for number in range(50)])
    assert [event.draft.text for event in ledger.events()] == [f"turn {number}" for number in range(50)]
