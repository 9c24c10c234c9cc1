"""A timeline of a plan's steps as shapes. Pure; a template draws it as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from workbench.domain.plan.figures import Figures, StepFigures

LEFT, WIDTH, ROW = 52, 720, 18
"""Units of the picture: room for ids, the whole width, the height of a row."""
_TICKS = 8
"""Dates below a timeline, about."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A step in time."""

    step: str
    """Its number in the table of steps."""
    title: str
    x: float
    y: int
    width: float
    kind: str
    """work, waiting or milestone; done if it is done."""
    is_critical: bool


@dataclass(frozen=True, slots=True)
class Tick:
    """A date below the timeline."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """The steps of a plan, a row each."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    deadline: float | None
    """Where the deadline stands; None without one."""
    height: int


def timeline(figures: Figures) -> Timeline | None:
    """Return the steps of a plan in time; None if fewer than two have dates."""
    dated = [(step, step.start, step.end) for step in figures.steps if step.start and step.end]
    if len(dated) < 2:
        return None
    first = min(start for _, start, _ in dated)
    last = max([end for _, _, end in dated] + ([figures.deadline] if figures.deadline else []))
    day = (WIDTH - LEFT) / ((last - first).days + 1)

    def place(of: date, days: int = 0) -> float:
        """Return where a day begins, or one so many days later, which no calendar may have."""
        return round(LEFT + ((of - first).days + days) * day, 1)

    bars = tuple(
        Bar(
            step=step.step.removeprefix("S"),
            title=step.title,
            x=place(start),
            y=row * ROW,
            width=round(max(place(end, 1) - place(start), 3), 1),
            kind=_kind(step),
            is_critical=step.critical,
        )
        for row, (step, start, end) in enumerate(dated)
    )
    deadline = place(figures.deadline, 1) if figures.deadline else None
    return Timeline(bars, tuple(_ticks(first, last, place)), deadline, len(bars) * ROW + ROW)


def _kind(step: StepFigures) -> str:
    return "done" if step.status == "done" else step.kind


def _ticks(first: date, last: date, place: Callable[[date], float]) -> Iterator[Tick]:
    days = (last - first).days + 1
    for every in (1, 7, 14, 28, 91, 182, 365):
        if days / every <= _TICKS:
            break
    for day in range(0, days, every):
        at = first + timedelta(days=day)
        yield Tick(place(at), f"{at.day} {at:%b}" if days <= 366 else f"{at:%b %Y}")
