"""Words that close something: "no longer", "instead of", "reverts", "superseded by", "sold", "correction:". Pure, English.

They say that a text ends or replaces what an earlier one said. What exactly is closed is for the facts to say; a cue by itself
retires nothing.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Closing(StrEnum):
    """What kind of end a cue tells of."""

    ENDED = "ended"  # it held and does not any more
    REPLACED = "replaced"  # something else took its place
    REVERTED = "reverted"  # a change was taken back
    SUPERSEDED = "superseded"  # a document or decision gave way to a newer one
    PARTED = "parted"  # somebody gave a thing away
    CORRECTED = "corrected"  # what was said before was wrong
    FINISHED = "finished"  # what was to be done is done


@dataclass(frozen=True, slots=True)
class Cue:
    """Characters [start, end) of the text that tell of an end."""

    kind: Closing
    start: int
    end: int


ENDED_PHRASES = ("no longer", "not any more", "n't any more", "not anymore", "n't anymore", "anymore", "not any longer")
_ENDED = (
    r"\bno longer\b|(?:\bnot|n['’]t)(?: \w{1,20}){0,5} (?:any ?more|any longer)\b"
    r"|\b(?:stopped|ceased|quit) \w{1,20}ing\b|\bformerly\b"
    r"|\bused(?<!is used)(?<!are used)(?<!was used)(?<!be used)(?<!were used)(?<!been used)(?<!'m used)(?<!am used) to "
    r"(?!(?:it|this|that|the|an?|my|our|your)\b)\w{1,20}"
)
_REPLACED = (
    r"\b(?:instead of|in place of|in favou?r of|replac(?:e[sd]?|ing)|switch(?:ed|ing)? (?:over )?(?:from|to|away)"
    r"|migrat(?:ed?|ing) (?:from|to|away|off)|moved (?:away )?(?:from|off)|swapped(?: out)?|phased out)\b"
)
_REVERTED = r"\b(?:revert(?:s|ed|ing)?|roll(?:ed|ing)? ?back|back(?:ed|ing) out|undo(?:es|ne|ing)?|undid)\b"
_SUPERSEDED = r"\b(?:supersed(?:e[sd]?|ing)|obsolet(?:e[sd]|ed by|es)|deprecat(?:e[sd]?|ing)|made obsolete)\b"
_PARTED = r"\b(?:sold|gave away|got rid of|donated|threw (?:out|away)|parted with|traded in)\b"
_CORRECTED = (
    r"\b(?:correction|scratch that|i was wrong|that was wrong|i misspoke|(?:that|this) is not (?:true|right|correct)|i meant"
    r"|not true|strike that|turns out (?:it|that)|was incorrect|my mistake)\b|\A\s{0,20}(?:actually|no),"
)
_FINISHED = (
    r"\A\s{0,20}(?:done|finished|completed|resolved|closed|shipped|merged)\b\s?[:!–-]|\A\s{0,20}\[x\]|\b(?:is|are) now done\b"
)
_PATTERNS = {
    Closing.ENDED: re.compile(_ENDED, re.IGNORECASE),
    Closing.REPLACED: re.compile(_REPLACED, re.IGNORECASE),
    Closing.REVERTED: re.compile(_REVERTED, re.IGNORECASE),
    Closing.SUPERSEDED: re.compile(_SUPERSEDED, re.IGNORECASE),
    Closing.PARTED: re.compile(_PARTED, re.IGNORECASE),
    Closing.CORRECTED: re.compile(_CORRECTED, re.IGNORECASE),
    Closing.FINISHED: re.compile(_FINISHED, re.IGNORECASE),
}


def closing_cues(text: str) -> list[Cue]:
    """Every cue in the text, in order of place, ties by the order of `Closing`."""
    found = [Cue(kind, match.start(), match.end()) for kind, pattern in _PATTERNS.items() for match in pattern.finditer(text)]
    return sorted(found, key=lambda cue: (cue.start, list(Closing).index(cue.kind)))


def closes(text: str) -> frozenset[Closing]:
    """The kinds of ends that a text tells of."""
    return frozenset(cue.kind for cue in closing_cues(text))
