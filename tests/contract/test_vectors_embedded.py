"""What only the embedded vector index promises: its directory, its owner, its model, and life after a crash."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graph.errors import AlreadyOwned, ModelMismatch, SchemaTooNew, StoreError, StoreFull, StoreReadOnly
from graph.model.observations import Status
from graph.model.points import Space
from graph.model.views import View
from graph.stores.embedded import vectors
from graph.stores.embedded.vectors import META, EdgeVectors
from graph.stores.embedded.vectors_mirror import Mirrored, VectorMirror
from graph.stores.payloads import payload
from graph.text.terms import document_sparse, query_sparse
from tests.contract.points import DIM, make_point, uid, unit

EVERYTHING = View(scopes=None, statuses=frozenset(Status))
KEY = "test@1"
ROOT = Path(__file__).parents[2]


def test_what_was_stored_is_there_after_reopening(tmp_path: Path) -> None:
    points = [make_point(number, sparse=document_sparse(f"word{number}")) for number in range(50)]
    store = EdgeVectors(tmp_path, DIM, KEY)
    store.upsert(points)
    store.delete([points[3].owner])
    store.set_status([points[4].owner], Status.ARCHIVED, 9)
    before = store.search(Space.PASSAGE, unit(8), EVERYTHING, 100)
    store.close()
    store.close()
    again = EdgeVectors(tmp_path, DIM, KEY)
    assert again.search(Space.PASSAGE, unit(8), EVERYTHING, 100) == before
    assert len(again.search(Space.PASSAGE, unit(8), View(scopes=None), 100)) == 48
    assert again.search(Space.PASSAGE, query_sparse("word7"), EVERYTHING, 5)[0].id == points[7].id
    assert again.vectors(Space.PASSAGE, [points[5].owner])[points[5].owner][0] == pytest.approx(points[5].dense, abs=1e-3)
    assert again.counts() == {Space.PASSAGE: 49}
    again.close()


def test_a_second_opener_is_refused_in_this_process_and_in_another(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, DIM, KEY)
    store.upsert([make_point(1)])
    with pytest.raises(AlreadyOwned):
        EdgeVectors(tmp_path, DIM, KEY)
    context = multiprocessing.get_context("spawn")
    child = context.Process(target=_open_in_child, args=(tmp_path,))
    child.start()
    child.join()
    assert child.exitcode == 0
    store.close()
    EdgeVectors(tmp_path, DIM, KEY).close()


def _open_in_child(path: Path) -> None:
    try:
        EdgeVectors(path, DIM, KEY)
    except AlreadyOwned:
        os._exit(0)
    os._exit(3)


def test_another_model_or_dimension_is_refused_with_the_way_out(tmp_path: Path) -> None:
    EdgeVectors(tmp_path, DIM, KEY).close()
    for dim, key in ((DIM, "other@1"), (DIM * 2, KEY)):
        with pytest.raises(ModelMismatch, match="backstory rebuild vectors"):
            EdgeVectors(tmp_path, dim, key)
    EdgeVectors(tmp_path, DIM, KEY).close()


def test_a_newer_schema_and_a_damaged_description_are_refused(tmp_path: Path) -> None:
    EdgeVectors(tmp_path, DIM, KEY).close()
    meta = json.loads((tmp_path / META).read_text())
    (tmp_path / META).write_text(json.dumps(meta | {"schema": 99}))
    with pytest.raises(SchemaTooNew):
        EdgeVectors(tmp_path, DIM, KEY)
    (tmp_path / META).write_text("{")
    with pytest.raises(StoreError, match="rebuild"):
        EdgeVectors(tmp_path, DIM, KEY)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_named_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreReadOnly):
        EdgeVectors(tmp_path / "vectors", DIM, KEY)


def test_a_disk_without_room_is_refused_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = EdgeVectors(tmp_path, DIM, KEY)
    store.upsert([make_point(1)])
    monkeypatch.setattr(vectors, "MIN_FREE_BYTES", 1 << 60)
    with pytest.raises(StoreFull):
        store.upsert([make_point(2)])
    assert len(store.search(Space.PASSAGE, unit(1), EVERYTHING, 5)) == 1
    store.close()


WRITER = """
    import sys
    from pathlib import Path
    from graph.stores.embedded.vectors import EdgeVectors
    from graph.text.terms import document_sparse
    from graph.model.points import Space
    from tests.contract.points import DIM, make_point

    store = EdgeVectors(Path(sys.argv[1]), DIM, "test@1")
    for number in range(100_000):
        store.upsert([make_point(number, sparse=document_sparse(f"word{number}"))])
        store.upsert([make_point(number, space=Space.NAME)])
        print(number, flush=True)
        if number % 40 == 39:
            store.flush()
"""


@pytest.mark.parametrize("kill_after", [1, 57, 130])
def test_a_killed_process_loses_no_acknowledged_point(tmp_path: Path, kill_after: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert child.stdout is not None
    acknowledged = -1
    for line in child.stdout:
        acknowledged = int(line)
        if acknowledged >= kill_after:
            child.send_signal(signal.SIGKILL)
            break
    acknowledged = max([acknowledged, *(int(line) for line in child.stdout if line.endswith("\n"))])
    assert child.wait() == -signal.SIGKILL
    store = EdgeVectors(tmp_path, DIM, KEY)
    for space in (Space.PASSAGE, Space.NAME):
        stored = {row[0] for row in store.revisions(space, limit=10_000)}
        assert {make_point(number, space=space).id for number in range(acknowledged + 1)} <= stored
        owners = [uid("owner", number) for number in range(acknowledged + 1)]
        assert len(store.vectors(space, owners)) == len(owners)
    last = store.search(Space.PASSAGE, query_sparse(f"word{acknowledged}"), EVERYTHING, 5)[0]
    assert last.owner == uid("owner", acknowledged)
    store.close()


def test_a_lost_mirror_is_made_anew(tmp_path: Path) -> None:
    points = [
        make_point(owner, space=Space.SENTENCE, ordinal=n, dense=unit(owner * 10 + n)) for owner in range(400) for n in (1, 0)
    ]
    store = EdgeVectors(tmp_path, DIM, KEY)
    store.upsert(points)
    store.close()
    for file in (tmp_path / "sentence" / "mirror").iterdir():
        file.unlink()
    again = EdgeVectors(tmp_path, DIM, KEY)
    found = again.vectors(Space.SENTENCE, [uid("owner", number) for number in range(400)])
    assert len(found) == 400
    assert found[uid("owner", 7)] == pytest.approx(np.array([unit(70), unit(71)]), abs=1e-3)
    again.close()


def test_the_mirror_grows_keeps_and_forgets(tmp_path: Path) -> None:
    mirror = VectorMirror(tmp_path, DIM)
    points = [make_point(number // 3, space=Space.SENTENCE, ordinal=number % 3, dense=unit(number)) for number in range(3000)]
    rows = [Mirrored(point.id, payload(point), point.dense) for point in points]
    mirror.put(rows)
    mirror.put(rows[:30])
    mirror.drop([points[0].owner])
    mirror.drop_points([points[4].id])
    again = VectorMirror(tmp_path, DIM)
    for each in (mirror, again):
        assert len(each) == 3000 - 3 - 1
        found = each.of([points[0].owner, points[3].owner, points[2999].owner, "no uuid at all"])
        assert {owner: len(rows) for owner, rows in found.items()} == {points[3].owner: 2, points[2999].owner: 3}
        assert found[points[2999].owner] == pytest.approx(np.array([p.dense for p in points[2997:]]), abs=1e-3)
        assert each.of([]) == {}
        located = each.locate([points[5].id, points[0].id, points[2999].id])
        assert located == {points[5].id: (points[5].owner, 2), points[2999].id: (points[2999].owner, 2)}


def test_owners_need_not_be_uuids(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, DIM, KEY)
    store.upsert([replace(make_point(1), owner="Owner One"), make_point(2)])
    assert {found.owner for found in store.search(Space.PASSAGE, unit(1), EVERYTHING, 5)} == {"Owner One", uid("owner", 2)}
    assert list(store.vectors(Space.PASSAGE, ["Owner One"])) == ["Owner One"]
    store.delete(["Owner One"])
    assert [found.owner for found in store.search(Space.PASSAGE, unit(1), EVERYTHING, 5)] == [uid("owner", 2)]
    store.close()
