"""What a session teaches, in one small value: how it was planned, how it was judged, and what its steps took.

SessionState ─▶ Case ─▶ patterns.py (over many)
└▶ lessons.py (notes, and how sessions with a lesson fared)
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Literal

import msgspec

from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.scheduling.calendar import day_of, working_days_between
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState
from workbench.domain.text.words import stems

GOOD, BAD = 4, 2
"""Stars from which a session fared well, and down to which it fared badly."""
Fared = Literal["", "well", "badly", "in part"]
"""How a session came out, by its outcome, else by its rating; "" if nobody said."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What a person wrote about a plan that had a fault."""

    event: str
    """Id of the event it came with."""
    time: str
    text: str
    said_of: str
    """What it is said of: ``rated 1``, ``failure``, ``forgotten``, each with the round if it is of one."""


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """A step that is done."""

    kind: str
    """The telling word that its title begins with, as a stem."""
    title: str
    likely: float
    """Working days, as they were agreed; more than 0."""
    real: float
    """Working days that it took."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What a session teaches."""

    session: str
    goal: str = ""
    created: str = ""
    """UTC, ISO 8601."""
    private: bool = False
    approach: str = ""
    """Title of the approved approach; "" if there is none."""
    rounds: int = 0
    """Iterations until its plan was saved; 0 if none is."""
    fared: Fared = ""
    stars: int | None = None
    """The rating of the session as a whole; None if there is none."""
    outcome: str = ""
    notes: tuple[Note, ...] = ()
    feedback: tuple[str, ...] = ()
    efforts: tuple[Effort, ...] = ()
    lessons: tuple[str, ...] = ()
    """Ids of the lessons that it was given and did not refuse."""


def case_of(state: SessionState) -> Case:
    """Return what a session teaches, as it is."""
    plan = state.plan or Plan(title="")
    return Case(
        session=state.session,
        goal=state.goal,
        created=state.created,
        private=state.private,
        approach=state.approach.title if state.approach is not None else "",
        rounds=len(state.iterations) if state.saved_version is not None else 0,
        fared=_success_of(state),
        stars=state.rating.stars if state.rating is not None else None,
        outcome=state.outcome.outcome if state.outcome is not None else "",
        notes=tuple(_notes(state)),
        feedback=() if state.forked else tuple(one.text for one in state.feedback),
        efforts=tuple(_efforts(state, plan)),
        lessons=tuple(one.id for one in state.lessons_in_force),
    )


def _success_of(state: SessionState) -> Fared:
    if state.outcome is not None:
        return {"success": "well", "failure": "badly"}.get(state.outcome.outcome, "in part")  # type: ignore[return-value]  # of these three
    if state.rating is None:
        return ""
    return "well" if state.rating.stars >= GOOD else "badly" if state.rating.stars <= BAD else "in part"


def _notes(state: SessionState) -> Iterator[Note]:
    """Yield what was said of a fault: with at most 3 stars, with an outcome that is no success, or as forgotten."""
    for verdict in state.verdicts:
        body, time = verdict.body, verdict.time
        if isinstance(body, say.RatingGiven):
            of_round = f" in round {body.round}" if body.round else ""
            if body.note.strip() and body.stars < GOOD:
                yield Note(event=verdict.id, time=time, text=body.note, said_of=f"rated {body.stars}{of_round}")
            continue
        if body.note.strip() and body.outcome != "success":
            yield Note(event=verdict.id, time=time, text=body.note, said_of=f"outcome {body.outcome}")
        for text in body.forgot:
            yield Note(event=verdict.id, time=time, text=text, said_of="forgotten")


def _efforts(state: SessionState, plan: Plan) -> Iterator[Effort]:
    """Yield the steps that are done and had an estimate; what a person said that they took goes before their dates."""
    agreed = next((version.plan for version in state.versions if version.version == state.saved_version), plan)
    planned = {step.id: step for step in agreed.steps}
    took = {one.step: one.days for one in state.outcome.took} if state.outcome is not None else {}
    calendar = WorkTimes.from_plan(plan).own
    for step in plan.steps:
        likely = planned.get(step.id, step).effort
        days = took.get(step.id)
        begun, ended = day_of(step.started), day_of(step.finished)
        if days is None and step.status == "done" and begun and ended:
            days = max(working_days_between(begun - timedelta(days=1), ended, calendar), 1)
        if likely is not None and likely.likely > 0 and days:
            yield Effort(kind=kind_of(step), title=step.title, likely=likely.likely, real=float(days))


def kind_of(step: Step) -> str:
    """Return what kind of work a step is: the telling word that its title begins with, as a stem."""
    return next(iter(stems(step.title)), "")
