"""What no model is asked for stays as it was when a model writes a section again."""

from __future__ import annotations

from msgspec.structs import replace
from workbench.domain.loop.answers.causes import Causes, with_what_no_model_says
from workbench.domain.plan.plan import (
    Decision,
    Fund,
    Origin,
    Person,
    Plan,
    Progress,
    Row,
    Rule,
    Section,
    Step,
    WorkingTime,
)

STEP = Step(
    id="S1",
    title="Switch",
    owner="Anna",
    also=("Ben",),
    each=True,
    waits_working=True,
    repeat=Rule("week", "2027-01-05"),
    progress=Progress(5, 8),
    other={"Sprint": "12"},
    causes=("F2",),
    origin=Origin("person"),
)
FUND = Fund(id="M1", text="Budget")
ROW = Row(id="T1", text="Stop the writes", day="2027-05-03")


def plan_of(*items) -> Plan:
    return Plan(title="Night", sections=(Section(id="steps", title="Steps", items=items),))


def written_by_a_model(old: Plan, new: Plan) -> tuple:
    return with_what_no_model_says(old, new, Causes(old, new, (), (), ())).items


def test_fields_that_a_model_does_not_name_stay():
    decision = Decision(id="D1", text="Which hall?", owner="Anna", latest="2027-03-01", origin=Origin("person"))
    hours = WorkingTime(id="W1", hours="09:00-17:00", target=5, origin=Origin("person"))
    old = plan_of(STEP, decision, hours)
    said = (Step(id="S1", title="Switch over", owner="Anna"), Decision(id="D1", text="Hall?"), WorkingTime(id="W1"))
    assert written_by_a_model(old, plan_of(*said)) == (
        replace(STEP, title="Switch over"),
        replace(decision, text="Hall?"),
        hours,
    )


def test_what_a_model_is_asked_for_goes_where_it_says_nothing():
    old = plan_of(Person(id="P1", text="Anna", hours=20, origin=Origin("person")))
    [person] = written_by_a_model(old, plan_of(Person(id="P1", text="Anna")))
    assert person.hours is None


def test_a_field_that_a_model_names_is_as_it_says():
    [step] = written_by_a_model(plan_of(STEP), plan_of(replace(STEP, also=("Clara",), other={"Sprint": "13"})))
    assert (step.also, step.other) == (("Clara",), {"Sprint": "13"})


def test_items_of_a_kind_that_a_model_is_not_asked_for_stay():
    old = plan_of(FUND, STEP, ROW)
    items = written_by_a_model(old, plan_of(replace(STEP, title="Switch over")))
    assert items == (replace(STEP, title="Switch over"), FUND, ROW)
    assert written_by_a_model(old, old) == old.items
