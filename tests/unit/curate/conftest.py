"""A memory that reads the controlled language, and a room in it for each test."""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.support.memory import Memory, Room, opened
from tests.support.plain import PlainExtractor

_numbers = count(1)


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with opened(tmp_path_factory.mktemp("memory"), PlainExtractor()) as found:
        yield found


@pytest.fixture
def room(memory: Memory) -> Room:
    return Room(memory, f"room{next(_numbers)}")
