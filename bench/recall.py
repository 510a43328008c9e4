"""Recall of the whole pipeline on a labelled set: `python -m bench.recall SET --data DIR --split dev [--without LEG ...]`.

The set goes in by ingest, as a user's would; the default embedder, no LLM, no reranker. `--list` names sets and legs.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench import chains, figures, intents
from bench.datasets import LOADERS, DataSet, load
from bench.store import Store, cache_folder, opened
from graph.model.edges import EdgeKind
from graph.model.questions import Answer, Question
from graph.retrieve import meta_paths
from graph.retrieve.weights import Weights

LEGS = ("dense", "sparse", "facts", "effects", "entities", "sentences", "graph", "max", "record", "next", "speaker")
SETS = (*LOADERS, "chains", "intent")
DEEPEST = max(figures.DEPTHS)
SPARE = 5  # how many times the depth is asked for where several hits share one unit


def legs() -> tuple[str, ...]:
    """Every name that `--without` knows: legs, meta-paths, edge kinds."""
    return (*LEGS, *meta_paths.names(), *(kind.value for kind in EdgeKind))


def ask_all(
    data: DataSet, store: Store, without: frozenset[str], weights: Weights | None = None, *, trace: bool = False
) -> list[figures.Outcome]:
    """Every question of the set asked once, in order; with `trace` the outcomes say which meta-paths fired."""
    asker = store.asker(weights)
    outcomes = []
    for asked in data.questions:
        question = Question(
            text=asked.text,
            scopes=(asked.scope or data.name,),
            limit=(SPARE * DEEPEST if data.unit == "session" else DEEPEST + len(asked.exclude)),
            asked_at=asked.asked_at,
            without=without,
            trace=trace,
        )
        began = time.perf_counter()
        answer = asker.ask(question)
        ms = (time.perf_counter() - began) * 1000
        keys = [_unit(hit.key, hit.session, data) for hit in answer.results]
        ranked = tuple(key for key in dict.fromkeys(keys) if key not in asked.exclude)
        outcomes.append(figures.Outcome(asked, ranked, answer.answered, ms, _fired(answer)))
    return outcomes


def _fired(answer: Answer) -> frozenset[str]:
    retrievals = answer.trace["retrievals"] if answer.trace else ()
    return frozenset(name for retrieval in retrievals for name in retrieval["paths"])


def _unit(key: str, session: str | None, data: DataSet) -> str:
    """What a hit counts as: its session, or its event (parts of a long text count as the text)."""
    if data.unit == "session":
        return session or key
    return event_key(key)


def event_key(key: str) -> str:
    """The event's key of an observation's: parts of a long text are numbered after a `#`."""
    event, sharp, part = key.rpartition("#")
    return event if sharp and part.isdigit() else key


def run(name: str, folder: Path, split: str, without: frozenset[str]) -> dict[str, object]:
    """One set's figures as `--json` prints them."""
    head = {"set": name, "split": split, "legs": sorted(set(LEGS) - without)}
    if name == "intent":
        return head | intents.measure(folder, split)
    data = chains.generated() if name == "chains" else load(folder, name, split)
    with opened(name if name == "chains" else f"{name}-{split}", data.drafts, cache_folder()) as store:
        outcomes = ask_all(data, store, without)
    return head | {"n": len(data.questions)} | figures.summary(outcomes)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.recall", description=__doc__)
    parser.add_argument("set", nargs="?", choices=SETS)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", default="dev")
    parser.add_argument("--without", nargs="*", default=[], metavar="LEG")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sample", type=int, default=1, metavar="K", help="with --table: every Kth question only")
    parser.add_argument("--list", action="store_true", help="name all sets and legs")
    parser.add_argument("--table", action="store_true", help="the on/off table over all sets, as Markdown")
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.without) - set(legs()))
    if unknown:
        parser.error(f"no such leg: {', '.join(unknown)} (see --list)")
    if given.list:
        print(json.dumps({"sets": SETS, "legs": legs()}, indent=2))
        return 0
    if given.table:
        from bench import table  # noqa: PLC0415  (it runs this module's functions)

        print(table.on_off(given.data, given.split, [given.set] if given.set else None, given.sample))
        return 0
    if given.set is None:
        parser.error("which set? (see --list)")
    found = run(given.set, given.data, given.split, frozenset(given.without))
    print(json.dumps(found) if given.json else json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
