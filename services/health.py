"""How the memory is doing: counts, backlog, versions, and the checks of `doctor`."""

import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from graph.curate.reconcile import Reconciler
from graph.model.events import ReceiptState
from infra import logs
from infra.container import Container
from infra.runner import Runner

UNFINISHED = frozenset({ReceiptState.ACCEPTED, ReceiptState.STORED, ReceiptState.RECALLABLE, ReceiptState.LINKED})
LOW_DISK_BYTES = 256 * 1024 * 1024
OLD_BACKLOG = timedelta(hours=1)


def package_version() -> str:
    try:
        return version("backstory-memory")
    except PackageNotFoundError:
        return "0+source"


def status(container: Container, runner: Runner | None, scopes: frozenset[str] | None) -> dict[str, Any]:
    """Counts of the scopes, the age of the oldest unfinished work, what is degraded, and what runs here."""
    lanes = runner.state() if runner else []
    return {
        "counts": container.reader.counts(scopes),
        "backlog_age_seconds": backlog_age(container, scopes),
        "degraded": degraded(lanes),
        "data": str(container.settings.data),
        "pid": os.getpid(),
        "version": package_version(),
        "model": {
            "id": container.embedder.id,
            "dim": container.embedder.dim,
            "revision": container.embedder.revision,
            "max_tokens": container.embedder.max_tokens,
        },
        "lanes": lanes,
    }


def backlog_age(container: Container, scopes: frozenset[str] | None = None) -> float | None:
    """Seconds since the oldest unfinished event was recorded; None when all is done."""
    oldest = container.ledger.receipts(scopes=scopes, states=UNFINISHED, limit=1)
    return max(0.0, (container.clock.now() - oldest[0].recorded_at).total_seconds()) if oldest else None


def degraded(lanes: list[dict[str, Any]]) -> list[str]:
    return [lane["lane"] for lane in lanes if lane["outage"] or lane["hanging"]]


def doctor(container: Container, runner: Runner | None, *, repair: bool = False) -> dict[str, Any]:
    """Every check with whether it is well and what was seen; drift between the stores is mended with `repair`.

    A check that fails says so and stops no other.
    """
    checks: tuple[tuple[str, Callable[[], tuple[bool, str]]], ...] = (
        ("directory is private", lambda: _private(container)),
        ("disk has room", lambda: _disk(container)),
        ("embedding model works", lambda: _model(container)),
        ("ledger reads", lambda: _ledger(container)),
        ("store is whole", lambda: _whole(container, repair)),
        ("ledger, graph and vectors agree", lambda: _agreement(container, repair)),
        ("background work moves", lambda: _backlog(container, runner)),
        ("no dead letters", lambda: _dead_letters(container)),
    )
    results = [_checked(name, check) for name, check in checks]
    return {"ok": all(result["ok"] for result in results), "checks": results}


def _checked(name: str, check: Callable[[], tuple[bool, str]]) -> dict[str, Any]:
    try:
        ok, detail = check()
    except Exception as error:  # noqa: BLE001  (a broken check is a finding)
        ok, detail = False, logs.reason_of(error)
    return {"name": name, "ok": ok, "detail": detail}


def _private(container: Container) -> tuple[bool, str]:
    mode = container.settings.data.stat().st_mode & 0o777
    return not mode & 0o077, f"{container.settings.data} has mode {mode:04o}"


def _disk(container: Container) -> tuple[bool, str]:
    free = shutil.disk_usage(container.settings.data).free
    return free > LOW_DISK_BYTES, f"{free // (1024 * 1024)} MiB free"


def _model(container: Container) -> tuple[bool, str]:
    vector = container.embedder.embed(["why was this decided"])[0]
    sound = bool(np.isfinite(vector).all()) and abs(float(np.linalg.norm(vector)) - 1.0) < 1e-3
    return sound, f"{container.embedder.id}, {container.embedder.dim} dimensions"


def _ledger(container: Container) -> tuple[bool, str]:
    counts = container.reader.counts(None)
    return True, f"{counts['events']} events, {counts['observations']} observations, {counts['edges']} edges"


def _whole(container: Container, repair: bool) -> tuple[bool, str]:
    """Pages, index of words and running totals of the embedded file; a server looks after its own."""
    found = container.store_faults(repair)
    return not found, "; ".join(found) or "it is"


def _agreement(container: Container, repair: bool) -> tuple[bool, str]:
    """Ledger, graph and vectors must tell of the same things in the same states."""
    drift = Reconciler(container.ledger, container.graph, container.vectors).run(repair=repair)
    if not drift:
        return True, "they do"
    found = ", ".join(f"{count} {name}" for name, count in drift.counts().items() if count)
    return repair, f"{found}; " + ("being mended" if repair else "`backstory doctor --repair` mends it")


def _backlog(container: Container, runner: Runner | None) -> tuple[bool, str]:
    age = backlog_age(container)
    hanging = sum(lane["hanging"] for lane in runner.state()) if runner else 0
    old = age is not None and age > OLD_BACKLOG.total_seconds()
    return not old and not hanging, "nothing waits" if age is None else f"oldest waits {age:.0f} s, {hanging} pieces hang"


def _dead_letters(container: Container) -> tuple[bool, str]:
    count = container.reader.counts(None)["dead_letters"]
    return count == 0, f"{count}" + ("; see `backstory dead-letters`" if count else "")
