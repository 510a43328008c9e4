"""The control of the on/off table: the same walk over edges whose far ends were exchanged among each other.

Observations are permuted within their scope by a seeded shuffle; degrees and weights stay, meaning goes.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from bench.datasets import DataSet
from graph.model.edges import Hop, Walked
from graph.model.observations import Observation, Record
from graph.model.views import View
from graph.ports import GraphReader

SEED = 7


class ShuffledReader:
    """GraphReader whose `expand` leads to a permuted observation wherever it leads to an observation."""

    def __init__(self, reader: GraphReader, data: DataSet) -> None:
        self._reader = reader
        self._other: dict[str, str] = {}
        for scope in sorted({draft.scope for draft in data.drafts}):
            self._permute(View(scopes=frozenset({scope})))

    def _permute(self, view: View) -> None:
        ids: list[str] = []
        while page := self._reader.scan(view, after=ids[-1] if ids else None):
            ids += [observation.id for observation in page]
        ends = list(ids)
        random.Random(SEED).shuffle(ends)  # noqa: S311  (a control, not a secret)
        self._other.update(zip(ids, ends, strict=True))

    def expand(self, frontier: Sequence[str], hops: Sequence[Hop], view: View) -> list[Walked]:
        found = self._reader.expand(frontier, hops, view)
        return [replace(step, to=self._other.get(step.to, step.to)) for step in found]

    def observations(self, ids: Sequence[str], view: View) -> list[Observation]:
        return self._reader.observations(ids, view)

    def records(self, ids: Sequence[str], view: View) -> list[Record]:
        return self._reader.records(ids, view)

    def passages_of(self, record_ids: Sequence[str], view: View, limit: int = 500) -> list[Observation]:
        return self._reader.passages_of(record_ids, view, limit)

    def timeline(
        self, view: View, *, entity_id: str | None = None, limit: int = 100, newest_first: bool = False
    ) -> list[Observation]:
        return self._reader.timeline(view, entity_id=entity_id, limit=limit, newest_first=newest_first)

    def scan(self, view: View, *, after: str | None = None, limit: int = 1000) -> list[Observation]:
        return self._reader.scan(view, after=after, limit=limit)

    def counts(self, scopes: frozenset[str] | None) -> dict[str, int]:
        return self._reader.counts(scopes)
