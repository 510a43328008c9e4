"""Open ends: before, after, since, until, by, "2012 or later", "more than two days ago", "tomorrow before 5pm"."""

from datetime import datetime, timedelta

from graph.text.timex.durations import amount, shifted, smallest
from graph.text.timex.moments import day_of, moment, one_day
from graph.text.timex.ranges import endpoint
from graph.text.timex.reader import Reader
from graph.text.timex.values import Kind, Match, Value
from graph.text.timex.words import MEALS

_FORMS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("before",), "before"),
    (("prior", "to"), "before"),
    (("previous", "to"), "before"),
    (("earlier", "than"), "before"),
    (("less", "than"), "before"),
    (("sooner", "than"), "before"),
    (("<",), "before"),
    (("<", "="), "upto"),
    (("after",), "after"),
    (("later", "than"), "after"),
    (("more", "than"), "after"),
    (("greater", "than"), "after"),
    (("past",), "after"),
    ((">",), "after"),
    ((">", "="), "since"),
    (("since",), "since"),
    (("starting",), "since"),
    (("starting", "from|on|in|at"), "since"),
    (("beginning", "from|on|in|at"), "since"),
    (("beginning",), "since"),
    (("as", "early", "as"), "since"),
    (("on", "or", "after"), "since"),
    (("no", "earlier", "than"), "since"),
    (("not", "before"), "since"),
    (("not", "until"), "since"),
    (("effective",), "since"),
    (("until",), "until"),
    (("till",), "until"),
    (("til",), "until"),
    (("up", "to|until"), "until"),
    (("by",), "until"),
    (("as", "late", "as"), "until"),
    (("no", "later", "than"), "until"),
    (("not", "later", "than"), "until"),
    (("on", "or", "before"), "upto"),
    (("through",), "upto"),
)
Edges = tuple[datetime | None, datetime | None]
_FIRST_WORDS = frozenset(words[0] for words, _ in _FORMS)
_SOLID = frozenset({"beginning", "effective", "through"})
_EARLIEST = frozenset({"after", "since"})
_TIME_WORDS = frozenset(
    {"before", "after", "since", "until", "till", "til", "by", "as", "no", "not", "prior", "later", "earlier", "past"}
)


def opener(r: Reader, i: int) -> tuple[int, str] | None:
    """(index behind it, sense) of the longest opening of a bound."""
    if r.word(i) not in _FIRST_WORDS:
        return None
    best: tuple[int, str] | None = None
    for words, sense in _FORMS:
        end = r.seq(i, *words)
        if end and (best is None or end > best[0]):
            best = end, sense
    return best


def edges(sense: str, value: Value) -> tuple[datetime | None, datetime | None]:
    """The open range: before ends where the value begins, after begins where a period ends, by its end for "the end of X"."""
    start, end = value.start, value.end or value.start
    closing = value.piece == "end" and value.whole is not None
    closed = value.whole.end if closing and value.whole else end
    if sense == "before":
        return None, closed if closing else start
    if sense == "after":
        return (closed if value.kind == Kind.DATE_RANGE else start), None
    if sense == "since":
        return start, None
    return None, closed if closing or sense == "upto" else start


def dated(r: Reader, i: int) -> Match | None:
    """ "before May 5", "since last week", "by the end of the year", "until 5pm tomorrow"."""
    found = opener(r, i)
    if not found:
        return None
    j, sense = found
    if r.word(i) in ("<", ">") and not r.digits(j):
        return None
    near = r.skip(j, ("about", "around", "approximately"))
    base = endpoint(r, near)
    if not base or not base.value.dated or base.value.present or not base.value.start:
        return None
    if base.value.exact and r.word(i) in ("more", "less") and r.seq(i, "more|less", "than"):
        return Match(i, base.end, _measured(base, r.word(i) == "more", r))
    if r.word(i) == "past" or (r.word(i) in _SOLID and r.word(i + 1) in ("the", "this", "next", "last", "few")):
        return None
    kind = Kind.DATE_RANGE if base.value.kind in (Kind.DATE, Kind.DATE_RANGE) else Kind.DATETIME_RANGE
    start, end = edges(sense, base.value)
    return Match(i, base.end, Value(kind, start, end, base.value.unit, mod=r.word(i)))


def _measured(base: Match, more: bool, r: Reader) -> Value:
    """ "more than two days ago" lies before that day, "less than two days ago" after it."""
    ago = r.word(base.end - 1) in ("ago", "earlier", "before", "back")
    at = base.value.start
    kind = Kind.DATE_RANGE if base.value.kind == Kind.DATE else Kind.DATETIME_RANGE
    pair = (None, at) if ago == more else (at, None)
    return Value(kind, pair[0], pair[1], base.value.unit, mod="more" if more else "less")


def timed(r: Reader, i: int) -> Match | None:
    """ "before 5pm", "after lunch", "by 10:30": of no certain day."""
    found = opener(r, i)
    if not found or r.word(i) not in _TIME_WORDS:
        return None
    j, sense = found
    j = r.skip(j, ("about", "around"))
    time = r.first(r.rules.clocks, j)
    if time and time.value.kind == Kind.TIME:
        at = time.value.clock
        pair = (at, None) if sense in _EARLIEST else (None, at)
        return Match(i, time.end, Value(Kind.TIME_RANGE, unit=time.value.unit, clock=pair[0], clock_end=pair[1], mod=r.word(i)))
    if r.word(j) in MEALS and sense in ("before", "after"):
        start, end = (3600.0 * hour for hour in MEALS[r.word(j)])
        pair = (end, None) if sense == "after" else (None, start)
        return Match(i, j + 1, Value(Kind.TIME_RANGE, unit="hour", clock=pair[0], clock_end=pair[1], mod=r.word(i)))
    return None


def day_with_bound(r: Reader, i: int) -> Match | None:
    """ "tomorrow before 5pm", "Friday after 3"."""
    base = moment(r, i)
    if not base or not one_day(base.value):
        return None
    bound = timed(r, r.skip(base.end, (",",)))
    if not bound:
        return None
    start, end = bound.value.clock, bound.value.clock_end
    at = day_of(base.value)
    return Match(
        base.first,
        bound.end,
        Value(
            Kind.DATETIME_RANGE,
            at + timedelta(seconds=start) if start is not None else None,
            at + timedelta(seconds=end) if end is not None else None,
            "minute",
            mod=bound.value.mod,
        ),
    )


def or_later(r: Reader, i: int) -> Match | None:
    """ "2012 or later", "May 5 or earlier", "2015 and after"."""
    base = moment(r, i)
    if not base or base.value.kind not in (Kind.DATE, Kind.DATE_RANGE):
        return None
    for words, later in (
        (("or|and", "later|after|greater|above|newer|onwards"), True),
        (("or|and", "earlier|before|prior|older"), False),
        (("onwards|onward",), True),
    ):
        end = r.seq(base.end, *words)
        if end and (base.value.kind == Kind.DATE_RANGE or r.word(base.end) != "and"):
            pair = (base.value.start, None) if later else (None, base.value.end)
            return Match(
                base.first, end, Value(Kind.DATE_RANGE, pair[0], pair[1], base.value.unit, mod="since" if later else "until")
            )
    return None


def measured(r: Reader, i: int) -> Match | None:
    """ "more than 4 days", "less than 2 weeks after today"."""
    if not r.seq(i, "more|less", "than") and not r.seq(i, "at", "least|most"):
        return None
    found = amount(r, i + 2)
    if not found:
        return None
    end, parts = found
    more = r.word(i) == "more"
    base = moment(r, end + 1) if r.word(end) in ("after", "before", "from") else None
    if base and base.value.kind == Kind.DATE and base.value.start:
        at = shifted(base.value.start, parts, -1 if r.word(end) == "before" else 1)
        pair: Edges = (at, None) if more else (base.value.start, at)
        if r.word(end) == "before":
            pair = (None, at) if more else (at, base.value.start)
        return Match(i, base.end, Value(Kind.DATE_RANGE, pair[0], pair[1], smallest(parts), mod=r.word(i)))
    return Match(i, end, Value(Kind.DURATION, amount=parts, unit=smallest(parts), mod=r.word(i)))


def near(r: Reader, i: int) -> Match | None:
    """ "around 5 May", "circa 1990", "about 3pm"."""
    if r.word(i) not in ("around", "about", "circa", "approximately", "roughly"):
        return None
    base = moment(r, r.skip(i + 1, ("the",)) if r.word(i) != "about" else i + 1) or moment(r, i + 1)
    if not base or base.value.exact or base.value.present:
        return None
    return Match(i, base.end, base.value)


RULES = (dated, timed, day_with_bound, or_later, measured, near)
