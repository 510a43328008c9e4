"""Links between decision records: superseded by, replaces, requires; and reverts of commits."""

import re
from pathlib import Path
from typing import Any

from bench.extract.report import Report, precision_recall, read_rows
from graph.extract import references
from graph.extract.parsing import Parsed, outline
from graph.model.extraction import Passage, Reference, ReferenceKind
from graph.model.ids import ObservationId

PEPS = ("08_decisions", "python_peps")
REVERTS = ("08_decisions", "git_reverts")
_KINDS = {
    "superseded_by": ReferenceKind.SUPERSEDED_BY,
    "replaces": ReferenceKind.SUPERSEDES,
    "requires": ReferenceKind.REQUIRES,
}


def _read(text: str, title: str) -> tuple[Reference, ...]:
    parsed: Parsed = outline(text)
    return references.find(parsed, Passage(id=ObservationId("x"), text=text, title=title))


def peps(data: Path, split: str) -> Report:
    """Each record's header as its file shows it, and its sections; gold are the links of the header."""
    rows = read_rows(data, *PEPS, split, "records.jsonl")
    gold = {
        (link["source"], link["relation"], _number(link["target"])) for link in read_rows(data, *PEPS, split, "links.jsonl")
    }
    found: set[tuple[str, str, int]] = set()
    for row in rows:
        title = f"PEP {_number(row['id'])}: {row['title']}"
        for text in (_header(row), *(section["text"] for section in row["sections"])):
            for reference in _read(text, title):
                for relation, kind in _KINDS.items():
                    if reference.kind == kind and (number := re.search(r"\d+", reference.identifier)):
                        found.add((row["id"], relation, int(number.group())))
    scores = precision_recall(len(found & gold), len(found), len(gold))
    classes = {}
    for relation in _KINDS:
        mine, theirs = {f for f in found if f[1] == relation}, {g for g in gold if g[1] == relation}
        classes[relation] = precision_recall(len(mine & theirs), len(mine), len(theirs)) | {"n": len(theirs)}
    worst = [{"found": list(item)} for item in sorted(found - gold)] + [{"missed": list(item)} for item in sorted(gold - found)]
    return Report("links-peps", split, len(rows), scores, classes, worst)


def _number(identifier: str) -> int:
    return int(re.sub(r"\D", "", identifier))


def _header(row: dict[str, Any]) -> str:
    fields = {
        "PEP": _number(row["id"]),
        "Title": row["title"],
        "Author": ", ".join(row["authors"]),
        "Status": row["status"],
        "Type": row["type"],
        "Created": row["created"],
        "Python-Version": row["python_version"],
        "Requires": ", ".join(map(str, row["requires"])),
        "Replaces": ", ".join(map(str, row["replaces"])),
        "Superseded-By": ", ".join(map(str, row["superseded_by"])),
        "Resolution": row["resolution"],
    }
    return "\n".join(f"{name}: {value}" for name, value in fields.items() if value)


def reverts(data: Path, split: str) -> Report:
    """The commit that a message reverts. A message may revert several; the set names one, so its row counts once."""
    rows = read_rows(data, *REVERTS, split, "data.jsonl")
    found = right = 0
    worst = []
    for row in rows:
        told = [r.identifier for r in _read(row["text"], row["subject"]) if r.kind == ReferenceKind.REVERTS]
        commits = [name for name in told if not name.startswith("#")]
        found += bool(commits)
        hit = any(row["reverts"].startswith(name) for name in commits)
        right += hit
        if not hit:
            worst.append({"id": row["id"], "text": row["text"][:300], "gold": row["reverts"], "told": told})
    return Report("links-reverts", split, len(rows), precision_recall(right, found, len(rows)), {}, worst)
