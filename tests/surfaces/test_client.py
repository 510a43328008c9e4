"""The Python clients: typed results, errors that can be caught, and calls that may be repeated."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from backstory import AsyncBackstory, Backstory
from backstory.errors import Conflict, InvalidInput, NotFound, Unreachable
from tests.surfaces.conftest import ROOT, run

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
TEXT = "The mill stopped because the tide was low."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    directory = tmp_path_factory.mktemp("c") / "d"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        with Backstory(data=directory) as memory:
            memory.remember(TEXT, author="bo", authored_at=AT, session="s1", metadata={"n": 1}, wait="done")
    yield directory
    run("daemon", "stop", cwd=directory.parent, BACKSTORY_DATA=str(directory))


@pytest.fixture
def memory(data: Path) -> Iterator[Backstory]:
    with Backstory(data=data) as opened:
        yield opened


def test_an_answer_is_typed(memory: Backstory) -> None:
    answer = memory.why("did the mill stop")
    assert answer.intents == ("WHY",)
    (hit,) = answer.results
    assert (hit.text, hit.author, hit.authored_at, hit.session, hit.metadata) == (TEXT, "bo", AT, "s1", {"n": 1})
    assert hit.path == ()
    assert answer.degraded == answer.warnings == ()


def test_the_other_questions_and_lists_work_too(memory: Backstory) -> None:
    for ask in (memory.ask, memory.when, memory.who, memory.what):
        assert [hit.text for hit in ask("the mill and the tide").results] == [TEXT]
    assert memory.ask("mill", session="another").results == ()
    assert [one.text for one in memory.timeline(since=AT)] == [TEXT]
    assert memory.timeline(until=AT) == []
    assert isinstance(memory.facts("mill"), list)
    assert memory.status()["counts"]["events"] >= 1
    assert memory.dead_letters() == []


def test_telling_again_changes_nothing(memory: Backstory) -> None:
    again = memory.remember(TEXT, author="bo", authored_at=AT, session="s1", metadata={"n": 1}, wait="done")
    assert (again.state, again.created) == ("done", False)


def test_errors_are_classes_that_can_be_caught(memory: Backstory) -> None:
    with pytest.raises(InvalidInput):
        memory.remember("  ")
    with pytest.raises(NotFound):
        memory.show("nothing")
    memory.remember("one", key="k", scope="keys")
    with pytest.raises(Conflict) as caught:
        memory.remember("two", key="k", scope="keys")
    assert caught.value.retryable is False


def test_forgetting_hides_and_restoring_brings_back(memory: Backstory) -> None:
    memory.scope = "zoo"
    memory.remember("The walrus prefers the northern harbour.", wait="done")
    (hit,) = memory.ask("walrus").results
    assert memory.forget(hit.id, reason="a test") == [hit.id]
    assert memory.ask("walrus").results == ()
    assert memory.restore(hit.id) == [hit.id]
    assert memory.ask("walrus").results[0].id == hit.id
    assert memory.pin(hit.id) == [hit.id]


def test_many_are_told_in_batches_and_come_back_in_order(memory: Backstory) -> None:
    events = [{"text": f"Crate {n} holds rope.", "key": f"crate-{n}", "scope": "crates"} for n in range(210)]
    receipts = memory.remember_all(events)
    assert len({receipt.event_id for receipt in receipts}) == 210
    assert [r.event_id for r in memory.remember_all(reversed(events))] == [r.event_id for r in reversed(receipts)]


def test_without_a_daemon_and_without_leave_to_start_one_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="no daemon runs"):
        Backstory(data=tmp_path, start=False).status()
    with pytest.raises(Unreachable, match="does not answer"):
        Backstory(url="http://127.0.0.1:9").status()
    with pytest.raises(Unreachable, match="URL"):
        Backstory(url="ftp://x").status()
    assert list(tmp_path.iterdir()) == []


def test_the_asynchronous_client_does_the_same(data: Path) -> None:
    async def talk() -> None:
        async with AsyncBackstory(data=data, scope="async") as memory:
            told = await memory.remember("The kettle leaked because its seam was open.", wait="done")
            assert told.state == "done"
            answers = await asyncio.gather(*(memory.why("did the kettle leak") for _ in range(4)))
            assert {answer.results[0].text for answer in answers} == {"The kettle leaked because its seam was open."}
            with pytest.raises(NotFound):
                await memory.show("nothing")
            assert await memory.forget(answers[0].results[0].id) == [answers[0].results[0].id]
            assert (await memory.ask("kettle")).results == ()

    asyncio.run(talk())
