"""One small memory per test; the model is loaded once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model.edges import EdgeKind
from tests.unit.retrieve.small import SmallMemory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SmallMemory]:
    opened = SmallMemory(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def outage(memory: SmallMemory) -> SmallMemory:
    """An outage told in three notes that share no word, among notes of other things."""
    memory.tell("slow", "Checkout was painfully slow for customers all afternoon.", days_ago=10, author="Ana")
    memory.tell("cache", "Ben disabled the session store on the web tier.", days_ago=11, author="Ben")
    memory.tell("alarm", "A memory alarm had fired twice in Frankfurt.", days_ago=12, author="Cleo")
    memory.tell("lunch", "Lunch is served at noon in the garden.", days_ago=3)
    memory.tell("logo", "The new logo will be blue and round.", days_ago=5)
    memory.tell("train", "The train to Hamburg leaves from platform nine.", days_ago=40)
    memory.tell("queue", "Customers waited in the checkout line at the store.", days_ago=9)
    memory.edge(EdgeKind.CAUSES, "cache", "slow", evidence="slow")
    memory.edge(EdgeKind.CAUSES, "alarm", "cache", evidence="cache")
    return memory
