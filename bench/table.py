"""The on/off table: every set with the graph on, off, summed, without each meta-path, and with the edges' ends shuffled."""

from collections.abc import Mapping, Sequence
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


def variants() -> dict[str, frozenset[str]]:
    """What is switched off in each line, by its name."""
    lines = {"on": frozenset[str](), "graph off": frozenset({"graph"}), "sum, not max": frozenset({"max"})}
    for name in (*meta_paths.names(), "record", "next", "speaker", "effects", "facts", "sentences"):
        lines[f"without {name}"] = frozenset({name})
    return lines


def _measured(data: DataSet, store: Store) -> dict[str, list[figures.Outcome]]:
    lines = {name: ask_all(data, store, off) for name, off in variants().items()}
    shuffled = Store(ShuffledReader(store.reader, data), store.lookup, store.vectors, store.embedder)
    lines["edges' ends shuffled"] = ask_all(data, shuffled, frozenset())
    return lines


def on_off(folder: Path, split: str, only: Sequence[str] | None) -> str:
    """The table as Markdown: per set the figure, and its difference to `on` with a 95 % paired bootstrap interval."""
    rows = ["| set (n) | figure | variant | value | minus on [95 %] |", "|---|---|---|---|---|"]
    for name in only or FIGURES:
        data = chains.generated() if name == chains.NAME else load(folder, name, split)
        with opened(name if name == chains.NAME else f"{name}-{split}", data.drafts, cache_folder()) as store:
            lines = _measured(data, store)
        figure = FIGURES[name]
        for line, outcomes in lines.items():
            gap = figures.differences(outcomes, lines["on"], figure)
            low, high = figures.bootstrap(gap)
            mean = sum(gap) / len(gap) if gap else 0.0
            value = figures.mean([o for o in outcomes if o.asked.gold])[figure]
            difference = "" if line == "on" else f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]"
            rows.append(f"| {name} ({len(gap)}) | {figure} | {line} | {value:.3f} | {difference} |")
    return "\n".join(rows)
