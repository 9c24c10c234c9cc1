"""The days of a step: as it happened where somebody said so, else as it is planned."""

from __future__ import annotations

from workbench.domain.plan.plan import Step


def first_day(step: Step, on: str | None = None) -> str | None:
    """Return the day on which a step began, or is to begin, at the latest when it ended; ISO 8601, None for neither.

    ``on``: the day on which it is to begin whatever its start says.
    """
    planned = on or step.start
    return step.started or (planned and min(planned, step.finished or planned))


def last_day(step: Step) -> str | None:
    """Return the day on which a step ended, or is to end; ISO 8601, None for neither."""
    return step.finished or step.end
