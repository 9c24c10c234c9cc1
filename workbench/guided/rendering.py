"""The sections that follow from the steps: the schedule in words, and what to do first.

They are rendered anew whenever the steps changed, and only then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

import msgspec

from workbench.domain.plan.forecast import forecast
from workbench.domain.plan.plan import Bullet, Item, Origin, Plan, Section, Step
from workbench.domain.plan.schedule import Schedule, add_working_days, schedule, working_days_between
from workbench.guided.dates import spoken
from workbench.guided.timing import day_of, times_of
from workbench.guided.wording import counted, listed

FIRST_ACTIONS = 4


def first_day(plan: Plan) -> date | None:
    """Return the day on which the work of a plan begins; None where no step has a date."""
    return min((day for step in plan.steps if (day := day_in(step.start)) is not None), default=None)


def day_in(text: str | None) -> date | None:
    """Return an ISO date as a day; None where there is none, or something else stands in its place."""
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def schedule_of(plan: Plan, deadline: date | None) -> Schedule:
    """Return the schedule of a plan from the day its work begins."""
    start = first_day(plan) or date(2000, 1, 3)
    return schedule(plan.steps, start=start, deadline=deadline, times=times_of(plan))


def schedule_section(plan: Plan, deadline: date | None, squeeze: str = "") -> Section:
    """Return the schedule in words: finish, critical path, slack, and what to do when it slips or does not fit."""
    dates = schedule_of(plan, deadline)
    path = " → ".join(dates.critical_path)
    lines = [
        _finish_line(plan, dates, deadline),
        f"Critical path: {path}. A day lost there is a day lost at the end.",
    ]
    floating = [row for row in dates.rows if row.slack > 0]
    if floating:
        most = sorted(floating, key=lambda row: -row.slack)[:3]
        rooms = [f"{row.step} {counted(row.slack, 'day')}" for row in most]
        lines.append(f"Room elsewhere: {listed(rooms)}.")
    lines += _against(plan, dates, deadline)
    if squeeze:
        lines.append(squeeze)
    return Section(id="schedule", title="Schedule", text="\n\n".join(lines))


def _finish_line(plan: Plan, dates: Schedule, deadline: date | None) -> str:
    fixed = day_of(plan.steps)
    if fixed is not None and deadline is not None and dates.finish <= deadline:
        ready = max((step.end or "" for step in plan.steps if step.id != fixed.id), default=fixed.end or "")
        return f"The day itself ({fixed.id}) is {spoken(deadline)}; everything that leads to it is done by {ready}."
    return (
        f"Expected finish: {spoken(dates.finish)}, {counted(_length(plan, dates), 'working day')} from the first day; "
        f"in four of five cases by {forecast(dates, deadline=None).p80.isoformat()}."
    )


def _length(plan: Plan, dates: Schedule) -> int:
    start = first_day(plan) or dates.finish
    return working_days_between(start - timedelta(days=1), dates.finish, dates.network.times.own)


def _against(plan: Plan, dates: Schedule, deadline: date | None) -> list[str]:
    """Return what the dates mean for the deadline."""
    if deadline is None or dates.slack_days is None:
        return ["No date was given to hold this against; once there is one, say so and the slack is stated here."]
    longest = max(
        (step for step in plan.steps if step.id in dates.critical_path),
        key=lambda step: step.effort.expected if step.effort else 0,
        default=None,
    )
    name = f"{longest.id} “{longest.title}”" if longest else "the longest step"
    if dates.slack_days < 0:
        return [
            f"This does not fit: the work ends {counted(-dates.slack_days, 'working day')} after {spoken(deadline)}.",
            (
                f"What would make it fit: a later date ({dates.finish.isoformat()}), less in scope (first the "
                f"could and should lines), or more hands on {name}. Decide that before the first step begins."
            ),
        ]
    halfway = add_working_days(first_day(plan) or dates.finish, _length(plan, dates) // 2, dates.network.times.own)
    reserve = (
        f"Slack: {counted(dates.slack_days, 'working day')} before {spoken(deadline)}."
        if dates.slack_days
        else f"Slack: none; the work ends on {spoken(deadline)} or on the last working day before it."
    )
    return [
        reserve,
        (
            f"If it slips: look on {halfway.isoformat()}, at half-time. If more than "
            f"{'half of the slack is' if dates.slack_days > 1 else 'a day is'} gone by then, shorten {name} or take a "
            f"should line out of the scope on that day."
        ),
    ]


def actions_section(
    plan: Plan, first_things: Mapping[str, str], today: date, previous: Section | None = None
) -> Section:
    """Return the first actions: of the steps that begin first, the first thing to do, with day and owner.

    A line that speaks of the same step as one of ``previous`` keeps its id.
    """
    begin = first_day(plan) or today
    steps = sorted(plan.steps, key=lambda step: step.start or "")[:FIRST_ACTIONS]
    kept = {_step_of(item): item.id for item in previous.items if isinstance(item, Bullet)} if previous else {}
    number = next_number(plan, "B")
    bullets: list[Bullet] = []
    for step in steps:
        known = kept.get(step.id, "")
        line = _action_line(step, first_things, begin)
        bullets.append(Bullet(id=known or f"B{number}", text=line, origin=Origin("calculated")))
        number += not known
    if previous is not None:
        own = [item for item in previous.items if not _step_of(item)]
        return msgspec.structs.replace(previous, items=(*bullets, *own))
    return Section(id="actions", title="First actions", items=tuple(bullets))


def next_number(plan: Plan, letter: str) -> int:
    """Return the number behind the highest of a letter that stands in the plan or is spoken of in it."""
    text = msgspec.json.encode(plan).decode()
    return 1 + max((int(number) for number in re.findall(rf"\b{letter}(\d{{1,6}})\b", text)), default=0)


def _step_of(item: Item) -> str:
    """Return the id of the step that a line of the first actions speaks of; "" for a line of another origin."""
    match = re.search(r"\((S\d+), [^()]*\)\.$", getattr(item, "text", ""))
    return match[1] if match else ""


def _action_line(step: Step, first_things: Mapping[str, str], begin: date) -> str:
    day = day_in(step.start) or begin
    thing = first_things.get(step.title, f"Agree in one sentence on what “{step.title}” delivers, and who checks it")
    return f"{spoken(day)}: {thing} ({step.id}, {step.owner})."
