"""Ten commands of a plan under way, one after the other: the finish is that of a calculation by hand.

Anna  S1 ── S2 ── S3 ── S4 ─┬─ S9 ── S10 ─┬─       S12        ─ S14      working days from Monday, 4 January 2027;
      1-2   3-5   6-10 11-12│ 13-15 16-17 │       21-24         26-27    day 5 is Friday the 8th, day 6 Monday the 11th
Tom   └──── S5 ─── S6 ──────┴─ S7 ── S8 ──┴─ S11 ─       ─ S13
            3-6    7-9         10-14 15-16   18-20         25
"""

from __future__ import annotations

from datetime import date

from workbench.domain.commands import Parsed, parse
from workbench.domain.plan.changing.history import undone
from workbench.domain.plan.changing.operations import Cause, Change, applied, operations_between
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import Effort, Person, Plan, Section, Step
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.plan.scheduling.schedule import with_dates
from workbench.domain.session.state import PlanVersion

MONDAY, TODAY = date(2027, 1, 4), date(2027, 1, 6)
STEPS = {
    "S1": ("Anna", 2, ()),
    "S2": ("Anna", 3, ("S1",)),
    "S3": ("Anna", 5, ("S2",)),
    "S4": ("Anna", 2, ("S3",)),
    "S5": ("Tom", 4, ("S1",)),
    "S6": ("Tom", 3, ("S5",)),
    "S7": ("Tom", 5, ("S6",)),
    "S8": ("Tom", 2, ("S7",)),
    "S9": ("Anna", 3, ("S4", "S6")),
    "S10": ("Anna", 2, ("S9",)),
    "S11": ("Tom", 3, ("S8", "S10")),
    "S12": ("Anna", 4, ("S11",)),
    "S13": ("Tom", 1, ("S12",)),
    "S14": ("Anna", 2, ("S13",)),
}
"""Owner, working days, and what each step needs."""
SAID = [
    ("S1 done 5 January", "2027-02-09"),  # as planned: day 27
    ("S3 takes 7 days", "2027-02-11"),  # Anna's way is the longest: day 29
    ("@Anna away 18-19 January", "2027-02-15"),  # days 11 and 12, in the middle of S3: day 31
    ("S5 late 1w", "2027-02-15"),  # Tom 8-21; S11 waits for S10, until day 21, anyway
    ("@Anna away 8-9 February", "2027-02-17"),  # days 26 and 27, in the middle of S12: day 33
    ("S12 owner Tom", "2027-02-15"),  # he is there: 25-28, S13 29, S14 30-31
    ("remove S12; S13 needs S11", "2027-02-11"),  # S13 25, and S14 once Anna is back: 28-29
    ("S11 not before 8 February", "2027-02-15"),  # day 26: 26-28, S13 29, S14 30-31
    ("S13 takes 3 days", "2027-02-17"),  # 29-31, S14 32-33
    ("all late 1w", "2027-02-24"),  # every open step a week later
]
"""Each thing after the ones before it, with the finish."""


def the_plan() -> Plan:
    steps = tuple(
        Step(id=name, title=f"Work {name}", owner=owner, effort=Effort(days, days, days), needs=needs, outcome="Made")
        for name, (owner, days, needs) in STEPS.items()
    )
    people = tuple(Person(id=f"P{number}", text=name) for number, name in enumerate(("Anna", "Tom"), 1))
    plan = Plan(
        title="Work",
        sections=(Section(id="steps", title="Steps", items=steps), Section(id="people", title="People", items=people)),
    )
    return with_dates(plan, start=MONDAY, deadline=None)


def version(number: int, plan: Plan, changes: tuple[Change, ...] = ()) -> PlanVersion:
    return PlanVersion(
        version=number, plan=plan, changes=changes, by="person", iteration=1, change=0.1, seq=number, time=""
    )


def test_fourteen_steps_are_finished_as_calculated_by_hand() -> None:
    assert figures(the_plan()).finish == date(2027, 2, 9)


def test_ten_messages_move_the_finish_as_calculated_by_hand_and_are_undone_exactly() -> None:
    versions = [version(1, the_plan())]
    for text, finish in SAID:
        before = versions[-1].plan
        read = parse(text, before, TODAY)
        assert isinstance(read, Parsed), (text, read)
        after = rescheduled(before, read.plan, today=TODAY).plan
        told = figures(after)
        assert told.finish == date.fromisoformat(finish), (text, [(one.step, one.start, one.end) for one in told.steps])
        done = next(one for one in told.steps if one.step == "S1")
        assert (done.start, done.end) == (MONDAY, date(2027, 1, 5)), "what is done does not move"
        changed = tuple(Change(one, Cause("person")) for one in operations_between(before, after))
        versions.append(version(len(versions) + 1, after, changed))
        back = undone(versions, str(len(versions)))
        assert applied(after, [change.operation for change in back]) == before, text
