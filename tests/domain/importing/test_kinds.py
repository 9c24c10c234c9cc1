"""Kinds of faults that bug reports show, in every format that can have them."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Rule

TODAY = date(2027, 1, 10)
NUMBERS = range(1, 13)


def read(text: str, name: str) -> Imported:
    return import_plan(text, name=name, today=TODAY)


def calendar(*todos: str) -> str:
    parts = "".join(f"BEGIN:VTODO\nUID:{at}\n{todo}\nEND:VTODO\n" for at, todo in enumerate(todos))
    return f"BEGIN:VCALENDAR\n{parts}END:VCALENDAR\n"


def project(tasks: str, more: str = "") -> str:
    return f'<Project xmlns="http://schemas.microsoft.com/project"><Tasks>{tasks}</Tasks>{more}</Project>'


def gantt(*tasks: str) -> str:
    return f'<project name="x" view-index="0"><tasks>{"".join(tasks)}</tasks></project>'


# --- references are split before they are looked up ---

TWO = {
    "a.md": "".join(f"- [ ] T{n:03d} Do {n}\n" for n in NUMBERS) + "- [ ] T013 Last thing (depends on T001,T002)\n",
    "table.md": "| No | Task | Depends |\n|---|---|---|\n"
    + "".join(f"| {n} | Thing {n} | |\n" for n in NUMBERS)
    + "| 13 | Last | 1/2 |\n",
    "a.json": json.dumps([{"id": n, "title": f"Do {n}"} for n in NUMBERS] + [{"title": "Last", "dependencies": "1 2"}]),
    "a.mmd": "gantt\n dateFormat YYYY-MM-DD\n"
    + "".join(f" Do {n} :t{n}, 2027-01-11, 1d\n" for n in NUMBERS)
    + " Last :t13, after t1 t2, 1d\n",
    "a.csv": "ID,Task,Depends on\n" + "".join(f"{n},Do {n},\n" for n in NUMBERS) + "13,Last,1/2\n",
}


@pytest.mark.parametrize("name", TWO)
def test_two_references_are_never_one(name: str) -> None:
    assert read(TWO[name], name).plan.steps[-1].needs == ("S1", "S2")


# --- what comes again is a rule ---

AGAIN: dict[str, tuple[str, list[Rule | None]]] = {
    "todo.txt": ("(A) Water +x due:2027-03-15 rec:+1w\nFeed +x due:2027-03-16 rec:2d\n",
                 [Rule("week", "2027-03-15"), Rule("day", "2027-03-16", 2)]),
    "a.org": ("* TODO Water\n  SCHEDULED: <2027-03-15 Mon +1w>\n* TODO Feed\n  DEADLINE: <2027-03-16 Tue .+2d>\n",
              [Rule("week", "2027-03-15"), Rule("day", "2027-03-16", 2)]),
    "a.json": (json.dumps([{"uuid": "a", "entry": "20270101T000000Z", "description": "Water", "status": "recurring",
                            "due": "20270315T000000Z", "recur": "weekly"},
                           {"uuid": "b", "entry": "20270101T000000Z", "description": "Rest", "status": "pending"}]),
               [Rule("week", "2027-03-15"), None]),
    "a.csv": ("Task,Repeats,Due\nWater,weekly,2027-03-15\nFeed,every 2 weeks,2027-03-16\n",
              [Rule("week", "2027-03-15"), Rule("week", "2027-03-16", 2)]),
}  # fmt: skip


@pytest.mark.parametrize("name", AGAIN)
def test_what_comes_again_is_a_rule(name: str) -> None:
    text, rules = AGAIN[name]
    assert [step.repeat for step in read(text, name).plan.steps] == rules


# --- a value that does not fit its field is told ---

MISFITS: list[tuple[str, str, list[str]]] = [
    ("a.json", json.dumps([{"title": "Dig", "due": "soon", "estimate": "long", "cost": "cheap"}, {"title": "B"}]),
     ["due: soon", "estimate: long", "cost: cheap"]),
    ("a.csv", "Task,Repeats,Start\nDig,sometimes,2027-02-30\n", ["Repeats: sometimes", "Start: 2027-02-30"]),
    ("a.ics", calendar("SUMMARY:Dig\nDUE:soon\nDTSTART:20270230"), ["DUE: soon", "DTSTART: 20270230"]),
    ("a.mmd", "gantt\n dateFormat YYYY-MM-DD\n Dig :d, 2027-02-30, 3d\n Pour :p, 2027-03-01, later\n",
     ["2027-02-30", "later"]),
    ("a.org", "* TODO Dig\n  DEADLINE: <2027-02-30 Tue>\n", ["Deadline: 2027-02-30"]),
    ("todo.txt", "(A) Dig +x due:soon\n(B) Pour +x due:2027-03-01\n", ["due:soon"]),
    ("a.md", "- [ ] Dig the pit 📅 2027-02-30\n- [ ] Pour [due:: soon]\n", ["📅 2027-02-30", "[due:: soon]"]),
    ("a.gan", gantt('<task id="1" name="Dig" start="soon" duration="2"/>'), ["start: soon"]),
    ("a.xml", project("<Task><UID>1</UID><Name>Dig</Name><Deadline>soon</Deadline><Start>2027-02-30</Start></Task>"),
     ["Deadline: soon", "Start: 2027-02-30"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "told"), MISFITS, ids=[name for name, *_ in MISFITS])
def test_a_value_that_does_not_fit_is_listed(name: str, text: str, told: list[str]) -> None:
    assert sorted(one.text for one in read(text, name).not_placed) == sorted(told)


# --- what has no title is not blank ---

UNTITLED = {
    "a.ics": calendar("DESCRIPTION:Call the town", "SUMMARY:Dig"),
    "a.json": json.dumps([{"title": "Dig"}, {"title": "", "notes": "Call the town"}, {"title": "Pour"}]),
    "a.csv": "Task,Owner,Notes\nDig,Ada,\n,Ben,Call the town\n",
    "a.gan": gantt('<task id="1" name=""><notes>Call the town</notes></task>', '<task id="2" name="Dig"/>'),
}


@pytest.mark.parametrize("name", UNTITLED)
def test_what_stands_beside_no_title_is_kept(name: str) -> None:
    plan = read(UNTITLED[name], name).plan
    assert "Dig" in [step.title for step in plan.steps]
    assert "" not in [step.title for step in plan.steps]
    assert any("Call the town" in section.text for section in plan.sections)


# --- two people are two ---

PEOPLE = {
    "a.md": "- [ ] Dig the pit @ada @ben\n",
    "a.csv": "Task,Owner\nDig,ada & ben\n",
    "a.json": json.dumps([{"title": "Dig", "assignees": [{"login": "ada"}, {"login": "ben"}]}, {"title": "Pour"}]),
    "a.ics": calendar("SUMMARY:Dig\nATTENDEE;CN=ada:mailto:a@x.org\nATTENDEE;CN=ben:mailto:b@x.org"),
    "a.xml": project(
        "<Task><UID>1</UID><Name>Dig</Name></Task>",
        "<Resources><Resource><UID>1</UID><Name>ada</Name></Resource><Resource><UID>2</UID><Name>ben</Name></Resource>"
        "</Resources><Assignments><Assignment><TaskUID>1</TaskUID><ResourceUID>1</ResourceUID></Assignment>"
        "<Assignment><TaskUID>1</TaskUID><ResourceUID>2</ResourceUID></Assignment></Assignments>",
    ),
}


@pytest.mark.parametrize("name", PEOPLE)
def test_two_people_are_two(name: str) -> None:
    assert read(PEOPLE[name], name).plan.steps[0].owners == ("ada", "ben")


# --- an id that occurs twice is said ---

TWICE = {
    "a.md": "- [ ] T001 Dig\n- [ ] T001 Drain\n- [ ] T002 Pour (depends on T001)\n",
    "a.json": json.dumps([{"id": 1, "title": "Dig"}, {"id": 1, "title": "Drain"},
                          {"id": 2, "title": "Pour", "dependencies": [1]}]),
    "a.ics": calendar("SUMMARY:Dig", "SUMMARY:Drain", "SUMMARY:Pour\nRELATED-TO;RELTYPE=DEPENDS-ON:0")
    .replace("UID:1", "UID:0"),
    "a.mmd": "gantt\n dateFormat YYYY-MM-DD\n Dig :a, 2027-01-11, 1d\n Drain :a, 2027-01-12, 1d\n"
    " Pour :c, after a, 1d\n",
    "a.gan": gantt('<task id="1" name="Dig"><depend id="3" type="2"/></task>', '<task id="1" name="Drain"/>',
                   '<task id="3" name="Pour"/>'),
    "a.xml": project("<Task><UID>1</UID><Name>Dig</Name></Task><Task><UID>1</UID><Name>Drain</Name></Task><Task><UID>2"
                     "</UID><Name>Pour</Name><PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type>"
                     "</PredecessorLink></Task>"),
}  # fmt: skip


@pytest.mark.parametrize("name", TWICE)
def test_an_id_that_occurs_twice_is_said_and_names_both(name: str) -> None:
    imported = read(TWICE[name], name)
    assert imported.plan.steps[-1].needs == ("S1", "S2")
    assert any("occurs more than once" in guess for guess in imported.guesses)


def test_a_link_to_a_task_that_is_not_there_is_told() -> None:
    link = "<PredecessorLink><PredecessorUID>9</PredecessorUID><Type>1</Type></PredecessorLink>"
    text = project(f"<Task><UID>1</UID><Name>Dig</Name>{link}</Task>")
    assert [one.text for one in read(text, "a.xml").not_placed] == ["Dig: PredecessorUID 9"]


# --- begin and end are more than a day ---

SPANS: dict[str, tuple[str, dict[str, Any]]] = {
    "a.json": (json.dumps([{"title": "Dig", "start": "2027-01-11", "end": "2027-01-15"}]),
               {"start": "2027-01-11", "end": "2027-01-15", "duration": 5.0}),
    "a.md": ("| Task | Start | End |\n|---|---|---|\n| Dig | 11 Jan 2027 | 15 Jan 2027 |\n",
             {"start": "2027-01-11", "end": "2027-01-15", "duration": 5.0}),
    "a.org": ("* TODO Dig\n  SCHEDULED: <2027-01-11 Mon>--<2027-01-15 Fri>\n",
              {"not_before": "2027-01-11", "deadline": "2027-01-15"}),
    "todo.ics": (calendar("SUMMARY:Dig\nDTSTART;VALUE=DATE:20270111\nDURATION:P5D"),
                 {"not_before": "2027-01-11", "deadline": "2027-01-15"}),
    "event.ics": (calendar("SUMMARY:Dig\nDTSTART;VALUE=DATE:20270111\nDURATION:P1W").replace("VTODO", "VEVENT"),
                  {"start": "2027-01-11", "end": "2027-01-17", "duration": 5.0}),
}  # fmt: skip


@pytest.mark.parametrize("name", SPANS)
def test_begin_and_end_are_a_stretch_of_days(name: str) -> None:
    text, fields = SPANS[name]
    step = read(text, name).plan.steps[0]
    assert {field: getattr(step, field) for field in fields} == fields


# --- times that programs note are no days of the plan ---

NOTED = {
    "a.csv": "Task,Created,Updated,Last Modified,Date Added,Last Activity\nDig," + ",".join(["2027-01-01"] * 5) + "\n",
    "a.json": json.dumps([{"title": "Dig", "createdAt": "2027-01-01", "modifiedTime": "2027-01-01",
                           "last_edited": "2027-01-01", "timestamp": "2027-01-01"}, {"title": "Pour"}]),
    "a.ics": calendar("SUMMARY:Dig\nCREATED:20270101T000000Z\nLAST-MODIFIED:20270101T000000Z"),
    "a.xml": project("<Task><UID>1</UID><Name>Dig</Name><CreateDate>2027-01-01T09:00:00</CreateDate></Task>"),
    "a.md": "- [ ] Dig the pit ➕ 2027-01-01\n",
}  # fmt: skip


@pytest.mark.parametrize("name", NOTED)
def test_times_that_programs_note_are_no_dates(name: str) -> None:
    step = read(NOTED[name], name).plan.steps[0]
    assert (step.start, step.end, step.not_before, step.on, step.deadline, step.started) == (None,) * 6
