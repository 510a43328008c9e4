"""Time tasks: where the expressions stand and what they mean, against three labelled sets."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.extract.locomo_dates import right as right_answer
from bench.extract.report import Report, precision_recall, read_rows
from graph.text.timex import Convention, Kind, TimeSpan, expressions, point, resolve
from graph.text.timex.durations import seconds
from graph.text.timex.values import Value

RECOGNIZERS = ("06_temporal", "recognizers_text_en")
DATEPARSER = ("06_temporal", "dateparser_en")
LOCOMO = ("06_temporal", "locomo_relative")
CALENDAR_WEEKS = Convention(nearest=False)  # the set's own convention: "next Friday" is the next calendar week's
DIARY = Convention(prefer="past")
DEFAULT_REFERENCE = datetime(2016, 11, 7)  # noqa: DTZ001  # the set's references are naive wall-clock times
VALUED = ("date", "daterange", "datetime", "time", "duration")
Found = tuple[int, int, Value]


def mentions(data: Path, split: str) -> Report:
    """Mentions overlapping a gold one (one to one, largest overlap first come), exact spans, and values of the matched.

    A value is right when it equals any reading that the set gives. `false_on_negatives` counts mentions found in rows that
    have none.
    """
    rows = [row for row in read_rows(data, *RECOGNIZERS, split, "data.jsonl") if row["text"] is not None]
    tally: Counter[str] = Counter()
    by_type: dict[str, Counter[str]] = {}
    worst: list[dict[str, Any]] = []
    for row in rows:
        reference = _naive(row["reference"]) or DEFAULT_REFERENCE
        found = expressions(row["text"], reference, CALENDAR_WEEKS)
        gold = row["mentions"] or []
        tally["found"] += len(found)
        tally["wanted"] += len(gold)
        tally["false_on_negatives"] += 0 if gold else len(found)
        for mention, match in _matched(gold, found):
            _count(mention, match, tally, by_type.setdefault(mention["type"], Counter()))
            if match is None or not _value_right(mention, match[2]):
                worst.append(_shown(row, mention, match))
    scores = precision_recall(tally["matched"], tally["found"], tally["wanted"])
    exact = precision_recall(tally["exact"], tally["found"], tally["wanted"])
    scores |= {
        "exact_f1": exact["f1"],
        "value_accuracy": tally["right"] / max(1, tally["valued"]),
        "false_on_negatives": tally["false_on_negatives"],
    }
    classes = {name: {key: float(count) for key, count in sorted(row.items())} for name, row in sorted(by_type.items())}
    return Report("time-mentions", split, len(rows), scores, classes, worst)


def _naive(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=None) if text else None


def _matched(gold: list[dict[str, Any]], found: Sequence[Found]) -> Iterator[tuple[dict[str, Any], Found | None]]:
    used: set[int] = set()
    for mention in gold:
        overlaps = [(min(f[1], mention["end"]) - max(f[0], mention["start"]), -k) for k, f in enumerate(found) if k not in used]
        best = max(overlaps, default=(0, 0))
        if best[0] <= 0:
            yield mention, None
            continue
        used.add(-best[1])
        yield mention, found[-best[1]]


def _count(mention: dict[str, Any], match: Found | None, tally: Counter[str], row: Counter[str]) -> None:
    row["wanted"] += 1
    if match is None:
        return
    tally["matched"] += 1
    row["found"] += 1
    tally["exact"] += match[0] == mention["start"] and match[1] == mention["end"]
    if mention["type"] in VALUED and _resolvable(mention):
        tally["valued"] += 1
        row["valued"] += 1
        tally["right"] += _value_right(mention, match[2])
        row["right"] += _value_right(mention, match[2])


def _resolvable(mention: dict[str, Any]) -> bool:
    values = mention["values"] or []
    return any(v.get("value") not in (None, "not resolved") or v.get("start") or v.get("end") for v in values)


def _value_right(mention: dict[str, Any], value: Value) -> bool:
    if not _resolvable(mention):
        return True
    return any(_equal(mention["type"], one, value) for one in mention["values"])


def _equal(kind: str, gold: dict[str, Any], value: Value) -> bool:
    """Whether one gold reading is our value, at the precision that the set gives."""
    said = gold.get("value")
    kind = kind if said else gold.get("type") or kind
    return said != "not resolved" and _BY_TYPE[kind](gold, value)


def _clock(text: str | None) -> int | None:
    if text is None:
        return None
    return sum(int(part) * size for part, size in zip(text.split(":"), (3600, 60, 1), strict=False))


def _same_day(gold: dict[str, Any], value: Value) -> bool:
    return value.dated and value.start is not None and gold["value"] == value.start.date().isoformat()


def _same_range(gold: dict[str, Any], value: Value) -> bool:
    return value.dated and (_naive(gold.get("start")), _naive(gold.get("end"))) == (value.start, value.end)


def _same_moment(gold: dict[str, Any], value: Value) -> bool:
    return value.dated and value.start is not None and value.start.replace(microsecond=0) == _naive(gold["value"])


def _same_clock(gold: dict[str, Any], value: Value) -> bool:
    return value.kind is Kind.TIME and _clock(gold["value"]) == int(value.clock or 0)


def _same_hours(gold: dict[str, Any], value: Value) -> bool:
    ours = (value.clock, value.clock_end)
    return value.kind is Kind.TIME_RANGE and (_clock(gold.get("start")), _clock(gold.get("end"))) == ours


def _same_length(gold: dict[str, Any], value: Value) -> bool:
    return value.kind is Kind.DURATION and abs(seconds(value.amount) - float(gold["value"] or 0)) < 1


_BY_TYPE: dict[str, Callable[[dict[str, Any], Value], bool]] = {
    "date": _same_day,
    "daterange": _same_range,
    "datetimerange": _same_range,
    "datetime": _same_moment,
    "time": _same_clock,
    "timerange": _same_hours,
    "duration": _same_length,
    "set": lambda _, value: value.kind is Kind.SET,
}


def _shown(row: dict[str, Any], mention: dict[str, Any], match: Found | None) -> dict[str, Any]:
    ours = None if match is None else f"{row['text'][match[0] : match[1]]} -> {match[2].start} .. {match[2].end}"
    return {
        "id": row["id"],
        "gold": mention["text"],
        "values": mention["values"][:1] if mention["values"] else [],
        "ours": ours,
    }


def dateparser(data: Path, split: str) -> Report:
    """Whole expressions as one moment, equal at the stated precision."""
    rows = read_rows(data, *DATEPARSER, split, "data.jsonl")
    classes: dict[str, Counter[str]] = {}
    worst = []
    for row in rows:
        reference = _naive(row["reference"]) or DEFAULT_REFERENCE
        ours, gold = point(row["text"], reference), _naive(row["value"])
        right = ours is not None and gold is not None and _cut(ours, row.get("precision")) == _cut(gold, row.get("precision"))
        tally = classes.setdefault(row["kind"], Counter())
        tally["n"] += 1
        tally["right"] += right
        if not right:
            worst.append({"id": row["id"], "text": row["text"], "gold": row["value"], "ours": ours})
    right_rows = sum(tally["right"] for tally in classes.values())
    table = {name: {key: float(count) for key, count in tally.items()} for name, tally in classes.items()}
    return Report("dates-dateparser", split, len(rows), {"accuracy": right_rows / max(1, len(rows))}, table, worst)


def _cut(moment: datetime, precision: str | None) -> tuple[int, ...] | datetime:
    sizes = {"year": 1, "month": 2, "day": 3, "week": 3}
    return (moment.year, moment.month, moment.day)[: sizes[precision]] if precision in sizes else moment


def locomo(data: Path, split: str) -> Report:
    """Relative dates in talk: the expression that the set names (`accuracy`), or the first one found (`first`).

    `all` counts every row with an answer, also those whose turn names no expression.
    """
    rows = [row for row in read_rows(data, *LOCOMO, split, "data.jsonl") if row["answer_value"] or row["answer_struct"]]
    tally: Counter[str] = Counter()
    worst = []
    for row in rows:
        said = datetime.fromisoformat(row["reference"]).replace(tzinfo=UTC)
        spans = [span for span in resolve(row["text"], said, 0, DIARY) if span.known and not _now(span)]
        expression = row["expression_found"]
        first_right = bool(spans) and _answers(row, spans[0])
        tally["all"] += first_right
        if not expression or expression.lower() in ("just", "recently"):
            continue
        at = row["text"].find(expression)
        asked = [span for span in spans if span.start < at + len(expression) and span.end > at]
        right = bool(asked) and _answers(row, asked[0])
        tally["n"] += 1
        tally["expression"] += right
        tally["first"] += first_right
        if not right:
            worst.append(
                {
                    "id": row["turn"],
                    "expression": expression,
                    "said": row["reference"],
                    "gold": row["answer"],
                    "ours": str(asked[:1]),
                }
            )
    n = max(1, tally["n"])
    scores = {"accuracy": tally["expression"] / n, "first": tally["first"] / n, "all": tally["all"] / max(1, len(rows))}
    return Report("dates-locomo", split, tally["n"], scores, {}, worst)


def _now(span: TimeSpan) -> bool:
    return span.opens is not None and span.closes is not None and span.closes - span.opens <= timedelta(seconds=1)


def _answers(row: dict[str, Any], span: TimeSpan) -> bool:
    if span.opens is None:
        return False
    start = span.opens.replace(tzinfo=None)
    end = span.closes.replace(tzinfo=None) if span.closes else start + timedelta(days=1)
    return right_answer(row["answer_value"], row["answer_struct"], start, end)
