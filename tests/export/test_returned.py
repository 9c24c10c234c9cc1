"""Exports of a session come back: unedited they change nothing, edited they change what was edited."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from tests.domain.sound_plans import names, sound
from tests.full_plan import PLAN, state_with
from tests.properties.plans import plans
from workbench.domain.errors import UsageError
from workbench.domain.plan.changing.operations import Operation, SetField, applied, operations_between
from workbench.domain.plan.importing.matching import brought_in
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Effort, Money, Plan, Section, Step
from workbench.domain.session.session import SessionState
from workbench.export.formats import FORMATS
from workbench.export.formats.losses import left_out
from workbench.export.markdown import session_markdown, version_of
from workbench.export.objects import session_object
from workbench.export.plan_page import plan_page
from workbench.export.returned import written_from

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
PLANS = {"full": PLAN, **{name: sound(name).plan for name in names()}}
ENDS = {
    "md": "md", "json": "json", "html": "html", "mermaid": "mmd", "tasks": "md", "spec-kit": "md", "mspdi": "xml",
    "ics": "ics",
}  # fmt: skip
NOT_READ = {"html"}
FORMS = ("md", "json", "html", *FORMATS)


def exported(form: str, state: SessionState) -> str:
    if form in FORMATS:
        return FORMATS[form](state.plan, NOW, state.session)
    forms: dict[str, Callable[[SessionState], str]] = {
        "md": session_markdown,
        "json": lambda state: json.dumps(session_object(state), ensure_ascii=False, indent=2),
        "html": plan_page,
    }
    return forms[form](state)


def changes(text: str, form: str, state: SessionState) -> tuple[Operation, ...]:
    """Return what a file changes in a session's plan."""
    name, today = f"plan.{ENDS.get(form, form)}", date(2026, 3, 2)
    of = version_of(text, state)
    base = of.plan if of else state.plan
    imported = import_plan(text, name=name, today=today, base=base)
    was = None if of else written_from(text, imported, state, source=name, today=today)
    if was is not None and was.version is not None:
        base = was.version.plan
        imported = import_plan(text, name=name, today=today, base=base)
    written = was.imported if was else None
    return operations_between(base, brought_in(base, imported, source=name, written=written))


@pytest.mark.cases(14)
@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("form", FORMS)
def test_an_unedited_export_changes_nothing_or_is_refused(form, name):
    state = state_with(PLANS[name])
    if form in NOT_READ:
        with pytest.raises(UsageError, match="cannot be read as a plan"):
            changes(exported(form, state), form, state)
    else:
        assert changes(exported(form, state), form, state) == ()


@pytest.mark.cases(3)
@pytest.mark.parametrize("form", [form for form in FORMS if form not in NOT_READ])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plan=plans())
def test_an_unedited_export_of_any_plan_changes_nothing(form, plan):
    state = state_with(plan)
    text = exported(form, state)
    try:
        assert changes(text, form, state) == ()
    except UsageError:
        assert not plan.steps


MEANT_OTHERWISE = {
    "csv": {"started", "finished"},  # in the columns of the days planned
    "tasks.json": {"started", "finished"},
    "mspdi": {"started", "finished"},
    "ics": {"started", "outcome", "check", "notes"},  # all in one description
    "mermaid": {"started", "finished", "start", "end", "on"},
    "tasks": {"owner"},  # a handle
    "spec-kit": {"workstream"},  # "Phase 1: …"
}


@pytest.mark.parametrize("form", FORMATS)
def test_what_a_form_does_not_hold_is_told(form):
    hours = Step(id="S9", title="Weigh", on="2026-03-09", hours="10:00-11:00", priority="high", other={"Lot": "7"})
    last = replace(PLAN.sections[-1], items=(*PLAN.sections[-1].items, hours))
    plan = replace(PLAN, sections=(*PLAN.sections[:-1], last))
    text = exported(form, state_with(plan))
    read = import_plan(text, name=f"p.{ENDS.get(form, form)}", today=date(2026, 3, 2), base=plan).plan
    there = {bare(step.title): step for step in read.steps}
    told = left_out(plan, form)
    for label, field in FIELDS[Step].items():
        lost = [
            step.id
            for step in plan.steps
            if field.text_of(step) and (one := there.get(bare(step.title)))
            if getattr(one, field.name) != getattr(step, field.name)
        ]
        if lost and field.name not in MEANT_OTHERWISE[form] | {"origin", "causes", "status", "needs"}:
            assert f"{label.lower()} (" in told, (field.name, lost)
    assert f"{len(plan.steps) - len(read.steps)} step" in told or len(plan.steps) == len(read.steps)
    assert "1 risk" in told


# --- edits of a table -------------------------------------------------------------------------------------------------


def edited(plan: Plan, change: Callable[[list[dict[str, str]]], None], delimiter: str = ",") -> str:
    """Return the CSV of a plan as somebody saves it who changed its rows."""
    rows = list(csv.DictReader(io.StringIO(exported("csv", state_with(plan)).removeprefix("\ufeff"), newline="")))
    change(rows)
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0].keys(), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def row(rows: list[dict[str, str]], name: str) -> dict[str, str]:
    return next(one for one in rows if one["id"] == name)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_edited_cells_of_a_table_act_and_no_others(delimiter):
    def change(rows):
        row(rows, "S4").update(start="2026-03-12", end="2026-03-27", low="3", likely="4", high="7", owner="Ben")
        row(rows, "S3")["status"] = "done"
        row(rows, "S6")["deadline"] = ""
        row(rows, "S3")["end"] = "2026-03-10"

    operations = changes(edited(PLAN, change, delimiter), "csv", state_with(PLAN))
    assert {(one.item, one.field, str(one.value)) for one in operations} == {
        ("S4", "start", "2026-03-12"),
        ("S4", "end", "2026-03-27"),
        ("S4", "effort", "{'low': 3.0, 'likely': 4.0, 'high': 7.0}"),
        ("S4", "owner", "Ben"),
        ("S3", "status", "done"),
        ("S3", "end", "2026-03-10"),
        ("S6", "deadline", "None"),
    }


@pytest.mark.parametrize("written", [r"\3.\2.\1", r"\2/\3/\1", r"\3/\2/\1", r"\3-\2-\1"])
@pytest.mark.parametrize("sign", [".", ","])
def test_dates_and_numbers_come_back_as_spreadsheets_of_any_country_write_them(written, sign):
    def change(rows):
        for one in rows:
            for name, cell in one.items():
                one[name] = re.sub(r"(\d{4})-(\d\d)-(\d\d)", written, cell)
            for name in ("low", "likely", "high", "cost"):
                one[name] = one[name].replace(".", sign)
        row(rows, "S4")["status"] = "In progress"

    assert changes(edited(PLAN, change), "csv", state_with(PLAN)) == (SetField("S4", "status", "under-way"),)


def test_a_done_is_never_reset():
    def change(rows):
        for one in rows:
            one["status"] = "todo"

    operations = changes(edited(PLAN, change), "csv", state_with(PLAN))
    assert applied(PLAN, operations).steps[0].status == "done"
    text = exported("tasks", state_with(PLAN)).replace("[x]", "[ ]")
    assert applied(PLAN, changes(text, "tasks", state_with(PLAN))).steps[0].status == "done"


def test_tasks_that_task_master_saved_are_the_same_steps():
    """It writes ids and dependencies as texts, adds keys of its own, and keeps what stands in the metadata."""
    value = json.loads(exported("tasks.json", state_with(PLAN)))
    tasks = value["master"]["tasks"]
    for task in (*tasks, *(part for one in tasks for part in one["subtasks"])):
        task |= {"id": str(task["id"]), "dependencies": [str(one) for one in task["dependencies"]]}
        task |= {"updatedAt": "2026-03-03T10:00:00.000Z"}
        task["status"] = "done" if task["metadata"]["workbench"]["id"] == "S4" else task["status"]
    value["master"]["metadata"] = {"version": "1.0.0", "taskCount": len(value["master"]["tasks"])}
    text = json.dumps(value)
    assert changes(text, "tasks.json", state_with(PLAN)) == (SetField("S4", "status", "done"),)


SPACE = "http://schemas.microsoft.com/project"


def project_edited(change: Callable[[dict[str, ET.Element]], None]) -> str:
    """Return the MS-Project XML of the plan as a program saves it in which somebody changed tasks, by their ids."""
    ET.register_namespace("", SPACE)
    project = ET.fromstring(exported("mspdi", state_with(PLAN)))
    named = {task.findtext(f"{{{SPACE}}}ExtendedAttribute/{{{SPACE}}}Value"): task for task in project.iter(TASK)}
    change(named)
    return ET.tostring(project, encoding="unicode", xml_declaration=True)


TASK = f"{{{SPACE}}}Task"


def test_edited_tasks_of_a_project_act_and_no_others():
    def change(tasks):
        for name, field, value in [
            ("S4", "PercentComplete", "100"),
            ("S6", "Duration", "PT40H0M0S"),
            ("S6", "Name", "Put up the stage & the lights"),
            ("S2", "FixedCost", "45050"),
            ("S1", "PercentComplete", "0"),
        ]:
            found = tasks[name].find(f"{{{SPACE}}}{field}")
            element = ET.SubElement(tasks[name], f"{{{SPACE}}}{field}") if found is None else found
            element.text = value

    operations = changes(project_edited(change), "mspdi", state_with(PLAN))
    assert {(one.item, one.field) for one in operations} == {
        ("S4", "status"),
        ("S6", "effort"),
        ("S6", "title"),
        ("S2", "cost"),
    }, "and what is done stays done"
    steps = {step.id: step for step in applied(PLAN, operations).steps}
    assert (steps["S4"].status, steps["S6"].title) == ("done", "Put up the stage & the lights")
    assert (steps["S6"].effort, steps["S2"].cost) == (Effort(5, 5, 5), Money(Decimal("450.50"), "EUR"))


def test_a_task_that_somebody_added_to_a_project_is_a_new_step():
    text = exported("mspdi", state_with(PLAN)).replace(
        "</Tasks>",
        "<Task><UID>99</UID><Name>Thank the sellers</Name><OutlineLevel>1</OutlineLevel><Duration>PT4H0M0S</Duration>"
        "<PredecessorLink><PredecessorUID>7</PredecessorUID><Type>1</Type></PredecessorLink></Task></Tasks>",
    )
    after = applied(PLAN, changes(text, "mspdi", state_with(PLAN)))
    [new] = [step for step in after.steps if step not in PLAN.steps]
    assert (new.title, new.effort, new.needs) == ("Thank the sellers", Effort(0.5, 0.5, 0.5), ("S7",))
    assert new.id not in {step.id for step in PLAN.steps}


def test_a_formula_under_any_separator_is_text_and_comes_back() -> None:
    cells = [
        "x;=cmd|' /C calc'!A0",
        "=1+1",
        "'=1",
        "a,\t@x",
        "it's; '-y",
        "+49 30",
        "  =2",
        'b;"=3"',
        "＝4",
        "\ufeff=5",
        "a;\u200b=6",
    ]
    steps = tuple(Step(id=f"S{at}", title=f"T{at}", outcome=cell.strip()) for at, cell in enumerate(cells, 1))
    plan = Plan(title="T", sections=(Section(id="steps", title="Steps", items=steps),))
    state = state_with(plan)
    text = exported("csv", state)
    for separator in ",;\t":
        rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
        found = [cell for row in rows for cell in row if re.match(r"[\s\"\ufeff\u200b]*[=+\-@＝]", cell)]
        assert not found
    assert not changes(text, "csv", state)
