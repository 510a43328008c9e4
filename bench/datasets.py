"""The labelled sets as drafts to be taken in and questions to be asked. Laid out as the folder that `--data` names.

What a user would hand over is handed over: texts, titles, authors, dates, sessions, records; never a label.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from graph.model.events import EventDraft

MULTI_HOP = ("musique_val", "2wiki_val", "hotpotqa_val", "musique", "hotpotqa", "2wiki")
ANSWERABLE_CATEGORIES = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the keys of what should be found, in any order. `unit` says what a key names.

    `scope` None asks over the whole store. `groups` are the classes that figures are also given for.
    """

    id: str
    text: str
    gold: frozenset[str]
    groups: tuple[str, ...] = ()
    scope: str | None = None
    asked_at: datetime | None = None
    answerable: bool = True
    exclude: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DataSet:
    """Drafts and questions of one set. `unit`: a hit's `event` key, or its `session`."""

    name: str
    drafts: Sequence[EventDraft]
    questions: Sequence[Asked]
    unit: str = "event"
    depth: int = 10
    groups: tuple[str, ...] = field(default=())


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def moment(value: str | None) -> datetime | None:
    """An ISO date or time; naive ones count as UTC."""
    if not value:
        return None
    found = datetime.fromisoformat(value)
    if len(value) == len("2020-01-01"):
        found = datetime.combine(found.date(), time(12))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _passages(data: Path, name: str) -> Iterator[EventDraft]:
    for row in rows(data / "03_multihop" / name / "corpus.jsonl"):
        text = row.get("text") or " ".join(sentence.strip() for sentence in row["sentences"])
        if text.strip():
            yield EventDraft(text=text, scope=name, key=row["id"], title=row["title"], source=name)


def _hop_questions(data: Path, name: str, split: str, scope: str | None) -> Iterator[Asked]:
    for row in rows(data / "03_multihop" / name / split / "questions.jsonl"):
        kind = row.get("type") or (f"{row['hops']}hop" if "hops" in row else name)
        groups = (str(kind), name) if scope is None else (str(kind),)
        yield Asked(str(row.get("id")), row["question"], frozenset(row["gold_passages"]), groups, scope)


def multi_hop(data: Path, name: str, split: str) -> DataSet:
    return DataSet(name, list(_passages(data, name)), list(_hop_questions(data, name, split, name)))


def pooled(data: Path, name: str, split: str) -> DataSet:
    """All six multi-hop corpora in one scope; passages that stand in several are taken in once per set's id."""
    drafts = [d.model_copy(update={"scope": name}) for one in MULTI_HOP for d in _passages(data, one)]
    asked = [q for one in MULTI_HOP[:3] for q in _hop_questions(data, one, split, None)]
    return DataSet(name, drafts, asked)


def why(data: Path, name: str, split: str) -> DataSet:
    folder = data / "10_why" / split
    counts: dict[str, int] = {}
    drafts = []
    for row in rows(folder / "corpus.jsonl"):
        position = counts[row["record"]] = counts.get(row["record"], -1) + 1
        drafts.append(
            EventDraft(
                text=row["text"],
                scope=name,
                key=row["id"],
                record=row["record"],
                position=position,
                title=row["title"],
                section=row["section"] or None,
                author=row["author"] or None,
                authored_at=moment(row["authored_at"]),
                source=row["record"],
                metadata={"field": row["field"]},
            )
        )
    return DataSet(name, drafts, [_why_question(row, name) for row in rows(folder / "questions.jsonl")])


def _why_question(row: dict[str, Any], scope: str) -> Asked:
    if not row["answerable"]:
        return Asked(row["id"], row["question"], frozenset(), ("unanswerable",), scope, answerable=False)
    groups = [row["intent"]]
    if row["intent"] == "WHY":
        groups += [name for name in ("hard", "hard_passage", "multi_step") if row.get(name)]
        groups.append("pep" if row["gold_passages"][0].startswith("pep") else "commit")
    return Asked(row["id"], row["question"], frozenset(row["gold_passages"]), tuple(groups), scope)


def locomo(data: Path, name: str, split: str) -> DataSet:
    """Turns of conversations, one scope each; questions of the four categories that have an answer."""
    folder = data / "01_locomo" / split
    turns = list(rows(folder / "turns.jsonl"))
    drafts = []
    for position, row in enumerate(turns):
        caption = f" [shares {row['image_caption']}]" if row.get("image_caption") else ""
        drafts.append(
            EventDraft(
                text=row["text"] + caption,
                scope=row["conv"],
                key=row["id"],
                session=f"{row['conv']}/{row['session']}",
                position=position,
                author=row["speaker"],
                role="user",
                authored_at=moment(row["datetime"]),
            )
        )
    known = {row["id"] for row in turns}
    last = {row["conv"]: moment(row["datetime"]) for row in turns}
    asked = []
    for row in rows(folder / "questions.jsonl"):
        gold = frozenset(row["evidence"]) & known
        if row["category"] in ANSWERABLE_CATEGORIES and gold:
            asked.append(Asked(row["id"], row["question"], gold, (row["category_name"],), row["conv"], last[row["conv"]]))
    return DataSet(name, drafts, asked)


def longmemeval(data: Path, name: str, split: str) -> DataSet:
    """Chat sessions with an assistant, one scope per haystack; gold are sessions."""
    folder = data / "02_longmemeval" / "haystack_s" / split
    drafts = [
        EventDraft(
            text=turn["text"],
            scope=row["haystack"],
            key=turn["id"],
            session=row["id"],
            position=position,
            author=turn["role"],
            role=turn["role"],
            authored_at=moment(row["datetime"]),
        )
        for row in rows(folder / "sessions.jsonl")
        for position, turn in enumerate(row["turns"])
        if turn["text"].strip()
    ]
    asked = [
        Asked(
            row["id"],
            row["question"],
            frozenset(row["answer_session_ids"]),
            ("official" if row.get("official") else "added",),
            row["haystack"],
            moment(row.get("question_date")),
        )
        for row in rows(folder / "questions.jsonl")
    ]
    return DataSet(name, drafts, asked, unit="session", depth=5)


def event_graphs(data: Path, name: str, split: str) -> DataSet:
    """Dated life events as notes, one scope per graph; "why EVENT" wants a direct cause. The event itself is not counted."""
    drafts: list[EventDraft] = []
    asked: list[Asked] = []
    for row in rows(data / "04_causal" / "locomo_event_graphs" / split / "data.jsonl"):
        text = {event["id"]: event["text"] for event in row["events"]}
        wrong = {tuple(pair) for pair in row["cause_after_effect"]}
        drafts += [
            EventDraft(
                text=event["text"],
                scope=row["graph"],
                key=f"{row['graph']}/{event['id']}",
                authored_at=moment(event["date"]),
            )
            for event in row["events"]
        ]
        for item in row["why"]:
            effect = item["effect"]
            gold = {f"{row['graph']}/{c}" for c in item["direct"] if (effect, c) not in wrong and (c, effect) not in wrong}
            if gold:
                own = f"{row['graph']}/{effect}"
                asked.append(
                    Asked(
                        own, f"Why: {text[effect]}?", frozenset(gold), (row["graph"],), row["graph"], exclude=frozenset({own})
                    )
                )
    return DataSet(name, drafts, asked, depth=5)


Loader = Callable[[Path, str, str], DataSet]
LOADERS: dict[str, Loader] = {
    "musique_val": multi_hop,
    "2wiki_val": multi_hop,
    "hotpotqa_val": multi_hop,
    "musique": multi_hop,
    "hotpotqa": multi_hop,
    "2wiki": multi_hop,
    "pooled": pooled,
    "locomo": locomo,
    "longmemeval": longmemeval,
    "why": why,
    "event-graphs": event_graphs,
}


def load(data: Path, name: str, split: str) -> DataSet:
    """Raises KeyError for a set that is not known, FileNotFoundError when its files are not there."""
    return LOADERS[name](data, name, split)
