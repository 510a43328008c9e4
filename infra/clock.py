"""The system's clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Clock port over the operating system's clocks."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()
