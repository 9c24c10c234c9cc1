"""Plans as people write them without any form: what is a step is told by the shape of its line, and no word is lost."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.domain.importing.labelled import PLANS, TODAY, lost_words
from workbench.domain.plan.importing.assembly import text_of
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan


def _read(text: str, name: str = "plan.txt") -> Imported:
    return import_plan(text, name=name, today=TODAY)


def _titles(text: str, name: str = "plan.txt") -> list[str]:
    return [step.title for step in _read(text, name).plan.steps]


def _lost(text: str) -> Counter[str]:
    return lost_words(text, _read(text))


# --- lines of text ----------------------------------------------------------------------------------------------------


def test_wrapped_text_is_no_list() -> None:
    text = (
        "The orchard was planted by our grandparents and has never been pruned since\n"
        "then, which is why most of the trees carry small fruit. We would like to\n"
        "change that over the next years without losing the old sorts of apples.\n"
    )

    assert _titles(text) == []


def test_a_text_without_marks_of_short_lines_is_a_list_of_tasks() -> None:
    assert _titles("Move\n\nCall the landlord\nPack the books\n") == ["Call the landlord", "Pack the books"]


def test_indented_lines_stand_below_others() -> None:
    imported = _read("Pond\n  Dig the hole\n    Mark the edge\n  Lay the liner\nPlanting\n  Order lilies\n")
    dig, mark, liner, lilies = imported.plan.steps

    assert [step.workstream for step in imported.plan.steps] == ["Pond", "Pond", "Pond", "Planting"]
    assert (dig.title, mark.parent, liner.parent, lilies.title) == ("Dig the hole", dig.id, "", "Order lilies")


# --- which lists are steps --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("# Fair\n\n- Book the square\n- Print posters\n", ["Book the square", "Print posters"]),
        ("## Tasks\n- Book\n\n## Ideas\n- Fireworks\n", ["Book"]),
        ("## Aufgaben\n- Buchen\n\n## Hintergrund\n- Der Platz ist alt\n", ["Buchen"]),
        ("## How\n1. Book\n2. Print\n\n## About us\n- We are ten\n", ["Book", "Print"]),
        ("## How\n1. We met\n\n- [ ] Book\n", ["Book"]),
        ("## Agenda\n1. Money\n\n## Action items\n- Book\n", ["Book"]),
        ("Steps:\n- Book\n\nRisks:\n- Rain\n", ["Book"]),
        ("## Spring\n- Dig\n\n## Summer\n- Water\n", ["Dig", "Water"]),
        ("- Hall\n  - [ ] ask the caretaker\n", ["ask the caretaker"]),
    ],
)
def test_structure_tells_which_lists_are_steps(text: str, titles: list[str]) -> None:
    assert _titles(text, "plan.md") == titles


def test_the_other_headings_are_sections_of_ours() -> None:
    text = (
        "# Fair\n\n## Risks\n- Rain -> a tent\n\n## Offene Fragen\n- Wer?\n\n## Team\n- Anna – lead\n\n"
        "## Budget\n- Tents: 300 EUR\n\n## Out of scope\n- Fireworks\n\n## Tasks\n- Book\n\nDeadline: 12 June 2027\n"
    )
    plan = _read(text, "plan.md").plan
    found = {type(item).__name__: item for item in plan.items}

    assert {section.id for section in plan.sections} >= {"risks", "questions", "people", "budget", "scope", "steps"}
    assert (found["Risk"].response, found["Person"].role, found["Constraint"].day) == ("a tent", "lead", "2027-06-12")
    assert found["Bullet"].priority == "won't"


def test_what_stands_below_a_step_is_its_field_its_part_or_a_note() -> None:
    text = (
        "- [ ] Tile the floor\n  - Owner: Tom\n  - Due: someday\n  - dry for a day\n  - [x] Buy tiles\n"
        "- [ ] Paint\n  Effort: 2 days\n\n  > blue\n"
    )
    imported = _read(text, "plan.md")
    tile, buy, paint = imported.plan.steps

    assert (tile.owner, tile.notes, buy.parent, buy.status) == ("Tom", "Due: someday\ndry for a day", tile.id, "done")
    assert (paint.effort.likely, paint.notes) == (2, "> blue")
    assert [(one.line, one.text) for one in imported.not_placed] == [(3, "Due: someday")]


def test_text_is_kept_whole() -> None:
    text = "# Fair\n\nFirst we book the square. Then Anna prints posters.\n\n- [ ] Sweep\n"
    plan = _read(text, "plan.md").plan

    assert [step.title for step in plan.steps] == ["Sweep"]
    assert plan.section("introduction").text == "First we book the square. Then Anna prints posters."


def test_a_text_that_describes_is_no_plan() -> None:
    text = (
        "A library is more than a room with books. People meet there, and children learn to read. When the library in\n"
        "our town was closed, the shop next door closed too. Others will try mobile libraries.\n"
    )

    assert _titles(text) == []


# --- other markups ----------------------------------------------------------------------------------------------------


def test_org_headings_with_a_state_are_steps() -> None:
    text = (
        "#+TITLE: Move\n* Before\n** TODO Count shelves\n   DEADLINE: <2027-03-01 Mon>\n** DONE Ask movers\n"
        "* Notes\n  Old keys.\n"
    )
    imported = _read(text, "move.org")
    count, ask = imported.plan.steps

    assert imported.plan.title == "Move"
    assert (count.title, count.deadline, count.status, count.workstream) == (
        "Count shelves",
        "2027-03-01",
        "todo",
        "Before",
    )
    assert ask.status == "done"
    assert not imported.not_placed


# --- tables and JSON --------------------------------------------------------------------------------------------------


def test_a_table_of_things_is_no_work() -> None:
    assert _titles("| Thing | EUR |\n|---|---|\n| Wood | 2400 |\n| Wire | 1800 |\n", "plan.md") == []


def test_ids_of_lists_and_people_in_json_are_their_names() -> None:
    text = """{"name": "Podcast",
"lists": [{"id": "l1", "name": "Doing"}],
"members": [{"id": "m1", "fullName": "Oksana"}],
"cards": [{"name": "Fix the hum", "idList": "l1", "idMembers": ["m1"],
"checklists": [{"name": "Try", "checkItems": [{"name": "Swap the cable", "state": "complete"}]}]}]}"""
    imported = _read(text, "board.json")
    card, item = imported.plan.steps

    assert (card.title, card.owner, card.status) == ("Fix the hum", "Oksana", "under-way")
    assert (item.title, item.status, item.parent) == ("Swap the cable", "done", card.id)
    assert not imported.not_placed


def test_objects_that_name_each_other_are_tasks_all_the_same() -> None:
    text = '[{"id": "a", "title": "Dig"}, {"id": "b", "title": "Plant", "parentId": "a"}]'

    assert _titles(text, "tasks.json") == ["Dig", "Plant"]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (
            "Gewerk;Leistung;Firma\nMaler;Wände streichen;Huber\nElektro;Kabel ziehen;Sand\n",
            ["Wände streichen", "Kabel ziehen"],
        ),
        (
            "Export of 3 May\n\nwho;job\nBea;find a barn\nOlu;borrow twelve tables\n",
            ["find a barn", "borrow twelve tables"],
        ),
        ("1;clear the loft;Mum\n2;insulate the joists;Fred\n", ["clear the loft", "insulate the joists"]),
    ],
)
def test_the_column_with_the_longest_words_is_the_title(text: str, titles: list[str]) -> None:
    imported = _read(text, "rows.csv")

    assert [step.title for step in imported.plan.steps] == titles
    assert not imported.not_placed


def test_a_row_without_a_task_stays_text() -> None:
    imported = _read("task;due;note\nSow beans;2027-05-03;\n;;rent is due from April\n", "rows.csv")

    assert len(imported.plan.steps) == 1
    assert not imported.not_placed
    assert "rent is due from April" in text_of(imported.plan)


# --- no word is lost --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_no_word_is_lost_in_lines_that_come_in_any_order(seed: int) -> None:
    chance = random.Random(seed)
    lines = [line for plan in PLANS.values() if plan.name.endswith((".md", ".txt")) for line in plan.text.split("\n")]
    text = "\n".join(
        " " * chance.choice((0, 0, 0, 2, 4)) + chance.choice(lines).strip() for _ in range(chance.randint(2, 60))
    )

    assert _lost(text) == Counter()


def test_headings_with_fields_below_are_steps() -> None:
    text = (
        "# Plan\n\n## Ship the page\n- Owner: Priya\n- Due: 2027-02-01\n\n"
        "## Write notes\n- Owner: Tom\n- Status: done\n"
    )

    assert [(step.title, step.owner, step.status) for step in _read(text, "plan.md").plan.steps] == [
        ("Ship the page", "Priya", "todo"),
        ("Write notes", "Tom", "done"),
    ]


def test_lists_with_mixed_bullets_are_one_list() -> None:
    text = "## To do\n\n- [x] Read from stdin\n* Windows installer\n- tests for the date line\n"

    assert _titles(text, "plan.md") == ["Read from stdin", "Windows installer", "tests for the date line"]
