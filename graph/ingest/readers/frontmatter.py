"""What a document says of itself: YAML or TOML front matter, a head of `Key: value` lines, status and date lines."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from graph.ingest.readers.dates import moment
from graph.ingest.readers.source import small_metadata

MAX_HEAD_CHARS = 65_536

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLES = ("title", "name", "subject")
_DATES = ("date", "created", "created_at", "authored_at", "published", "decided", "date_created")
_AUTHORS = ("author", "authors", "by", "deciders", "decision-makers", "decision_makers", "owner", "owners", "from")
_IDS = ("id", "identifier", "key", "slug")
_LABELS = ("adr", "rfc", "pep", "jep", "kep", "eip")  # names of series; other fields name one by capitals ("BIP: 32")
TOLD_ELSEWHERE = frozenset({*_TITLES, *_DATES, *_AUTHORS})  # fields of a draft's own; the rest is its metadata
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)\n\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_HEAD_LINE = re.compile(r"([A-Za-z][A-Za-z -]{0,40}):(?:[ \t]+(.*))?")
_KNOWN = frozenset({*_TITLES, *_DATES, *_AUTHORS, "status"})  # a head of lines is one only if it has some of these
LEAST_HEAD_LINES = 2
_STATED = re.compile(
    r"^[ \t]*[*+-]?[ \t]*[*_]{0,2}(status|date|created|author|authors|deciders)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_AUTHOR_MARKS = re.compile(r"\s*<[^<>\s]+@[^<>\s]+>")


@dataclass(frozen=True, slots=True)
class About:
    """What is stated of the whole document; unknown stays empty. `fields` are all of the front matter's short values."""

    title: str = ""
    date: datetime | None = None
    author: str | None = None
    status: str = ""
    identifiers: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)


def split_front(text: str) -> tuple[Mapping[str, Any], str]:
    """The front matter (empty when there is none, or it is no mapping) and the text after it."""
    head = text[:MAX_HEAD_CHARS]
    found = _FRONT.match(head) or _TOML.match(head)
    if not found:
        return _head_of_lines(text)
    try:
        loaded = tomllib.loads(found.group(1)) if head.startswith("+") else yaml.safe_load(found.group(1))
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}, text
    if not isinstance(loaded, dict):
        return {}, text
    return {str(name): value for name, value in loaded.items()}, text[found.end() :]


def _head_of_lines(text: str) -> tuple[Mapping[str, Any], str]:
    """`Key: value` lines before the first blank line, each key once and one known: as mails and many standards begin."""
    block, _, rest = text[:MAX_HEAD_CHARS].partition("\n\n")
    fields: dict[str, str] = {}
    name = ""
    for line in block.split("\n"):
        found = _HEAD_LINE.fullmatch(line)
        if found and found.group(1) not in fields:
            name = found.group(1)
            fields[name] = (found.group(2) or "").strip()
        elif name and line[:1] in (" ", "\t"):
            fields[name] = f"{fields[name]} {line.strip()}".strip()
        else:
            return {}, text
    if len(fields) < LEAST_HEAD_LINES or not rest.strip() or not _KNOWN & {key.lower() for key in fields}:
        return {}, text
    return {key: value for key, value in fields.items() if value}, text[len(block) :].lstrip("\n")


def about(front: Mapping[str, Any], head: str) -> About:
    """What front matter, and the stated lines in `head` (the text before the second heading), say of the document."""
    lowered = {name.lower(): value for name, value in front.items()}
    stated = {name.lower(): value.strip().strip("*_").strip() for name, value in _STATED.findall(head[:MAX_HEAD_CHARS])}
    author = _people(_first(lowered, _AUTHORS)) or _people(
        stated.get("author") or stated.get("authors") or stated.get("deciders")
    )
    return About(
        title=str(_first(lowered, _TITLES) or ""),
        date=_date(lowered) or moment(stated.get("date")) or moment(stated.get("created")),
        author=author,
        status=str(lowered.get("status") or stated.get("status") or ""),
        identifiers=(*_labelled(front), *(str(lowered[name]) for name in _IDS if isinstance(lowered.get(name), str | int))),
        fields=small_metadata(dict(front)),
    )


def _labelled(front: Mapping[str, Any]) -> list[str]:
    """Numbers in a series: the field is called by the series ("PEP: 208")."""
    return [
        f"{name.upper()} {int(str(value))}"
        for name, value in front.items()
        if str(value).isdecimal() and (name.lower() in _LABELS or (name.isupper() and name.isalpha() and len(name) > 1))
    ]


def _first(values: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((values[name] for name in names if values.get(name)), None)


def _date(values: Mapping[str, Any]) -> datetime | None:
    return next((date for name in _DATES if (date := moment(values.get(name)))), None)


def _people(value: Any) -> str | None:
    """Names joined by commas, without their mail addresses; None when nobody is named."""
    if isinstance(value, Mapping):
        value = value.get("name")
    if isinstance(value, list):
        return ", ".join(name for item in value if (name := _people(item))) or None
    return _AUTHOR_MARKS.sub("", value).strip() or None if isinstance(value, str) else None
