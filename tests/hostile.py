"""Hostile texts, and the time that a room's regular expressions take on them."""

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from types import ModuleType

LIMIT_SECONDS = 0.05
TEXT_CHARS = 100_000
_SEEDS = (
    "a", " ", "1", "a ", "Aa", "a_", "a-", "a.", "a/", "#1", "@a", "1-", "1/", "1:", "the ", "in 1 ", "one ", "'", "(",
    "A.", "x1", "\u30a2", "and ", "of the ", "A b ", "\n", "`a", "é",
)  # fmt: skip


def hostile_texts() -> list[str]:
    """Texts of TEXT_CHARS characters, each one seed repeated, ended by a character that breaks most patterns."""
    return [(seed * (TEXT_CHARS // len(seed) + 1))[:TEXT_CHARS] + "\x00" for seed in _SEEDS]


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for info in pkgutil.walk_packages(getattr(package, "__path__", []), package.__name__ + "."):
        yield importlib.import_module(info.name)


def _expressions(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _expressions(item)
    elif isinstance(value, dict):
        yield from _expressions(list(value.values()))


def expressions(package: ModuleType) -> list[re.Pattern[str]]:
    """Every compiled expression that a package's modules hold, once."""
    found = {e.pattern: e for module in _modules(package) for value in vars(module).values() for e in _expressions(value)}
    return list(found.values())


def slow_expressions(package: ModuleType) -> list[str]:
    """Expressions that need more than LIMIT_SECONDS to search through a hostile text, with the time and the text's seed."""
    texts = hostile_texts()
    tried = ((expression, text) for expression in expressions(package) for text in texts)
    return [
        f"{expression.pattern[:60]!r}: {took:.3f} s on {text[:6]!r}"
        for expression, text in tried
        if (took := _slowest(expression, text)) > LIMIT_SECONDS
    ]


def _slowest(expression: re.Pattern[str], text: str) -> float:
    """Seconds on the text, or on the first part of it that already takes too long."""
    took = 0.0
    for chars in (TEXT_CHARS // 25, TEXT_CHARS // 5, TEXT_CHARS + 1):
        took = _seconds(expression, text[:chars])
        if took > LIMIT_SECONDS and (took := min(took, _seconds(expression, text[:chars]))) > LIMIT_SECONDS:
            break
    return took


def _seconds(expression: re.Pattern[str], text: str) -> float:
    began = time.process_time()
    for _ in expression.finditer(text):
        pass
    return time.process_time() - began
