"""Relations to the present: this, next, last and their kin."""

from graph.text.timex.reader import Reader
from graph.text.timex.words import LAST, NEXT, THIS


def relation(r: Reader, i: int, *, article: bool = True) -> tuple[int, int, str] | None:
    """(end, sign, words): sign -1 for last, 0 for this, +1 for next; "this past" and "this coming" are past and coming."""
    j = r.skip(i, ("the",)) if article else i
    word = r.word(j)
    if word == "this" and r.word(j + 1) in NEXT | LAST:
        sign = 1 if r.word(j + 1) in NEXT else -1
        return j + 2, sign, f"this {r.word(j + 1)}"
    if word in NEXT:
        return j + 1, 1, word
    if word in LAST:
        return j + 1, -1, word
    if word in THIS:
        return j + 1, 0, word
    return None
