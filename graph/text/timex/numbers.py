"""Numbers in digits and words: counts, ordinals, years. Each returns (end, number) or None."""

from graph.text.timex.reader import Reader
from graph.text.timex.words import ONES, ORDINALS, TENS

OLDEST_YEAR = 1000
FIRST_YEAR = 1500
LAST_YEAR = 2199
PIVOT = 40  # a year of two digits below it is of this century
_SUFFIXES = ("st", "nd", "rd", "th")
_FRACTIONS = (
    (("and", "a", "half"), 0.5),
    (("and", "a", "quarter"), 0.25),
    (("and", "three", "quarters"), 0.75),
    (("and", "1", "/", "2"), 0.5),
)
_FEW = {"few": 3, "several": 3, "dozen": 12}


def small(r: Reader, i: int) -> tuple[int, int] | None:
    """A count below a hundred in words: "five", "twenty-one"."""
    word = r.word(i)
    if word in ONES:
        return i + 1, ONES[word]
    if word not in TENS:
        return None
    j = i + 2 if r.word(i + 1) == "-" and r.glued(i + 1) else i + 1
    unit = ONES.get(r.word(j), 0)
    return (j + 1, TENS[word] + unit) if 0 < unit < 10 else (i + 1, TENS[word])


def _hundreds(r: Reader, i: int) -> tuple[int, int] | None:
    found = (i + 1, 1) if r.word(i) in ("a", "one") and r.word(i + 1) == "hundred" else small(r, i)
    if not found:
        return None
    j, number = found
    if r.word(j) not in ("hundred", "thousand"):
        return found
    number *= 100 if r.word(j) == "hundred" else 1000
    rest = small(r, r.skip(j + 1, ("and",)))
    return (rest[0], number + rest[1]) if rest and rest[1] else (j + 1, number)


def _digits(r: Reader, i: int) -> tuple[int, float] | None:
    whole = r.number(i)
    if whole is None:
        return None
    if r.word(i + 1) in (".", ",") and r.glued(i + 1) and r.digits(i + 2) in (1, 2) and r.glued(i + 2):
        return i + 3, float(f"{whole}.{r.word(i + 2)}")
    if r.word(i + 1) == "½" and r.glued(i + 1):
        return i + 2, whole + 0.5
    return i + 1, whole


def count(r: Reader, i: int) -> tuple[int, float] | None:
    """How many: "3", "0.5", "twenty-five", "a", "a couple of", "several", "half an", "two and a half"."""
    word = r.word(i)
    if word == "half":
        return r.skip(i + 1, ("a", "an")), 0.5
    if word == "½":
        return i + 1, 0.5
    if word == "another":
        return i + 1, 1
    start = i + 1 if word in ("a", "an") else i
    if r.word(start) == "couple":
        return r.skip(start + 1, ("of",)), 2
    if r.word(start) in _FEW:
        return r.skip(start + 1, ("of",)), _FEW[r.word(start)]
    found = _hundreds(r, i) or _digits(r, i)
    if not found and start > i:
        return (start, 1)
    return _with_fraction(r, *found) if found else None


def _with_fraction(r: Reader, end: int, number: float) -> tuple[int, float]:
    for words, part in _FRACTIONS:
        j = r.seq(end, *words)
        if j:
            return j, number + part
    return end, number


def ordinal(r: Reader, i: int) -> tuple[int, int] | None:
    """ "21st", "first", "twenty-first", up to 99."""
    number = r.number(i)
    if number is not None:
        return (i + 2, number) if r.word(i + 1) in _SUFFIXES and r.glued(i + 1) and number < 100 else None
    word = r.word(i)
    if word in ORDINALS:
        return i + 1, ORDINALS[word]
    if word in TENS:
        j = i + 2 if r.word(i + 1) == "-" else i + 1
        unit = ORDINALS.get(r.word(j), 0)
        return (j + 1, TENS[word] + unit) if 0 < unit < 10 else None
    return None


def full_year(number: int) -> int:
    """The year of a number of two digits."""
    return number if number > 99 else number + (2000 if number < PIVOT else 1900)


def year(r: Reader, i: int, *, dated: bool = False) -> tuple[int, int] | None:
    """A year in four digits (old ones too behind a day), after an apostrophe, or in words ("nineteen ninety six")."""
    number = r.number(i)
    if number is not None:
        first = OLDEST_YEAR if dated else FIRST_YEAR
        return (i + 1, number) if r.digits(i) == 4 and first <= number <= LAST_YEAR else None
    if r.word(i) == "'" and r.digits(i + 1) == 2 and r.glued(i + 1):
        return i + 2, full_year(r.number(i + 1) or 0)
    return _worded_year(r, i)


def _worded_year(r: Reader, i: int) -> tuple[int, int] | None:
    if r.seq(i, "two", "thousand"):
        rest = small(r, r.skip(i + 2, ("and",)))
        return (rest[0], 2000 + rest[1]) if rest else (i + 2, 2000)
    century = small(r, i)
    if not century or not 15 <= century[1] <= 21 or century[1] == 0:
        return None
    j, head = century
    hundred = r.word(j) == "hundred"
    j = r.skip(j + 1, ("and",)) if hundred else j
    oh = r.word(j) in ("oh", "o")
    rest = small(r, j + 1 if oh else j)
    if not rest or (rest[1] < 10 and not (hundred or oh)):
        return None
    return rest[0], head * 100 + rest[1]
