"""A view as a Qdrant filter, and a point's payload: the two sides of what can be filtered. Times are whole microseconds."""

from collections.abc import Iterable, Iterator, Sequence

from qdrant_client import models

from graph.model.observations import Status
from graph.model.times import to_micros
from graph.model.views import View
from graph.stores.payloads import OPEN_END, OPEN_START

WORD = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD)
NUMBER = models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=False, range=True)
# Every field that is ever filtered is indexed from the start: strict mode refuses the others.
INDEXES: dict[str, models.KeywordIndexParams | models.IntegerIndexParams] = {
    "scope": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    "owner": WORD,
    "status": WORD,
    "session": WORD,
    "author": WORD,
    "authored": NUMBER,
    "valid_from": NUMBER,
    "valid_to": NUMBER,
    "revision": NUMBER,
}


def view_filter(view: View, among: Sequence[str] | None = None) -> models.Filter:
    """The filter that keeps what the view allows; `among` keeps only these owners' points."""
    conditions: list[models.Condition] = list(_conditions(view))
    if among is not None:
        conditions.append(any_of("owner", among))
    return models.Filter(must=conditions)


def owned_by(owners: Sequence[str], max_revision: int | None = None) -> models.Filter:
    conditions: list[models.Condition] = [any_of("owner", owners)]
    if max_revision is not None:
        conditions.append(_between("revision", lte=max_revision))
    return models.Filter(must=conditions)


def any_of(field: str, names: Iterable[str]) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchAny(any=sorted(names)))


def _conditions(view: View) -> Iterator[models.FieldCondition]:
    if len(view.statuses) < len(Status):
        yield any_of("status", (status.value for status in view.statuses))
    for field, names in (("scope", view.scopes), ("session", view.sessions), ("author", view.authors)):
        if names is not None:
            yield any_of(field, names)
    if view.window is not None:
        start = OPEN_START if view.window.start is None else to_micros(view.window.start)
        end = OPEN_END if view.window.end is None else to_micros(view.window.end)
        yield _between("authored", gte=start, lt=end)
    if view.as_of is not None:
        yield _between("valid_from", lte=to_micros(view.as_of))
        yield _between("valid_to", gt=to_micros(view.as_of))


def _between(field: str, **bounds: int) -> models.FieldCondition:
    return models.FieldCondition(key=field, range=models.Range(**{side: float(bound) for side, bound in bounds.items()}))
