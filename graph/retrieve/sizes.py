"""How large the memory is, as far as caps and rarities need to know: counted now and then, not at every question."""

from graph.ports import Clock, GraphReader

KEPT_SECONDS = 60.0
SMALL = 2000  # below this many observations it is counted every time: a cap would move


class Sizes:
    """Numbers of observations by scopes, kept for a minute."""

    def __init__(self, reader: GraphReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._known: dict[frozenset[str] | None, tuple[float, int]] = {}

    def observations(self, scopes: frozenset[str] | None) -> int:
        """At least 1."""
        now = self._clock.monotonic()
        counted, size = self._known.get(scopes, (float("-inf"), 0))
        if size < SMALL or now - counted > KEPT_SECONDS:
            size = max(self._reader.counts(scopes).get("observations", 0), 1)
            self._known[scopes] = (now, size)
        return size
