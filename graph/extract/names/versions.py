"""Names that carry a version: "Python 3.11" names Python too."""

import re
from collections.abc import Iterator

from graph.extract.names.kinds import TECHNOLOGIES, type_of
from graph.extract.names.seen import Seen
from graph.text.names import name_key

_VERSIONED = re.compile(
    r"\b(?<![.+#-])(?P<name>[^\W\d][\w.+#-]{1,40}+(?: [A-Z][\w.+#-]{1,40}){0,3}) v?(?P<version>\d+(?:\.\d+)+|\d{1,3})\Z"
)


def unversioned(seen: Seen) -> Iterator[Seen]:
    """The bare name inside a versioned one; a whole number is a version only after a known technology (Room 101 is not)."""
    match = _VERSIONED.match(seen.text)
    if not match:
        return
    name, dotted = match.group("name"), "." in match.group("version")
    if dotted or name_key(name) in TECHNOLOGIES:
        yield Seen(seen.start, seen.start + len(name), name, type_of(name))
