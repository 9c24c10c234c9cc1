"""Marks in the line of a task are no part of its title, and all else is; what does not fit is listed."""

from __future__ import annotations

import pytest
from tests.domain.importing.labelled import TODAY
from tests.domain.importing.made_files import lost, made
from tests.pace import took
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Question, Risk, Step

BESIDE = "- [ ] book the hall (Anna, 2d)\n- [ ] send invitations @tom\n"


def steps_of(text: str, name: str = "plan.md") -> tuple[Step, ...]:
    return import_plan(text, name=name, today=TODAY).plan.steps


@pytest.mark.parametrize(
    ("line", "title", "owner", "deadline"),
    [
        ("Hire a caterer (Tom, until 11/12/2027)", "Hire a caterer", "Tom", "2027-12-11"),
        ("Apply for the fund @anna, deadline 15 March!!", "Apply for the fund", "anna", "2027-03-15"),
        ("Draft the plan [Fatima, 8/12/2027, 3 days]", "Draft the plan", "Fatima", "2027-12-08"),
        ("Hire a supervisor — Owner: HR — Due: 2027-01-31", "Hire a supervisor", "HR", "2027-01-31"),
        ("Send the sample due:2027-02-09 owner:ewan rec:1m", "Send the sample", "ewan", "2027-02-09"),
        ("Order flowers @due(2027-04-01) @who(Nina)", "Order flowers", "Nina", "2027-04-01"),
        ("Buy food - Lars, 13 January", "Buy food", "Lars", "2027-01-13"),
        ("@nadia: set up the stall", "set up the stall", "nadia", None),
        ("Migration guide 2.x → 3.0 @kim", "Migration guide 2.x → 3.0", "kim", None),
    ],
)
def test_marks_at_the_end_of_a_line_are_no_part_of_the_title(line, title, owner, deadline):
    step = steps_of(f"{BESIDE}- [ ] {line}\n")[-1]
    assert (step.title, step.owner, step.deadline) == (title, owner, deadline)


@pytest.mark.parametrize(
    "line",
    [
        "Hire a caterer (Tom, until 11/12/2027 at the latest - he is slow)",
        "Walk the route | rental firm",
        "Fix the crash on start #288",
        "Calibrate the sensor (was off by 0.7)",
        "Keep the talk under 20 minutes for 2 days",
        "Offline mode – read articles without a connection",
        "Cut the hedge (before the birds nest)",
        "Print flyers (optional)",
        "Pay 300 EUR to the band, then ask for a receipt",
        "Lay cables: Tomek",
    ],
)
def test_what_is_no_mark_stays_in_the_title(line):
    assert steps_of(f"{BESIDE}- [ ] {line}\n")[-1].title == line


def test_a_bold_lead_stays_in_the_title():
    assert steps_of("- [ ] **Offline mode** – read articles\n")[0].title == "Offline mode – read articles"


def test_a_day_at_the_end_of_a_title_is_read_and_stays():
    step = steps_of("- [ ] Order tents by 3 May\n")[0]
    assert (step.title, step.deadline) == ("Order tents by 3 May", "2027-05-03")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Pay due:2027-02-30", "due:2027-02-30"),
        ("Pay [due:: soon]", "[due:: soon]"),
        ("Pay (Ada, due: someday)", "due: someday"),
        ("Pay 🔁 whenever it rains", "whenever it rains"),
    ],
)
def test_a_value_that_does_not_fit_its_mark_is_listed_with_its_line(line, told):
    imported = import_plan(f"{BESIDE}- [ ] {line}\n", name="plan.md", today=TODAY)
    assert [(one.line, one.text) for one in imported.not_placed] == [(3, told)]


def test_a_name_alone_in_brackets_is_an_owner_where_it_is_one_elsewhere():
    found = steps_of("- [ ] Dig @Ada\n- [ ] Sow (Ada)\n- [ ] Print (MVP)\n")
    assert [(step.title, step.owner) for step in found] == [("Dig", "Ada"), ("Sow", "Ada"), ("Print (MVP)", "")]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "todo.txt",
            "(A) 2026-11-20 Call the vet +goats @phone due:2027-02-01\nx 2026-11-21 2026-11-10 Trim hooves +goats\n",
            [("Call the vet", "todo", "2027-02-01"), ("Trim hooves", "done", None)],
        ),
        (
            "plan.txt",
            "before the day\n\n[ ] pack\n[x] change the address\n[...] sort the cellar\n",
            [("pack", "todo", None), ("change the address", "done", None), ("sort the cellar", "under-way", None)],
        ),
        (
            "tasks.yaml",
            "tasks:\n  - title: Book the stage\n    due: 2027-02-01\n    status: done\n  - title: Print flyers\n",
            [("Book the stage", "done", "2027-02-01"), ("Print flyers", "todo", None)],
        ),
        (
            "tasks.jsonl",
            '{"task": "Clean gutters", "due": "2027-02-01"}\n{"task": "Sweep the chimney", "done": true}\n',
            [("Clean gutters", "todo", "2027-02-01"), ("Sweep the chimney", "done", None)],
        ),
        (
            "board.md",
            "# Kitchen\n\n## Done\n- Measure the room\n\n## To do\n- Order the worktop\n",
            [("Measure the room", "done", None), ("Order the worktop", "todo", None)],
        ),
    ],
)
def test_lists_of_tasks_in_the_forms_of_other_tools(name, text, expected):
    assert [(step.title, step.status, step.deadline) for step in steps_of(text, name)] == expected


def test_rows_of_other_kinds_are_no_steps_and_a_row_with_a_title_alone_heads_others():
    text = (
        "Task,Type,Assigned To,Start,Finish,Predecessors\nPRE-SHOW,,,,,\n"
        "Reserve booth,Task,Carla,11/02/26,11/03/26,\nShip crates,Task,Dwayne,12/14/26,12/18/26,1\n"
        "Snow on the road,Risk,Carla,,,\nWho drives?,Question,,,,\n"
    )
    imported = import_plan(text, name="show.csv", today=TODAY)
    reserve, ship = imported.plan.steps
    assert (reserve.title, reserve.workstream, ship.needs) == ("Reserve booth", "PRE-SHOW", (reserve.id,))
    assert [(type(item), item.text) for item in imported.plan.items if not isinstance(item, Step)] == [
        (Risk, "Snow on the road"), (Question, "Who drives?"),
    ]  # fmt: skip
    assert not imported.not_placed


@pytest.mark.parametrize("seed", range(40))
def test_no_made_file_loses_a_word(seed):
    assert not lost(*made(seed))


def test_boxes_without_words_below_a_task_are_read():
    assert steps_of("- [ ] pack\n  - books\n  - lamps\n    - \n    -\n")[0].title == "pack"


def test_a_line_of_asterisks_takes_no_time():
    """It took time that doubled with each of them."""
    assert took(lambda: import_plan(f"- [ ] Paint\n- {'*' * 5_000} x\n", name="p.md", today=TODAY), within=1.0) < 1.0
