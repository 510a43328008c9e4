"""Readers of real formats: each turns a file into drafts, lazily, with problems named while the rest goes in.

`read_path` reads a file, a folder or an export; `FORMATS` names what can be forced. Imports graph.ingest.naming, graph.model.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from graph.errors import InvalidInput, Unreadable
from graph.ingest.readers import chat, chatgpt, claude_code, codex, documents, generic, git, native, slack
from graph.ingest.readers.detect import detect
from graph.ingest.readers.git import GitReader
from graph.ingest.readers.source import Item, Source
from graph.model.scopes import DEFAULT_SCOPE

Reader = Callable[[Source], Iterator[Item]]

READERS: dict[str, Reader] = {
    "backstory": native.read,
    "chat": chat.read,
    "chatgpt": chatgpt.read,
    "claude-code": claude_code.read,
    "codex": codex.read,
    "git": git.read,
    "json": generic.read,
    "markdown": documents.read,
    "slack": slack.read,
    "text": documents.read_plain,
}
ALIASES = {
    "openai": "chat",
    "anthropic": "chat",
    "langchain": "chat",
    "jsonl": "backstory",
    "native": "backstory",
    "md": "markdown",
}
FORMATS = tuple(sorted({*READERS, *ALIASES}))
CHARS_PER_PASSAGE = 900  # about what a passage of a document takes, for estimates
MAX_CHARS_PER_LINE = 2500  # beyond this a line probably holds several turns or sections
_BY_LINES = (".jsonl", ".ndjson")
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})

_STRANGE = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)

__all__ = ["FORMATS", "GitReader", "Item", "count_hint", "read_path"]


def read_path(path: Path, *, scope: str = DEFAULT_SCOPE, format: str | None = None) -> Iterator[Item]:  # noqa: A002 - the option's name
    """Drafts of a file, of an export, or of all files of a folder in sorted order; Unreadable for what could not be read.

    Files whose name begins with a dot, binaries and files that hold neither text nor JSON are passed over in folders; a file
    named itself is always read or reported. Raises InvalidInput for an unknown format, nothing else.
    """
    forced = _known(format)
    whole = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links, and the name a person gave is the name
    if not whole.exists():
        yield Unreadable(str(whole), "", "no such file or folder")
    elif whole.is_file():
        yield from _read_file(whole, scope, forced, named=True)
    else:
        yield from _read_folder(whole, scope, forced)


def count_hint(path: Path) -> int:
    """About how many drafts `read_path` will give, for a progress bar; at least 1. Reads lines, never parses them."""
    whole = Path(os.path.abspath(path))  # noqa: PTH100
    files = [whole] if whole.is_file() else [file for kind, file in _walk(whole) if kind == "file"]
    return max(sum(_estimate(file) for file in files), 1)


def _known(format_: str | None) -> str | None:
    if format_ is None:
        return None
    name = ALIASES.get(format_, format_)
    if name not in READERS:
        raise InvalidInput(f"unknown format {format_!r}; known are {', '.join(FORMATS)}")
    return name


def _read_folder(folder: Path, scope: str, forced: str | None) -> Iterator[Item]:
    if forced in ("git", "slack"):
        yield from _guarded(Source(folder, scope, forced), READERS[forced])
        return
    for kind, path in _walk(folder):
        if kind == "slack" and forced is None:
            yield from _guarded(Source(path, scope, "slack"), slack.read)
        elif kind == "file":
            yield from _read_file(path, scope, forced, named=False)


def _walk(folder: Path) -> Iterator[tuple[str, Path]]:
    """("file" or "slack", path) below a folder, depth first, in sorted order; links to folders are not followed."""
    try:
        children = sorted(folder.iterdir(), key=lambda child: child.name)
        if slack.is_export(folder):
            yield "slack", folder
            return
    except OSError:
        yield "file", folder
        return
    for child in children:
        if child.name.startswith("."):
            continue
        if child.is_dir():
            if not child.is_symlink() and child.name not in _SKIPPED_FOLDERS:
                yield from _walk(child)
        elif child.is_file():
            yield "file", child


def _read_file(path: Path, scope: str, forced: str | None, *, named: bool) -> Iterator[Item]:
    try:
        found = detect(path, named=named or forced is not None)
    except _STRANGE as error:
        yield Unreadable(str(path), "", f"its format cannot be told ({type(error).__name__})")
        return
    except OSError as error:
        yield Unreadable(str(path), "", error.strerror or "cannot be read")
        return
    if found is None:
        return
    name, lines = found
    if path.stat().st_size == 0:
        if named:
            yield Unreadable(str(path), "", "an empty file")
        return
    if forced is not None and forced != name:
        name, lines = forced, path.suffix.lower() != ".json"
    yield from _guarded(Source(path, scope, name, lines), READERS[name])


def _guarded(source: Source, reader: Reader) -> Iterator[Item]:
    """What the reader gives; a problem that ends it is given as the last item."""
    try:
        yield from reader(source)
    except Unreadable as problem:
        yield problem
    except OSError as error:
        yield source.problem("", error.strerror or "cannot be read")
    except _STRANGE as error:  # a shape that no writer of the format makes: this file ends here, the others go in
        yield source.problem("", f"not written as this format is ({type(error).__name__})")


def _estimate(file: Path) -> int:
    try:
        if file.suffix.lower() in _BY_LINES:
            with file.open("rb") as stream:
                lines = sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b""))
            return max(lines, file.stat().st_size // MAX_CHARS_PER_LINE)
        return max(file.stat().st_size // CHARS_PER_PASSAGE, 1)
    except OSError:
        return 1
