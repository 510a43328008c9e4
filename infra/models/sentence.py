"""The embedder of whoever names a model: any sentence-transformers model, by local path or hub name (extra `server`)."""

import hashlib
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np

from graph.errors import ConfigError, ModelUnavailable
from graph.model.points import Vector
from infra.models.minilm import well_formed

SPECIAL_TOKENS = 2
BATCH = 32


class SentenceModel:
    """Embedder port over sentence-transformers. `name` is a folder or a hub name; it is loaded at construction.

    A text longer than `max_tokens` is read in windows and embedded as the unit mean of their unit vectors, as MiniLM does.
    Raises ConfigError when the extra is not installed or the model cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 (torch: seconds and hundreds of megabytes)
        except ImportError as error:
            raise ConfigError("a model by name needs the extra: pip install 'backstory-memory[server]'") from error
        try:
            self._model = cast("Any", SentenceTransformer(name, device="cpu"))
        except Exception as error:  # the libraries below raise what they like
            raise ConfigError(f"the model {name!r} cannot be loaded: {type(error).__name__}") from error
        self._lock = threading.Lock()
        self.id = Path(name).name
        self.dim = int(self._model.get_embedding_dimension())
        self.max_tokens = int(self._model.max_seq_length)
        self.revision = "st-" + self._fingerprint()

    def embed(self, texts: Sequence[str]) -> Vector:
        """See Embedder.embed."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        windows = [self._windows(well_formed(text)) for text in texts]
        try:
            with self._lock:
                rows = self._model.encode(
                    [window for own in windows for window in own],
                    batch_size=BATCH,
                    normalize_embeddings=True,
                    show_progress_bar=False,
                )
        except (RuntimeError, MemoryError) as error:
            raise ModelUnavailable(f"the model {self.id!r} failed: {type(error).__name__}") from error
        found = np.asarray(rows, np.float32)
        starts = np.cumsum([0, *map(len, windows)])
        means = np.stack([found[a:b].mean(axis=0) for a, b in pairwise(starts)])
        unit: Vector = (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(self._offsets(well_formed(text))) + SPECIAL_TOKENS for text in texts]

    def _windows(self, text: str) -> list[str]:
        """The text in slices of at most `max_tokens` tokens, nothing left out; a short text is one."""
        room = self.max_tokens - SPECIAL_TOKENS
        offsets = self._offsets(text)
        if len(offsets) <= room:
            return [text]
        cuts = [0, *(offsets[i][0] for i in range(room, len(offsets), room)), len(text)]
        return [text[a:b] for a, b in pairwise(cuts)]

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        with self._lock:
            encoded = self._model.tokenizer(
                text, add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False
            )
        return [tuple(pair) for pair in encoded["offset_mapping"]]

    def _fingerprint(self) -> str:
        """A hash of what the model makes of one text: other weights under the same name are another revision."""
        probe = np.asarray(self._model.encode(["what was decided, and why"], normalize_embeddings=True), np.float32)
        return hashlib.sha256(np.round(probe, 3).tobytes()).hexdigest()[:12]
