"""Times of day: "10:30", "5pm", "half past six", "seven thirty", "8 in the evening", "noon"."""

from graph.text.timex.numbers import small
from graph.text.timex.reader import Reader
from graph.text.timex.values import HALF_DAY, Match, time_of_day
from graph.text.timex.words import LATE_PARTS, ORDINALS, PARTS, WEEKDAYS

_BEFORE_TIME = frozenset("at to from between until till and by before after".split())
_AFTER_DATE = frozenset({"th", "st", "nd", "rd", "today", "tomorrow", "yesterday", "tonight"})
_NAMED = {"noon": 43_200, "midday": 43_200, "midnight": 0}
_NEAR = frozenset({"at", "around", "about", "circa", "approximately"})
_PAST = frozenset({"past", "after"})
_CHAPTERS = frozenset(
    "john luke mark matthew genesis exodus psalm psalms romans acts isaiah proverbs ratio score scored won lost verse aspect "
    "corinthians timothy beat".split()
)
_AFTER_BARE_HOUR = frozenset("on tomorrow today this next and or in for works tonight with please sharp if so".split())
_DAY_FOLLOWS = frozenset({"tonight", "tomorrow", "today", "yesterday", "on", "this", "sharp"})
_ENDS = frozenset({"", ".", ",", "!", "?", ";", ")"})
NIGHT_ENDS_AT = 5  # "two at night" is early


def meridiem(r: Reader, i: int) -> tuple[int, str] | None:
    """(end, "a" or "p"): "am", "p.m.", "p. m.", and a single letter right behind digits."""
    word = r.word(i)
    if word in ("am", "pm", "ampm"):
        dotted = r.word(i + 1) == "." and r.glued(i + 1) and r.word(i + 2)[:1].islower()
        return i + 1 + (dotted and not r.capital(i + 2)), "p" if word == "ampm" else word[0]
    if word in ("a", "p"):
        j = r.skip(i + 1, (".",))
        if r.word(j) == "m" and (j > i + 1 or r.glued(j)):
            return r.skip(j + 1, (".",)) if r.glued(j + 1) else j + 1, word
        if r.glued(i) and not (r.glued(i + 1) and r.word(i + 1)[:1].isalnum()):
            return i + 1, word
    return None


def seconds(hour: int, minute: int = 0, second: float = 0, half: str = "") -> float | None:
    """Seconds of the day, None for a time that does not exist; `half` is "a", "p" or empty."""
    if hour > 24 or minute > 59 or second >= 61 or (hour == 24 and (minute or second)):
        return None
    if half == "p" and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    return (hour % 24) * 3600 + minute * 60 + second


def _match(i: int, end: int, at: float | None, *, halved: bool, unit: str = "minute") -> Match | None:
    return None if at is None else Match(i, end, time_of_day(at, halved=halved, unit=unit))


def _spoken_part(r: Reader, i: int) -> tuple[int, str] | None:
    """ "in the morning", "at night", ", early evening": (end, part)."""
    j = r.seq(i, "in", "the") or r.seq(i, "at|of", "?the") or r.skip(i, (",",))
    j = r.skip(j, ("early", "late"))
    word = r.word(j)
    if word not in ("morning", "afternoon", "evening", "night") or (j == i):
        return None
    return j + 1, word


def _in_part(hour: int, part: str) -> int:
    late = part in LATE_PARTS and hour < 12 and not (part == "night" and hour < NIGHT_ENDS_AT)
    return hour + 12 if late else 0 if part == "morning" and hour == 12 else hour


def digital(r: Reader, i: int) -> Match | None:
    """10:30, 10:30:15.5, 9.30pm, at 14.30, 2:30 in the afternoon."""
    j = r.skip(i, _NEAR)
    sign = r.word(j + 1)
    if r.digits(j) not in (1, 2) or sign not in (":", ".") or not r.glued(j + 1) or r.digits(j + 2) != 2 or not r.glued(j + 2):
        return None
    if not _free(r, j, j + 3):
        return None
    hour, minute, second, end = int(r.word(j)), int(r.word(j + 2)), 0.0, j + 3
    if r.word(end) == sign == ":" and r.digits(end + 1) == 2 and r.glued(end + 1):
        second, end = float(r.word(end + 1)), end + 2
        if r.word(end) == "." and r.glued(end) and r.digits(end + 1) and r.glued(end + 1):
            second, end = second + float("0." + r.word(end + 1)), end + 2
    half = meridiem(r, end)
    if sign == "." and half and r.word(end) in ("a", "p") and half[0] == end + 1:
        return None  # "3.10a" is a version
    dated = r.digits(j - 1) in (2, 4) and r.word(j - 2) in ("-", "/", ".")
    if sign == "." and not half and not dated and r.word(j - 1) not in ("at", "to", "until", "till", "from", "between"):
        return None
    if half:
        return _match(i, half[0], seconds(hour, minute, second, half[1]), halved=False)
    part = _spoken_part(r, end)
    if part:
        return _match(i, part[0], seconds(_in_part(hour, part[1]), minute, second), halved=False)
    if r.word(end) in _NAMED and hour == 12:
        return _match(i, end + 1, seconds(0 if r.word(end) == "midnight" else 12, minute), halved=False)
    return _match(
        i,
        end,
        seconds(hour, minute, second),
        halved=0 < hour <= 12 and r.word(j)[0] != "0",
        unit="second" if second else "minute",
    )


def _free(r: Reader, i: int, end: int) -> bool:
    """Whether the digits stand by themselves: no ratio, verse, score, price or longer number."""
    before, after = r.word(i - 1), r.word(end)
    if r.glued(i) and before in ("$", ".", "€", "£", ":", "/", ",", "_"):
        return False
    if r.glued(i) and before == "-" and r.digits(i - 2) and r.glued(i - 1) and r.word(i - 3) != ":" and r.digits(i - 2) > 2:
        return False
    if before in _CHAPTERS or after in ("aspect", "ratio", "%", "percent", "million", "usd"):
        return False
    return not (after in (":", "/", ".") and r.glued(end) and r.digits(end + 1) and r.glued(end + 1) and r.digits(end + 1) != 2)


def hour(r: Reader, i: int) -> Match | None:
    """ "5pm", "at 7 am", "eight p.m.", "1130am", "5 o'clock in the evening", "8ish", "seven in the morning"."""
    j = r.skip(i, _NEAR)
    spelled = small(r, j)
    found = (j + 1, int(r.word(j))) if r.digits(j) in (1, 2) else spelled
    packed = r.digits(j) in (3, 4) and meridiem(r, j + 1)
    if packed:
        number = int(r.word(j))
        return _match(i, packed[0], seconds(number // 100, number % 100, 0, packed[1]), halved=False)
    if not found or not 0 <= found[1] <= 24 or not _free(r, j, found[0]):
        return None
    end, at = found
    if r.word(end) == "ish" or (r.word(end) == "-" and r.word(end + 1) == "ish"):
        return _match(i, end + (1 if r.word(end) == "ish" else 2), seconds(at), halved=True)
    half = meridiem(r, end if r.word(end) != "." else end + 1) if 0 < at <= 12 else None
    if half and not (spelled and r.word(end) in ("a", "p") and r.word(end + 1) != "."):
        return _match(i, half[0], seconds(at, 0, 0, half[1]), halved=False, unit="hour")
    clock = r.seq(end, "o", "'|clock", "?clock") or r.seq(end, "o'clock|oclock") or r.seq(end, "'", "o", "clock")
    part = _spoken_part(r, clock or end)
    if part and (clock or r.word(end) in ("in", "at", ",")):
        return _match(i, part[0], seconds(_in_part(at, part[1])), halved=False, unit="hour")
    return _match(i, clock, seconds(at), halved=0 < at <= 12, unit="hour") if clock else None


def bare_hour(r: Reader, i: int) -> Match | None:
    """ "at 7", "around 6", where nothing else is counted."""
    if r.word(i) not in ("at", "around") and r.word(i - 1) not in ("at", "around"):
        return None
    j = r.skip(i, ("at", "around"))
    found = (j + 1, int(r.word(j))) if r.digits(j) in (1, 2) else small(r, j)
    if not found or not 1 <= found[1] <= 24 or not _free(r, j, found[0]):
        return None
    end = found[0]
    if r.word(end) not in _ENDS | _AFTER_BARE_HOUR or (r.glued(end) and r.digits(end + 1) and r.word(end) in (".", ",")):
        return None
    if r.word(j).isalpha() and r.word(end) not in _ENDS | _DAY_FOLLOWS:
        return None
    first = j if r.word(i) == "at" else i
    return _match(first, end, seconds(found[1]), halved=found[1] <= 12, unit="hour")


def relative_hour(r: Reader, i: int) -> Match | None:
    """ "half past six", "quarter to 5", "ten minutes past three in the afternoon"."""
    j = r.skip(i, ("at", "around", "about"))
    k = r.skip(j, ("a",))
    word = r.word(k)
    minutes = (k + 1, 30) if word == "half" else (k + 1, 15) if word == "quarter" else None
    counted = minutes is None
    minutes = minutes or ((k + 1, int(r.word(k))) if r.digits(k) in (1, 2) else small(r, k))
    if not minutes or not 0 < minutes[1] < 60:
        return None
    said = r.skip(minutes[0], ("minute", "minutes", "min", "mins"))
    way = r.word(said)
    if way not in _PAST | {"to", "before", "til", "till", "of"} or (
        way in ("before", "after", "of") and counted and said == minutes[0]
    ):
        return None
    if counted and said == minutes[0] and not (way == "past" or (way == "to" and j > i)):
        return None
    at = (said + 2, int(r.word(said + 1))) if r.digits(said + 1) in (1, 2) else small(r, said + 1)
    at = at or ((said + 2, 12) if r.word(said + 1) in _NAMED else None)
    if not at or not 1 <= at[1] <= 24 or r.word(at[0]) in (":", "%"):
        return None
    end, number = at
    half, part = meridiem(r, end), _spoken_part(r, end)
    whole = _in_part(number, part[1]) if part else number
    base = seconds(whole, 0, 0, half[1] if half else "")
    if base is None:
        return None
    total = base + (60 * minutes[1] if way in _PAST else -60 * minutes[1])
    end = half[0] if half else part[0] if part else end
    return Match(i, end, time_of_day(total % 86_400, halved=not half and not part))


def spelled(r: Reader, i: int) -> Match | None:
    """ "seven thirty", "five-fifteen pm", "eight oh five", behind "at" or with a half of the day."""
    j = r.skip(i, ("at", "around", "about"))
    head = small(r, j)
    if not head or not 1 <= head[1] <= 12:
        return None
    k = r.skip(head[0], ("-",))
    oh = r.word(k) in ("oh", "o")
    tail = small(r, k + 1 if oh else k)
    if not tail or not ((10 <= tail[1] < 60) or (oh and tail[1] < 10)):
        return None
    half, part = meridiem(r, tail[0]), _spoken_part(r, tail[0])
    dated = r.word(i - 1) in ORDINALS or r.word(i - 1) in _AFTER_DATE or r.word(i - 1) in WEEKDAYS
    if not (half or part or j > i or dated or r.word(i - 1) in _BEFORE_TIME):
        return None
    whole = _in_part(head[1], part[1]) if part else head[1]
    end = half[0] if half else part[0] if part else tail[0]
    return _match(i, end, seconds(whole, tail[1], 0, half[1] if half else ""), halved=not half and not part)


def military(r: Reader, i: int) -> Match | None:
    """ "at 0900", "0900 hours": four digits that are no year."""
    digits = r.word(i)
    if r.digits(i) != 4 or (r.glued(i + 1) and r.word(i + 1) in (".", "-", "/", ":")):
        return None
    named_hours = r.word(i + 1) in ("hours", "hrs", "h")
    if not named_hours and (r.word(i - 1) != "at" or digits[:2] in ("19", "20", "21")):
        return None
    return (
        _match(i, i + 1 + named_hours, seconds(int(digits[:2]), int(digits[2:])), halved=False) if digits[0] in "012" else None
    )


def named(r: Reader, i: int) -> Match | None:
    """noon, midday, midnight."""
    j = r.skip(i, _NEAR)
    j = r.skip(j, ("12",))
    if r.word(j) not in _NAMED:
        return None
    return Match(i, j + 1, time_of_day(_NAMED[r.word(j)], unit="hour"))


def part_then_hour(r: Reader, i: int) -> Match | None:
    """ "in the morning at 7", "early morning at 8:00"."""
    j = r.seq(i, "in", "the") or r.skip(i, ("early", "late"))
    part = r.word(j)
    if j == i or part not in PARTS or r.word(j + 1) not in ("at", ","):
        return None
    found = r.first(r.rules.clocks, j + 1) or bare_hour(r, j + 1)
    if not found or found.value.clock is None or not found.value.clock:
        return None
    at = found.value.clock
    late = found.value.halved and part in LATE_PARTS and at < HALF_DAY
    return Match(i, found.end, time_of_day(at + HALF_DAY if late else at))


RULES = (digital, hour, bare_hour, relative_hour, spelled, military, named, part_then_hour)
