"""The project's own JSONL: one draft per line. Only `text` is required; a field that is not ours is an error of its line."""

from collections.abc import Iterator, Mapping
from typing import Any

from graph.errors import Unreadable
from graph.ingest.readers.dates import moment
from graph.ingest.readers.source import Item, Source
from graph.model.events import EventDraft

FIELDS = frozenset(EventDraft.model_fields)


def recognises(value: Any) -> bool:
    """Whether a line has a text and none but our fields."""
    return isinstance(value, Mapping) and isinstance(value.get("text"), str) and value.keys() <= FIELDS


def read(source: Source) -> Iterator[Item]:
    """Drafts line by line, problems among them. A line in a record or session stands there by its number."""
    for number, value in source.json_lines():
        item = value if isinstance(value, Unreadable) else _draft(source, number, value)
        if item is not None:
            yield item


def _draft(source: Source, number: int, value: Any) -> Item | None:
    place = f"line {number}"
    if not isinstance(value, Mapping):
        return source.problem(place, "not a JSON object")
    unknown = sorted(value.keys() - FIELDS)
    if unknown:
        return source.problem(place, f"unknown field {', '.join(map(repr, unknown))}; known are {', '.join(sorted(FIELDS))}")
    if not isinstance(value.get("text"), str) or not value["text"].strip():
        return source.problem(place, "no text" if value.get("text") in (None, "") else "the text is empty or no text")
    fields = {name: item for name, item in value.items() if item is not None}
    if "authored_at" in fields:
        date = moment(fields["authored_at"])
        if date is None:
            return source.problem(place, f"authored_at: {str(fields['authored_at'])[:60]!r} is no date")
        fields["authored_at"] = date
    if fields.get("record") or fields.get("session"):
        fields.setdefault("position", number)
    return source.draft(place, **fields)
