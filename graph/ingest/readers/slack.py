"""Slack exports: a folder with users.json, channels.json and a folder per channel that holds a file per day.

Each channel's day is a session, and each thread is one of its own, however many days it runs. Joins and other notices of
the service are skipped; who is meant by `<@U...>` is written out.
"""

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graph.errors import Unreadable
from graph.ingest.readers.content import image_note
from graph.ingest.readers.dates import moment
from graph.ingest.readers.source import Item, Source

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|([^>]*))?>")
_CHANNEL = re.compile(r"<#[A-Z0-9]+\|([^>]*)>")
_LINK = re.compile(r"<((?:https?|mailto|ftp)[^|>]*)(?:\|([^>]*))?>")
_SPECIAL = re.compile(r"<!(\w+)[^>]*>")
_SAID = (None, "thread_broadcast", "me_message", "bot_message", "file_share", "file_comment", "reply_broadcast")
_PARENTS = 2  # folders above a day file: the channel's, the export's


def is_export(folder: Path) -> bool:
    """Whether a folder is a Slack export: it lists its users or channels, and a folder in it holds a day's file."""
    if not (folder / "users.json").is_file() and not (folder / "channels.json").is_file():
        return False
    return any(is_day(path) for child in folder.iterdir() if child.is_dir() for path in child.iterdir())


def is_day(path: Path) -> bool:
    return bool(_DAY.fullmatch(path.name))


def recognises(value: Any) -> bool:
    """Whether a JSON value is a channel's day."""
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, Mapping) and first.get("type") == "message" and isinstance(first.get("ts"), str)


def read(source: Source) -> Iterator[Item]:
    """Drafts of a whole export, or of one day's file within it; problems among them."""
    if source.path.is_file():
        root = source.path.parents[_PARENTS - 1]
        yield from _read_day(source, source.path, _users(source, root))
        return
    users = _users(source, source.path)
    channels = sorted(child for child in source.path.iterdir() if child.is_dir() and not child.name.startswith("."))
    for channel in channels:
        for day in sorted(path for path in channel.iterdir() if is_day(path)):
            yield from _read_day(source, day, users)


def _part(source: Source, path: Path) -> Source:
    return Source(path, source.scope, source.format)


def _users(source: Source, root: Path) -> dict[str, str]:
    """Names by user id; empty when the export has no list of users or it cannot be read."""
    try:
        listed = _part(source, root / "users.json").json() if (root / "users.json").is_file() else []
    except Unreadable:
        return {}
    return {str(user["id"]): _name(user) for user in listed if isinstance(user, Mapping) and user.get("id") and _name(user)}


def _name(user: Mapping[str, Any]) -> str:
    profile = user.get("profile")
    nested = profile if isinstance(profile, Mapping) else {}
    named = (user.get("real_name"), nested.get("real_name"), nested.get("display_name"), user.get("name"))
    return next((name for name in named if isinstance(name, str) and name.strip()), "")


def _read_day(source: Source, path: Path, users: dict[str, str]) -> Iterator[Item]:
    day = _part(source, path)
    try:
        messages = day.json()
    except Unreadable as problem:
        yield problem
        return
    for number, message in enumerate(messages if isinstance(messages, list) else [], 1):
        if not isinstance(message, Mapping) or not isinstance(message.get("ts"), str):
            yield day.problem(f"message {number}", "not a message with a time")
            continue
        if message.get("subtype") in _SAID and not message.get("hidden"):
            item = _draft(day, number, message, users)
            if item is not None:
                yield item


def _draft(day: Source, number: int, message: Mapping[str, Any], users: dict[str, str]) -> Item | None:
    channel = day.path.parent.name
    stamp = str(message["ts"])
    thread = message.get("thread_ts")
    return day.draft(
        f"message {number}",
        text=_text(message, users),
        at=f"{channel}:{stamp}",
        author=_author(message, users),
        authored_at=moment(stamp),
        session=f"{channel}/{thread}" if thread else f"{channel}/{day.path.stem}",
        record_kind="thread" if thread else "session",
        position=_micros(stamp),
        metadata={"channel": channel},
    )


def _micros(stamp: str) -> int | None:
    """Slack's `seconds.micros` as one number: it orders a channel's messages."""
    whole, _, fraction = stamp.partition(".")
    return int(whole + fraction.ljust(6, "0")[:6]) if (whole + fraction).isdigit() else None


def _author(message: Mapping[str, Any], users: dict[str, str]) -> str | None:
    profile = message.get("user_profile")
    stated = _name(profile) if isinstance(profile, Mapping) else ""
    return users.get(str(message.get("user")), stated) or message.get("username") or message.get("user")


def _text(message: Mapping[str, Any], users: dict[str, str]) -> str:
    """The words with mentions, channels and links written out, and a note for each picture."""
    text = str(message.get("text") or "")
    text = _MENTION.sub(lambda m: "@" + (users.get(m.group(1)) or m.group(2) or m.group(1)), text)
    text = _CHANNEL.sub(lambda m: "#" + m.group(1), text)
    text = _LINK.sub(lambda m: f"{m.group(2)} ({m.group(1)})" if m.group(2) else m.group(1), text)
    text = html.unescape(_SPECIAL.sub(lambda m: "@" + m.group(1), text))
    files = message.get("files")
    notes = [_file_note(file) for file in files if isinstance(file, Mapping)] if isinstance(files, list) else []
    return "\n".join(part for part in (text, *notes) if part)


def _file_note(file: Mapping[str, Any]) -> str:
    if str(file.get("mimetype", "")).startswith("image/"):
        return image_note(file)
    return f"[file: {file.get('title') or file.get('name') or 'unnamed'}]"
