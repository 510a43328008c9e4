"""ingest: read files here, send what is in them to the daemon in batches, tell what could not be read."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backstory import calls
from backstory.cli import exits, rooms
from backstory.cli.printing import clean
from backstory.cli.progress import Progress
from backstory.cli.session import connect, out, print_json, scope
from backstory.cli.telling import outcome, wait
from backstory.errors import Conflict, InvalidInput
from backstory.transport import Transport

BATCH = 200
BATCH_CHARS = 4_000_000


@dataclass
class Tally:
    """What came of it. `ids` in the order taken in."""

    created: int = 0
    known: int = 0
    ids: list[str] = field(default_factory=list)
    unreadable: list[dict[str, str]] = field(default_factory=list)
    receipts: list[dict[str, Any]] = field(default_factory=list)

    def taken(self, receipts: list[dict[str, Any]]) -> None:
        for receipt in receipts:
            self.created += receipt["created"]
            self.known += not receipt["created"]
            self.ids.append(receipt["event_id"])

    def could_not(self, file: str, place: str, reason: str) -> None:
        self.unreadable.append({"file": file, "place": place, "reason": reason})
        print(f"backstory: {clean(file)}{':' + clean(place) if place else ''}: {clean(reason)}", file=sys.stderr)

    def failed(self) -> int:
        return sum(1 for receipt in self.receipts if receipt["state"] == "failed")


def ingest(options: Namespace) -> int:
    """Take in files, folders and histories. What cannot be read is named on standard error, and the rest goes in."""
    if not options.paths and not options.git:
        raise InvalidInput("name what to take in: PATH, or --git REPO")
    tally = Tally()
    transport = connect(options)
    transport.request(*calls.status())  # a daemon that cannot start is told before anything is read
    with Progress(_expected(options)) as progress:
        for batch in _batches(_items(options, tally)):
            _send(transport, batch, tally)
            progress.advance(len(batch))
    if options.wait and tally.ids:
        with Progress(len(tally.ids), "linking") as progress:
            tally.receipts = wait(transport, tally.ids, options.timeout, progress.reach)
    _tell(options, tally)
    code = outcome(tally.receipts, waited=options.wait)
    return code or (exits.UNREADABLE if tally.unreadable else exits.OK)


def _expected(options: Namespace) -> int | None:
    """About how many items there will be; None when nobody looks or it cannot be told."""
    if not sys.stderr.isatty() or options.git:
        return None
    hint = rooms.load("graph.ingest.readers").count_hint
    return sum(int(hint(Path(path))) for path in options.paths if Path(path).exists())


def _items(options: Namespace, tally: Tally) -> Iterator[dict[str, Any]]:
    """What the readers find, as events of the wire; problems go into the tally."""
    readers, errors = rooms.load("graph.ingest.readers"), rooms.load("graph.errors")
    sources = [(path, options.format) for path in options.paths] + [(repository, "git") for repository in options.git]
    for path, format_ in sources:
        try:
            for item in readers.read_path(Path(path), scope=scope(options), format=format_):
                if isinstance(item, errors.Unreadable):
                    tally.could_not(*(str(item.fields[name]) for name in ("file", "place", "reason")))
                else:
                    yield item.model_dump(mode="json", exclude_defaults=True) | {"scope": item.scope}
        except errors.InvalidInput as error:
            raise InvalidInput(error.message) from error


def _batches(items: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    chars = 0
    for item in items:
        batch.append(item)
        chars += len(item["text"])
        if len(batch) >= BATCH or chars >= BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


def _send(transport: Transport, batch: list[dict[str, Any]], tally: Tally) -> None:
    """Send a batch; if something in it is refused, send its items one by one, so that only that is left out."""
    try:
        tally.taken(transport.request(*calls.remember(batch))["receipts"])
    except (InvalidInput, Conflict) as error:
        if len(batch) == 1:
            tally.could_not(str(batch[0].get("source") or batch[0].get("key") or "item"), "", error.message)
            return
        for item in batch:
            _send(transport, [item], tally)


def _tell(options: Namespace, tally: Tally) -> None:
    body = {
        "taken": tally.created + tally.known,
        "created": tally.created,
        "known": tally.known,
        "unreadable": tally.unreadable,
        "failed": tally.failed(),
    }
    if options.json:
        print_json(body)
        return
    parts = [f"{tally.created} new", f"{tally.known} known already"]
    parts += [f"{len(tally.unreadable)} could not be read"] if tally.unreadable else []
    parts += [f"{tally.failed()} failed"] if tally.failed() else []
    out(", ".join(parts) + ("" if options.wait or not tally.created else "; links are being worked out in the background"))
