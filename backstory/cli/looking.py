"""show, facts, timeline, status, receipts, dead-letters."""

import json
from argparse import Namespace
from typing import Any

from backstory import calls
from backstory.cli import exits
from backstory.cli.printing import clean, day, fact_line, snippet
from backstory.cli.session import out, print_json, scopes, send


def show(options: Namespace) -> int:
    body = send(options, calls.show(options.id, scopes(options)))
    if options.json:
        print_json(body)
        return exits.OK
    links = body.pop("links", [])
    for name, value in body.items():
        if value not in (None, "", [], {}):
            out(f"{name:>13}  {clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}")
    for link in links:
        arrow = f"—{link['kind']}→" if link["direction"] == "out" else f"←{link['kind']}—"
        out(f"{arrow:>16} {link['weight']:.2f}  {snippet(link['name'] or link['to'])}  [{link['to'][:8]}]")
    return exits.OK


def facts(options: Namespace) -> int:
    about = " ".join(options.about) or None
    call = calls.facts(
        scopes(options),
        about=about,
        predicate=options.predicate,
        as_of=options.as_of,
        history=options.history,
        limit=options.limit,
    )
    return _listed(options, send(options, call), "facts", fact_line)


def timeline(options: Namespace) -> int:
    call = calls.timeline(
        scopes(options),
        about=" ".join(options.about) or None,
        since=options.since,
        until=options.until,
        session=options.session,
        newest_first=options.newest,
        limit=options.limit,
    )
    return _listed(options, send(options, call), "timeline", _said)


def status(options: Namespace) -> int:
    body = send(options, calls.status(list(options.scope) if options.scope else None))
    if options.json:
        print_json(body)
        return exits.OK
    for name, count in body["counts"].items():
        out(f"{name.replace('_', ' '):>14}  {count}")
    age = body["backlog_age_seconds"]
    out(f"{'backlog':>14}  {'none' if age is None else f'oldest waits {age:.0f} s'}")
    out(f"{'model':>14}  {body['model']['id']} ({body['model']['dim']} dimensions)")
    out(f"{'data':>14}  {body['data']}")
    out(f"{'version':>14}  {body['version']}, process {body['pid']}")
    for name in body["degraded"]:
        out(f"{'degraded':>14}  {name}")
    return exits.OK


def receipts(options: Namespace) -> int:
    """Receipts by id, in whatever scope, or the scope's."""
    looked_in = list(options.scope) if options.scope else None if options.ids else scopes(options)
    call = calls.receipts(looked_in, id=options.ids or None, state=options.state, limit=options.limit)
    return _listed(options, send(options, call), "receipts", _receipt)


def dead_letters(options: Namespace) -> int:
    """List or replay; all scopes unless some are named, because a failure must not hide in one."""
    named = list(options.scope) if options.scope else None
    if options.action == "list":
        return _listed(options, send(options, calls.dead_letters(named, limit=options.limit)), "receipts", _receipt)
    body = send(options, calls.replay(named, options.ids or None))
    if options.json:
        print_json(body)
    else:
        out(f"{body['replayed']} queued again")
    return exits.OK


def _listed(options: Namespace, body: dict[str, Any], name: str, line: Any) -> int:
    if options.json:
        print_json(body)
        return exits.OK
    for one in body[name]:
        out(line(one))
    if not body[name]:
        out("None.")
    return exits.OK


def _said(one: dict[str, Any]) -> str:
    return f"{day(one['authored_at'])}  {clean(one['author'] or '-'):<16.16}  {snippet(one['text'], 80)}  [{one['id'][:8]}]"


def _receipt(one: dict[str, Any]) -> str:
    reason = f"  {clean(one['reason'])}" if one["reason"] else ""
    return f"{one['state']:<10}  {one['event_id']}  {one['scope']}  attempts {one['attempts']}{reason}"
