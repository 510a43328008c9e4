"""Ranges: from A to B of days, months, years, moments and hours. A range ends where B begins; `through` is where B ends."""

import re
from datetime import datetime, timedelta

from graph.text.timex import calendar
from graph.text.timex.durations import amount, by_clock, seconds, shifted
from graph.text.timex.moments import day_of, day_part, joint, moment, one_day
from graph.text.timex.numbers import ordinal, small, year
from graph.text.timex.numeric_days import month_at, year_tail
from graph.text.timex.reader import Reader
from graph.text.timex.values import HALF_DAY, SECONDS_OF_DAY, UNSAID, Kind, Match, Value, span
from graph.text.timex.words import LATE_PARTS

_TO = frozenset({"to", "-", "~", "through", "thru", "until", "till", "til"})
_AFTER_HOURS = frozenset(
    "on in at this next tomorrow today yesterday and or for the works please pst cst est et pt last every with if is would but "
    "so each when because we i he she they tonight daily".split()
)


def opening(r: Reader, i: int) -> tuple[int, str]:
    """(index behind it, word) of "from", "between", "in", "on" before a range."""
    word = r.word(i)
    return (i + 1, word) if word in ("from", "between", "in", "on", "during") else (i, "")


def joined(r: Reader, i: int, word: str) -> int:
    """The index after "to" and its kin, or after "and" behind "between"; 0 if there is none."""
    if r.word(i) in _TO or (r.word(i) == "and" and word == "between"):
        j = i + 1
        return r.skip(j, ("-", "to")) if r.word(i) in ("-", "up") else j
    return 2 + i if r.seq(i, "up", "to") else 0


def endpoint(r: Reader, i: int) -> Match | None:
    """A day, period or moment at an end of a range, with or without "the"."""
    found = [one for one in (moment(r, i), moment(r, i + 1) if r.word(i) == "the" else None) if one]
    return max(found, key=lambda one: one.end, default=None)


def _edge(value: Value, *, last: bool) -> datetime | None:
    """Where a range begins or ends at this value: "the end of May" is June, "mid May" is the 16th."""
    if value.whole and value.piece == "end":
        return value.whole.end
    if value.whole and value.piece == "mid" and value.whole.start:
        return value.whole.start + timedelta(days=15) if value.whole.unit == "month" else value.start
    return value.start if not last or value.start else value.end


def dates(r: Reader, i: int) -> Match | None:
    """ "from May 3 to June 5", "Jan-Mar 2024", "between 2014 and 2018", "Monday through Friday"."""
    j, word = opening(r, i)
    a = endpoint(r, j)
    if not a or not a.value.dated:
        return None
    k = joined(r, a.end, word)
    if not k:
        return None
    b = endpoint(r, k) or _current(r, k)
    if not b or not b.value.dated:
        return None
    edges = _ordered(r, a.value, b.value, bool(re.search(r"\d{4}", r.text[r.tokens[k].start : r.tokens[b.end - 1].end])))
    if not edges or (edges[1] <= edges[0] and not b.value.present):
        return None
    kind = _kind(a.value, b.value)
    start, end = edges
    if kind == Kind.DATE_RANGE:
        start, end = calendar.midnight(start), calendar.midnight(end)
    size = (b.value.end - b.value.start) if b.value.end and b.value.start else timedelta()
    through = end if b.value.piece or b.value.present else max(end, end + size)
    unit = b.value.unit if kind == Kind.DATE_RANGE else "minute"
    return Match(i, b.end, Value(kind, start, end, unit, through=through))


def _current(r: Reader, i: int) -> Match | None:
    if r.word(i) in ("date", "present"):
        return Match(i, i + 1, Value(Kind.DATETIME, r.reference, r.reference, present=True))
    return None


def _kind(a: Value, b: Value) -> Kind:
    clocked = [v for v in (a, b) if v.kind in (Kind.DATETIME, Kind.DATETIME_RANGE) and not v.present]
    return Kind.DATETIME_RANGE if clocked or (a.present and b.present) else Kind.DATE_RANGE


def _ordered(r: Reader, a: Value, b: Value, dated: bool) -> tuple[datetime, datetime] | None:
    """Both edges, years lent from the right end to the left, or chosen so that the range fits the reading."""
    start, end = _edge(a, last=False), _edge(b, last=True)
    if not start or not end:
        return None
    if a.yearly and not b.yearly and dated:
        start = a.yearly(end.year)[0]
        return (start, end) if start <= end else (a.yearly(end.year - 1)[0], end)
    if a.yearly and b.yearly:
        return _both_yearless(r, a, b)
    if end < start and b.kind == Kind.DATE:
        if b.yearly:
            end = b.yearly(start.year)[0]
            return start, end if end > start else b.yearly(start.year + 1)[0]
        while end < start and (start - end).days < 15:
            end += timedelta(days=7)
    return start, end


def _both_yearless(r: Reader, a: Value, b: Value) -> tuple[datetime, datetime] | None:
    found = []
    for one in range(r.today.year - 5, r.today.year + 6):
        try:
            start = a.yearly(one)[0] if a.yearly else r.today
            end = b.yearly(one)[0] if b.yearly else r.today
            found.append((start, end if end > start else b.yearly(one + 1)[0] if b.yearly else end))
        except ValueError:
            continue
    if r.future:
        return next((one for one in found if one[1] > r.today), None)
    return next((one for one in reversed(found) if one[0] <= r.today), None)


def years(r: Reader, i: int) -> Match | None:
    """ "2014-2018", "2014-18", "2014/15"."""
    j, _ = opening(r, i)
    first = year(r, j) if r.digits(j) == 4 else None
    if (
        not first
        or r.word(j + 1) not in ("-", "~", "/")
        or (r.glued(j + 3) and r.word(j + 3) not in (".", ",", ")", ";", "?", "!"))
    ):
        return None
    size = r.digits(j + 2)
    number = int(r.word(j + 2)) if size else 0
    if size == 2 and r.glued(j + 2) and r.word(j + 1) != "~":
        number += first[1] // 100 * 100
        if number <= 12 + first[1] // 100 * 100 and r.word(j + 1) == "-":
            return None  # 2019-04 is a month
    if size not in (2, 4) or not first[1] < number <= 2199 or r.word(j - 1) in ("-", "/") or r.word(j + 3) == "-":
        return None
    if size == 4 and r.glued(j + 1) != r.glued(j + 2):
        return None
    end = datetime(number, 1, 1)
    return Match(i, j + 3, span(datetime(first[1], 1, 1), end, "year", through=datetime(number + 1, 1, 1)))


def _day_numbers(r: Reader, i: int) -> tuple[int, int] | None:
    found = ordinal(r, r.skip(i, ("the",))) or ((i + 1, int(r.word(i))) if r.digits(i) in (1, 2) else small(r, i))
    return found if found and 1 <= found[1] <= 31 else None


def days_of_month(r: Reader, i: int) -> Match | None:
    """ "from the 3rd to the 5th of May", "4-23 in next month", "3-5 July 2019"."""
    j, word = opening(r, i)
    a = _day_numbers(r, j)
    k = joined(r, a[0], word) if a else 0
    b = _day_numbers(r, k) if k else None
    if not a or not b:
        return None
    at = r.skip(b[0], ("of", "in"))
    month = month_at(r, at)
    if month:
        if not word and (r.word(i - 1) in ("-", "/", ".", ":") or not b[1] > a[1]):
            return None
        return _in_named_month(r, i, month, a[1], b[1])
    whole = r.first(r.rules.dates, at)
    if not whole or whole.value.unit != "month" or not whole.value.start or not (at > b[0] or word):
        return None
    start, end = _days(whole.value.start, a[1], b[1])
    return Match(i, whole.end, span(start, end, "day", through=end + timedelta(days=1)))


def _in_named_month(r: Reader, i: int, month: tuple[int, int], first: int, last: int) -> Match | None:
    tail = year_tail(r, month[0])
    chosen = (
        _days(datetime(tail[1], month[1], 1), first, last)
        if tail
        else r.choose(lambda one: _days(datetime(one, month[1], 1), first, last))
    )
    if not chosen:
        return None
    start, end = chosen
    return Match(i, tail[0] if tail else month[0], span(start, end, "day", through=end + timedelta(days=1)))


def _days(month: datetime, a: int, b: int) -> tuple[datetime, datetime]:
    start = month.replace(day=a)
    return (start if a < b else calendar.add_months(start, -1)), month.replace(day=b)


def month_then_days(r: Reader, i: int) -> Match | None:
    """ "July 3-5", "Nov 3rd to the 5th, 2019", "april the ninth till the seventeenth"."""
    j, word = opening(r, i)
    a = day_part(r, j)
    k = joined(r, a.end, word) if a and a.value.kind == Kind.DATE and a.value.start else 0
    if not a or not k or not any(month_at(r, t) for t in range(j, a.end)):
        return None
    b = _day_numbers(r, k)
    if not b or r.word(b[0]) in ("am", "pm", ":", "/") or month_at(r, b[0]):
        return None
    tail = year_tail(r, b[0])
    start = a.value.start or r.today
    if tail and a.value.yearly:
        start = a.value.yearly(tail[1])[0]
    end = start.replace(day=b[1])
    if end <= start:
        return None
    return Match(i, tail[0] if tail else b[0], span(start, end, "day", through=end + timedelta(days=1)))


def _time(r: Reader, i: int) -> Match | None:
    """A time at an end of a range of hours, a bare hour among them."""
    found = r.first(r.rules.clocks, i)
    j = r.skip(i, ("at", "the", "around", "about"))
    if found:
        return found
    bare = (j + 1, int(r.word(j))) if r.digits(j) in (1, 2) else small(r, j)
    if r.digits(j) == 4 and not r.word(j).startswith(("19", "20")):
        hour, minute = divmod(int(r.word(j)), 100)
        if hour < 24 and minute < 60:
            return Match(i, j + 1, Value(Kind.TIME, clock=hour * 3600 + minute * 60, halved=0 < hour <= 12))
    if (
        not bare
        or not 0 <= bare[1] <= 24
        or r.word(bare[0]) in ("st", "nd", "rd", "th")
        or (r.word(bare[0]) in (":", "/", ".") and r.glued(bare[0]) and r.digits(bare[0] + 1))
    ):
        return None
    return Match(i, bare[0], Value(Kind.TIME, clock=bare[1] * 3600.0, halved=0 < bare[1] <= 12, piece="bare"))


def hours(r: Reader, i: int) -> Match | None:
    """ "5-6pm", "from 9 to 10:30", "between 5 and 6 in the afternoon", "10:30 till now"."""
    j, word = opening(r, i)
    j = r.skip(j, ("at",)) if not word else j
    a = _time(r, j)
    k = joined(r, a.end, word) if a else 0
    if not a or not k:
        return None
    if r.word(k) == "now" and a.value.piece != "bare":
        start = r.today + timedelta(seconds=a.value.clock or 0)
        return Match(i, k + 1, Value(Kind.DATETIME_RANGE, start, r.reference, "minute"))
    b = _time(r, k)
    if not b or b.value.kind != Kind.TIME:
        return None
    start_at, end_at = a.value.clock or 0.0, b.value.clock or 0.0
    end, halved = b.end, a.value.halved and b.value.halved
    part = r.seq(end, "in", "the") or end
    if r.word(part) in ("morning", "afternoon", "evening", "night") and (a.value.halved or b.value.halved):
        late = r.word(part) in LATE_PARTS
        start_at += HALF_DAY if late and a.value.halved and start_at < HALF_DAY else 0
        end_at += HALF_DAY if late and b.value.halved and end_at < HALF_DAY else 0
        end, halved = part + 1, False
    else:
        start_at, end_at = _halves(a.value, b.value, start_at, end_at)
    bare = a.value.piece == b.value.piece == "bare"
    if bare and end == b.end and not _hours_follow(r, end, word):
        return None
    return Match(
        i,
        end,
        Value(Kind.TIME_RANGE, unit="hour", clock=start_at, clock_end=end_at, halved=halved, piece=UNSAID if bare else ""),
    )


def _hours_follow(r: Reader, end: int, word: str) -> bool:
    """Whether two bare numbers are hours: behind "from" or "between", and nothing counted follows."""
    after = r.word(end)
    return word in ("from", "between") and (not after or not (after.isalpha() or after in "%$'-") or after in _AFTER_HOURS)


def _halves(a: Value, b: Value, start: float, end: float) -> tuple[float, float]:
    """Halves of the day: the earlier hour takes the later's, and an end before its start moves on."""
    if a.halved and not b.halved and end >= HALF_DAY and start + HALF_DAY <= end:
        start += HALF_DAY
    if end <= start and b.halved and end < HALF_DAY:
        end += HALF_DAY
    if end == 0:
        end = SECONDS_OF_DAY
    return start, end


def hours_for(r: Reader, i: int) -> Match | None:
    """ "from 2pm for 3 hours", "for 2 hours from 5pm"."""
    if r.word(i) == "from":
        a = _time(r, i + 1)
        found = amount(r, a.end + 1) if a and r.word(a.end) == "for" else None
        if a and found and by_clock(found[1]):
            start = a.value.clock or 0.0
            return Match(i, found[0], Value(Kind.TIME_RANGE, unit="hour", clock=start, clock_end=start + seconds(found[1])))
    if r.word(i) == "for":
        found = amount(r, i + 1)
        if not found or r.word(found[0]) not in ("from", "starting", "beginning", "at"):
            return None
        j = r.skip(found[0] + 1, ("from", "at", "on"))
        b = _time(r, j) if by_clock(found[1]) and r.word(found[0]) != "at" else None
        if b:
            start = b.value.clock or 0.0
            return Match(i, b.end, Value(Kind.TIME_RANGE, unit="hour", clock=start, clock_end=start + seconds(found[1])))
        base = moment(r, j)
        if base and base.value.start and r.word(found[0]) != "at":
            return Match(i, base.end, span(base.value.start, shifted(base.value.start, found[1], 1), base.value.unit))
    return None


def amount_from(r: Reader, i: int) -> Match | None:
    """ "two weeks starting on Monday", "3 days beginning May 5"."""
    found = amount(r, i)
    if not found or r.word(found[0]) not in ("starting", "beginning", "commencing"):
        return None
    base = moment(r, r.skip(found[0] + 1, ("from", "on")))
    if not base or not base.value.start:
        return None
    return Match(i, base.end, span(base.value.start, shifted(base.value.start, found[1], 1), base.value.unit))


def dated_hours(r: Reader, i: int) -> Match | None:
    """Hours of a day, in either order: "Monday 8-9am", "from 10:30 to 3 on 1/1/2015", "between 7 and 9 last night"."""
    time = hours(r, i) or hours_for(r, i) or _any_hours(r, i, i)
    if time and time.value.kind == Kind.TIME_RANGE:
        base = day_part(r, joint(r, time.end))
        if base and one_day(base.value):
            return Match(i, base.end, _on(base.value, time.value))
    base = day_part(r, i)
    if base and one_day(base.value):
        for j in (joint(r, base.end), base.end):
            time = _any_hours(r, j, base.end)
            if time:
                return Match(base.first, time.end, _on(base.value, time.value))
    return None


def _any_hours(r: Reader, j: int, end: int) -> Match | None:
    found = hours(r, j) or hours_for(r, j)
    if found and found.value.kind == Kind.TIME_RANGE:
        return found
    a = _time(r, j)
    k = joined(r, a.end, "") if a and a.value.piece == "bare" else 0
    b = _time(r, k) if k else None
    if (
        not a
        or not b
        or b.value.kind != Kind.TIME
        or r.word(end) == "-"
        or (r.word(b.end).isalpha() and r.word(b.end) not in _AFTER_HOURS)
    ):
        return None
    edges = _halves(a.value, b.value, a.value.clock or 0.0, b.value.clock or 0.0)
    return Match(j, b.end, Value(Kind.TIME_RANGE, unit="hour", clock=edges[0], clock_end=edges[1], halved=True))


def _on(base: Value, time: Value) -> Value:
    late = base.part in LATE_PARTS and time.halved and (time.clock or 0) < HALF_DAY
    up = HALF_DAY if late else 0
    start = day_of(base)
    return Value(
        Kind.DATETIME_RANGE,
        start + timedelta(seconds=(time.clock or 0) + up),
        start + timedelta(seconds=(time.clock_end or 0) + up),
        "hour",
    )


RULES = (dates, years, days_of_month, month_then_days, hours, hours_for, amount_from, dated_hours)
