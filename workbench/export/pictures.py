"""Pictures of a plan as shapes: a timeline of its steps, a grid of its risks. Pure; a template draws them as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from workbench.domain.plan.figures import Figures, StepFigures
from workbench.domain.plan.plan import LEVELS, Level, Plan, Risk

LEFT, WIDTH, ROW = 52, 720, 18
"""Units of the picture: room for ids, the whole width, the height of a row."""
_TICKS = 8
"""Dates below a timeline, about."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A step in time."""

    step: str
    title: str
    x: float
    y: int
    width: float
    kind: str
    """work, waiting or milestone; done where it is."""
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


@dataclass(frozen=True, slots=True)
class Cell:
    """Risks of one likelihood and impact."""

    likelihood: Level
    impact: Level
    weight: int
    """0 harmless to 4 grave."""
    risks: tuple[str, ...]


def timeline(figures: Figures) -> Timeline | None:
    """Return the steps of a plan in time; None where fewer than two have dates."""
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
            step=step.step,
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


def risk_grid(plan: Plan) -> tuple[tuple[Cell, ...], ...]:
    """Return the risks of a plan by likelihood (the likeliest row first) and impact; () for none."""
    risks = [item for item in plan.items if isinstance(item, Risk)]
    if not risks:
        return ()
    return tuple(tuple(_cell(risks, likelihood, impact) for impact in LEVELS) for likelihood in reversed(LEVELS))


def _cell(risks: Sequence[Risk], likelihood: Level, impact: Level) -> Cell:
    here = tuple(risk.id for risk in risks if (risk.likelihood, risk.impact) == (likelihood, impact))
    return Cell(likelihood, impact, LEVELS.index(likelihood) + LEVELS.index(impact), here)
