"""The on/off table: every set with the graph on, off, summed, without each meta-path, and with the edges' ends shuffled."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench import chains, figures
from bench.datasets import DataSet, load
from bench.recall import ask_all
from bench.shuffled import ShuffledReader
from bench.store import Store, cache_folder, opened
from graph.retrieve import meta_paths

FIGURES: Mapping[str, str] = {
    "musique_val": "recall@5",
    "2wiki_val": "recall@5",
    "hotpotqa_val": "recall@5",
    "locomo": "recall@10",
    "longmemeval": "recall@5",
    "why": "recall@10",
    "event-graphs": "recall@5",
    "chains": "recall@5",
}


def variants(fired: frozenset[str], *, talks: bool) -> dict[str, frozenset[str]]:
    """What is switched off in each line, by its name. A meta-path that fired nowhere makes no difference and has no line."""
    lines = {"graph off": frozenset({"graph"}), "sum, not max": frozenset({"max"})}
    around = ("next", "speaker") if talks else ()
    for name in (*(name for name in meta_paths.names() if name in fired), "record", *around, "effects", "sentences"):
        lines[f"without {name}"] = frozenset({name})
    return lines


def _measured(data: DataSet, store: Store) -> dict[str, list[figures.Outcome]]:
    lines = {"on": ask_all(data, store, frozenset(), trace=True)}
    fired = frozenset[str]().union(*(outcome.fired for outcome in lines["on"]))
    talks = any(draft.session for draft in data.drafts)
    lines |= {name: ask_all(data, store, off) for name, off in variants(fired, talks=talks).items()}
    shuffled = Store(ShuffledReader(store.reader, data), store.lookup, store.vectors, store.embedder)
    lines["edges' ends shuffled"] = ask_all(data, shuffled, frozenset())
    return lines


def on_off(folder: Path, split: str, only: Sequence[str] | None, every: int = 1) -> str:
    """The table as Markdown: per set the figure, and its difference to `on` with a 95 % paired bootstrap interval."""
    rows = ["| set (n) | figure | variant | value | minus on [95 %] |", "|---|---|---|---|---|"]
    for name in only or FIGURES:
        data = chains.generated() if name == chains.NAME else load(folder, name, split)
        with opened(name if name == chains.NAME else f"{name}-{split}", data.drafts, cache_folder()) as store:
            lines = _measured(replace(data, questions=data.questions[::every]), store)
        rows += rows_of(name, lines)
    return "\n".join(rows)


def rows_of(name: str, lines: Mapping[str, Sequence[figures.Outcome]]) -> list[str]:
    figure, found = FIGURES[name], []
    for line, outcomes in lines.items():
        gap = figures.differences(outcomes, lines["on"], figure)
        low, high = figures.bootstrap(gap)
        mean = sum(gap) / len(gap) if gap else 0.0
        value = figures.mean([outcome for outcome in outcomes if outcome.asked.gold])[figure]
        difference = "" if line == "on" else f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]"
        found.append(f"| {name} ({len(gap)}) | {figure} | {line} | {value:.3f} | {difference} |")
    return found
