"""Ten things that a person says of a plan under way, in one line each: the finish is that of a calculation by hand.

Anna  S1 ── S2 ── S3 ── S4 ─┬─ S9 ── S10 ─┬─       S12        ─ S14      working days from Monday, 4 January 2027;
      1-2   3-5   6-10 11-12│ 13-15 16-17 │       21-24         26-27    day 5 is Friday the 8th, day 6 Monday the 11th
Tom   └──── S5 ─── S6 ──────┴─ S7 ── S8 ──┴─ S11 ─       ─ S13
            3-6    7-9         10-14 15-16   18-20         25
"""

from __future__ import annotations

from datetime import date

import pytest
from workbench.domain.loop.reports import changes_in
from workbench.domain.plan.figures import figures
from workbench.domain.plan.history import undone
from workbench.domain.plan.operations import Change, applied
from workbench.domain.plan.plan import Effort, Person, Plan, Section, Step
from workbench.domain.plan.schedule import with_dates
from workbench.domain.requests import read_requests
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
    ("S1 done on 5 January", "2027-02-09"),  # as planned: day 27
    ("S3 takes 7 days, not 5", "2027-02-11"),  # Anna's way is the longest: day 29
    ("Anna is away 18-19 January", "2027-02-15"),  # days 11 and 12, in the middle of S3: day 31
    ("S5 delayed by a week", "2027-02-15"),  # Tom 8-21; S11 waits for S10, until day 21, anyway
    ("Anna is away 8-9 February", "2027-02-17"),  # days 26 and 27, in the middle of S12: day 33
    ("Tom takes over S12", "2027-02-15"),  # he is there: 25-28, S13 29, S14 30-31
    ("drop S12", "2027-02-11"),  # S13 25, and S14 once Anna is back: 28-29
    ("S11 not before 8 February", "2027-02-15"),  # day 26: 26-28, S13 29, S14 30-31
    ("S13 takes 3 days", "2027-02-17"),  # 29-31, S14 32-33
    ("we are a week late", "2027-02-22"),  # S2 8-10, S3 13-19, …, S10 25 and 28, S11 29-31, S13 32-34, S14 35-36
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
        sections=(
            Section(id="steps", title="Steps", items=steps),
            Section(id="people", title="People", items=people),
        ),
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
        requests = read_requests(text, before, today=TODAY)
        assert [request.outcome for request in requests] == ["done"], (text, requests)
        after = applied(before, [operation for request in requests for operation in request.operations])
        told = figures(after)
        assert told.finish == date.fromisoformat(finish), (text, [(one.step, one.start, one.end) for one in told.steps])
        done = next(one for one in told.steps if one.step == "S1")
        assert (done.start, done.end) == (MONDAY, date(2027, 1, 5)), "what is done does not move"
        versions.append(version(len(versions) + 1, after, changes_in(requests)))
        back = undone(versions, str(len(versions)))
        assert applied(after, [change.operation for change in back]) == before, text


@pytest.mark.parametrize(
    "text", ["S5 is delayed by a week", "S5 got delayed by one week", "S5 has been delayed a week"]
)
def test_a_delay_is_read_however_it_is_said(text: str) -> None:
    [request] = read_requests(text, the_plan(), today=TODAY)
    assert request.outcome == "done", request
    assert request.answer.startswith("S5 is 1 week later; ")


@pytest.mark.parametrize("text", ["S5 150% done", "150% of S5 is done", "S5 is at 101 percent"])
def test_more_than_all_of_a_step_is_asked_back(text: str) -> None:
    [request] = read_requests(text, the_plan(), today=TODAY)
    assert (request.outcome, request.operations) == ("asked", ()), request
    assert "is more than all of" in request.answer
    [whole] = read_requests("S5 is 100% done", the_plan(), today=TODAY)
    assert whole.outcome == "done"


@pytest.mark.parametrize("text", ["two weeks late", "we are two weeks late", "The project is 2 weeks behind schedule"])
def test_a_delay_of_the_whole_needs_no_subject(text: str) -> None:
    [request] = read_requests(text, the_plan(), today=TODAY)
    assert request.answer.startswith("The work that is still open begins 2 weeks later; ")


@pytest.mark.parametrize(
    ("text", "finished"), [("S1 finished a day early", "2027-01-04"), ("S1 was done one day late", "2027-01-06")]
)
def test_early_and_late_are_said_of_the_planned_day_and_are_no_duration(text: str, finished: str) -> None:
    [request] = read_requests(text, the_plan(), today=TODAY)
    [step, *_] = applied(the_plan(), request.operations).steps
    assert (request.outcome, step.status, step.finished, step.started) == ("done", "done", finished, None)
    [asked] = read_requests(text.replace("S1", "S3"), the_plan(), today=TODAY)
    assert (asked.outcome, asked.operations) == ("asked", ()), "S3 was to end on a day that is still to come"


@pytest.mark.parametrize("text", ["we give up", "The plan is given up", "give the plan up", "Abandon the plan"])
def test_giving_a_plan_up_is_for_the_session(text: str) -> None:
    [request] = read_requests(text, the_plan(), today=TODAY)
    assert (request.control, request.operations) == ("give up", ())
