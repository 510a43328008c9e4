"""Which record an event is part of, and what a record is when several events speak of it. Pure."""

from collections.abc import Sequence

from graph.ingest.naming import identifiers_of
from graph.model.events import Event
from graph.model.ids import record_id
from graph.model.observations import Record

SESSION = "session"
_SESSION_KEY = "session:"
MAX_RECORD_IDENTIFIERS = 256


def record_of(event: Event) -> Record:
    """The record that the event names; else its session, which has no single author; else the event alone."""
    draft = event.draft
    if draft.record is not None:
        key, kind, author, given = draft.record, draft.record_kind, draft.author, draft.identifiers
    elif draft.session is not None:
        key, kind, author, given = _SESSION_KEY + draft.session, SESSION, None, (draft.session, *draft.identifiers)
    else:
        key, kind, author, given = event.key, draft.record_kind, draft.author, draft.identifiers
    title = draft.title or ""
    return Record(
        id=record_id(event.scope, key),
        scope=event.scope,
        key=key,
        kind=kind,
        title=title,
        identifiers=identifiers_of(key, title, given),
        author=author,
        authored_at=draft.authored_at,
        source=draft.source,
    )


def joined(records: Sequence[Record]) -> Record:
    """One record from what several events say of it: the first title and source, the earliest date, all identifiers.

    The author stays only if nobody names another. Joining again what was joined changes nothing.
    """
    first = records[0]
    dates = [record.authored_at for record in records if record.authored_at is not None]
    authors = {record.author for record in records}
    names = dict.fromkeys(name for record in records for name in record.identifiers)
    return first.model_copy(
        update={
            "title": next((record.title for record in records if record.title), ""),
            "source": next((record.source for record in records if record.source), None),
            "authored_at": min(dates, default=None),
            "author": first.author if len(authors) == 1 else None,
            "identifiers": tuple(names)[:MAX_RECORD_IDENTIFIERS],
        }
    )
