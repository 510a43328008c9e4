"""Where the adjacency comes from: the rows of SQLite, or a snapshot on disk that is of the same version."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graph.errors import StoreUnavailable
from graph.model.edges import EdgeKind
from graph.stores.embedded.adjacency.arrays import ALWAYS, IN, OUT, Adjacency
from graph.stores.embedded.adjacency.links import LINK, Links, packed
from graph.stores.embedded.adjacency.nodes import NEVER, NODE, NODE_COLUMNS, UNKNOWN, Nodes
from graph.stores.embedded.rows import KIND_NO, KINDS

FORMAT = "1"  # of the snapshot's files
_CHUNK_ROWS = 20_000
_MENTIONS = KIND_NO[EdgeKind.MENTIONS]
EDGE_COLUMNS = f"no, kind, source, target, scope, weight, coalesce(valid_from, {UNKNOWN + 1} - 1), coalesce(valid_to, {NEVER})"
_EDGE = np.dtype([("no", "i8"), ("kind", "i8"), ("source", "i8"), ("target", "i8"), ("scope", "i8"), ("weight", "f8"),
                  ("valid_from", "i8"), ("valid_to", "i8")])  # fmt: skip


def version_of(connection: sqlite3.Connection) -> tuple[int, str]:
    """The number of the graph's last change, and the name of this file."""
    number, file = connection.execute("SELECT n, file FROM graph_version").fetchone()
    return int(number), str(file)


def from_rows(connection: sqlite3.Connection, stopped: Callable[[], bool] = lambda: False) -> Adjacency:
    """The adjacency as one snapshot of the database has it. Raises StoreUnavailable when it is `stopped`."""
    connection.execute("BEGIN")
    try:
        version, _ = version_of(connection)
        nodes = _nodes(connection, stopped)
        chunks = _chunks(connection, f"SELECT {EDGE_COLUMNS} FROM edge", stopped)
        edges = np.concatenate([np.zeros(0, _EDGE), *(np.array(chunk, _EDGE) for chunk in chunks)])
    finally:
        connection.execute("COMMIT")
    intervals = _intervals(edges)
    order = np.argsort(edges["kind"], kind="stable")
    borders = np.searchsorted(edges["kind"][order], np.arange(len(KINDS) + 1))
    timed = _timed(edges)
    tables = []
    for kind in range(len(KINDS)):
        chosen = order[borders[kind] : borders[kind + 1]]
        tables.append(_tables(nodes, edges.take(chosen), timed[chosen], kind == _MENTIONS))
    return Adjacency(nodes, tables, intervals, version)


def _tables(nodes: Nodes, edges: npt.NDArray[np.void], timed: npt.NDArray[np.int32], mentions: bool) -> tuple[Links, Links]:
    source, target = nodes.place_of_no[edges["source"]], nodes.place_of_no[edges["target"]]
    rows = np.zeros(len(edges), LINK)
    rows["scope"], rows["weight"], rows["no"], rows["timed"] = edges["scope"], edges["weight"], edges["no"], timed
    rows["far"] = target
    out = packed(nodes, source, rows, in_order=not mentions)
    rows["far"] = source
    into = packed(nodes, target, rows, in_order=True, weights=nodes.rows["mention_weight"] if mentions else None)
    return out, into


def _timed(edges: npt.NDArray[np.void]) -> npt.NDArray[np.int32]:
    """Each edge's row of the intervals: 0 for one that holds always."""
    bounded = (edges["valid_from"] != UNKNOWN) | (edges["valid_to"] != NEVER)
    return np.where(bounded, np.cumsum(bounded), 0).astype(np.int32)


def _intervals(edges: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    bounded = edges[(edges["valid_from"] != UNKNOWN) | (edges["valid_to"] != NEVER)]
    return np.concatenate([ALWAYS, np.stack([bounded["valid_from"], bounded["valid_to"]], axis=1)])


def _nodes(connection: sqlite3.Connection, stopped: Callable[[], bool]) -> Nodes:
    ids, numbers, parts = [b""], [0], [np.zeros(1, NODE)]
    statement = f"SELECT n.no, n.id, {NODE_COLUMNS} FROM node n LEFT JOIN entity e ON e.no = n.no ORDER BY n.id"
    for chunk in _chunks(connection, statement, stopped):
        numbers += [row[0] for row in chunk]
        ids += [row[1].encode() for row in chunk]
        parts.append(np.array([row[2:] for row in chunk], NODE))
    place_of_no = np.zeros(max(numbers) + 1, np.int32)
    place_of_no[numbers] = np.arange(len(numbers))
    return Nodes(np.array(ids, np.bytes_), np.concatenate(parts), place_of_no, np.arange(len(ids)))


def _chunks(connection: sqlite3.Connection, statement: str, stopped: Callable[[], bool]) -> Iterator[list[Any]]:
    rows = connection.execute(statement)
    while chunk := rows.fetchmany(_CHUNK_ROWS):
        if stopped():
            raise StoreUnavailable("closed while the adjacency was loaded")
        yield chunk


def save(adjacency: Adjacency, folder: Path, file: str) -> None:
    """Write a snapshot beside the database, whole or not at all; older ones go."""
    adjacency.fold_all()
    kept, nodes = folder / _name(adjacency.version, file), adjacency.nodes
    if kept.exists():
        return
    folder.mkdir(exist_ok=True)
    new = folder / "new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    arrays = {
        "ids": nodes.ids[: nodes.count],
        "rows": nodes.rows[: nodes.count],
        "place_of_no": nodes.place_of_no,
        "by_id": nodes.by_id,
        "intervals": adjacency.intervals,
    }
    for kind, tables in enumerate(adjacency.tables):
        for direction in (OUT, IN):
            if len(tables[direction].rows):
                arrays[f"indptr-{kind}-{direction}"] = tables[direction].indptr
                arrays[f"links-{kind}-{direction}"] = tables[direction].rows
    for name, array in arrays.items():
        np.save(new / f"{name}.npy", array)
    new.rename(kept)
    for other in folder.iterdir():
        if other != kept:
            shutil.rmtree(other, ignore_errors=True)


def from_snapshot(folder: Path, version: int, file: str) -> Adjacency | None:
    """The snapshot of this file and version, mapped into memory (changes stay private); None when there is none."""
    kept = folder / _name(version, file)
    if not kept.is_dir():
        return None

    def mapped(name: str) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = np.load(kept / f"{name}.npy", mmap_mode="c").view(np.ndarray)
        return array

    nodes = Nodes(mapped("ids"), mapped("rows"), mapped("place_of_no"), mapped("by_id"))

    def links(kind: int, direction: int) -> Links:
        in_order = kind != _MENTIONS or direction == IN
        if not (kept / f"links-{kind}-{direction}.npy").exists():
            return packed(nodes, np.zeros(0, np.int32), np.zeros(0, LINK), in_order=in_order)
        return Links(mapped(f"indptr-{kind}-{direction}"), mapped(f"links-{kind}-{direction}"), in_order=in_order)

    tables = [(links(kind, OUT), links(kind, IN)) for kind in range(len(KINDS))]
    return Adjacency(nodes, tables, mapped("intervals"), version)


def _name(version: int, file: str) -> str:
    return f"{FORMAT}-{file}-{version}"
