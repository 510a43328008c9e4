"""A progress bar for long work: only where a person looks at a terminal, silent everywhere else."""

import sys
from types import TracebackType
from typing import Any


class Progress:
    """Counts towards `total` (None: unknown) on standard error; without a terminal it does nothing."""

    def __init__(self, total: int | None, what: str = "taking in") -> None:
        self._bar: Any = None
        self._task: Any = None
        self._total, self._what = total, what

    def __enter__(self) -> "Progress":
        if sys.stderr.isatty():
            from rich import progress  # noqa: PLC0415  (slow to load, and rarely needed)
            from rich.console import Console  # noqa: PLC0415

            columns = (
                progress.TextColumn("{task.description}"),
                progress.BarColumn(),
                progress.MofNCompleteColumn(),
                progress.TimeElapsedColumn(),
            )
            self._bar = progress.Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._what, total=self._total)
        return self

    def advance(self, count: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._task, count)

    def reach(self, count: int) -> None:
        """Set how many are done in all."""
        if self._bar is not None:
            self._bar.update(self._task, completed=count)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
