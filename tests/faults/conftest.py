"""One Neo4j for the room: it takes eight seconds to start."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cluster import Cluster, cluster


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path) as running:
        yield running
