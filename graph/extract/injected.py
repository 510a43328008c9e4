"""Injected text: memories and reminders that a tool put into a message. Nobody said them: nothing new is read from them."""

import re

_OPEN = re.compile(
    r"<(?P<tag>(?:relevant|recalled|retrieved|injected|past|long-term|user)?[-_]?(?:memor(?:y|ies)|recollections?|observations?)"
    r"(?:[-_](?:context|bank|block|recall))?|backstory|system-reminder|context)\b[^>\n]{0,200}>",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"^\s{0,10}\[(?:recalled|retrieved|relevant) memor(?:y|ies)[^\]\n]{0,80}\]", re.IGNORECASE | re.MULTILINE)
_BLANK = re.compile(r"\n\s{0,10}\n")


def injected_ranges(text: str) -> list[tuple[int, int]]:
    """Ranges of injected blocks in order: from a tag to its closing one (or the end), from a bracket to a blank line."""
    found: list[tuple[int, int]] = []
    at = 0
    while (opened := _OPEN.search(text, at)) is not None:
        close = re.compile(rf"</{re.escape(opened['tag'])}[ \t]{{0,10}}>", re.IGNORECASE).search(text, opened.end())
        at = close.end() if close else len(text)
        found.append((opened.start(), at))
    for match in _BRACKET.finditer(text):
        blank = _BLANK.search(text, match.end())
        found.append((match.start(), blank.start() if blank else len(text)))
    return sorted(found)
