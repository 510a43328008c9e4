"""The made memory has the proportions it claims, is the same at every run, and the measurement prints what it promises."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench import latency
from bench.synthetic import NAMES, SIDE, Made, name_of
from graph.model.edges import EdgeKind
from graph.model.points import Space
from infra.models.minilm import MiniLM


@pytest.fixture(scope="module")
def made() -> Made:
    return Made(400, MiniLM())


def test_a_made_memory_has_real_proportions(made: Made) -> None:
    batches = list(made.batches(150))
    points = [point for batch in batches for point in batch.points]
    edges = [edge for batch in batches for edge in batch.graph.edges]
    observations = {o.id: o for batch in batches for o in batch.graph.observations}
    sentences = [point for point in points if point.space is Space.SENTENCE]
    assert len(observations) == 400
    assert 3.3 < len(sentences) / 400 < 3.9
    assert 0.08 < sum(o.scope == SIDE for o in observations.values()) / 400 < 0.12
    assert 3 <= sum(edge.kind is EdgeKind.MENTIONS for edge in edges) / 400 <= NAMES
    assert {edge.kind for edge in edges} >= {EdgeKind.NEXT, EdgeKind.SIMILAR, EdgeKind.CAUSES, EdgeKind.ABOUT, EdgeKind.SUBJECT}
    assert all(observations[e.source].scope == e.scope for e in edges if e.kind is EdgeKind.MENTIONS)
    causes = [edge for edge in edges if edge.kind is EdgeKind.CAUSES]
    assert all(observations[e.source].authored_at < observations[e.target].authored_at for e in causes)
    assert np.linalg.norm([point.dense for point in points], axis=1) == pytest.approx(1, abs=1e-5)


def test_a_made_memory_is_the_same_at_every_run(made: Made) -> None:
    again = Made(400, MiniLM())
    one, other = next(made.batches(40)), next(again.batches(40))
    assert one.graph == other.graph
    assert [point.id for point in one.points] == [point.id for point in other.points]
    assert all(np.array_equal(left.dense, right.dense) for left, right in zip(one.points, other.points, strict=True))


def test_names_differ() -> None:
    assert len({name_of(number) for number in range(400_000)}) == 400_000


def test_the_measurement_prints_what_it_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BACKSTORY_BENCH_CACHE", str(tmp_path))
    monkeypatch.setattr(latency, "QUESTIONS", 2)
    assert latency.main(["--sizes", "200", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["sizes"]
    assert found["size"] == 200
    for row in (found["ms"], found["small_scope"], found["while_writing"], *found["by_intent"].values()):
        assert 0 < row["p50"] <= row["p95"] <= row["p99"]
    assert set(found["by_intent"]) == {"WHY", "WHEN", "ENTITY", "WHAT"}
    assert {"embed", "expand", "search passage dense", "search sentence dense"} <= set(found["legs"])
    assert found["disk_mb"] > 0
    assert found["written_meanwhile"] > 0
