"""How values are written into SQLite: lists as JSON, times as whole microseconds, enumerations as numbers."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from graph.model.times import from_micros, to_micros

E = TypeVar("E", bound=StrEnum)


def as_list(values: Iterable[str | int | Sequence[int]]) -> str:
    """A list for json_each, which has no limit on its length as bound variables have.

    Unicode is kept as it is, so that a lone surrogate is refused when it is bound.
    """
    return json.dumps(list(values), ensure_ascii=False)


def micros(moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(moment)


def moment(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)


def numbered(kinds: type[E]) -> tuple[tuple[E, ...], dict[E, int]]:
    """The members of an enumeration by number, and the number of each. New members must be added at the end."""
    members = tuple(kinds)
    return members, {member: number for number, member in enumerate(members)}
