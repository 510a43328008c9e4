"""Values read from SQLite and kept for the next time, as many as there is room for."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """At most `most` values by key; when there is no more room the older half goes. The caller guards it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[K, V] = {}

    def among(self, keys: Iterable[K]) -> dict[K, V]:
        """Those of the keys that are here."""
        return {key: value for key in keys if (value := self._values.get(key)) is not None}

    def keep(self, values: Mapping[K, V]) -> None:
        self._values.update(values)
        if len(self._values) > self._most:
            self.drop(list(islice(self._values, len(self._values) - self._most // 2)))

    def drop(self, keys: Iterable[K]) -> None:
        for key in keys:
            self._values.pop(key, None)

    def clear(self) -> None:
        self._values.clear()
