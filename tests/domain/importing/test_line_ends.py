"""Fields at the end of a task's line are no part of its title: who, when, how long, a remark; and no word is lost."""

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
        ("Hire a caterer (Tom, until 11/12/2027 at the latest - he is slow)", "Hire a caterer", "Tom", "2027-12-11"),
        ("Apply for the fund @anna, deadline 15 March!!", "Apply for the fund", "anna", "2027-03-15"),
        ("Draft the plan [Fatima, 8/12/2027, 3 days]", "Draft the plan", "Fatima", "2027-12-08"),
        ("Walk the route | rental firm | 02-Dec-2027 | 2h", "Walk the route", "rental firm", "2027-12-02"),
        ("Hand back the set — rental firm — 21 May", "Hand back the set", "rental firm", "2027-05-21"),
        ("Hire a supervisor — Owner: HR — Due: 2027-01-31", "Hire a supervisor", "HR", "2027-01-31"),
        ("Send the sample due:2027-02-09 owner:ewan rec:1m", "Send the sample", "ewan", "2027-02-09"),
        ("Order flowers @due(2027-04-01) @who(Nina)", "Order flowers", "Nina", "2027-04-01"),
        ("Fix the crash on start #288", "Fix the crash on start", "", None),
        ("Calibrate the sensor (was off by 0.7)", "Calibrate the sensor", "", None),
        ("Migration guide 2.x → 3.0 @kim", "Migration guide 2.x → 3.0", "kim", None),
        ("Keep the talk under 20 minutes for 2 days", "Keep the talk under 20 minutes for 2 days", "", None),
    ],
)
def test_fields_at_the_end_of_a_line_are_no_part_of_the_title(line, title, owner, deadline):
    step = steps_of(f"{BESIDE}- [ ] {line}\n")[-1]
    assert (step.title, step.owner, step.deadline) == (title, owner, deadline)


def test_a_done_task_was_done_on_the_last_such_day():
    step = steps_of(f"{BESIDE}- [ ] change the code (Tom) - done 2 Nov.\n")[-1]
    assert (step.title, step.status, step.finished) == ("change the code", "done", "2026-11-02")


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
            "*** before ***\n[ ] pack\no defrost the freezer\nx change the address\n[...] sort the cellar\n",
            [
                ("pack", "todo", None), ("defrost the freezer", "todo", None), ("change the address", "done", None),
                ("sort the cellar", "under-way", None),
            ],
        ),
        (
            "page.wiki",
            ('== Material ==\n{| class="wikitable"\n! What happens !! By\n|-\n| Order shingles || 2027-02-15\n|-\n'
            "| Order nails || 1 Apr 2027\n|}\n== Week ==\n* {{done}} Measure the roof\n"),
            [
                ("Order shingles", "todo", "2027-02-15"), ("Order nails", "todo", "2027-04-01"),
                ("Measure the roof", "done", None),
            ],
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
)  # fmt: skip
def test_lists_of_tasks_in_the_forms_of_other_tools(name, text, expected):
    assert [(step.title, step.status, step.deadline) for step in steps_of(text, name)] == expected


def test_steps_below_a_day_are_due_on_it():
    text = (
        "## Night before (Fri 11 Jun 2027)\n\n- [ ] park the set\n\n### Week A (14 – 20 Jun 2027)\n\n"
        "| When-ish | The thing | Who's on it |\n|---|---|---|\n| Wed | fit costumes | Ms Brandt |\n"
        "| Thu 17 | set up chairs | all |\n"
    )
    assert [(step.title, step.owner, step.deadline) for step in steps_of(text)] == [
        ("park the set", "", "2027-06-11"), ("fit costumes", "Ms Brandt", "2027-06-16"),
        ("set up chairs", "all", "2027-06-17"),
    ]  # fmt: skip


def test_rows_that_head_others_and_rows_of_other_kinds_are_no_steps():
    text = (
        "Task,Type,Assigned To,Start,Finish,Predecessors\nPRE-SHOW,,,11/02/26,01/28/27,\n"
        "Reserve booth,Task,Carla,11/02/26,11/03/26,\nShip crates,Task,Dwayne,12/14/26,12/18/26,2\n"
        "Snow on the road,Risk,Carla,,,\nWho drives?,Question,,,,\n,,,,,\nExported by Carla on 11/24/26,,,,,\n"
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
