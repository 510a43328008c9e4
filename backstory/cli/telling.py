"""remember."""

import sys
import time
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from backstory import calls
from backstory.cli import exits
from backstory.cli.session import connect, out, print_json, scope
from backstory.errors import InvalidInput
from backstory.transport import Transport

FIELDS = ("author", "role", "session", "record", "title", "section", "source", "key", "authored_at")
SLICE = 2.0  # seconds of one request, so that a bar moves
FINISHED = ("done", "failed")


def remember(options: Namespace) -> int:
    """Remember one text, and with --wait return when it is linked."""
    event: dict[str, Any] = {"text": _text(options.text), "scope": scope(options)}
    event |= {name: getattr(options, name) for name in FIELDS if getattr(options, name) is not None}
    if options.meta:
        event["metadata"] = dict(_pair(pair) for pair in options.meta)
    transport = connect(options)
    receipt = transport.request(*calls.remember([event]))["receipts"][0]
    if options.wait:
        created = receipt["created"]
        receipt = wait(transport, [receipt["event_id"]], options.timeout)[0] | {"created": created}
    if options.json:
        print_json(receipt)
    else:
        out(f"{receipt['state']}  {receipt['event_id']}" + ("" if receipt["created"] else "  (known already)"))
    return outcome([receipt], waited=options.wait)


def wait(
    transport: Transport, ids: list[str], timeout: float, reached: Callable[[int], None] = lambda _: None
) -> list[dict[str, Any]]:
    """The receipts once all work on them has ended, or as they are when the time is over; tells how many have ended."""
    until = time.monotonic() + timeout
    found: list[dict[str, Any]] = []
    for start in range(0, len(ids), calls.IDS_PER_WAIT):
        some = ids[start : start + calls.IDS_PER_WAIT]
        while True:
            left = until - time.monotonic()
            receipts = transport.request(*calls.wait(some, "done", max(0.0, min(left, SLICE))))["receipts"]
            ended = sum(1 for one in receipts if one["state"] in FINISHED)
            reached(len(found) + ended)
            if left <= 0 or ended == len(receipts):
                break
        found += receipts
    return found


def outcome(receipts: list[dict[str, Any]], *, waited: bool) -> int:
    """The exit code for receipts that were waited for; failures are told on standard error."""
    if not waited:
        return exits.OK
    failed = [one for one in receipts if one["state"] == "failed"]
    for one in failed:
        print(f"backstory: {one['event_id']} failed: {one['reason']}", file=sys.stderr)
    open_ = sum(1 for one in receipts if one["state"] not in FINISHED)
    if open_:
        print(f"backstory: {open_} of {len(receipts)} not done in time", file=sys.stderr)
    return exits.FAILED_WORK if failed else exits.NOT_DONE if open_ else exits.OK


def _text(words: list[str]) -> str:
    if words and words != ["-"]:
        return " ".join(words)
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def _pair(pair: str) -> tuple[str, str]:
    name, equals, value = pair.partition("=")
    if not equals or not name:
        raise InvalidInput(f"--meta {pair!r}: write NAME=VALUE")
    return name, value
