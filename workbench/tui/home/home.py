"""What the first screen knows of each session: where it stands, what it asks, and what of its plan is due.

    sessions() ─▶ Listed* ─▶ rows at once          Glances.look (a thread) ─▶ Glance of each, the newest first ─▶ rows

A session is read again only where its log went on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from workbench.domain.errors import WorkbenchError
from workbench.domain.plan.due import DueStep, due_steps, standing
from workbench.domain.session.state import SessionState
from workbench.tui.told import counted

if TYPE_CHECKING:
    from workbench.bootstrap import Listed

MOST = 60
"""Sessions that are read for more than what the list says of them, the newest."""
Group = Literal["needs you", "running", "under way", "resting", "done"]


@dataclass(frozen=True, slots=True)
class Glance:
    """More of a session than a list says."""

    asks: str = ""
    """The open question in a few words; "" where none is open."""
    round: str = ""
    """``2 of 5``."""
    steps: str = ""
    """``3 of 14``: how many are done, where the plan is carried out."""
    cost: float | None = 0.0
    """US dollars; None where a price is not known."""
    is_under_way: bool = False
    """Whether its plan was saved, and is not yet done or given up."""
    due: tuple[DueStep, ...] = ()
    """Steps that are late or due today."""
    rating: str = ""
    """``4 of 5``; "" where nobody rated it."""
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
        """Yield what is known of each session, read where its log went on; of one that cannot be read, nothing."""
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
