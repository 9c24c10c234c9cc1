"""Files of trackers, assistants and planning programs, in the form that each of them writes."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Days, DaysOff, Effort, Lag, Person, Rule, Step, WorkingTime

FOLDER = Path(__file__).parent / "tools"
TODAY = date(2027, 4, 1)


def read(name: str) -> Imported:
    return import_plan((FOLDER / name).read_text(), name=name, today=TODAY)


def told(name: str, *fields: str) -> list[tuple[Any, ...]]:
    return [tuple(getattr(step, field) for field in fields) for step in read(name).plan.steps]


STATES: dict[str, list[tuple[str, str, str]]] = {
    "asana.csv": [("Book the square", "Anna", "done"), ("Invite", "Tom", "todo"), ("Write letters", "", "todo")],
    "asana.json": [("Book", "Anna A", "todo"), ("Invite", "", "done")],
    "backlog-task.md": [("Invite 30 stall holders", "tom", "under-way")],
    "claude-plan.md": [("Add `cache.py` with an LRU", "", "todo"), ("Use it in `loader.py`", "", "todo"),
                       ("Add tests", "", "todo")],
    "claude-task.json": [("Write tests", "claude", "under-way")],
    "claude-todos.json": [("Read the config loader", "", "done"), ("Write tests for the loader", "", "under-way"),
                          ("Refactor errors", "", "todo")],
    "codex-PLANS.md": [("Read the loader.", "", "done"), ("Measure.", "", "todo")],
    "codex-plan.json": [("Reproduce the bug", "", "done"), ("Fix the parser", "", "under-way"),
                        ("Add a regression test", "", "todo")],
    "gh-api.json": [("Crash at start", "ada", "todo")],
    "gh-issues.json": [("Crash at start", "ada", "todo"), ("Write docs", "", "done")],
    "gh-project.json": [("Crash at start", "ada", "under-way"), ("Draft thing", "", "todo")],
    "gh-project.tsv": [("Crash at start", "ada", "under-way"), ("Write docs", "", "done")],
    "jira-api.json": [("Book", "Anna A", "done"), ("Invite", "", "todo")],
    "jira.csv": [("Book", "Anna", "done"), ("Invite", "Tom", "todo")],
    "trello.json": [("Book the square", "Anna A", "todo"), ("Call the town", "", "done"), ("Sign", "", "todo"),
                    ("Invite", "", "done")],
}  # fmt: skip
MARKET = [
    ("Book the square", "Anna", "done"),
    ("Invite 30 stall holders", "Tom", "under-way"),
    ("Order tents, tables & power", "Anna", "todo"),
    ("Print and hang posters", "Tom", "todo"),
    ("Market day", "Anna", "todo"),
]
STATES |= dict.fromkeys(("beads-issues.jsonl", "plan.gan", "taskwarrior.json"), MARKET)


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_the_steps_have_their_titles_owners_and_states(name: str) -> None:
    found = [one for one in told(name, "title", "owner", "status") if not one[0].startswith("Add the cache")]
    assert found == STATES[name]


@pytest.mark.parametrize(
    ("name", "step", "fields"),
    [
        (
            "asana.csv",
            1,
            {"needs": ("S1",), "not_before": "2027-05-04", "deadline": "2027-05-07", "workstream": "Prep"},
        ),
        ("asana.csv", 2, {"parent": "S2"}),
        ("asana.json", 0, {"not_before": "2027-05-01", "deadline": "2027-05-03", "workstream": "Prep"}),
        ("asana.json", 1, {"needs": ("S1",), "finished": "2027-04-01"}),
        ("backlog-task.md", 0, {"deadline": "2027-05-07", "check": "#1 List with 30 names; 20 said yes"}),
        ("beads-issues.jsonl", 1, {"needs": ("S1",), "deadline": "2027-05-07", "effort": Effort(3, 3, 3)}),
        ("claude-todos.json", 0, {"priority": "high"}),
        ("codex-PLANS.md", 0, {"finished": "2027-01-10"}),
        ("gh-issues.json", 0, {"workstream": "v1", "tags": ("12", "bug")}),
        ("gh-issues.json", 1, {"finished": "2027-01-09"}),
        ("gh-project.json", 0, {"deadline": "2027-03-01", "notes": "It crashes."}),
        ("gh-project.tsv", 0, {"not_before": "2027-02-03", "deadline": "2027-03-01", "also": ("bob",)}),
        ("jira-api.json", 0, {"effort": Effort(1, 1, 1), "deadline": "2027-05-03", "tags": ("MKT-1", "10001", "town")}),
        ("jira-api.json", 1, {"needs": ("S1",)}),
        ("jira.csv", 0, {"effort": Effort(1, 1, 1), "deadline": "2027-04-30", "finished": "2027-03-05"}),
        ("jira.csv", 1, {"needs": ("S1",), "parent": "S1", "workstream": "Sprint 1"}),
        ("plan.gan", 3, {"needs": ("S2",), "not_before": "2027-05-10", "effort": Effort(2, 2, 2)}),
        ("plan.gan", 4, {"milestone": True, "on": "2027-06-12", "needs": ("S3", "S4")}),
        ("taskwarrior.json", 1, {"started": "2027-05-04", "deadline": "2027-05-07", "needs": ("S1",)}),
        ("trello.json", 0, {"not_before": "2027-05-01", "deadline": "2027-05-03", "tags": ("c1", "Prep")}),
        ("trello.json", 1, {"parent": "S1"}),
    ],
)
def test_what_stands_in_fields_is_read(name: str, step: int, fields: dict[str, Any]) -> None:
    found = read(name).plan.steps[step]
    assert {field: getattr(found, field) for field in fields} == fields


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_nothing_of_them_is_without_a_place(name: str) -> None:
    elsewhere = {"backlog-task.md": ["TASK-1"], "claude-task.json": ["1"], "jira.csv": ["MKT-9"]}  # in other files
    assert [one.text for one in read(name).not_placed] == elsewhere.get(name, [])


def test_lists_of_a_board_that_are_no_states_are_groups() -> None:
    value = json.loads((FOLDER / "trello.json").read_text())
    value["lists"][0]["name"] = "Ideas"
    steps = import_plan(json.dumps(value), name="board.json", today=TODAY).plan.steps
    assert (steps[0].workstream, steps[0].status) == ("Ideas", "todo")


def test_somebody_of_a_board_without_a_full_name_is_known_by_the_other() -> None:
    value = json.loads((FOLDER / "trello.json").read_text())
    value["members"].append({"id": "m2", "fullName": "", "username": "sam"})
    value["cards"][0]["idMembers"].append("m2")
    assert import_plan(json.dumps(value), name="board.json", today=TODAY).plan.steps[0].owners == ("Anna A", "sam")


def test_a_tracker_s_column_of_when_it_was_completed_is_a_day() -> None:
    text = 'ID,Title,Status,Priority,Labels,Completed\nE-1,Dig,Done,Urgent,"help wanted, ui",2027-03-05T10:00:00.000Z\n'
    imported = import_plan(text, name="linear.csv", today=TODAY)
    [step] = imported.plan.steps
    assert (step.finished, step.priority, step.tags) == ("2027-03-05", "high", ("E-1", "help-wanted", "ui"))
    assert not imported.not_placed


def test_states_of_org_that_distributions_add_are_known() -> None:
    steps = import_plan("* KILL Move the colours\n* STRT Dig\n", name="a.org", today=TODAY).plan.steps
    assert [(step.title, step.status) for step in steps] == [("Move the colours", "dropped"), ("Dig", "under-way")]


GAN = """<?xml version="1.0" encoding="UTF-8"?>
<project name="House" view-index="0" version="3.3">
<calendars><day-types><default-week id="1" sun="1" mon="0" tue="0" wed="0" thu="0" fri="0" sat="0"/></day-types>
<date year="" month="5" date="1" type="HOLIDAY"/><date year="2027" month="5" date="6" type="HOLIDAY"/>
<date year="2027" month="5" date="9" type="WORKING_DAY"/></calendars>
<tasks><taskproperties><taskproperty id="tpc0" name="Cost centre" type="custom" valuetype="text"/></taskproperties>
<task id="10" name="Shell" start="2027-04-05" duration="9" complete="0">
 <task id="11" name="Dig" start="2027-04-05" duration="4" complete="0" priority="2">
  <depend id="12" type="2" difference="3"/><depend id="13" type="1" difference="0"/>
  <customproperty taskproperty-id="tpc0" value="A7"/>
 </task>
 <task id="12" name="Pour" start="2027-04-14" duration="5" complete="0">
  <depend id="13" type="2" difference="-2"/></task>
</task>
<task id="13" name="Roof" start="2027-05-10" duration="6" complete="25" webLink="https://example.org/roof"/>
</tasks>
<resources><resource id="0" name="Ada"/><resource id="1" name="Ben"/></resources>
<allocations><allocation task-id="13" resource-id="1" responsible="false"/>
<allocation task-id="13" resource-id="0" responsible="true"/></allocations>
<vacations><vacation start="2027-05-12" end="2027-05-14" resourceid="1"/></vacations>
</project>
"""


def test_a_project_of_gantt_project_keeps_parts_lags_people_and_days_off() -> None:
    imported = import_plan(GAN, name="house.gan", today=TODAY)
    plan = imported.plan
    shell, dig, pour, roof = plan.steps
    assert (shell.effort, dig.parent, pour.parent) == (None, shell.id, shell.id)
    assert (pour.needs, pour.lags) == ((dig.id,), (Lag(dig.id, 3),))
    assert (dig.priority, dig.other) == ("high", {"Cost centre": "A7"})
    assert (roof.owner, roof.also, roof.status) == ("Ada", ("Ben",), "under-way")
    assert roof.other == {"webLink": "https://example.org/roof"}
    assert roof.progress is not None
    assert roof.progress.done == 0.25
    [week] = [item for item in plan.items if isinstance(item, WorkingTime)]
    assert week.weekdays == (1, 2, 3, 4, 5, 6)
    [off] = [item for item in plan.items if isinstance(item, DaysOff)]
    assert (off.days, off.again) == ((Days("2027-05-06", "2027-05-06"),), (Rule("year", "2000-05-01"),))
    [ben] = [item for item in plan.items if isinstance(item, Person)]
    assert (ben.text, ben.away) == ("Ben", (Days("2027-05-12", "2027-05-14"),))
    assert [(one.text, one.why) for one in imported.not_placed] == [
        ("2027-05-09", "it is a day of work beside the others, or no day"),
        ("Roof: start to start with 11", "a step can only wait for the end of another one"),
        ("Roof: difference -2", "it has no place"),
    ]


def test_a_project_with_entities_is_refused() -> None:
    bomb = GAN.replace("<project", '<!DOCTYPE x [<!ENTITY a "aaaa">]><project', 1)
    with pytest.raises(UsageError, match="defines words of its own"):
        import_plan(bomb, name="house.gan", today=TODAY)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("@startgantt\n[Dig] lasts 4 days\n@endgantt\n", "A diagram of PlantUML"),
     ('project house "House" 2027-05-01 +3m {\n}\ntask dig "Dig" {\n effort 4d\n}\n', "A project of TaskJuggler")],
)  # fmt: skip
def test_languages_that_are_not_read_are_named(text: str, kind: str) -> None:
    with pytest.raises(UsageError, match=kind):
        import_plan(text, today=TODAY)


def test_a_row_that_has_begun_is_under_way() -> None:
    [step] = import_plan("Task,Actual start,Actual end\nDig,2027-03-01,\n", name="a.csv", today=TODAY).plan.steps
    assert (step.started, step.status) == ("2027-03-01", "under-way")


@pytest.mark.parametrize("stamp", ["2027-05-03T17:00:00Z", "2027-05-03T15:00:00.000Z", "2027-05-03T17:00+02:00"])
@pytest.mark.parametrize("form", ["json", "csv"])
def test_moments_of_programs_are_days(stamp: str, form: str) -> None:
    text = (
        json.dumps([{"title": "Dig", "due": stamp}, {"title": "Pour"}])
        if form == "json"
        else f"Task,Due\nDig,{stamp}\n"
    )
    step: Step = import_plan(text, name=f"a.{form}", today=TODAY).plan.steps[0]
    assert step.deadline == "2027-05-03"
