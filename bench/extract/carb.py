"""Open triples against CaRB (Bhardwaj, Aggarwal and Mausam 2019), with a scorer written from the paper's description."""

from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from bench.extract.report import Report, read_rows
from graph.extract.parsing import pipeline
from graph.extract.triples.openie import OpenTriple, open_triples

CARB = ("07_triples", "carb")
PARSE: list[int | str] = ["TAG", "POS", "DEP", "HEAD", "LEMMA", "ENT_IOB", "ENT_TYPE", "SENT_START"]
BE = frozenset({"be", "is", "am", "are", "was", "were", "been", "being"})
IMPLIED = "is"  # the set words an apposition so
_NO_SPACE_BEFORE = frozenset(", . ; : ! ? ) -RRB- '' % 's 're 've 'll 'm 'd n't ' } ] ...".split())
_NO_SPACE_AFTER = frozenset("( -LRB- `` $ # { [".split())
Row = tuple[str, str, str]


def triples(data: Path, split: str) -> Report:
    """`recall` is the mean over gold triples of the best match; `precision` greedy one to one, best precision first."""
    rows = read_rows(data, *CARB, split, "data.jsonl")
    gold = [[_gold(one) for one in row["triples"]] for row in rows]
    found = [[_ours(one) for one in open_triples(document)] for document in documents([row["text"] for row in rows])]
    scores, worst = score(gold, found)
    shown = [
        {"id": rows[k]["id"], "text": rows[k]["text"][:160], "recall": round(r, 2), "ours": found[k][:3]} for r, k in worst
    ]
    return Report(
        "triples-carb", split, len(rows), scores, {"all": {"gold": sum(map(len, gold)), "found": sum(map(len, found))}}, shown
    )


def documents(texts: list[str]) -> list[Doc]:
    """Parses over the set's own tokens, as they would stand in print; handed back with a space between all tokens."""
    nlp = pipeline()
    words = [text.split() for text in texts]
    parsed = nlp.pipe(Doc(nlp.vocab, words=one, spaces=spaces(one)) for one in words)
    return [_spaced(doc, one) for one, doc in zip(words, parsed, strict=True)]


def _spaced(doc: Doc, words: list[str]) -> Doc:
    annotations: Any = doc.to_array(PARSE)
    spaced: Doc = Doc(doc.vocab, words=words).from_array(PARSE, annotations)
    return spaced


def spaces(words: list[str]) -> list[bool]:
    """Whether a space follows each token."""
    pairs = zip(words, [*words[1:], ""], strict=True)
    joined = ("-", "/")
    return [not (b in _NO_SPACE_BEFORE or a in _NO_SPACE_AFTER or a in joined or b in joined) for a, b in pairs]


def _gold(one: dict[str, Any]) -> Row:
    return one["subject"] or "", one["predicate"] or "", " ".join([one["object"] or "", *(one.get("more_args") or [])])


def _ours(one: OpenTriple) -> Row:
    return one.subject, one.predicate or IMPLIED, f"{one.object} {one.told_by}".strip()


def score(gold: list[list[Row]], found: list[list[Row]]) -> tuple[dict[str, float], list[tuple[float, int]]]:
    """Scores, and rows by rising mean recall."""
    matched = recalled = 0.0
    by_row: list[tuple[float, int]] = []
    for k, (wanted, ours) in enumerate(zip(gold, found, strict=True)):
        table = [[match(g, o) for o in ours] for g in wanted]
        recall = sum(max((cell[1] for cell in row), default=0.0) for row in table)
        recalled += recall
        matched += _greedy(table)
        by_row.append((recall / max(1, len(wanted)), k))
    precision = matched / max(1, sum(map(len, found)))
    recall = recalled / max(1, sum(map(len, gold)))
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {"f1": f1, "precision": precision, "recall": recall}, sorted(by_row)


def _greedy(table: list[list[tuple[float, float]]]) -> float:
    cells = sorted(((cell[0], g, o) for g, row in enumerate(table) for o, cell in enumerate(row)), key=lambda c: -c[0])
    golds: set[int] = set()
    ours: set[int] = set()
    total = 0.0
    for precision, g, o in cells:
        if g not in golds and o not in ours:
            golds.add(g)
            ours.add(o)
            total += precision
    return total


def match(gold: Row, ours: Row) -> tuple[float, float]:
    """(precision, recall) of tokens, slot by slot; nothing where the predicates share no token."""
    shared = _overlap(gold[1], ours[1])
    wanted = gold[1].lower().split()
    if "be" in ours[1].lower().split() and any(word in BE for word in wanted) and "be" not in wanted:
        shared += 1
    if not shared:
        return 0.0, 0.0
    shared += _overlap(gold[0], ours[0]) + _overlap(gold[2], ours[2])
    return shared / max(1, sum(len(slot.split()) for slot in ours)), shared / max(1, sum(len(slot.split()) for slot in gold))


def _overlap(gold: str, ours: str) -> int:
    left = ours.lower().split()
    shared = 0
    for word in gold.lower().split():
        if word in left:
            left.remove(word)
            shared += 1
    return shared
