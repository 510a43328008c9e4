"""How a shard is laid out, and the child process that indexes a copy of one.

Building an index holds the interpreter's lock for its whole length (10 s to minutes), so it never happens in the process that
answers questions. This file is run as a program; it imports the engine and the standard library only.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import qdrant_edge as edge

DENSE, SPARSE = "dense", "sparse"
NEVER = 1_000_000_000  # kilobytes of vectors in a segment before it is indexed: more than any has
INDEX_FROM = 10_000  # kilobytes; smaller segments are searched in full
SEGMENTS = 4  # indexed segments beside each other before the smallest are merged: each is searched by itself
HNSW_M, HNSW_EF = 16, 100  # links of a node; candidates while building (Malkov and Yashunin, 2016)
QUANTILE = 0.99  # of values that int8 covers; the rest is clipped, and results are rescored with the stored vectors
NICENESS = 10
COPY_BLOCK = 1 << 24  # bytes
COPIED, DONE = "copied", "done"


def config(dim: int, sparse: bool, *, indexed: bool) -> edge.EdgeConfig:
    """Dense cosine in half precision, sparse weights times the engine's IDF, WAL on.

    With `indexed`, segments get an HNSW graph and int8 vectors when they are optimised; without it nothing ever changes.
    """
    dense = edge.EdgeVectorParams(size=dim, distance=edge.Distance.Cosine, datatype=edge.VectorStorageDatatype.Float16)
    sparse_vectors = {SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)} if sparse else None
    if not indexed:
        optimizers = edge.EdgeOptimizersConfig(indexing_threshold=NEVER)
        return edge.EdgeConfig(vectors={DENSE: dense}, sparse_vectors=sparse_vectors, optimizers=optimizers, wal_enabled=True)
    return edge.EdgeConfig(
        vectors={DENSE: dense},
        sparse_vectors=sparse_vectors,
        hnsw_config=edge.HnswIndexConfig(HNSW_M, HNSW_EF, INDEX_FROM, max_indexing_threads=1),
        quantization_config=edge.ScalarQuantizationConfig(edge.ScalarType.Int8, quantile=QUANTILE, always_ram=True),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=INDEX_FROM, default_segment_number=SEGMENTS),
        wal_enabled=True,
    )


def copy_tree(source: Path, target: Path) -> None:
    """Copy a shard's files as they are now. Nobody may write to it meanwhile; readers may read."""
    shutil.copytree(source, target, copy_function=_copy_sparse)


def _copy_sparse(source: str, target: str) -> None:
    """Copy a file without filling its holes (the engine reserves far more than it uses)."""
    if not hasattr(os, "SEEK_DATA"):  # pragma: no cover
        shutil.copyfile(source, target)
        return
    with Path(source).open("rb") as reader, Path(target).open("wb") as writer:
        size = os.fstat(reader.fileno()).st_size
        writer.truncate(size)
        at = _seek(reader.fileno(), 0, os.SEEK_DATA, size)
        while at < size:
            end = _seek(reader.fileno(), at, os.SEEK_HOLE, size)
            reader.seek(at)
            writer.seek(at)
            while at < end:
                block = reader.read(min(COPY_BLOCK, end - at))
                if not block:
                    return
                writer.write(block)
                at += len(block)
            at = _seek(reader.fileno(), at, os.SEEK_DATA, size)


def _seek(handle: int, at: int, what: int, size: int) -> int:
    try:
        return os.lseek(handle, at, what) if at < size else size
    except OSError:  # no data beyond this place
        return size


def main() -> None:
    """Copy the shard, say so, index the copy, say so. The order comes as one JSON object on the command line."""
    order = json.loads(sys.argv[1])
    source, target = Path(order["source"]), Path(order["target"])
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    copy_tree(source, target)
    sys.stdout.write(COPIED + "\n")
    sys.stdout.flush()
    shard = edge.EdgeShard.load(str(target), config(order["dim"], order["sparse"], indexed=True))
    shard.optimize()
    shard.flush()
    shard.close()
    sys.stdout.write(DONE + "\n")


if __name__ == "__main__":
    main()
