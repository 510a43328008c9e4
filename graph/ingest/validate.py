"""What may enter the ledger: one draft checked, cleaned and given its times in UTC, or refused with the place named.

Decisions kept here: NUL is removed from texts (it never carries meaning, and drivers cut strings at it); other control
characters stay in texts, because a terminal log is itself; in names and ids they become U+FFFD, so that no id hides a line
break. An empty name counts as none. Lone surrogates become U+FFFD already in graph.model.events.
"""

import json
import re
import unicodedata
from typing import Any

from graph.errors import InvalidInput, InvalidTime, TooLarge
from graph.model.events import MAX_TEXT_CHARS, EventDraft, well_formed
from graph.model.times import to_utc

MAX_METADATA_BYTES = 262_144
MAX_IDENTIFIERS = 64
MAX_IDENTIFIER_CHARS = 256
MAX_POSITION = 2**62

_ID_FIELDS = ("key", "session", "record", "role", "record_kind")
_NAME_FIELDS = ("author", "title", "section", "source")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def checked(draft: EventDraft, place: str = "draft") -> tuple[EventDraft, int | None]:
    """Return the draft as it is stored, with the author's offset in minutes (None: unknown).

    `place` names the draft in messages. Raises InvalidInput, InvalidTime or TooLarge; stores and changes nothing.
    """
    authored_at, offset = to_utc(draft.authored_at) if draft.authored_at is not None else (None, None)
    if offset is not None and not -1439 <= offset <= 1439:
        raise InvalidTime(f"{place}: an offset of {offset} minutes is no time zone")
    changes: dict[str, Any] = {
        "text": _text(draft.text, place),
        "authored_at": authored_at,
        "identifiers": _identifiers(draft.identifiers, place),
        "metadata": _metadata(draft.metadata, place),
    }
    changes |= {name: _id(getattr(draft, name)) for name in _ID_FIELDS}
    changes |= {name: _name(getattr(draft, name)) for name in _NAME_FIELDS}
    changes["record_kind"] = changes["record_kind"] or "document"
    if draft.position is not None and not -MAX_POSITION <= draft.position <= MAX_POSITION:
        raise InvalidInput(f"{place}: position {draft.position} is out of range", place=place)
    return draft.model_copy(update=changes), offset


def _text(text: str, place: str) -> str:
    if len(text) > MAX_TEXT_CHARS:
        raise TooLarge(f"{place}: the text has {len(text):,} characters, at most {MAX_TEXT_CHARS:,} go in", place=place)
    cleaned = text.replace("\x00", "")
    if not _visible(cleaned):
        raise InvalidInput(f"{place}: the text is empty", place=place)
    return cleaned


def _visible(text: str) -> bool:
    """Whether anything in the text can be seen; stops at the first character that can."""
    return any(unicodedata.category(char) not in _INVISIBLE for char in text)


def _id(value: str | None) -> str | None:
    return (_CONTROL.sub("\ufffd", value).strip() or None) if value is not None else None


def _name(value: str | None) -> str | None:
    return (" ".join(_CONTROL.sub(" ", value).split()) or None) if value is not None else None


def _identifiers(given: tuple[str, ...], place: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name for name in (_name(well_formed(item)) for item in given) if name))
    if len(names) > MAX_IDENTIFIERS or any(len(name) > MAX_IDENTIFIER_CHARS for name in names):
        raise TooLarge(
            f"{place}: at most {MAX_IDENTIFIERS} identifiers of {MAX_IDENTIFIER_CHARS} characters go in", place=place
        )
    return names


def _metadata(metadata: dict[str, Any], place: str) -> dict[str, Any]:
    """The metadata as JSON would give it back. Raises InvalidInput for what JSON cannot say, TooLarge beyond the bound."""
    if not metadata:
        return {}
    try:
        written = json.dumps(metadata, allow_nan=False, ensure_ascii=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{place}: the metadata cannot be written as JSON: {error}", place=place) from error
    if len(written) > MAX_METADATA_BYTES:
        raise TooLarge(f"{place}: the metadata takes {len(written):,} bytes, at most {MAX_METADATA_BYTES:,}", place=place)
    loaded: dict[str, Any] = json.loads(written)
    scrubbed: dict[str, Any] = _scrub(loaded)
    return scrubbed


def _scrub(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value).replace("\x00", "")
    if isinstance(value, dict):
        return {_scrub(key): _scrub(item) for key, item in value.items()}
    return [_scrub(item) for item in value] if isinstance(value, list) else value
