"""Models: what turns text into vectors, extractions and relevance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from graph.model.extraction import Extraction, Passage
from graph.model.points import Vector


class Embedder(Protocol):
    """`id`, `dim` and `revision` name the space that its vectors live in; `max_tokens` is what it reads at once."""

    @property
    def id(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def revision(self) -> str: ...
    @property
    def max_tokens(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """Unit vectors, shape (len(texts), dim), float32. Deterministic. Raises ModelUnavailable (retryable)."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model counts them, special tokens included, with no limit applied."""
        ...


class Extractor(Protocol):
    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """One extraction per passage, in order. Deterministic for rules. Never raises for a strange text: it marks it."""
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """A language model's reply. Token counts are 0 and the cost None where the endpoint does not tell them; cost in its
    own currency."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None


class ChatModel(Protocol):
    @property
    def id(self) -> str: ...

    def complete(self, system: str, user: str, schema: Mapping[str, Any]) -> Completion:
        """One request, never repeated here; `schema` is the JSON schema of the wanted reply, which may still be anything.

        Raises Busy (field `retry_after`: seconds to wait, or None), ModelUnavailable (retryable) or ConfigError (a retry
        cannot help: the endpoint refuses the key, the model or the request).
        """
        ...


class Reranker(Protocol):
    def rerank(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Relevance of each text, higher is better, any scale. Raises ModelUnavailable or DeadlineExceeded."""
        ...
