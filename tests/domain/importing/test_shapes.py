"""Plans as people write them without any form: what is a step is told by the shape of its line, and no word is lost."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date

import pytest
from tests.domain.importing.labelled import PLANS, TODAY
from workbench.domain.plan.importing.assembly import text_of, without_marks
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.importing.words import words
from workbench.domain.plan.plan import Step


def _read(text: str, name: str = "plan.txt") -> Imported:
    return import_plan(text, name=name, today=TODAY)


def _titles(text: str, name: str = "plan.txt") -> list[str]:
    return [step.title for step in _read(text, name).plan.steps]


def _only(text: str) -> Step:
    [step] = _read(text).plan.steps
    return step


def _lost(text: str) -> Counter[str]:
    said = Counter(word for line in text.split("\n") for word in words(without_marks(line)))
    return said - Counter(words(text_of(_read(text).plan)))


# --- lines of text ----------------------------------------------------------------------------------------------------


def test_lines_below_a_line_that_names_work_are_steps() -> None:
    text = "Board: bees\n\nTo do\nNew frames\nBigger smoker\n\nDone\nOld hive out\n"

    assert _titles(text) == ["New frames", "Bigger smoker", "Old hive out"]
    assert [step.workstream for step in _read(text).plan.steps] == ["To do", "To do", "Done"]


def test_short_first_lines_are_headings_where_most_are() -> None:
    text = (
        "2 weeks before\nhire glasses\nask Jo\n\n1 week before\nbuy wine\nchill it\n\nthe day\nopen doors\nfill jugs\n"
    )

    assert [step.workstream for step in _read(text).plan.steps][-1] == "the day"
    assert len(_titles(text)) == 6


def test_days_between_lines_head_those_that_follow() -> None:
    text = (
        "Tour\n\nMonday 3 May\n09:00 meet the guide\n11:00 visit the mill\nTuesday 4 May\n10:00 pack\n12:00 go home\n"
    )

    assert len(_titles(text)) == 4
    assert _read(text).plan.steps[-1].workstream == "Tuesday 4 May"


def test_a_day_before_a_line_is_its_deadline() -> None:
    first, second = _read("Trip\n\n12 May – collect the forms\n19 May: book the coach\n").plan.steps

    assert (first.title, first.deadline) == ("collect the forms", "2027-05-12")
    assert (second.title, second.deadline) == ("book the coach", "2027-05-19")


def test_wrapped_text_is_no_list() -> None:
    text = (
        "The orchard was planted by our grandparents and has never been pruned since\n"
        "then, which is why most of the trees carry small fruit. We would like to\n"
        "change that over the next years without losing the old sorts of apples.\n"
    )

    assert _titles(text) == []


def test_outline_numbers_put_lines_below_each_other() -> None:
    text = "1 Pond\n1.1 Dig the hole\n1.2 Lay the liner\n2 Planting\n2.1 Order lilies\n2.2 Plant the edge\n"

    assert _titles(text) == ["Dig the hole", "Lay the liner", "Order lilies", "Plant the edge"]
    assert _lost(text) == Counter()


def test_names_of_groups_in_a_list_are_no_steps() -> None:
    text = "- Choir\n  - choose songs\n  - print scores\n- Hall\n  - ask the caretaker\n  - move chairs\n"

    assert _titles(text) == ["choose songs", "print scores", "ask the caretaker", "move chairs"]


# --- what somebody is asked -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "owner"),
    [
        ("Anna: please order the cake.", "Anna"),
        ("Tom, can you ask the school for benches?", "Tom"),
        ("RS to query the bill with the water company", "RS"),
        ("ACTION: BH to fit a new valve", "BH"),
        ("TODO(Mike): ask for the lead time", "Mike"),
        ("Svenja, bitte Fenster nachmessen", "Svenja"),
        ("Marlies kümmert sich um die Schankgenehmigung.", "Marlies"),
        ("Could somebody print the programmes?", ""),
        ("Die Plakate muss noch jemand drucken.", ""),
    ],
)
def test_a_request_in_running_text_is_a_step_of_who_is_asked(line: str, owner: str) -> None:
    text = f"Hello everybody,\n\nthe evening went well. It rained.\n\n{line}\n\nThe pump is old.\n"

    assert _only(text).owner == owner


@pytest.mark.parametrize(
    "line",
    [
        "Anna thinks that the hall is too small.",
        "Budget: 400 EUR",
        "Due: end of June",
        "We should think about what a place does before we close it.",
        "The pump has been leaking since November.",
        "Agreed to go ahead.",
    ],
)
def test_a_report_in_running_text_is_no_step(line: str) -> None:
    assert _titles(f"Hello everybody,\n\nthe evening went well.\n\n{line}\n\nTom: order two tables\n") == [
        "order two tables"
    ]


def test_numbered_topics_of_minutes_are_headings_above_requests() -> None:
    text = "1. Water\nThe pump leaks.\nACTION: JK to get two quotes\n2. Fete\nMany people came.\nPiet: ask the school\n"

    assert _titles(text) == ["get two quotes", "Piet: ask the school"]
    assert _lost(text) == Counter()


def test_sentences_that_tell_a_plan_are_steps_and_the_others_stay_text() -> None:
    text = (
        "The archive has three thousand pictures in boxes, and they have not been looked at\n"
        "since the fire. First we sort the boxes by decade. Then Ruth scans a sample of\n"
        "fifty. After that the museum decides about the size. The pictures are old.\n"
    )
    imported = _read(text)

    assert [step.title.split()[0] for step in imported.plan.steps] == ["sort", "Then", "After"]
    assert [step.origin.source for step in imported.plan.steps if step.origin] == [
        "plan.txt:2", "plan.txt:3", "plan.txt:3",
    ]  # fmt: skip
    assert "The pictures are old." in text_of(imported.plan)
    assert _lost(text) == Counter()


def test_lines_behind_arrows_in_minutes_are_steps() -> None:
    text = "Board\n\n1 Roof\nThe roof leaks.\n-> Rolf gets an offer\n-> Uwe calls the insurer\n\n2 Fete\nIt was fine.\n"

    assert _titles(text) == ["Rolf gets an offer", "Uwe calls the insurer"]


def test_a_line_right_after_a_list_is_no_part_of_its_last_entry() -> None:
    text = "- buy seeds\n- borrow a rake\nBen: please ask for the key\n"

    assert _titles(text) == ["buy seeds", "borrow a rake", "ask for the key"]


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


@pytest.mark.parametrize(
    "text",
    [
        "== Work ==\n# Order tags\n## Compare two makers\n# Train helpers\n\n== Contacts ==\n* Van hire\n",
        "= Plan\n\n== Work\n\n. Order tags\n.. Compare two makers\n. Train helpers\n\n== Contacts\n\n* Van hire\n",
        "h1. Plan\nh2. Work\n# Order tags\n## Compare two makers\n# Train helpers\n\nh2. Contacts\n* Van hire\n",
    ],
)
def test_lists_of_wikis_are_read_as_those_of_markdown(text: str) -> None:
    assert _titles(text) == ["Order tags", "Compare two makers", "Train helpers"]


# --- tables and JSON --------------------------------------------------------------------------------------------------


def test_a_table_with_unknown_heads_is_read_by_what_stands_in_it() -> None:
    text = (
        "| # | Wot | Hands | How far | Latest |\n|---|---|---|---|---|\n"
        "| a | Strip the old lining | Nell | ✔ | 2 Sept |\n"
        "| b | Weld the door hinge | Jo | not yet | 8 Sept |\n| c | Cast the arch | Nell | not yet | 4 Oct |\n"
        "| | everything | | | |\n"
    )
    steps = _read(text).plan.steps

    assert [step.title for step in steps] == ["Strip the old lining", "Weld the door hinge", "Cast the arch"]
    assert [step.owner for step in steps] == ["Nell", "Jo", "Nell"]
    assert (steps[0].status, steps[1].deadline) == ("done", "2027-09-08")


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


def test_dates_are_read_from_the_day_of_reading() -> None:
    [step] = import_plan("Plan\n\n- [ ] 3 May: sow\n", name="p.md", today=date(2030, 1, 1)).plan.steps

    assert step.deadline == "2030-05-03"


# --- who does what by when, in schedules, texts and headings ----------------------------------------------------------

_SCHEDULE = """\
STAGE CREW

MON 11 Jan
  9-12    build the mast              Greta, Ali
  12-13   lunch
  13-16   hang the lights on bar 3    Mo
TUE 12 Jan
  10-12   pick up the costumes        Mo
          not before ten

? who has the key
! the smoke machine may trip the alarm
"""


def test_rows_of_a_schedule_are_steps_of_their_day_with_who_does_them() -> None:
    plan = _read(_SCHEDULE).plan

    assert [(step.title, step.owner, step.deadline) for step in plan.steps] == [
        ("build the mast", "Greta, Ali", "2027-01-11"),
        ("hang the lights on bar 3", "Mo", "2027-01-11"),
        ("pick up the costumes", "Mo", "2027-01-12"),
    ]
    assert {section.id: len(section.items) for section in plan.sections if section.id in ("questions", "risks")} == {
        "questions": 1,
        "risks": 1,
    }
    assert not _lost(_SCHEDULE)


def test_a_text_is_told_clause_by_clause_and_the_next_sentence_may_say_who() -> None:
    text = (
        "The winter\n\nFirst we have to finish the treatment of all hives. Pavel does this, and it must be over by "
        "1 February 2027. Jitka will melt the old combs in March and send the blocks to the maker. After that, build "
        "twenty new frames. We have already moved the hives to the forest, so nothing is left to do there.\n"
    )

    assert [(step.title, step.owner, step.status) for step in _read(text).plan.steps] == [
        ("finish the treatment of all hives", "Pavel", "todo"),
        ("melt the old combs", "Jitka", "todo"),
        ("send the blocks to the maker", "Jitka", "todo"),
        ("build twenty new frames", "", "todo"),
        ("moved the hives to the forest", "", "done"),
    ]
    assert not _lost(text)


def test_headings_with_fields_below_are_steps() -> None:
    text = (
        "# Plan\n\n## Ship the page\n- Owner: Priya\n- Due: 2027-02-01\n\n"
        "## Write notes\n- Owner: Tom\n- Status: done\n"
    )

    assert [(step.title, step.owner, step.status) for step in _read(text, "plan.md").plan.steps] == [
        ("Ship the page", "Priya", "todo"),
        ("Write notes", "Tom", "done"),
    ]


@pytest.mark.parametrize(
    ("line", "title", "owner"),
    [
        ("- Buy food - Lars and Hanne, January 13th", "Buy food", "Lars and Hanne"),
        ("- Open a bank account → Matti, Fri 5 Feb", "Open a bank account", "Matti"),
        ("- Write the runbook [Minjun]", "Write the runbook", "Minjun"),
        ("- Flash the gateways (field service, until 2027-02-04)", "Flash the gateways", "field service"),
        ("- @nadia + @omar: set up the stall", "set up the stall", "nadia + omar"),
        ("- Lay cables: Tomek", "Lay cables", "Tomek"),
    ],
)
def test_who_does_a_task_stands_before_or_behind_it(line: str, title: str, owner: str) -> None:
    [step] = _read(f"## Tasks\n\n{line}\n", "plan.md").plan.steps

    assert (step.title, step.owner) == (title, owner)


def test_lists_with_mixed_bullets_are_one_list() -> None:
    text = "## To do\n\n- [x] Read from stdin\n* Windows installer\n- tests for the date line\n"

    assert _titles(text, "plan.md") == ["Read from stdin", "Windows installer", "tests for the date line"]
