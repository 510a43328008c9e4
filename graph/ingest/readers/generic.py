"""Any JSON or JSONL whose objects hold a text under a usual name: rows of tables, dumps of notes, records with sections.

What the fields mean is read from their names; short fields that mean nothing to us stay beside the memory as metadata.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from graph.errors import Unreadable
from graph.ingest.naming import is_commit_hash
from graph.ingest.readers.dates import moment
from graph.ingest.readers.head import head
from graph.ingest.readers.packing import packed, paragraphs
from graph.ingest.readers.source import Item, Source, small_metadata

TEXT = ("text", "content", "message", "body", "value", "transcript")
TITLE = ("title", "subject", "headline")
DATE = tuple("authored_at datetime date created_at created timestamp time ts published_at published sent_at".split())
AUTHOR = ("author", "authors", "author_name", "speaker", "user", "username", "from", "sender", "by")
CONVERSATION = ("conversation_id", "conversation", "conv", "chat_id", "channel", "thread_id", "thread", "dialogue_id")
SESSION = ("session_id", "session")
RECORD = ("record", "record_id", "document_id", "document", "doc_id", "sha", "commit", "ticket")
SECTION = ("section", "heading", "chapter")
ID = ("id", "_id", "uuid", "guid")
ROW_LISTS = 2  # how deep a list of rows may lie in a JSON value


def recognises(value: Any) -> bool:
    """Whether a JSON value is a row with a text, or with sections that have one."""
    return isinstance(value, Mapping) and (bool(_word(value, TEXT)) or bool(_sections(value)))


def names_session(value: Any) -> bool:
    """Whether a row says which conversation or session it belongs to."""
    return isinstance(value, Mapping) and any(isinstance(value.get(name), str | int) for name in (*CONVERSATION, *SESSION))


def rows_of(value: Any, depth: int = ROW_LISTS) -> list[Any]:
    """The rows of a JSON value: a list's items, an object itself, or the longest list of rows that it holds."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return []
    if recognises(value) or depth == 0:
        return [value]
    lists = [rows for item in value.values() if isinstance(item, list | Mapping) and (rows := rows_of(item, depth - 1))]
    good = [rows for rows in lists if any(recognises(row) for row in rows[:5])]
    return max(good, key=len, default=[])


def read(source: Source) -> Iterator[Item]:
    """Drafts row by row, problems among them; a file in which no row has a text is one problem."""
    rows = source.json_lines() if source.lines else enumerate(rows_of(source.json()), 1)
    place = "line" if source.lines else "item"
    found = False
    bad: list[Unreadable] = []
    for number, row in rows:
        if isinstance(row, Unreadable):
            yield row
        elif recognises(row):
            found = True
            yield from _row(source, f"{place} {number}", number, row)
        elif found:
            yield source.problem(f"{place} {number}", "no field with a text")
        elif len(bad) < 1000:
            bad.append(source.problem(f"{place} {number}", "no field with a text"))
    if found:
        yield from bad
    else:
        yield source.problem("", f"no text in it: none of the fields {', '.join(TEXT)}, no messages, no sections")


def _word(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """The first of the names under which the row holds a text that is not blank; empty when there is none."""
    return next((name for name in names if isinstance(row.get(name), str) and row[name].strip()), "")


def _sections(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(heading, text) of the row's sections, in order; those without a text left out."""
    listed = row.get("sections")
    if not isinstance(listed, list):
        return []
    found = []
    for section in listed:
        if isinstance(section, Mapping):
            paragraphs_ = section.get("paragraphs")
            text = section.get(_word(section, TEXT)) or (
                "\n\n".join(p for p in paragraphs_ if isinstance(p, str)) if isinstance(paragraphs_, list) else ""
            )
            if isinstance(text, str) and text.strip():
                heading = section.get("heading") or section.get("title") or section.get("name")
                found.append((str(heading or ""), text))
    return found


def _row(source: Source, place: str, number: int, row: Mapping[str, Any]) -> Iterator[Item]:
    common = _common(row)
    sections = _sections(row)
    if sections:
        yield from _document(source, place, row, common, sections)
        return
    text = row[_word(row, TEXT)]
    if is_commit_hash(common.get("record")):
        common["record_kind"] = "commit"
        common.setdefault("title", text.strip().split("\n", 1)[0])
    else:
        common.pop("identifiers", None)
    if common.get("session") or common.get("record"):
        common["position"] = number
    elif name := _lone_name(source, row):
        common |= {"record": name, "position": 0}
    item = source.draft(place, text=text, section=_value(row, SECTION), role=_value(row, ("role",)), **common)
    if item is not None:
        yield item


def _document(
    source: Source, place: str, row: Mapping[str, Any], common: dict[str, Any], sections: list[tuple[str, str]]
) -> Iterator[Item]:
    """A record with sections: a head that says what is stated of it, then its sections in passages."""
    common["record"] = common.get("record") or _lone_name(source, row) or f"{source.name}#{place}"
    title = str(common.get("title") or common["record"])
    stated = head(title, common["metadata"], (common["record"], *common.get("identifiers", ())), ID)
    lead = row.get(_word(row, TEXT))
    passages = [("", stated)] + ([("", lead)] if isinstance(lead, str) and lead.strip() else [])
    passages += [(heading, text) for heading, whole in sections for text in packed(paragraphs(whole))]
    for position, (heading, text) in enumerate(passages):
        item = source.draft(f"{place} {heading}".strip(), text=text, section=heading or None, position=position, **common)
        if item is not None:
            yield item


def _common(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that every draft of a row shares."""
    used = {name for names in (DATE, AUTHOR, CONVERSATION, SESSION, RECORD, SECTION, TITLE) for name in names}
    date = next((found for name in DATE if (found := moment(row.get(name)))), None)
    fields: dict[str, Any] = {
        "title": _value(row, TITLE),
        "author": _people(row),
        "authored_at": date,
        "session": _session(row),
        "record": _value(row, RECORD),
        "identifiers": tuple(name for name in (_value(row, ID),) if name and not name.isdigit()),
        "metadata": small_metadata(
            {name: value for name, value in row.items() if name not in used and name not in TEXT and name != "role"}
        ),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _value(row: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    found = next((row[name] for name in names if isinstance(row.get(name), str | int) and row[name] != ""), None)
    return None if found is None or isinstance(found, bool) else str(found)


def _session(row: Mapping[str, Any]) -> str | None:
    """The conversation, and within it the session, where the row names both."""
    named = [value for names in (CONVERSATION, SESSION) if (value := _value(row, names)) is not None]
    return "/".join(named) or None


def _people(row: Mapping[str, Any]) -> str | None:
    for name in AUTHOR:
        value = row.get(name)
        if isinstance(value, Mapping):
            value = value.get("name") or value.get("login")
        if isinstance(value, list):
            value = ", ".join(item for item in value if isinstance(item, str))
        if isinstance(value, str) and value.strip():
            return value
    return None


def _lone_name(source: Source, row: Mapping[str, Any]) -> str | None:
    """A row's own id as a record's name; one that is only a number or a letter belongs to its file."""
    name = _value(row, ID)
    if name is None:
        return None
    return name if len(name) > 3 and not name.isdigit() else f"{source.name}#{name}"
