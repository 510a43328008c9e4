"""The gate: is a text worth looking memories up for, and does it ask to be remembered? Only automatic callers are gated.

One order for all sources of rules, first match wins: tidy up, memory commands, words that force a look-up, light messages,
other slash commands, skip patterns, words that ask for something, the minimum length. The words are data
(gate_words.json). Who calls explicitly (a tool, the API, the command line) is never turned away.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from graph.ingest.gate_words import LANGUAGES, Place, word_set
from graph.ingest.readers.injected import without_injected
from graph.text.tiers import tier_of

SHORTEST = 5  # characters below which nothing is looked up
LEAST_LATIN = 15
LEAST_CJK = 6
LEAST_HOOK = 20  # what a prompt hook asks for
OPENING_WORDS = 8  # a greeting or a shell verb at the start decides for messages of at most so many words

_CRON = re.compile(r"\[cron:[^\]]*\]\s*")
_METADATA = re.compile(r"(?:Conversation info|Sender)[^\n]{0,40}\(untrusted metadata\):.*?(?:\n\s*\n|\Z)", re.DOTALL)
_STAMP = re.compile(r"\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b[^\]]{0,60}\]\s*")
_COMMAND = re.compile(r"/(remember|recall|reflect|memory|topic|object)\b", re.IGNORECASE)
_COMMANDS = {
    "remember": "write",
    "topic": "write",
    "object": "write",
    "recall": "recall",
    "memory": "recall",
    "reflect": "reflect",
}
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_EMOJI_PARTS = frozenset("#*\u200d\ufe0f\u20e3")
_SKIPS = (
    ("greeting", Place.START),
    ("shell", Place.START),
    ("acknowledgement", Place.WHOLE),
    ("continuation", Place.WHOLE),
    ("probe", Place.WHOLE),
)


class Caller(StrEnum):
    """Who asks. Only AUTO and HOOK are gated; HOOK also wants longer prompts."""

    AUTO = "auto"
    HOOK = "hook"
    TOOL = "tool"
    API = "api"
    CLI = "cli"

    @property
    def explicit(self) -> bool:
        return self not in (Caller.AUTO, Caller.HOOK)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`skip`: do not look memories up. `force`: words of the text demand it. `write`, `recall`, `reflect`: what it asks for.

    `tier` is how much looking-up it is worth, 0 (none) to 3; `reason` names the rule that decided; `text` is the tidied text.
    """

    skip: bool
    text: str
    reason: str
    force: bool = False
    write: bool = False
    recall: bool = False
    reflect: bool = False
    tier: int = 0

    @property
    def asks(self) -> bool:
        """Whether the text asks for anything of the memory."""
        return self.write or self.recall or self.reflect


@dataclass(frozen=True, slots=True)
class Gate:
    """`languages` whose words count; `runtimes` also takes a leading bun, node or deno for a shell command."""

    languages: tuple[str, ...] = LANGUAGES
    runtimes: bool = False

    def judge(
        self, text: str, caller: Caller = Caller.AUTO, *, min_length: int | None = None, active_goal: bool = False
    ) -> Verdict:
        """Judge one message. `min_length` replaces the usual minimum; with an active goal, "continue" is a look-up."""
        tidy = normalised(text)
        asked = {kind: bool(self._found(kind, tidy)) for kind in ("write", "recall", "reflect")}
        if command := _COMMAND.match(tidy):
            wanted = _COMMANDS[command.group(1).lower()]
            forced = bool(self._found("force", tidy))
            skip = wanted != "recall" and not forced and not caller.explicit
            reason = f"command:/{command.group(1).lower()}"
            return Verdict(skip, tidy, reason, forced, **{wanted: True}, tier=0 if skip else max(tier_of(tidy), 1))
        if not tidy:
            return Verdict(not caller.explicit, tidy, "empty")
        if self._found("force", tidy):
            return Verdict(False, tidy, "force", True, **asked, tier=max(tier_of(tidy), 1))
        why = "" if caller.explicit else self._reason_to_skip(tidy, caller, min_length)
        if why == "continuation" and active_goal:
            return Verdict(False, tidy, "active-goal", False, **asked | {"recall": True}, tier=1)
        if why:
            return Verdict(True, tidy, why, False, **asked if why not in ("light", "slash") else {})
        reason = "explicit" if caller.explicit else "keywords" if any(asked.values()) else "question"
        return Verdict(False, tidy, reason, False, **asked, tier=max(tier_of(tidy), 1))

    def _reason_to_skip(self, text: str, caller: Caller, min_length: int | None) -> str:
        """The first rule by which an automatic look-up is not worth it; empty when none applies."""
        if self._found("light", text, Place.WHOLE):
            return "light"
        if len(text) < SHORTEST:
            return "length"
        if text.startswith("/"):
            return "slash"
        return self._pattern(text) or self._too_short(text, caller, min_length)

    def _pattern(self, text: str) -> str:
        brief = len(text.split(maxsplit=OPENING_WORDS)) <= OPENING_WORDS
        for kind, place in _SKIPS:
            if (brief or place is not Place.START) and self._found(kind, text, place):
                return kind
        if self.runtimes and brief and self._found("runtime", text, Place.START):
            return "shell"
        if "heartbeat" in text.lower():
            return "heartbeat"
        if text.lower().startswith("[system"):
            return "system"
        return "emoji" if all(_is_emoji(char) or char.isspace() for char in text) else ""

    @staticmethod
    def _too_short(text: str, caller: Caller, min_length: int | None) -> str:
        if caller is Caller.HOOK and len(text) < LEAST_HOOK:
            return "length"
        least = min_length or (LEAST_CJK if _CJK.search(text) else LEAST_LATIN)
        return "length" if len(text) < least and "?" not in text and "？" not in text else ""

    def _found(self, kind: str, text: str, place: Place = Place.ANYWHERE) -> str:
        return word_set(kind, self.languages, place).found_in(text)


def normalised(text: str) -> str:
    """The message itself: without recalled memories, schedulers' marks, transports' headers and time stamps around it."""
    tidy = without_injected(text.strip()).strip()
    for pattern in (_CRON, _METADATA, _STAMP):
        match = pattern.match(tidy)
        if match:
            tidy = tidy[match.end() :].strip()
    return tidy


def _is_emoji(char: str) -> bool:
    """Emoji, their joiners, and digits: a message of digits alone asks nothing either."""
    return (
        char in _EMOJI_PARTS
        or char.isdigit()
        or unicodedata.category(char) in ("So", "Sk")
        or "\U0001f000" <= char <= "\U0001faff"
    )
