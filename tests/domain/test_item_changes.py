"""An answer by item: what is named changes, with its cause; all else stays; a bad change costs itself alone."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import msgspec
import pytest
from tests.builders import FIRST_DRAFT, created
from workbench.domain.loop.answers.item_changes import Built, Known, built
from workbench.domain.loop.answers.item_reply import LISTS
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.asking.tasks import Finding, PlanTask
from workbench.domain.plan.changing.operations import AddItem, Cause, RemoveItem, SetField, applied
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Decision, Effort, Fund, Origin, Plan, Section, Step
from workbench.domain.plan.telling.plan_told import plan_told
from workbench.domain.plan.telling.schedule_told import with_computed_dates
from workbench.domain.session import events as say
from workbench.domain.session.named_files import Citations
from workbench.domain.statements.statement import Statement

PLAN = Plan(title="Move billing", sections=FIRST_DRAFT)
SAID = {
    "U1": Statement(id="U1", source="goal", start=0, text="Move billing"),
    "U2": Statement(id="U2", source="A1", start=0, text="Ann is away"),
    "U3": Statement(id="U3", source="F1", start=0, text="Tell the auditors"),
}
FOUND = (
    Finding(rule="steps.order", severity="major", text="S2 is before S1."),
    Finding(rule="model", severity="major", text="Nobody tells the auditors."),
)
KNOWN = Known(SAID, FOUND, Citations(()))


def answered(plan: Plan | None = PLAN, **reply: Any) -> Built:
    task = PlanTask(goal="g", today="2026-03-02", iteration=2, plan=plan, by_item=True)
    read = read_reply(task, json.dumps({"statements": []} | reply))
    done = built(plan or Plan(title=""), read.reply, KNOWN)
    assert applied(plan or Plan(title=""), (one.operation for one in done.changes)) == done.plan
    return done


def item(done: Built, name: str) -> Any:
    return next(one for one in done.plan.items if one.id == name)


def recordable(done: Built) -> bool:
    """Tell whether changes read the same as they are written: what a log refuses breaks a session off."""
    body = say.PlanChanged(version=2, changes=done.changes, by="planner", change=0.1)
    return msgspec.json.decode(msgspec.json.encode(body), type=say.PlanChanged) == body


# --- what stays -------------------------------------------------------------------------------------------------------


def test_an_answer_that_names_nothing_changes_nothing():
    done = answered()
    assert done.plan is PLAN
    assert (done.changes, done.unasked, done.notes) == ((), (), ())


def test_what_is_not_named_is_the_very_same_object():
    done = answered(steps=[{"id": "S2", "owner": "Ann", "title": None}])
    assert [one is other for one, other in zip(done.plan.items, PLAN.items, strict=True)] == [True, True, False]
    assert item(done, "S2") == msgspec.structs.replace(PLAN.steps[1], owner="Ann"), "null is unchanged, too"
    assert [one.operation for one in done.changes] == [SetField("S2", "owner", "Ann")]


CHANGED = [
    ("steps", "S2", {"effort": {"low": 1, "likely": 1, "high": 2}}),
    ("steps", "S2", {"cost": {"amount": 1200.5, "currency": "EUR"}}),
    ("steps", "S2", {"lags": [{"step": "S1", "days": 2}]}),
    ("steps", "S2", {"needs": []}),
    ("steps", "S1", {"needs": ["S2"]}),
    ("steps", "S1", {"also": ["Bob", "Cid"]}),
    ("steps", "S1", {"deadline": "2026-05-01", "waiting": 3, "milestone": True}),
    ("criteria", "C1", {"due": "2026-07-01"}),
    ("steps", "S2", {"clear": ["needs", "check"]}),
    ("steps", "S2", {"below": "C1"}),
]


@pytest.mark.parametrize(("name", "of", "fields"), CHANGED, ids=lambda value: str(value)[:40])
def test_each_kind_of_change_is_done_and_reads_as_it_is_written(name, of, fields):
    done = answered(**{name: [{"id": of} | fields]})
    assert done.changes
    assert done.notes == ()
    assert recordable(done)


def test_a_step_that_answers_a_day_ends_the_finding_that_none_does():
    """Of the steps after the day, which nobody has to be late for, the finding said “and no step answers K1”."""
    day = {"id": "new1", "text": "Live", "limits": "date", "day": "2026-04-17", "sets": "goal-day"}
    late = [{"id": "S1", "on": "2026-04-13"}, {"id": "S2", "on": "2026-04-20"}]

    def late_by(done: Built) -> list[str]:
        plan = with_computed_dates(None, done.plan, date(2026, 3, 2))
        return [one.text for one in check_plan(plan, today=date(2026, 3, 2)) if one.rule == "dates.deadline"]

    before = answered(constraints=[day], steps=late)
    assert ["no step answers K1" in text for text in late_by(before)] == [True]
    after = answered(constraints=[day], steps=[late[0] | {"answers": ["new1"]}, late[1]])
    assert item(after, "S1").answers == ("K1",)
    assert late_by(after) == []
    assert "answers K1" in plan_told(after.plan), "who plans sees what it said"


def test_what_is_cleared_is_as_if_it_had_never_been_said():
    done = answered(steps=[{"id": "S2", "clear": ["owner", "effort", "needs", "title", "id", "nonsense"]}])
    step = item(done, "S2")
    assert (step.owner, step.effort, step.needs) == ("", None, ())
    assert (step.title, step.id) == ("Switch invoices over", "S2"), "what has to be there stays"


def test_an_empty_text_empties_and_null_leaves_a_field_as_it_is():
    decision = Decision(id="D1", text="Which day?", owner="Ann", latest="2026-03-05", advice="Friday", assumed="Friday")
    plan = Plan(title="", sections=(*FIRST_DRAFT, Section(id="decisions", title="Decisions", items=(decision,))))
    changed = {"id": "D1", "text": "Friday", "owner": "", "latest": "", "advice": "", "assumed": None}
    done = answered(plan, decisions=[changed])
    assert item(done, "D1") == Decision(id="D1", text="Friday", assumed="Friday")
    assert not item(done, "D1").is_open
    assert done.notes == ()


# --- what is new ------------------------------------------------------------------------------------------------------


def test_new_items_get_ids_of_the_plan_wherever_they_are_named():
    done = answered(
        funds=[{"id": "new1", "text": "Budget"}],
        places=[{"id": "new2", "text": "Hall"}],
        decisions=[{"id": "new3", "text": "Rent or buy?"}],
        steps=[
            {"id": "new4", "title": "Rent", "needs": ["S2", "new5"], "lags": [{"step": "new5", "days": 1}],
             "fund": "new1", "place": "new2", "decisions": ["new3"], "parent": "new5"},
            {"id": "new5", "title": "Sign"},
            {"id": "S1", "below": "new5"},
        ],
    )  # fmt: skip
    rent = next(one for one in done.plan.steps if one.title == "Rent")
    sign = next(one for one in done.plan.steps if one.title == "Sign")
    assert (rent.id, sign.id) == ("S3", "S4")
    assert (rent.needs, rent.lags[0].step, rent.parent) == (("S2", "S4"), "S4", "S4")
    kinds = {type(one): one.id for one in done.plan.items}
    assert (rent.fund, rent.place, rent.decisions) == (kinds[Fund], item(done, rent.place).id, (kinds[Decision],))
    steps = [one.id for one in done.plan.section("steps").items if isinstance(one, Step)]
    assert steps.index("S1") == steps.index("S4") + 1


def test_references_in_prose_get_the_ids_of_new_items():
    done = answered(
        steps=[{"id": "new1", "title": "Rent"}, {"id": "new2", "title": "Move", "outcome": "Done {new1.end}"}],
        sections=[{"id": "approach", "text": "Rent by {new1.end}, move until {new2.end}; {S1.start} stays."}],
    )
    assert done.plan.section("approach").text == "Rent by {S3.end}, move until {S4.end}; {S1.start} stays."
    assert item(done, "S4").outcome == "Done {S3.end}"


def test_statements_name_new_items_by_the_ids_that_they_get():
    task = PlanTask(goal="g", today="2026-03-02", iteration=2, plan=PLAN, by_item=True)
    said = [{"id": "U3", "state": "used", "items": ["new1", "S1"]}]
    reply: Any = read_reply(task, json.dumps({"statements": said, "steps": [{"id": "new1", "title": "Tell"}]})).reply
    assert reply.statements[0].items == ("S3", "S1")


@pytest.mark.parametrize("name", LISTS)
def test_each_kind_of_item_can_be_new_and_finds_its_section(name):
    words = {"title": "New"} if name == "steps" else {"text": "New", "day": "2026-05-01"}
    done = answered(**{name: [{"id": "new1"} | words, {"id": "new2"} | words]})
    kinds = [type(one.operation.item) for one in done.changes if isinstance(one.operation, AddItem)]
    assert kinds == [LISTS[name]] * 2, done.notes
    assert len({one.id for one in done.plan.items}) == len(PLAN.items) + 2
    assert recordable(done)
    again = answered(done.plan, **{name: [{"id": "new1"} | words]})
    assert len(again.plan.sections) == len(done.plan.sections), "the next one stands beside them"


def test_prose_is_written_whole_and_a_new_section_stands_in_the_usual_order():
    done = answered(sections=[{"id": "approach", "text": "Step by step."}, {"id": "goal", "text": "Billing runs."}])
    assert [section.id for section in done.plan.sections] == ["goal", "criteria", "approach", "steps"]
    assert done.plan.section("goal").text == "Billing runs."
    assert answered(sections=[{"id": "goal", "text": PLAN.sections[0].text}]).changes == ()


# --- why --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("because", "cause", "origin", "causes"),
    [
        ([], Cause("planner"), Origin("model"), ()),
        (["U1"], Cause("statement", "U1"), Origin("goal", "U1"), ("U1",)),
        (["U2"], Cause("statement", "U2"), Origin("answer", "A1, U2"), ("U2",)),
        (["U3", "U1"], Cause("statement", "U3, U1"), Origin("feedback", "F1, U3, U1"), ("U3", "U1")),
        (["V1"], Cause("finding", "steps.order"), Origin("finding", "steps.order"), ()),
        (["V2", "U3"], Cause("statement", "U3"), Origin("feedback", "F1, U3"), ("U3",)),
        (["V2"], Cause("finding", FOUND[1].text), Origin("finding", FOUND[1].text), ()),
        (["V3", "U9", "S1", "it is better so"], Cause("planner"), Origin("model"), ()),
    ],
)
def test_causes_are_those_that_were_named_and_are_there(because, cause, origin, causes):
    done = answered(
        steps=[{"id": "new1", "title": "Tell", "because": because}, {"id": "S1", "owner": "Ann", "because": because}]
    )
    added, changed, *_ = (one for one in done.changes)
    assert (added.cause, changed.cause) == (cause, cause)
    assert (item(done, "S3").origin, item(done, "S3").causes, item(done, "S1").causes) == (origin, causes, causes)
    assert bool(done.notes) is (because != [] and cause == Cause("planner"))


def test_a_decision_keeps_what_its_calculated_finding_is_about():
    found = Finding(rule="money.limit", severity="major", text="Too dear.", item="C1")
    judged = Finding(rule="model", severity="major", text="Too bold.", item="S1")
    decision = Decision(id="D1", text="Dearer?", owner="Ann")
    plan = Plan(title="", sections=(*FIRST_DRAFT, Section(id="decisions", title="Decisions", items=(decision,))))
    read = read_reply(
        PlanTask(goal="g", today="2026-03-02", iteration=2, plan=plan, by_item=True),
        json.dumps({"decisions": [{"id": "D1", "because": ["V1", "V2"]}]}),
    )
    done = built(plan, read.reply, KNOWN._replace(findings=(found, judged)))
    assert item(done, "D1").causes == ("C1",)


@pytest.mark.parametrize(
    ("because", "is_done"), [(["U3"], True), (["V1"], True), (["U9", "U3"], True), ([], False), (["U9"], False)]
)
def test_what_has_no_cause_is_not_removed(because, is_done):
    done = answered(remove=[{"id": "S2", "because": because}])
    assert ("S2" in [one.id for one in done.plan.steps]) is not is_done
    assert done.unasked == (() if is_done else (RemoveItem("S2"),))


# --- what is bad ------------------------------------------------------------------------------------------------------

BAD = [
    {"steps": [{"id": "new1", "owner": "nobody says what to do"}]},
    {"steps": [{"id": "S9", "needs": ["S1"]}]},
    {"risks": [{"id": "S1", "text": "an id of another kind"}]},
    {"criteria": [{"id": "S1", "text": "an id of another kind"}]},
    {"steps": [{"id": "S2", "below": "S77"}]},
    {"remove": [{"id": "S77", "because": ["U1"]}]},
    {"remove": [{"id": "steps", "because": ["U1"]}]},
    {"steps": [{"id": "S2", "effort": {"low": "x"}}]},
    {"steps": ["Do it well"]},
    {"sections": [{"text": "nowhere"}]},
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: json.dumps(bad)[:50])
def test_a_bad_change_costs_itself_alone(bad):
    good = {"id": "S1", "owner": "Ann"}
    done = answered(**bad | {"steps": [*bad.get("steps", ()), good]})
    assert item(done, "S1").owner == "Ann"
    assert item(done, "S2") == PLAN.steps[1]
    assert recordable(done)


def test_a_finding_of_an_item_that_is_removed_and_named_again_is_no_crash():
    done = answered(steps=[{"id": "S2", "title": "Other"}], remove=[{"id": "S2", "because": ["U1"]}] * 2)
    assert [one.id for one in done.plan.steps] == ["S1"]
    assert done.notes == ("S2 was not removed: there is no such item.",)


def test_a_first_draft_by_item_has_its_sections_in_the_usual_order():
    draft = {
        "title": "Move",
        "steps": [{"id": "new1", "title": "Go", "effort": {"low": 1, "likely": 2, "high": 3}}],
        "risks": [{"id": "new1", "text": "Rain"}],
        "criteria": [{"id": "new1", "text": "It runs"}],
        "sections": [{"id": "goal", "text": "It runs."}],
    }
    done = answered(None, **draft)
    assert [section.id for section in done.plan.sections] == ["goal", "criteria", "steps", "risks"]
    assert (done.plan.title, done.plan.steps[0].id, done.plan.steps[0].effort) == ("Move", "S1", Effort(1, 2, 3))
    assert recordable(done)


def test_the_events_of_sessions_are_of_this_kind():
    assert created().options.model == "guided", "the sessions that these rules are not for"
