"""Index terms of the sparse leg: stems, identifiers whole and in parts, bigrams of scripts without spaces.

Document weights are BM25's term part, tf (k1 + 1) / (tf + k1 (1 - b + b len / avg)), with a fixed average length, so that
a stored weight never has to change; the index multiplies by its IDF (Robertson and Zaragoza, 2009).
"""

import re
from collections import Counter
from functools import lru_cache
from zlib import crc32

import numpy as np
import snowballstemmer

from graph.model.points import Sparse
from graph.text.folding import cjk_runs, fold

K1 = 1.2
B = 0.75
AVERAGE_TERMS = 60.0
QUERY_WEIGHT = 1.0

STOP_WORDS = frozenset(
    "a an and are as at be been but by did do does for from had has have he her him his how i in is it its me my not of on "
    "or our she so than that the their them then there these they this those to us was we were what when where which who "
    "why will with would you your about if into am".split()
)

_IDENTIFIER = re.compile(r"[A-Za-z0-9_]+(?:[./:#@\\-][A-Za-z0-9_]+)*")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_ALNUM = re.compile(r"[^\W_]+", re.UNICODE)
_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The English Snowball stem of a folded word; words of other scripts come back unchanged."""
    return str(_stemmer.stemWord(word))


def _identifier_parts(token: str) -> list[str]:
    """The whole identifier, folded, and its camel-case and snake-case parts, when it is more than a plain word."""
    compound = bool(re.search(r"[a-z][A-Z]|[_./:#@\\]|\d[A-Za-z]|[A-Za-z]\d", token))
    return ["=" + fold(token)] + [fold(part) for part in _CAMEL.findall(token)] if compound else []


def terms(text: str) -> list[str]:
    """Index terms in order of appearance, with repeats; an exact identifier's term begins with `=`."""
    found = [stem(word) for word in _ALNUM.findall(fold(text)) if word not in STOP_WORDS and not cjk_runs(word)]
    for match in _IDENTIFIER.finditer(text):
        parts = _identifier_parts(match.group())
        found.extend(parts[:1])
        known = set(found[-64:])
        found.extend(s for s in (stem(p) for p in parts[1:]) if s not in STOP_WORDS and s not in known)
    for run in cjk_runs(text):
        found.extend(run[i : i + 2] for i in range(len(run) - 1))
        found.extend(run)
    return found


def term_id(term: str) -> int:
    """A stable 32-bit id (CRC-32 of the UTF-8 bytes)."""
    return crc32(term.encode("utf-8", "surrogatepass"))


def _sparse(weights: dict[int, float]) -> Sparse:
    order = sorted(weights)
    return Sparse(np.array(order, np.uint32), np.array([weights[i] for i in order], np.float32))


def document_sparse(text: str) -> Sparse:
    """Sparse vector of a stored text; empty for a text without terms."""
    counts = Counter(terms(text))
    norm = K1 * (1 - B + B * sum(counts.values()) / AVERAGE_TERMS)
    weights: dict[int, float] = {}
    for term, tf in counts.items():
        weights[term_id(term)] = max(weights.get(term_id(term), 0.0), tf * (K1 + 1) / (tf + norm))
    return _sparse(weights)


def query_sparse(text: str) -> Sparse:
    """Sparse vector of a question: each distinct term once, all of them optional."""
    return _sparse({term_id(term): QUERY_WEIGHT for term in terms(text)})
