"""The clock of the sample sessions, and of sessions in the application's tests: the same times in every run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class SteadyClock:
    """Begins on a Monday morning and moves four seconds whenever it is looked at."""

    def __init__(self) -> None:
        self.seconds = 0
        """Since that morning."""

    def now(self) -> datetime:
        self.seconds += 4
        return datetime(2026, 11, 16, 9, 0, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        self.seconds += 1
        return float(self.seconds)

    def passes(self, *, days: int) -> None:
        """Let days go by in which nothing happens."""
        self.seconds += days * 24 * 60 * 60
