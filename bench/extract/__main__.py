"""`python -m bench.extract TASK --data DIR --split dev [--json]`, `python -m bench.extract --speed`."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from bench.extract.report import Task

TASKS = {
    "causality-semeval": "bench.extract.causality:semeval",
    "causality-news": "bench.extract.causality:news",
    "time-mentions": "bench.extract.times:mentions",
    "dates-dateparser": "bench.extract.times:dateparser",
    "dates-locomo": "bench.extract.times:locomo",
    "triples-carb": "bench.extract.carb:triples",
    "links-peps": "bench.extract.links:peps",
    "links-reverts": "bench.extract.links:reverts",
    "decisions-git": "bench.extract.decisions:git",
}


def task_named(name: str) -> Task:
    module, function = TASKS[name].split(":")
    found: Task = getattr(import_module(module), function)
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.extract", description=__doc__)
    parser.add_argument("task", nargs="?", choices=sorted(TASKS), help="what to measure")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the labelled data")
    parser.add_argument("--split", default="dev", help="sub-folder of each set (default: dev)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--speed", action="store_true", help="sentences a second of the full rule path")
    options = parser.parse_args(arguments)
    if options.speed:
        report = import_module("bench.extract.speed").measure(options.data, options.split)
    elif options.task:
        report = task_named(options.task)(options.data, options.split)
    else:
        parser.error("name a task, or --speed")
    print(report.as_json() if options.json else report.as_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
