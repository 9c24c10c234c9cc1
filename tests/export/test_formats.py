"""Steps in the forms of other tools: readers by other authors find every step again, whatever its texts hold."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import icalendar
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.tasklists import tasklists_plugin
from tests.full_plan import PLAN
from tests.properties.plans import plans
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Effort, Lag, Money, Plan, Section, Step
from workbench.domain.text.formulas import restored
from workbench.export.formats import FORMATS
from workbench.export.formats.tables import BYTE_ORDER_MARK, COLUMNS

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
SPACE = "{http://schemas.microsoft.com/project}"
HOSTILE = st.text(max_size=60) | st.sampled_from(
    [
        "=cmd()",
        " =cmd()",
        "\n=1+1",
        "＝1",
        "\ufffe",
        "\uffff",
        "a, b; c: d",
        "- [x] not a box",
        "</Name>",
        "]]>",
        "%%{init}%%",
        "\x1b[31m",
        "one\ntwo",
        "`**~~",
    ]
)
any_plan = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def exported(form: str, plan: Plan) -> str:
    return FORMATS[form](plan, NOW, "fair-x1y2")


def plan_of(*steps: Step) -> Plan:
    return Plan(title="Fair", sections=(Section(id="steps", title="Steps", items=steps),))


@st.composite
def hostile_plans(draw: st.DrawFn) -> Plan:
    texts = [draw(HOSTILE) for _ in range(5)]
    first = Step(id="S1", title=texts[0], outcome=texts[1], check=texts[2], owner=texts[3], notes=texts[4])
    return plan_of(first, Step(id="S2", title=texts[4], needs=("S1",), start="2027-05-03", end="2027-05-04"))


@any_plan
@given(plans() | hostile_plans())
def test_csv_has_a_row_for_each_step_and_no_formula(plan: Plan) -> None:
    text = exported("csv", plan)
    assert text.startswith(BYTE_ORDER_MARK)
    rows = list(csv.DictReader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK), newline="")))
    assert [(row["id"], restored(row["title"])) for row in rows] == [(step.id, step.title) for step in plan.steps]
    read = [FIELDS[Step]["Needs"].read(row["needs"]) for row in rows]
    assert read == [(step.needs, step.lags) for step in plan.steps]
    assert not any(value.lstrip().startswith(tuple("=+-@＝＋－＠")) for row in rows for value in row.values())


@any_plan
@given(plans() | hostile_plans())
def test_a_calendar_has_a_to_do_for_each_step(plan: Plan) -> None:
    text = exported("ics", plan)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    todos = icalendar.Calendar.from_ical(text).walk("VTODO")
    assert [str(todo["X-WORKBENCH-ID"]) for todo in todos] == [step.id for step in plan.steps]
    related = [todo.get("RELATED-TO", []) for todo in todos]
    known = {step.id for step in plan.steps}
    named = [[one for one in (step.parent, *step.needs) if one in known - {step.id}] for step in plan.steps]
    assert [len(one) if isinstance(one, list) else 1 for one in related] == list(map(len, named))


def test_calendars_of_two_sessions_stand_beside_each_other() -> None:
    plan = plan_of(Step(id="S2", title="Go", on="2027-05-03", needs=("S1",)), Step(id="S1", title="Rent"))
    ids = [
        {line for line in FORMATS["ics"](plan, NOW, session).split("\r\n") if line.startswith(("UID", "RELATED"))}
        for session in ("fair-a1b2", "fair-c3d4")
    ]
    assert "UID:s2.fair-a1b2@planning-workbench" in ids[0]
    assert "RELATED-TO;RELTYPE=DEPENDS-ON:s1.fair-c3d4@planning-workbench" in ids[1]
    assert not ids[0] & ids[1]


@any_plan
@given(plans() | hostile_plans())
def test_a_task_list_has_a_box_for_each_step(plan: Plan) -> None:
    html = MarkdownIt("commonmark").use(tasklists_plugin).render(exported("tasks", plan))
    boxes = len(re.findall(r'<input[^>]*type="checkbox"', html))
    assert boxes == len(plan.steps) + sum(bool(step.check) for step in plan.steps)
    assert re.findall(r"<strong>(S\d+)</strong>", html) == [step.id for step in plan.steps]


SPEC_KIT = re.compile(r"- \[[ X]\] T\d{3,}( \[P\])? .*")


@any_plan
@given(plans() | hostile_plans())
def test_spec_kit_has_a_line_for_each_step(plan: Plan) -> None:
    lines = [line for line in exported("spec-kit", plan).splitlines() if line.startswith("- ")]
    assert len(lines) == len(plan.steps)
    assert all(SPEC_KIT.fullmatch(line) for line in lines)


@any_plan
@given(plans() | hostile_plans())
def test_task_master_has_each_step_with_what_it_depends_on(plan: Plan) -> None:
    tasks = json.loads(exported("tasks.json", plan))["master"]["tasks"]
    parts = [(task, part) for task in tasks for part in task["subtasks"]]
    both = [*tasks, *(part for _, part in parts)]
    assert sorted(one["metadata"]["workbench"]["id"] for one in both) == sorted(step.id for step in plan.steps)
    assert [task["id"] for task, part in parts] == [
        next(
            one["id"] for one in tasks if one["metadata"]["workbench"]["id"] == part["metadata"]["workbench"]["parent"]
        )
        for _, part in parts
    ]
    ids = {task["id"] for task in tasks} | {f"{task['id']}.{part['id']}" for task, part in parts}
    assert all(set(task["dependencies"]) <= ids for task in tasks)


ORDER = [
    "UID", "ID", "Name", "Type", "OutlineLevel", "Start", "Finish", "Duration", "DurationFormat", "Estimated",
    "Milestone", "FixedCost", "PercentComplete", "ConstraintType", "ConstraintDate", "Deadline", "Notes",
    "PredecessorLink", "ExtendedAttribute",
]  # fmt: skip
"""Of the elements of a task in Microsoft's schema."""


@any_plan
@given(plans() | hostile_plans())
def test_ms_project_xml_has_each_open_step_in_the_order_of_the_schema(plan: Plan) -> None:
    project = ET.fromstring(exported("mspdi", plan))
    tasks = project.findall(f"{SPACE}Tasks/{SPACE}Task")
    assert len(tasks) == sum(step.status != "dropped" for step in plan.steps)
    for task in tasks:
        places = [ORDER.index(element.tag.removeprefix(SPACE)) for element in task]
        assert places == sorted(places)
    uids = {task.findtext(f"{SPACE}UID") for task in tasks}
    assert {link.text for link in project.iter(f"{SPACE}PredecessorUID")} <= uids
    assert {owner.text for owner in project.iter(f"{SPACE}TaskUID")} <= uids


def test_ms_project_xml_says_when_how_long_and_what_for() -> None:
    step = Step(
        id="S1", title="Rent the hall", owner="Anna", effort=Effort(1, 2.5, 4), start="2027-05-03", end="2027-05-05",
        not_before="2027-05-03", deadline="2027-05-06", cost=Money(PLAN.steps[0].cost.amount, "EUR"),
    )  # fmt: skip
    project = ET.fromstring(
        exported("mspdi", plan_of(step, Step(id="S2", title="Fair", on="2027-06-12", milestone=True)))
    )
    [first, second] = project.findall(f"{SPACE}Tasks/{SPACE}Task")
    told = {element.tag.removeprefix(SPACE): element.text for element in first}
    assert (told["Start"], told["Finish"]) == ("2027-05-03T08:00:00", "2027-05-05T17:00:00")
    assert (told["Duration"], told["ConstraintType"], told["FixedCost"]) == ("PT20H0M0S", "4", "120010.00")
    assert (second.findtext(f"{SPACE}Duration"), second.findtext(f"{SPACE}ConstraintType")) == ("PT0H0M0S", "2")
    assert [name.text for name in project.iter(f"{SPACE}Name")][-1] == "Anna"


@any_plan
@given(plans() | hostile_plans())
def test_a_gantt_chart_has_a_bar_for_each_dated_step(plan: Plan) -> None:
    lines = exported("mermaid", plan).splitlines()
    assert lines[0] == "gantt"
    bars = [line for line in lines[1:] if " :" in line]
    assert all(
        re.fullmatch(r"    [^:;#]+ :(?:\w+, )*[\w-]+, (?:\d{4}-\d\d-\d\d|after[\w -]+), (?:\d{4}-\d\d-\d\d|\d+d)", line)
        for line in bars
    )


@pytest.mark.parametrize("title", ["Call for talks", "click here", "Title of the book", "section 3", "2027-05-03"])
def test_a_title_that_reads_like_a_command_of_mermaid_begins_no_line(title: str) -> None:
    [bar] = exported("mermaid", plan_of(Step(id="S1", title=title, on="2027-05-03"))).splitlines()[-1:]
    assert bar.startswith("    S1 · ")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "name", ["S1\r\nATTENDEE:x", "S1, 2026-01-01, 9d\n section x", "S1** <b>\n- [x] y", "=1", "\u2028"]
)
def test_an_id_means_nothing_in_any_form(form, name):
    def of(name, other):
        return plan_of(
            Step(id=name, title="One", on="2027-05-03", parent=other),
            Step(id="S2", title="Two", start="2027-05-04", end="2027-05-04", needs=(name,), lags=(Lag(name, 1),)),
        )

    def signs(text):
        text = text.replace("\r\n ", "").replace("'-", "-")  # lines that were folded, a formula in a table
        return re.sub(r"[\w.-]+", "x", text)

    assert signs(exported(form, of(name, "S2\nX:y"))) == signs(exported(form, of("-", "-")))


def test_every_column_is_filled_from_a_field() -> None:
    [first, *_] = csv.DictReader(io.StringIO(exported("csv", PLAN).removeprefix(BYTE_ORDER_MARK), newline=""))
    assert tuple(first)[: len(COLUMNS)] == COLUMNS
    assert (first["cost"], first["currency"], first["tags"], first["status"]) == (
        "1200.10",
        "EUR",
        "town paper",
        "done",
    )
