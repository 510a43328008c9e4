"""A file cache in front of an embedder: for benchmarks, which embed the same texts again and again."""

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import numpy as np

from graph.errors import StoreUnavailable
from graph.model.points import Vector
from graph.ports.models import Embedder

BUSY_SECONDS = 60.0
SLICE = 500  # keys in one SELECT
GROUP = 512  # texts embedded and kept at once, so that an interrupted run keeps what it has paid for
T = TypeVar("T")
SCHEMA = "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


class CachedEmbedder:
    """Embedder port: vectors of `embedder`, kept in the SQLite file `path` by (model id, revision, SHA-256 of the text).

    Safe for several threads and processes: each call opens its own connection. Raises StoreUnavailable when the file
    cannot be used, besides what the embedder raises.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._path = path
        self._writing = threading.Lock()
        self._prefix = f"{embedder.id}|{embedder.revision}|".encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(SCHEMA)

    @property
    def id(self) -> str:
        return self._embedder.id

    @property
    def dim(self) -> int:
        return self._embedder.dim

    @property
    def revision(self) -> str:
        return self._embedder.revision

    @property
    def max_tokens(self) -> int:
        return self._embedder.max_tokens

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._embedder.count_tokens(texts)

    def embed(self, texts: Sequence[str]) -> Vector:
        keys = [self._key(text) for text in texts]
        try:
            known = self._read(keys)
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            for group in _groups(list(missing.items()), GROUP):
                known.update(self._compute(group))
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the cache of vectors cannot be used: {error}") from error
        rows = [np.frombuffer(known[key], np.float32) for key in keys]
        return np.stack(rows) if rows else np.empty((0, self.dim), np.float32)

    def _compute(self, group: Sequence[tuple[bytes, str]]) -> dict[bytes, bytes]:
        vectors = self._embedder.embed([text for _, text in group])
        fresh = {key: vector.astype(np.float32).tobytes() for (key, _), vector in zip(group, vectors, strict=True)}
        with self._writing, closing(self._connect()) as connection, connection:
            connection.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?)", fresh.items())
        return fresh

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        known: dict[bytes, bytes] = {}
        with closing(self._connect()) as connection:
            for group in _groups(sorted(set(keys)), SLICE):
                marks = ",".join("?" * len(group))
                known.update(connection.execute(f"SELECT key, value FROM vector WHERE key IN ({marks})", group))  # noqa: S608
        return known

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(self._prefix + text.encode("utf-8", "surrogatepass")).digest()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS)
        connection.execute("PRAGMA synchronous=OFF")  # a cache may be lost with the power
        return connection


def _groups(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[at : at + size] for at in range(0, len(items), size)]
