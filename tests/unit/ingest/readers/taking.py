"""Reading a path in tests: what went in, and what was reported."""

from pathlib import Path

from graph.errors import Unreadable
from graph.ingest.readers import read_path
from graph.model.events import EventDraft


def take(path: Path, **options: str) -> tuple[list[EventDraft], list[Unreadable]]:
    drafts: list[EventDraft] = []
    problems: list[Unreadable] = []
    for item in read_path(path, **options):
        if isinstance(item, Unreadable):
            problems.append(item)
        else:
            drafts.append(item)
    return drafts, problems


def keys(path: Path) -> list[str | None]:
    return [draft.key for draft in take(path)[0]]
