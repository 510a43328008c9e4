"""Answers for people: what was found, who said it and when, and the path that led there."""

import re
import textwrap
from typing import Any

from backstory.cli.session import out

WIDTH = 100
TEXT_LINES = 4
SNIPPET = 72
# Recalled text is data: control, bidi and tag characters must not steer the terminal or the reader's eye.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\U000e0000-\U000e007f]")


def clean(text: str) -> str:
    return _UNSAFE.sub("\ufffd", text)


def snippet(text: str, limit: int = SNIPPET) -> str:
    """The text on one line, cut at a word."""
    return textwrap.shorten(clean(text), limit, placeholder=" …")


def day(moment: str | None) -> str:
    return moment[:10] if moment else "undated"


def answer(body: dict[str, Any]) -> None:
    """Intents, results with their paths, dates and facts, and whatever was not as it should be."""
    out("  ".join(body["intents"]))
    if not body["results"]:
        out("Nothing found.")
    elif not body.get("answered", True):
        out("Nothing that clearly answers this; the nearest:")
    known = {hit["id"]: hit["text"] for hit in body["results"]}
    for place, hit in enumerate(body["results"], 1):
        _hit(place, hit, known)
    _dates(body.get("dates") or [])
    _facts(body.get("facts") or [])
    for name in body["degraded"]:
        out(f"degraded: {name} did not answer")
    for warning in body["warnings"]:
        out(f"warning: {clean(warning)}")


def envelope(body: dict[str, Any]) -> None:
    """Where a routed question went, what came of it, and the results."""
    rule, chain = (body.get("decision") or {}).get("rule"), " > ".join(body["fallback_chain"])
    out(f"{body['status']} by {body['routed_to'] or 'nobody'}  (rule {rule}, chain {chain})")
    for place, one in enumerate(body["results"], 1):
        out(f"\n{place:2}. {day(one['timestamp'])}  {one['relevance']:.2f}  {clean(one['source'])}  [{one['id'][:8]}]")
        for line in textwrap.wrap(clean(one["content"]), WIDTH, max_lines=TEXT_LINES, placeholder=" …"):
            out(f"    {line}")
    for name in body["degraded"]:
        out(f"degraded: {name} did not answer")


def _hit(place: int, hit: dict[str, Any], known: dict[str, str]) -> None:
    where = hit.get("source") or hit.get("record") or ""
    said = " · ".join(part for part in (day(hit["authored_at"]), hit["author"] or "", where, f"{hit['score']:+.2f}") if part)
    out(f"\n{place:2}. {clean(hit['title'])}" if hit.get("title") else f"\n{place:2}.")
    out(f"    {clean(said)}  [{hit['id'][:8]}]")
    for line in textwrap.wrap(clean(hit["text"]), WIDTH, max_lines=TEXT_LINES, placeholder=" …"):
        out(f"    {line}")
    for line in chain(hit["path"], known):
        out(f"      {line}")


def chain(path: list[dict[str, Any]], known: dict[str, str]) -> list[str]:
    """The path as lines: where it began, then each edge and where it led."""
    if not path:
        return []
    lines = [f"path: {_name(path[0]['from'], '', known)}"]
    for step in path:
        arrow = f"—{step['kind']}→" if step["direction"] == "out" else f"←{step['kind']}—"
        said = f"   “{snippet(step['sentence'])}”" if step.get("sentence") else ""
        lines.append(f"  {arrow} {_name(step['to'], step.get('label', ''), known)}  ({step['weight']:.2f}){said}")
    return lines


def _name(id_: str, label: str, known: dict[str, str]) -> str:
    if label:
        return snippet(label)
    return f"“{snippet(known[id_], 60)}”" if id_ in known else f"[{id_[:8]}]"


def _dates(dates: list[dict[str, Any]]) -> None:
    if dates:
        out("\nDates:")
    for one in dates:
        until = f" to {day(one['end'])}" if one.get("end") else ""
        out(f"  {day(one['start'])}{until}  {snippet(one['text'])}")


def _facts(facts: list[dict[str, Any]]) -> None:
    if facts:
        out("\nFacts:")
    for one in facts:
        out("  " + fact_line(one))


def fact_line(one: dict[str, Any]) -> str:
    held = f"{day(one.get('valid_from'))} – {day(one.get('valid_to'))}" if one.get("valid_from") or one.get("valid_to") else ""
    negated = "not " if one.get("negated") else ""
    state = "" if one.get("status", "active") == "active" else f"  ({one['status']})"
    triple = f"{one['subject']} — {negated}{one['predicate']} → {one['object']}"
    return f"{snippet(triple, WIDTH)}{'   ' + held if held else ''}{state}"
