"""By which names a record is cited: general rules over its key and its title, no list of known documents.

A title bears a number at its head ("PEP 208: ...", "ADR-12 Use X", "#31 ...") or as the last thing in brackets ("... (#31)",
as forges write a merged request's own number; a number within the title cites another record). A key bears one when it is
a label and a number ("pep-0208"), a path ("docs/adr/0007-queues.md") or a commit's hash.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

_LABELLED = re.compile(r"([A-Za-z][A-Za-z]{1,14})[-_ ]?#?0*(\d{1,9})")
_TITLE_HEAD = re.compile(r"\s*\[?([A-Z][A-Za-z]{0,4}[A-Z])[-_ ]?#?0*(\d{1,9})\]?(?=\s*[:.)\]–—-]|\s|$)")
_NUMBER_HEAD = re.compile(r"\s*\[?(#\d{1,9})\]?(?=\s*[:.)–—-]|\s)")
_NUMBER_TAIL = re.compile(r"\((#\d{1,9})\)\s*$")
_MERGE = re.compile(r"\s*Merge (?:pull|merge) request ([#!]\d{1,9})\b")
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FILE = re.compile(r"[^/\\]+\.[A-Za-z][A-Za-z0-9]{0,7}")
SHORT_HASHES = (7, 8, 9, 10, 11, 12)  # lengths to which git and forges abbreviate


def is_commit_hash(name: object) -> bool:
    return isinstance(name, str) and bool(_HASH.fullmatch(name))


def label_of(name: str) -> str:
    """The label of a labelled number ("PEP" of "pep-0208"); empty for other names."""
    labelled = _LABELLED.fullmatch(name)
    return labelled.group(1).upper() if labelled else ""


def identifiers_of(key: str, title: str, given: Iterable[str] = ()) -> tuple[str, ...]:
    """The record's identifiers: those given first, then its key, then what key, given ones and title show; each once."""
    stated = [*given, key]
    found = [*stated]
    for name in stated:
        found.extend(_from_key(name))
    found.extend(_from_title(title))
    return tuple(dict.fromkeys(name for name in found if name))


def _from_key(key: str) -> Iterator[str]:
    if _HASH.fullmatch(key):
        yield from (key[:length] for length in SHORT_HASHES)
    elif labelled := _LABELLED.fullmatch(key):
        yield from _spellings(*labelled.groups())
    elif _FILE.fullmatch(name := PurePosixPath(key.replace("\\", "/")).name):
        yield name
        stem = PurePosixPath(name).stem
        if any(char.isdigit() for char in stem):
            yield stem
            if labelled := _LABELLED.match(stem):
                yield from _spellings(*labelled.groups())


def _from_title(title: str) -> Iterator[str]:
    if head := _TITLE_HEAD.match(title):
        yield from _spellings(*head.groups())
    for found in (_NUMBER_HEAD.match(title), _NUMBER_TAIL.search(title), _MERGE.match(title)):
        if found:
            yield found.group(1)


def _spellings(label: str, number: str) -> Iterator[str]:
    """The ways in which a labelled number is written; letters' case and runs of spaces do not count in a lookup."""
    yield f"{label.upper()} {number}"
    yield f"{label.upper()}-{number}"
