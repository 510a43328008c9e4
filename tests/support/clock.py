"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class SetClock:
    """graph.ports.Clock whose time is the test's business."""

    def __init__(self, start: datetime = START) -> None:
        self.time = start

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return (self.time - START).total_seconds()

    def forward(self, by: timedelta) -> None:
        self.time += by
