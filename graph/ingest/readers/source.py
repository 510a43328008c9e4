"""A source is one file (or one part of it) being read: it makes drafts with stable keys, and problems that name a place."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from graph.errors import BackstoryError, Unreadable
from graph.model.events import EventDraft, well_formed
from graph.model.ids import content_hash
from graph.model.scopes import DEFAULT_SCOPE

Item = EventDraft | Unreadable

MAX_FILE_BYTES = 1 << 30
MAX_LINE_BYTES = 1 << 28
KEY_DIGITS = 24  # hex digits of a content hash that go into a key
MAX_AT_CHARS = 400
MAX_VALUE_CHARS = 500  # of a metadata value that is taken over from a file
MAX_VALUES = 40

_ARCHIVES = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\x28\xb5\x2f\xfd",
)  # zip, gzip, bzip2, xz, 7z, zstd
_LIMITS = {"author": 512, "role": 64, "session": 512, "record": 1024, "title": 2048, "section": 2048, "source": 2048}
_BODY = ("session", "record", "title", "section", "text", "author", "role", "authored_at", "metadata")


@dataclass(slots=True)
class Source:
    """`path` is absolute; `scope` is given to drafts that name none; `lines`: JSON by lines, not as a whole."""

    path: Path
    scope: str = DEFAULT_SCOPE
    format: str = ""
    lines: bool = False
    _seen: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return str(self.path)

    def problem(self, place: object, reason: str) -> Unreadable:
        return Unreadable(self.name, str(place), reason)

    def draft(self, place: object, /, at: str | None = None, **fields: Any) -> Item | None:
        """A draft of this source, a problem when the model refuses it, None when there is no text in it.

        Names that are too long are cut with an ellipsis. A missing key is made from the content, and from `at` where the
        format names its entries, else from how often the content came: so a reader's key never meets another body.
        """
        if not str(fields.get("text") or "").strip():
            return None
        fields = {"scope": self.scope, "source": self.name} | {name: _cut(name, value) for name, value in fields.items()}
        if fields.get("key") is None:
            fields["key"] = self._key(fields, at)
        try:
            return EventDraft.model_validate(fields)
        except (ValidationError, BackstoryError) as error:
            return self.problem(place, _first_reason(error))

    def _key(self, fields: dict[str, Any], at: str | None) -> str:
        """A key that an entry keeps wherever it stands in the file, whichever file that is."""
        digest = content_hash({name: fields.get(name) for name in _BODY})[:KEY_DIGITS]
        name = f"{self.format}:{at[:MAX_AT_CHARS]}:{digest}" if at else f"{self.format}:{digest}"
        self._seen[name] += 1
        times = self._seen[name]
        return name if times == 1 or at else f"{name}:{times}"

    def text(self) -> str:
        """The whole file as text. Raises Unreadable when it is too large, not UTF-8 (or UTF-16 with a mark), or unreachable."""
        try:
            if self.path.stat().st_size > MAX_FILE_BYTES:
                raise self.problem("", f"larger than {MAX_FILE_BYTES:,} bytes")
            data = self.path.read_bytes()
        except OSError as error:
            raise self.problem("", error.strerror or "cannot be read") from error
        return self._decoded(data)

    def _decoded(self, data: bytes) -> str:
        if data.startswith(_ARCHIVES):
            raise self.problem("", "an archive; unpack it and name the folder")
        if b"\x00" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise self.problem("", "a binary file")
        encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
        try:
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            raise self.problem(f"byte {error.start}", "not UTF-8 text") from error

    def json(self) -> Any:
        """The whole file as one JSON value. Raises Unreadable with line and column."""
        try:
            return json.loads(self.text())
        except json.JSONDecodeError as error:
            raise self.problem(f"line {error.lineno} column {error.colno}", f"not JSON: {error.msg}") from error
        except RecursionError as error:
            raise self.problem("", "JSON nested too deeply") from error
        except ValueError as error:
            raise self.problem("", f"JSON with a value that cannot be read: {error}") from error

    def json_lines(self) -> Iterator[tuple[int, Any]]:
        """(line number from 1, value) of every line; a line that is no JSON comes as an Unreadable in the value's place."""
        try:
            with self.path.open("rb") as stream:
                for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE_BYTES), b""), 1):
                    data = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                    if data.strip():
                        yield number, self._line_value(number, data)
        except OSError as error:
            yield 0, self.problem("", error.strerror or "cannot be read")

    def _line_value(self, number: int, line: bytes) -> Any:
        try:
            return json.loads(line)
        except UnicodeDecodeError:
            return self.problem(f"line {number}", "not UTF-8 text")
        except json.JSONDecodeError as error:
            return self.problem(f"line {number} column {error.colno}", f"not JSON: {error.msg}")
        except RecursionError:
            return self.problem(f"line {number}", "JSON nested too deeply")
        except ValueError as error:
            return self.problem(f"line {number}", f"JSON with a value that cannot be read: {error}")


def small_metadata(values: dict[str, Any]) -> dict[str, Any]:
    """Those of a file's own fields that are short enough to keep beside a memory: scalars, and lists of scalars."""
    kept: dict[str, Any] = {}
    for name, value in values.items():
        if len(kept) < MAX_VALUES and value not in (None, "", [], {}):
            plain = _plain(value)
            if plain is not None:
                kept[name] = plain
    return kept


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value) if len(value) <= MAX_VALUE_CHARS else None
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list) and len(value) <= MAX_VALUES:
        items = [_plain(item) for item in value if not isinstance(item, list | dict)]
        return items if len(items) == len(value) and None not in items else None
    return value.isoformat() if isinstance(value, datetime) else str(value) if hasattr(value, "isoformat") else None


def _cut(name: str, value: Any) -> Any:
    limit = _LIMITS.get(name)
    return value[: limit - 1] + "…" if limit and isinstance(value, str) and len(value) > limit else value


def _first_reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{where}: {first['msg']}" if where else first["msg"]
    return str(error)
