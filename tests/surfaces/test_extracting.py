"""Reading in a child: the same extractions, and a child that dies or hangs is replaced."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from threading import Timer

import pytest

from graph.errors import DeadlineExceeded
from graph.extract.rules import RuleExtractor
from graph.model.extraction import Passage
from infra.extracting import ChildExtractor, ExtractorDied
from tests.surfaces.conftest import ROOT

PASSAGES = [
    Passage(id="a", text="The mill stopped on 3 March 2026 because the tide was low, so Ana Berg bought a pump.", author="bo"),
    Passage(id="b", text="\u202eodd \x00 text 👩‍👩‍👧 " * 20),
]


@pytest.fixture(autouse=True)
def _from_this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def child() -> Iterator[ChildExtractor]:
    extractor = ChildExtractor(lambda _: 60.0)
    yield extractor
    extractor.close()


def _pid(child: ChildExtractor) -> int:
    assert child._child is not None
    return child._child.pid


def test_a_child_reads_what_this_process_would(child: ChildExtractor) -> None:
    assert child.extract(PASSAGES) == RuleExtractor().extract(PASSAGES)
    assert child.extract([]) == []


def test_a_child_that_died_is_replaced(child: ChildExtractor) -> None:
    first = child.extract(PASSAGES[:1])
    before = _pid(child)
    os.kill(before, signal.SIGKILL)
    with suppress(ExtractorDied):  # unless its end was seen before anything was asked of it
        child.extract(PASSAGES[:1])
    assert child.extract(PASSAGES[:1]) == first
    assert _pid(child) != before


def test_a_child_that_dies_over_a_text_is_that_texts_failure(child: ChildExtractor) -> None:
    first = child.extract(PASSAGES[:1])
    os.kill(_pid(child), signal.SIGSTOP)
    killer = Timer(0.3, os.kill, (_pid(child), signal.SIGKILL))
    killer.start()
    with pytest.raises(ExtractorDied):
        child.extract(PASSAGES[:1])
    killer.join()
    assert child.extract(PASSAGES[:1]) == first


def test_a_child_that_hangs_is_killed_at_its_deadline(child: ChildExtractor) -> None:
    first = child.extract(PASSAGES[:1])
    hanging = _pid(child)
    child._seconds_for = lambda _: 0.3
    os.kill(hanging, signal.SIGSTOP)
    with pytest.raises(DeadlineExceeded):
        child.extract(PASSAGES[:1])
    child._seconds_for = lambda _: 60.0
    assert child.extract(PASSAGES[:1]) == first
    assert _pid(child) != hanging
