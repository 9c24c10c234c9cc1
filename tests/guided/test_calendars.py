"""The guided planner keeps to the calendar of a plan when it dates the steps again."""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace
from workbench.domain.plan.plan import Days, DaysOff, Effort, Person, Plan, Section, Step
from workbench.domain.plan.schedule import days_of
from workbench.guided.editing import settled
from workbench.guided.rendering import schedule_section

MONDAY = date(2027, 1, 4)
OFF = DaysOff(id="H1", text="Holidays", days=(Days("2027-01-05", "2027-01-06"),))


def plan_of(*items: Step | DaysOff | Person) -> Plan:
    return Plan(
        title="", sections=(Section(id="steps", title="Steps", items=items), Section(id="schedule", title="Schedule"))
    )


def step(number: int, days: float = 2, **fields: object) -> Step:
    effort = Effort(low=days, likely=days, high=days)
    return Step(**{"id": f"S{number}", "title": f"Task {number}", "effort": effort, **fields})


def dated_again(before: Plan, after: Plan) -> dict[str, tuple[str | None, str | None]]:
    plan = settled(before, after, today=MONDAY, deadline=None, first_things={})
    return {one.id: (one.start, one.end) for one in plan.steps}


def test_new_dates_avoid_days_off():
    before = plan_of(OFF, step(1, start="2027-01-04", end="2027-01-04"))
    after = plan_of(OFF, step(1, start="2027-01-04", end="2027-01-04"), step(2, needs=("S1",)))
    assert dated_again(before, after) == {"S1": ("2027-01-04", "2027-01-07"), "S2": ("2027-01-08", "2027-01-11")}
    text = schedule_section(replace(after, title="x"), None).text
    assert "4 working days from the first day" in text, "the days off are none of them"
    assert {date(2027, 1, 5), date(2027, 1, 6)} == set(days_of(OFF.days))


def test_a_person_does_one_thing_at_a_time():
    anna = Person(id="P1", text="Anna")
    before = plan_of(anna, step(1, owner="Anna", start="2027-01-04", end="2027-01-05"))
    after = plan_of(anna, *before.steps, step(2, owner="Anna"))
    assert dated_again(before, after)["S2"] == ("2027-01-06", "2027-01-07")


def test_what_is_done_or_dropped_stays_as_it_is():
    done = step(1, status="done", start="2027-01-04", end="2027-01-08", started="2027-01-04", finished="2027-01-05")
    dropped = step(2, status="dropped", start="2027-01-11", end="2027-01-12")
    before = plan_of(done, dropped)
    told = dated_again(before, plan_of(done, dropped, step(3, needs=("S1",))))
    assert told == {
        "S1": ("2027-01-04", "2027-01-08"),
        "S2": ("2027-01-11", "2027-01-12"),
        "S3": ("2027-01-06", "2027-01-07"),
    }


def test_a_week_without_work_is_the_checks_to_say():
    nobody = Person(id="P1", text="Anna", hours=0.0)
    before = plan_of(nobody, step(1, start="2027-01-04", end="2027-01-05"))
    assert dated_again(before, plan_of(nobody, *before.steps, step(2)))["S2"] == ("2027-01-04", "2027-01-05")
