"""The first screen as rows: what needs you, what is due, what runs, what rests, what is done.

NEEDS YOU                                    round     asks                    last   cost
▲ Move billing to the new provider           2 of 5    7 changes, 1 finding   4 min  $0.42
TODAY  Tuesday 2 March
! S4  Contract the caterer                   Tom       Conference in Lyon       2 days late
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from textual.content import Content

from workbench.domain.errors import WorkbenchError
from workbench.domain.plan.due import DueStep, due_steps, standing
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, filled, joined, spread, text
from workbench.tui.marks import ASKS, DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.told import BROKEN, STATUS_WORDS, age, counted, day_in_short, money, session_title

if TYPE_CHECKING:
    from workbench.bootstrap import Listed


LISTED = 40
"""Sessions of a group, and steps that are due, that are listed; the others are counted."""
MOST = 60
"""Sessions that are read for more than what the list says of them, the newest."""
Group = Literal["needs you", "running", "under way", "resting", "done"]


@dataclass(frozen=True, slots=True)
class Glance:
    """More of a session than a list says."""

    asks: str = ""
    """The open question in a few words; "" if none is open."""
    round: str = ""
    """``2 of 5``."""
    steps: str = ""
    """``3 of 14``: how many are done, if the plan is carried out."""
    cost: float | None = 0.0
    """US dollars; None if a price is not known."""
    is_under_way: bool = False
    """Whether its plan was saved, and is not yet done or given up."""
    due: tuple[DueStep, ...] = ()
    """Steps that are late or due today."""
    rating: str = ""
    """``4 of 5``; "" if nobody rated it."""
    outcome: str = ""


def glance_at(state: SessionState, today: date) -> Glance:
    """Return what the first screen says of a session."""
    plan, number = state.plan, state.current.number if state.current else len(state.iterations)
    is_given_up = state.outcome is not None and state.outcome.outcome == "failure"
    stands = standing(plan, is_agreed=state.saved_version is not None, is_given_up=is_given_up)
    is_under_way = stands in ("agreed", "under way") and plan is not None and any(step.end for step in plan.steps)
    due = due_steps(plan, today) if is_under_way and plan is not None and not state.private else ()
    kept = [step for step in plan.steps if step.status != "dropped"] if plan is not None else []
    return Glance(
        asks=_asked(state),
        round=f"{number} of {max(state.limit, number)}" if number else "",
        steps=f"{sum(step.status == 'done' for step in kept)} of {len(kept)}" if kept else "",
        cost=state.spent.cost,
        is_under_way=is_under_way,
        due=tuple(one for one in due if one.kind in ("late", "today")),
        rating=f"{state.rating.stars} of 5" if state.rating is not None else "",
        outcome=state.outcome.outcome if state.outcome is not None else "",
    )


def _asked(state: SessionState) -> str:
    gate = state.gate
    if state.submissions and state.status == "waiting":
        return f"review version {len(state.submissions)}"
    if gate is None:
        return ""
    if gate.kind == "question":
        return gate.question
    if gate.kind == "approach":
        return "choose an approach"
    if gate.kind == "checkpoint" and state.versions:
        findings = counted(len(state.open_findings), "finding") if state.open_findings else "no findings"
        return f"{counted(len(state.versions[-1].changes), 'change')}, {findings}"
    return "what the planner takes out" if gate.kind == "removal" else "no answer came"


class Glances:
    """Reads sessions for the first screen; used by one thread at a time."""

    def __init__(self, state_of: Callable[[str], SessionState], today: Callable[[], date]) -> None:
        self._state_of, self._today = state_of, today
        self._known: dict[str, tuple[int, date, Glance]] = {}

    def look(self, listed: Sequence[Listed]) -> Iterator[tuple[str, Glance]]:
        """Yield what is known of each session, read where its log continued; of one that cannot be read, nothing."""
        today = self._today()
        for one in listed[:MOST]:
            known = self._known.get(one.session)
            if known is None or known[:2] != (one.events, today):
                try:
                    glance = glance_at(self._state_of(one.session), today)
                except WorkbenchError:
                    glance = Glance()
                known = self._known[one.session] = one.events, today, glance
            yield one.session, known[2]


def group_of(one: Listed, glance: Glance) -> Group:
    """Return where a session is listed: by what a person can do with it."""
    if one.status == "waiting":
        return "needs you"
    if one.status == "running":
        return "running"
    if one.status == "finished":
        return "under way" if glance.is_under_way else "done"
    return "resting"


_ORDER: tuple[Group, ...] = ("needs you", "running", "under way", "resting", "done")
_COLUMNS: Mapping[Group, tuple[str, str]] = {
    "needs you": ("round", ""),
    "running": ("", ""),
    "under way": ("steps", "time"),
    "resting": ("", ""),
    "done": ("outcome", "rated"),
}
_ENTER: Mapping[Group, str] = {
    "needs you": "opens it where it asks you",
    "running": "shows what it is at",
    "under way": "opens its plan",
}
_FIRST, _SECOND, _AGE, _COST = 10, 26, 9, 8  # cells of the columns
_NARROW = 20  # cells of the second one where only that has room
_WIDE = 90  # cells from which all columns stand beside the goal
_ROOMY = 116  # cells from which the second one has more


@dataclass(frozen=True)
class Home:
    """What the first screen shows."""

    listed: Sequence[Listed]
    """The newest first."""
    glances: Mapping[str, Glance]
    """More of those that were looked into so far."""
    now: datetime
    chosen: str = ""
    """Key of the chosen row, which says what Enter does there."""

    def glance(self, session: str) -> Glance:
        """Return what is known of a session; nothing, if it was not looked into yet."""
        return self.glances.get(session, Glance())


def home_rows(home: Home, width: int, marks: Marks) -> list[Row]:
    """Return the sessions by what a person can do with them, and below those that ask the steps that are due."""
    by_group: dict[Group, list[Listed]] = {name: [] for name in _ORDER}
    for one in home.listed:
        by_group[group_of(one, home.glance(one.session))].append(one)
    rows: list[Row] = []
    for group, sessions in by_group.items():
        if sessions:
            rows += _group(group, sessions, home, width, marks, is_first=not rows)
        if group == "needs you":
            rows += _due(home, width, marks)
    return rows[1:]


def plans_text(home: Home) -> str:
    """Return how many plans there are, and what those that were worked on this month have cost in all."""
    count = counted(len(home.listed), "plan")
    month = f"{home.now:%Y-%m}"
    costs = [home.glance(one.session).cost for one in home.listed if one.updated.startswith(month)]
    spent = sum(cost for cost in costs if cost is not None)
    return f"{count} · ${spent:.2f} this month" if spent else count


def _group(
    group: Group, sessions: Sequence[Listed], home: Home, width: int, marks: Marks, *, is_first: bool
) -> Iterator[Row]:
    first, second, last, cost = (text(name, DIM) for name in (*_COLUMNS[group], "last", "cost"))
    yield Row((Content(),))
    title = text(group.upper(), ASKS if group == "needs you" else DIM)
    yield Row((_line(title, (first, second, *((last, cost) if is_first else (Content(), Content()))), width),))
    for one in sessions[:LISTED]:
        glance = home.glance(one.session)
        mark, style = _mark(one, group, marks)
        name = text(session_title(one.name, one.goal, one.session), "" if group == "needs you" else "$foreground")
        cells = (*_cells(one, group, glance), text(_last(one, group, home.now), DIM), text(money(glance.cost), DIM))
        row = _line(joined(text(f"{mark} ", style), name), cells, width)
        told = (text(f"  Enter {_ENTER.get(group, 'opens it')}", DIM),) if one.session == home.chosen else ()
        yield Row((row, *told), key=one.session, is_marked=group == "needs you")
    if len(sessions) > LISTED:
        yield Row((text(f"  {len(sessions) - LISTED:,} more", DIM),))


def _last(one: Listed, group: Group, now: datetime) -> str:
    """Return when something happened to a session last: how long ago, or the day on which it was done."""
    try:
        day = datetime.fromisoformat(one.updated).date()
    except ValueError:
        return ""
    return day_in_short(day, now.date()) if group == "done" else age(one.updated, now.isoformat())


def _cells(one: Listed, group: Group, glance: Glance) -> tuple[Content, Content]:
    if group == "done":
        return text(glance.outcome or "not said", DIM), text(glance.rating or "not rated", DIM)
    if group == "under way":
        late = sum(step.kind == "late" for step in glance.due)
        words = text(f"{counted(late, 'step')} late", FAILED) if late else text("on time", DIM)
        return text(glance.steps), words
    if group == "needs you":
        return text(glance.round or "before 1", "" if glance.round else DIM), text(clean_name(glance.asks, 100))
    word = STATUS_WORDS.get(one.status, one.status) + (", all kept" if one.status == "interrupted" else "")
    return text(glance.round, DIM), text(word, FAILED if one.status in ("failed", "unreadable") else DIM)


def _mark(one: Listed, group: Group, marks: Marks) -> tuple[str, str]:
    if group == "resting":
        return (marks.failed, FAILED) if one.status in BROKEN else (marks.rests, DIM)
    of_group = {"needs you": (marks.asks, ASKS), "running": (marks.runs, FOCUS), "done": (marks.done, DONE)}
    return of_group.get(group, (" ", ""))


def _due(home: Home, width: int, marks: Marks) -> Iterator[Row]:
    """Yield the steps of all plans that are late or due today."""
    due = [(one, step) for one in home.listed for step in home.glance(one.session).due]
    if not due:
        return
    yield Row((Content(),))
    yield Row((joined(text("TODAY", DIM), text(f"  {home.now:%A} {home.now.day} {home.now:%B}", DIM)),))
    due.sort(key=lambda one: (one[1].kind != "late", one[1].days))
    for one, step in due[:LISTED]:
        yield Row((_due_line(one, step, width, marks),), key=f"{one.session} {step.step}", is_marked=True)
    if len(due) > LISTED:
        yield Row((text(f"  {len(due) - LISTED:,} more", DIM),))


def _due_line(one: Listed, step: DueStep, width: int, marks: Marks) -> Content:
    is_late = step.kind == "late"
    left = joined(text(f"{marks.found if is_late else ' '} ", FAILED), text(f"{clean_name(step.step):<4}", DIM))
    left = joined(left, text(clean_name(step.title, 200)))
    plan = text(session_title(one.name, one.goal, one.session), DIM)
    words = "not begun yet" if step.why.startswith("should have begun") else clean_name(step.why)
    why = text(words, FAILED if is_late else "")
    return _line(left, (text(clean_name(step.owner or "nobody", 40)), plan, why, Content()), width)


def _line(left: Content, cells: tuple[Content, Content, Content, Content], width: int) -> Content:
    """Return a line with its columns at its right end; if there is no room, only the last ones stay."""
    first, second, last, cost = cells
    if width < _WIDE:
        kept = filled(last if last.cell_length else cost, _AGE if cost.cell_length else _AGE + 4, is_right=True)
        return spread(left, joined(filled(second, _NARROW), "  ", kept) if second.cell_length else kept, width)
    right = joined(filled(first, _FIRST), "  ", filled(second, _SECOND + max(width - _ROOMY, 0) // 2), "  ")
    if cost.cell_length or last.cell_length <= _AGE:
        right = joined(right, filled(last, _AGE, is_right=True), filled(cost, _COST, is_right=True))
    else:
        right = joined(right, filled(last, _AGE + _COST, is_right=True))
    return joined(filled(left, width - right.cell_length - 1), " ", right)
