"""An index is built beside the live one in a child process: nothing is lost, nothing waits, and a failure changes nothing."""

import os
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from graph.errors import StoreError
from graph.model.ids import point_id
from graph.model.observations import Status
from graph.model.points import Point, Space, Vector
from graph.model.views import View
from graph.stores.embedded import vectors_build, vectors_handover, vectors_shard
from graph.stores.embedded.vectors import EdgeVectors
from graph.text.terms import document_sparse, query_sparse
from tests.contract.points import uid

EVERYTHING = View(scopes=None, statuses=frozenset(Status))
DIM = 2048  # so that 2,600 points are enough for the engine to make a graph of them
WORDS = "cache disk deploy lease queue index shard token review incident".split()


@lru_cache(maxsize=5000)
def vector(seed: int) -> Vector:
    """Near one of twenty centres."""
    centre = np.random.default_rng(10_000 + seed % 20).normal(size=DIM)
    drawn = (centre + np.random.default_rng(seed).normal(size=DIM)).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def point(number: int, **changes: object) -> Point:
    owner = uid("owner", number)
    text = " ".join(np.random.default_rng(number).choice(WORDS, 4).tolist())
    fields = {"dense": vector(number), "sparse": document_sparse(text), "scope": f"s{number % 7}"} | changes
    return Point(id=point_id("passage", "tests", owner), space=Space.PASSAGE, owner=owner, **fields)  # type: ignore[arg-type]


def shards(directory: Path) -> list[str]:
    return sorted(path.name for path in (directory / "passage").glob("shard*"))


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.01)


def test_an_index_takes_over_with_what_changed_meanwhile(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, DIM, "test@1", index_after=1300)
    stop, right = threading.Event(), []

    def ask() -> None:
        while not stop.is_set():
            seed = len(right) % 2500
            found = store.search(Space.PASSAGE, vector(seed), EVERYTHING, 5)
            right.append(len(found) == 5 and found[0].owner == uid("owner", seed) and found[0].score > 0.99)
            time.sleep(0.005)

    store.upsert([point(number) for number in range(2599)])
    assert store.indexed() == {Space.PASSAGE: 0}
    asking = threading.Thread(target=ask)
    asking.start()
    store.upsert([point(2599)])
    handover = store._shards[Space.PASSAGE].handover
    until(lambda: handover._changes is not None)
    store.upsert([point(number) for number in range(2600, 2700)])
    store.upsert([point(3, revision=4, scope="moved")])
    store.set_status([uid("owner", 2550)], Status.ARCHIVED, 2)
    store.delete([uid("owner", 2560)])
    during = handover.indexed
    store.settle()
    stop.set()
    asking.join()
    assert len(right) > 20
    assert sum(right) >= 0.995 * len(right)  # a graph search may miss one in a thousand
    assert (during, store.indexed(), store.counts()) == (0, {Space.PASSAGE: 2600}, {Space.PASSAGE: 2699})
    assert shards(tmp_path) == [f"shard-2-{os.getpid()}"]
    for _ in range(2):
        info = store._shards[Space.PASSAGE]._live.shard.info()
        assert info.segments_count > 1
        _check_changes(store)
        store.close()
        store = EdgeVectors(tmp_path, DIM, "test@1", index_after=0)
    store.close()


def _check_changes(store: EdgeVectors) -> None:
    found = {row[0]: row[2] for row in store.revisions(Space.PASSAGE, limit=5000)}
    assert len(found) == 2699
    assert found[point(3).id] == 4
    assert store.search(Space.PASSAGE, vector(3), View(scopes=frozenset({"moved"})), 5)[0].owner == uid("owner", 3)
    assert store.search(Space.PASSAGE, vector(2550), View(scopes=None), 1)[0].owner != uid("owner", 2550)
    assert store.search(Space.PASSAGE, vector(2550), EVERYTHING, 1)[0].owner == uid("owner", 2550)
    assert store.search(Space.PASSAGE, vector(2650), EVERYTHING, 1)[0].owner == uid("owner", 2650)


def test_an_indexed_space_answers_as_a_full_search_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_shard, "FULL_SEARCH_UP_TO", 0)  # filtered searches go by the graph too
    points = [point(number) for number in range(2600)]
    plain = EdgeVectors(tmp_path / "plain", DIM, "test@1", index_after=0)
    indexed = EdgeVectors(tmp_path / "indexed", DIM, "test@1", index_after=1300)
    for store in (plain, indexed):
        store.upsert(points)
    indexed.settle()
    assert (plain.indexed(), indexed.indexed()) == ({Space.PASSAGE: 0}, {Space.PASSAGE: 2600})
    kept = 0
    for seed in range(20):
        for view in (EVERYTHING, View(scopes=frozenset({"s3"}))):
            left, right = (store.search(Space.PASSAGE, vector(50_000 + seed), view, 20) for store in (plain, indexed))
            kept += len({scored.id for scored in left} & {scored.id for scored in right})
            scores = {scored.id: scored.score for scored in left}
            both = [scored for scored in right if scored.id in scores]
            assert [scored.score for scored in both] == pytest.approx([scores[scored.id] for scored in both], abs=1e-4)
    assert kept / (20 * 2 * 20) > 0.98
    owners = [uid("owner", number) for number in range(0, 300, 3)]
    for query in (vector(1), query_sparse("cache deploy incident")):
        left, right = (store.search(Space.PASSAGE, query, EVERYTHING, 100, among=owners) for store in (plain, indexed))
        assert [scored.id for scored in left] == [scored.id for scored in right]
        assert [scored.score for scored in left] == pytest.approx([scored.score for scored in right], rel=1e-4, abs=1e-6)
    for store in (plain, indexed):
        store.close()


def test_a_build_that_dies_leaves_the_live_index_as_it_is(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, DIM, "test@1", index_after=500)
    store.upsert([point(number) for number in range(1000)])
    handover = store._shards[Space.PASSAGE].handover
    until(lambda: handover._child is not None)
    assert handover._child is not None
    handover._child.kill()
    store.settle()
    assert (store.indexed(), shards(tmp_path)) == ({Space.PASSAGE: 0}, ["shard"])
    store.upsert([point(number) for number in range(1000, 1010)])
    assert len(store.search(Space.PASSAGE, vector(1), EVERYTHING, 2000)) == 1010
    store.close()


def test_a_build_that_cannot_start_is_no_error_for_writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_build, "__file__", str(tmp_path / "missing.py"))
    store = EdgeVectors(tmp_path / "v", DIM, "test@1", index_after=10)
    store.upsert([point(number) for number in range(20)])
    store.settle()
    store.upsert([point(number) for number in range(20, 40)])
    store.settle()
    assert store.counts() == {Space.PASSAGE: 40}
    store.close()


def test_closing_ends_a_running_build(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, DIM, "test@1", index_after=1300)
    store.upsert([point(number) for number in range(2600)])
    child = store._shards[Space.PASSAGE].handover
    until(lambda: child._changes is not None)
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 10
    again = EdgeVectors(tmp_path, DIM, "test@1", index_after=0)
    assert again.counts() == {Space.PASSAGE: 2600}
    again.close()


def test_what_a_crashed_build_left_behind_is_removed(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, DIM, "test@1")
    store.upsert([point(1)])
    store.close()
    (tmp_path / "passage" / "shard-7").mkdir()
    EdgeVectors(tmp_path, DIM, "test@1").close()
    assert shards(tmp_path) == ["shard"]


def test_a_sparse_file_is_copied_with_its_holes(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    with (source / "file").open("wb") as file:
        file.truncate(64 << 20)
        for at in (0, 9_000_000, (64 << 20) - 5):
            file.seek(at)
            file.write(b"words")
    (source / "empty").touch()
    (source / "holes").open("wb").truncate(1 << 20)
    vectors_build.copy_tree(source, tmp_path / "target")
    for name in ("file", "empty", "holes"):
        assert (tmp_path / "target" / name).read_bytes() == (source / name).read_bytes()
    assert (tmp_path / "target" / "file").stat().st_blocks * 512 < 2 << 20


def test_a_lost_shard_is_named_so(tmp_path: Path) -> None:
    vectors_handover._point_to(tmp_path, "shard-3", 5)
    with pytest.raises(StoreError, match="backstory rebuild vectors"):
        vectors_handover.shard_in_use(tmp_path)
