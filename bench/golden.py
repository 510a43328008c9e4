"""Run golden rows against this code: `python -m bench.golden FILE` prints passed, failed and not yet covered per feature.

A row is one JSON line {reference, feature, input, expected, source}. The exit code is 1 when a row failed, 2 for a bad call.
Rows that carry a note may be decided otherwise in docs/decisions; they are counted as decided.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.golden_rows import check_for, decision_for, load_all

EXPLANATIONS = ("note", "why", "source")  # keys of an expectation that explain and are not compared
TOLERANCE = 1.5e-4  # golden numbers are printed with three or four decimals


@dataclass
class Tally:
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    failures: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)


def matches(expected: Any, found: Any) -> bool:
    """Whether what was found has all that is expected: mappings by the expected keys, numbers within the tolerance."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        wanted = {name: value for name, value in expected.items() if name not in EXPLANATIONS}
        return all(name in found and _alike(name, value, found[name]) for name, value in wanted.items())
    if expected is None:
        return found is None or (isinstance(found, Mapping) and not any(value is not None for value in found.values()))
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, int | float) and isinstance(found, int | float):
        return abs(expected - found) <= TOLERANCE
    if isinstance(expected, list) and isinstance(found, list | tuple):
        return len(expected) == len(found) and all(matches(one, other) for one, other in zip(expected, found, strict=True))
    return bool(expected == found)


def _alike(name: str, expected: Any, found: Any) -> bool:
    """Errors are compared by their letters: every system writes their names in its own way."""
    if name == "error" and isinstance(expected, str) and isinstance(found, str):
        return _letters(expected) == _letters(found)
    return matches(expected, found)


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def outcome(row: Mapping[str, Any]) -> tuple[str, str]:
    """(passed, failed, decided or uncovered; what went wrong)."""
    reference = row.get("reference") or row.get("seed") or ""
    check = check_for(reference, row["feature"])
    if check is None:
        return "uncovered", ""
    try:
        found = check(row["input"])
    except Exception as error:  # noqa: BLE001 - a check that breaks is a failed row, and the others still count
        found = {"error": f"{type(error).__name__}: {error}"}
        if not matches(row["expected"], found):
            return "failed", f"{row['feature']} {json.dumps(row['input'], ensure_ascii=False)}: {found['error']}"
    if found is NotImplemented:
        return "uncovered", ""
    if matches(row["expected"], found):
        return "passed", ""
    said = f"{row['feature']} {json.dumps(row['input'], ensure_ascii=False)}: expected {row['expected']}, found {found}"
    noted = isinstance(row["expected"], Mapping) and "note" in row["expected"]
    decision = decision_for(row["feature"], _texts(row["input"])) if noted else ""
    return ("decided", f"{said} ({decision})") if decision else ("failed", said)


def _texts(given: Mapping[str, Any]) -> list[str]:
    return [value for value in given.values() if isinstance(value, str)]


def run(path: Path) -> Tally:
    """Tally all rows of a file."""
    load_all()
    tally = Tally()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            result, said = outcome(row)
            tally.counts[row["feature"]][result] += 1
            if said:
                (tally.failures if result == "failed" else tally.decisions).append(said)
    return tally


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("usage: python -m bench.golden FILE", file=sys.stderr)
        return 2
    tally = run(Path(arguments[0]))
    print(f"{'feature':28}{'passed':>8}{'failed':>8}{'decided':>9}{'not yet covered':>17}")
    total: Counter[str] = Counter()
    for feature, counts in sorted(tally.counts.items()):
        total.update(counts)
        print(_line(feature, counts))
    print(_line("all", total))
    for decision in tally.decisions:
        print("DECIDED", decision)
    for failure in tally.failures:
        print("FAILED", failure)
    return 1 if tally.failures else 0


def _line(name: str, counts: Mapping[str, int]) -> str:
    passed, failed, decided, uncovered = (counts.get(kind, 0) for kind in ("passed", "failed", "decided", "uncovered"))
    return f"{name:28}{passed:>8}{failed:>8}{decided:>9}{uncovered:>17}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
