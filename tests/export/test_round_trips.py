"""Samples of other tools go in, out, through an edit as their tool makes it, and back: nothing is lost, ids stay.

    village_market/ ─ import ─▶ plan ─ export ─▶ file ─ edited as its tool does ─▶ import ─▶ operations ─▶ plan

The first step of each sample is done, and each edit says that it is not: a done step is never reset.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.export.test_returned import NOW, changes, exported
from tests.full_plan import state_with
from workbench.domain.plan.changing.operations import AddItem, SetField, applied
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.plan.scheduling.schedule import with_dates
from workbench.export.formats import FORMATS
from workbench.export.formats.losses import left_out

SAMPLES = Path(__file__).parent / "village_market"
FORMS = {
    "github-tasklist.md": "tasks", "speckit-tasks.md": "spec-kit", "gantt.mmd": "mermaid", "workbench.csv": "csv",
    "plan-mspdi.xml": "mspdi", "tasks.json": "tasks.json",
}  # fmt: skip
Edit = Callable[[str], str]


def plan_of(sample: str) -> Plan:
    """Return a sample as a plan with a schedule, as a session has it after its first round."""
    text = (SAMPLES / sample).read_bytes().decode()
    plan = import_plan(text, name=sample, today=date(2027, 5, 3)).plan
    assert [step.id for step in plan.steps] == ["S1", "S2", "S3", "S4", "S5"]
    assert plan.steps[0].status == "done"
    return with_dates(plan, start=date(2027, 5, 3), deadline=None)


def returned(sample: str, edit: Edit) -> tuple[Plan, Plan, set[tuple[str, str, object]]]:
    """Return a plan before and after its edited export came back, and the fields that changed."""
    plan, form = plan_of(sample), FORMS[sample]
    state = state_with(plan)
    operations = changes(edit(exported(form, state)), form, state)
    assert {type(operation) for operation in operations} <= {SetField, AddItem}, "nothing is taken away or set aside"
    after = applied(plan, operations)
    fields = {(one.item, one.field, one.value) for one in operations if isinstance(one, SetField)}
    assert [step.id for step in after.steps if step.id in {"S1", "S2", "S3", "S4", "S5"}] == [
        "S1",
        "S2",
        "S3",
        "S4",
        "S5",
    ]
    assert after.steps[0].status == "done"
    return plan, after, fields


def new_steps(before: Plan, after: Plan) -> list[Step]:
    known = {step.id for step in before.steps}
    return [step for step in after.steps if step.id not in known]


DONE = {("S2", "status", "done")}


# --- task lists -------------------------------------------------------------------------------------------------------


def tick(text: str, of: str) -> str:
    """Return a task list in which somebody clicked on a box: GitHub and GitLab change that one letter."""
    return re.sub(rf"- \[ \] ({re.escape(of)})", r"- [x] \1", text)


def untick_first(text: str) -> str:
    return re.sub(r"- \[[xX]\]", "- [ ]", text, count=1)


def moved(text: str, of: str, before: str) -> str:
    """Return a task list in which a line was dragged, with what stands below it, before another one."""
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines) if of in line)
    end = next(number for number in range(at + 1, len(lines)) if not lines[number].startswith(" "))
    taken, rest = lines[at:end], lines[:at] + lines[end:]
    to = next(number for number, line in enumerate(rest) if before in line)
    return "\n".join([*rest[:to], *taken, *rest[to:]])


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_github_ticks_drags_and_adds(line_end):
    def edit(text):
        text = moved(untick_first(tick(text, "**S2**")), "**S3**", before="**S2**")
        text = text.replace("  - [ ] Invoice", "  - [ ] Invoice\n  - [x] Ask the baker for the oven")
        return (text + "- [ ] Sweep the square @tom\n").replace("\n", line_end)

    before, after, fields = returned("github-tasklist.md", edit)
    assert fields == DONE
    part, added = new_steps(before, after)
    assert (part.title, part.parent, part.status) == ("Ask the baker for the oven", "S3", "done")
    assert (added.title, added.owner, added.parent, added.status) == ("Sweep the square", "tom", "", "todo")
    assert [step.check for step in after.steps[:2]] == [step.check for step in before.steps[:2]]


def test_spec_kit_ticks_and_adds():
    def edit(text):
        text = moved(untick_first(tick(text, "T002")), "T003", before="T002")
        return text.replace(
            "## Phase 2", "- [ ] T006 [P] [US1] Ask the baker in docs/s6.md (depends on T002)\n\n## Phase 2"
        )

    before, after, fields = returned("speckit-tasks.md", edit)
    assert fields == DONE
    [added] = new_steps(before, after)
    assert (added.title, added.needs, added.workstream) == (
        "Ask the baker in docs/s6.md",
        ("S2",),
        after.steps[0].workstream,
    )


UNTOUCHED = """# Tasks: Shop

## Phase 1: Setup

- [X] T001 Create `src/` folder
- [ ] T003 [P] [US1] Write `src/cart.py` (see plan.md)
- [ ] T007 [US1] Test *the* cart (depends on T003)

## Phase 2: Cart

### Models

- [ ] T010 Model the cart

### Screens

- [ ] T011 Show the cart

## Notes on order

Carts first.
"""


def test_a_file_of_spec_kit_goes_back_as_it_came():
    plan = import_plan(UNTOUCHED, name="tasks.md", today=date(2027, 5, 3)).plan
    dated = with_dates(plan, start=date(2027, 5, 3), deadline=None)
    assert FORMATS["spec-kit"](dated, NOW, "s-1") == UNTOUCHED
    phase = dated.steps[0].workstream
    added = Step(id="S6", title="Ship", needs=("S3",), workstream=phase)
    longer = applied(dated, [AddItem("steps", added, "S3")])
    longer = applied(longer, [SetField("S2", "status", "done"), SetField("S3", "status", "dropped")])
    assert FORMATS["spec-kit"](longer, NOW, "s-1").splitlines()[5:9] == [
        "- [X] T003 [P] [US1] Write `src/cart.py` (see plan.md)",
        "- [X] T007 [US1] ~~Test *the* cart~~ (depends on T003)",
        "- [ ] T012 Ship (depends on T007)",
        "",
    ]


def test_numbers_parts_and_fields_of_task_master_go_back():
    part = {"description": "", "details": "", "status": "pending"}
    tasks = [
        {"id": 3, "title": "Set up", "status": "completed", "dependencies": [], "priority": "high", "complexity": 4,
         "epic": "Ground", "estimateHours": 4, "completedAt": "2026-04-21T05:42:00Z", "source": ["ADR 1", "7"],
         "subtasks": [{**part, "id": 1, "title": "Create", "dependencies": []},
                      {**part, "id": 4, "title": "Check", "dependencies": [1]}]},
        {"id": 7, "title": "Cart", "status": "in-progress", "dependencies": [3, "3.4"], "priority": "low"},
    ]  # fmt: skip
    text = json.dumps({"master": {"tasks": tasks}})
    plan = import_plan(text, name="tasks.json", today=date(2027, 5, 3)).plan
    longer = applied(plan, [AddItem("steps", Step(id="S5", title="Ship", needs=("S4",)), "S4")])
    *written, added = json.loads(FORMATS["tasks.json"](longer, NOW, "s-1"))["master"]["tasks"]
    assert (added["id"], added["dependencies"]) == (1, [7])
    for was, now in zip(tasks, written, strict=True):
        assert {name: now[name] for name in was if name != "subtasks"} == {
            name: value for name, value in was.items() if name != "subtasks"
        }
    assert [(one["id"], one["title"], one["dependencies"]) for one in written[0]["subtasks"]] == [
        (1, "Create", []),
        (4, "Check", [1]),
    ]


def test_task_master_sets_a_status_and_adds():
    """Version 0.43.1 turns ids into texts, stamps what it changed, and counts in ``metadata``."""

    def edit(text):
        value = json.loads(text)
        tasks = value["master"]["tasks"]
        for task, status in zip(tasks, ["pending", "done", "in-progress", "pending", "pending"], strict=True):
            task |= {"id": str(task["id"]), "dependencies": [str(one) for one in task["dependencies"]]}
            task |= {"status": status, "updatedAt": "2027-05-10T10:00:00.000Z"}
        blank = {"description": "", "details": "", "testStrategy": "", "dependencies": []}
        tasks[2]["subtasks"] = [{**blank, "id": 1, "title": "Ask the baker for the oven", "status": "done"}]
        new = {"id": "6", "title": "Sweep the square", "status": "pending", "dependencies": ["5"], "subtasks": []}
        tasks.append({**blank, **new, "priority": "medium"})
        value["master"]["metadata"] = {"version": "1.0.0", "taskCount": 6, "completedCount": 2, "tags": ["master"]}
        return json.dumps(value, indent=2)

    before, after, fields = returned("tasks.json", edit)
    assert fields == {*DONE, ("S3", "status", "under-way")}
    part, added = new_steps(before, after)
    assert (part.title, part.parent, part.status) == ("Ask the baker for the oven", "S3", "done")
    assert (added.title, added.needs, added.status) == ("Sweep the square", ("S5",), "todo")


# --- tables -----------------------------------------------------------------------------------------------------------


def test_what_stands_below_a_phase_of_spec_kit_stays_there_and_its_checklists_are_none_of_its_tasks():
    text = """# Tasks: Cart

Built with care.

## Phase 1: Setup

Tests come first.

- [ ] T001 Create it

## Validation

- [x] All is tested
"""
    plan = import_plan(text, today=NOW.date()).plan
    state = state_with(plan)
    out = exported("spec-kit", state)
    assert [line for line in out.split("\n") if line] == [line for line in text.split("\n") if line]
    assert changes(out, "spec-kit", state) == ()
    assert not left_out(plan, "spec-kit")


# --- charts and projects ----------------------------------------------------------------------------------------------


CALENDAR = """\
BEGIN:VCALENDAR
X-WR-CALNAME:Yard
BEGIN:VTODO
UID:todo-7@yard
SUMMARY:Order the planks
DUE;VALUE=DATE:20270507
PROJECT:Shed
END:VTODO
BEGIN:VTODO
UID:todo-8@yard
SUMMARY:Saw them
RELATED-TO:todo-7@yard
RELATED-TO;RELTYPE=DEPENDS-ON:dig@yard
END:VTODO
BEGIN:VEVENT
UID:dig@yard
SUMMARY:Dig
DTSTART;VALUE=DATE:20270503
DTEND;VALUE=DATE:20270505
END:VEVENT
END:VCALENDAR
"""


def test_a_calendar_keeps_its_ids_and_fields_and_comes_back_as_it_was_edited():
    plan = with_dates(import_plan(CALENDAR, today=NOW.date()).plan, start=date(2027, 5, 3), deadline=None)
    state = state_with(plan)
    text = exported("ics", state)
    assert re.findall(r"UID:(.+)\r\nDTSTAMP:.+\r\nSUMMARY:(.+)\r", text) == [
        ("todo-7@yard", "Order the planks"), ("todo-8@yard", "Saw them"), ("dig@yard", "Dig")
    ]  # fmt: skip
    assert {"UID:dig@yard", "PROJECT:Shed", "RELATED-TO;RELTYPE=PARENT:todo-7@yard"} < set(text.split("\r\n"))
    assert changes(text, "ics", state) == ()

    def edited(*edits: tuple[str, str], count: int = -1) -> set[tuple[str, str, object]]:
        new = text
        for was, now in edits:
            assert was in new
            new = new.replace(was, now, count)
        return {(one.item, one.field, one.value) for one in changes(new, "ics", state)}

    assert edited(("SUMMARY:Saw them", "SUMMARY:Saw the planks"), count=1) == {("S2", "title", "Saw the planks")}
    before, _, last = text.rpartition("SUMMARY:Dig")
    renamed = changes(f"{before}SUMMARY:Dig twice{last}", "ics", state)
    assert [(one.item, one.field, one.value) for one in renamed] == [("S3", "title", "Dig twice")]
    one_day = {("S1", "start", "2027-06-01"), ("S1", "end", "2027-06-01")}
    was = plan.steps[0].start.replace("-", "")
    assert edited((f"DUE;VALUE=DATE:{was}", "DUE;VALUE=DATE:20270601")) >= one_day
    longer = (("DTEND;VALUE=DATE:20270505", "DTEND;VALUE=DATE:20270507"),)
    assert edited(*longer) == {("S3", "end", "2027-05-06")}
    later = ("DTSTART;VALUE=DATE:20270503", "DTSTART;VALUE=DATE:20270505")
    assert edited(*longer, later) == {("S3", name, "2027-05-05") for name in ("start", "not_before")} | {
        ("S3", "end", "2027-05-06")
    }


SPACE = "http://schemas.microsoft.com/project"


def put(task: ET.Element, **values: str) -> None:
    for name, value in values.items():
        found = task.find(f"{{{SPACE}}}{name}")
        element = ET.SubElement(task, f"{{{SPACE}}}{name}") if found is None else found
        element.text = value


def test_project_writes_how_far_tasks_are_and_when_they_happened():
    """Beside the percentage it writes actual dates and durations, moves the dates, and puts a summary on top."""

    def edit(text):
        ET.register_namespace("", SPACE)
        project = ET.fromstring(text)
        book, invite, order, *_ = project.iter(f"{{{SPACE}}}Task")
        put(book, PercentComplete="0")
        put(invite, Start="2027-05-05T09:00:00", Finish="2027-05-11T18:00:00", ActualStart="2027-05-05T09:00:00")
        put(invite, PercentComplete="100", PercentWorkComplete="100", ActualFinish="2027-05-11T18:00:00")
        put(invite, ActualDuration="PT24H0M0S", RemainingDuration="PT0H0M0S")
        put(order, PercentComplete="50", PercentWorkComplete="50", ActualStart=order.findtext(f"{{{SPACE}}}Start"))
        put(order, ActualDuration="PT8H0M0S", RemainingDuration="PT8H0M0S")
        summary = ET.Element(f"{{{SPACE}}}Task")
        put(summary, UID="0", ID="0", Name="Village market", OutlineLevel="0", Summary="1", PercentComplete="40")
        project.find(f"{{{SPACE}}}Tasks").insert(0, summary)
        return ET.tostring(project, encoding="unicode", xml_declaration=True)

    before, after, fields = returned("plan-mspdi.xml", edit)
    assert after.steps[0] == before.steps[0]
    assert not new_steps(before, after)
    assert fields == {
        *DONE,
        ("S2", "started", "2027-05-05"),
        ("S2", "finished", "2027-05-11"),
        ("S2", "left", None),
        ("S2", "start", "2027-05-05"),
        ("S2", "end", "2027-05-11"),
        ("S3", "status", "under-way"),
        ("S3", "started", before.steps[2].start),
        ("S3", "left", 1.0),
    }


def test_a_project_keeps_its_uids_and_who_does_what_and_a_task_can_be_moved_and_made_shorter():
    days = "<Start>2027-05-0{}T08:00:00</Start><Finish>2027-05-0{}T17:00:00</Finish>"
    task = f"<Task><UID>{{}}</UID><Name>{{}}</Name>{days}{{}}</Task>"
    lasts = "<Duration>PT{}H0M0S</Duration>"
    people = "<Resource><UID>1</UID><Name>Ada</Name></Resource><Resource><UID>2</UID><Name>Ben</Name></Resource>"
    does = "<Assignment><TaskUID>40</TaskUID><ResourceUID>{}</ResourceUID><Units>1</Units></Assignment>"
    text = f"""<Project xmlns="{SPACE}"><Tasks>{task.format(40, "Dig", 3, 5, lasts.format(24))}{
        task.format(50, "Pour", 6, 7, lasts.format(16))
    }</Tasks><Resources>{people}</Resources>
        <Assignments>{does.format(1)}{does.format(2)}</Assignments></Project>"""
    plan = import_plan(text, today=NOW.date()).plan
    state = state_with(plan)
    out = exported("mspdi", state)
    assert [one.text for one in ET.fromstring(out).iter(f"{{{SPACE}}}TaskUID")] == ["40", "40"]
    assert import_plan(out, today=NOW.date()).plan.steps[0].also == ("Ben",)
    assert changes(out, "mspdi", state) == ()

    moved = out.replace("2027-05-06T08", "2027-05-10T08").replace("2027-05-07T17", "2027-05-11T17")
    assert {(one.field, one.value) for one in changes(moved, "mspdi", state)} == {
        ("start", "2027-05-10"), ("end", "2027-05-11")
    }  # fmt: skip
    shorter = out.replace("PT24H0M0S", "PT8H0M0S").replace("2027-05-05T17", "2027-05-03T17")
    [effort, end] = changes(shorter, "mspdi", state)
    assert (effort.value, end.value) == ({"low": 1.0, "likely": 1.0, "high": 1.0}, "2027-05-03")
    after = rescheduled(plan, applied(plan, (effort, end)), today=date(2027, 5, 3)).plan
    assert [(one.start, one.end) for one in after.steps] == [("2027-05-03",) * 2, ("2027-05-06", "2027-05-07")]


@pytest.mark.parametrize("sample", FORMS)
def test_a_sample_that_is_imported_again_loses_and_resets_nothing(sample):
    """The file that a plan came from, with the first task open again: an import of the same words."""
    plan = plan_of(sample)
    text = (SAMPLES / sample).read_bytes().decode()
    reopened = {"gantt.mmd": ("done, ", ""), "workbench.csv": ("done", "open"), "tasks.json": ('"done"', '"pending"')}
    opened = untick_first(text.replace(*reopened.get(sample, ("<PercentComplete>100<", "<PercentComplete>0<")), 1))
    assert opened != text
    after = applied(plan, changes(opened, FORMS[sample], state_with(plan)))
    assert {step.id: step.status for step in after.steps} == {step.id: step.status for step in plan.steps}
    assert {step.id: (step.title, step.needs, step.check) for step in after.steps} == {
        step.id: (step.title, step.needs, step.check) for step in plan.steps
    }
