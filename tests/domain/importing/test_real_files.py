"""Small files after real ones that somebody took from public repositories: what was read wrong in these, by kinds."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Effort, Step

FOLDER = Path(__file__).parent / "faults"
TODAY = date(2026, 11, 30)


def read(name: str) -> Imported:
    return import_plan((FOLDER / name).read_text(), name=name, today=TODAY)


def steps(name: str) -> dict[str, Step]:
    """Return the steps of a file by their titles."""
    return {step.title: step for step in read(name).plan.steps}


# --- sections and lines ---


def test_headings_in_any_script_have_a_section_each() -> None:
    plan = read("cyrillic-sections.md").plan
    titles = ["Кухня (Анна)", "Сад (Пётр)", "Крыша"]
    assert [(section.title, section.text) for section in plan.sections] == [
        (title, text)
        for title, text in zip(titles, ["Текст про кухню.", "Текст про сад.", "Текст про крышу."], strict=True)
    ]
    assert len({section.id for section in plan.sections}) == len(plan.sections)


def test_headings_that_differ_in_what_no_id_holds_stay_apart() -> None:
    long = "The same long beginning of a heading that goes on"
    text = f"# Plan\n\n## Сад v2\n\none\n\n## Крыша v2\n\ntwo\n\n## {long} here\n\nthree\n\n## {long} there\n\nfour\n"
    sections = import_plan(text, name="t.md", today=TODAY).plan.sections
    assert [section.text for section in sections] == ["one", "two", "three", "four"]
    assert len({section.id for section in sections}) == 4


def test_a_second_list_of_criteria_adds_to_the_first() -> None:
    imported = read("backlog-two-criteria.md")
    assert imported.plan.steps[0].check.split("\n") == [
        "Wood is chosen and bought", "Bench is built", "Three people sit on it", "Bench from wood is built",
    ]  # fmt: skip
    assert not imported.not_placed


def test_what_stands_below_a_criterion_is_kept_with_it() -> None:
    text = (FOLDER / "backlog-two-criteria.md").read_text()
    text = text.replace("chosen and bought\n", "chosen and bought\n  - Larch, if there is any\n")
    imported = import_plan(text, name="t.md", today=TODAY)
    assert imported.plan.steps[0].check.split("\n")[:3] == [
        "Wood is chosen and bought", "- Larch, if there is any", "Bench is built",
    ]  # fmt: skip
    assert not imported.not_placed


def test_a_line_is_not_told_by_the_words_of_another_step() -> None:
    assembly = Assembly(["Paint the door", "the tall gate", "Open the tall gate", "the tall gate"], "t.md")
    section = assembly.section("steps", "Steps")
    first = assembly.step(StepDraft(0, "Paint the door"), section)
    assembly.fate(1, "field", first)
    assembly.step(StepDraft(2, "Open the tall gate", notes=["the tall gate"]), section)
    assembly.prose(assembly.own_section("More"), 3, 4)
    assert [(one.line, one.text) for one in assembly.build("text").not_placed] == [(2, "the tall gate")]


# --- people ---


def test_last_names_first_are_one_person_where_a_whole_column_has_them() -> None:
    imported = read("last-first.csv")
    assert [step.owners for step in imported.plan.steps] == [("Miller, Ann (Student)",), ("Rossi, Paolo",)]
    assert any("“Miller, Ann (Student)” read as one person" in guess for guess in imported.guesses)


def test_two_names_in_a_cell_are_two_people_and_that_is_said() -> None:
    text = 'Task,Owner\nDig,"Ann, Bo"\nPaint,Bo\n'
    imported = import_plan(text, name="t.csv", today=TODAY)
    assert [step.owners for step in imported.plan.steps] == [("Ann", "Bo"), ("Bo",)]
    assert any("“Ann, Bo”" in guess for guess in imported.guesses)
    crossed = import_plan('Task,Owner\nDig,"Ann, Bo"\nPaint,"Bo, Ann"\n', name="t.csv", today=TODAY)
    assert [step.owners for step in crossed.plan.steps] == [("Ann", "Bo"), ("Bo", "Ann")]


def test_some_cells_of_such_a_column_may_have_one_name() -> None:
    text = 'Task,Owner\nDig,"Miller, Ann"\nPaint,"Rossi, Bo"\nOpen,All\n'
    assert [step.owners for step in import_plan(text, name="t.csv", today=TODAY).plan.steps] == [
        ("Miller, Ann",), ("Rossi, Bo",), ("All",),
    ]  # fmt: skip


def test_names_are_parted_outside_brackets_only() -> None:
    imported = read("mixed-owner.csv")
    assert imported.plan.steps[0].owners == ("Mixed (Backend + UI)",)
    assert [(one.line, one.text) for one in imported.not_placed] == [(3, "Check login (v1.0)")]


def test_a_title_with_its_id_is_what_others_need() -> None:
    assert read("mixed-owner.csv").plan.steps[3].needs == ("S3",)


def test_a_name_with_a_sign_within_brackets_is_no_owner() -> None:
    hint, call = read("context.txt").plan.steps
    assert (hint.title, hint.owner) == (
        "Offer a hint when no place is set (@Phone, @Desk), else ask (@Home, @Work)",
        "",
    )
    assert (call.title, call.owner, call.tags) == ("@Call the bank about the loan", "", ("Call",))
    survey = read("cite.org").plan.steps[0]
    assert (survey.title, survey.owner) == ("Read the survey on bridges [cite:@hansen2021]", "")


def test_contexts_of_todo_txt_are_tags() -> None:
    text = "(A) 2027-01-05 Call Mom @Phone +Family due:2027-02-01\n2027-01-06 Buy milk @Shop @Town\n"
    first, second = import_plan(text, name="todo.txt", today=TODAY).plan.steps
    assert (first.title, first.owner, set(first.tags), first.deadline) == (
        "Call Mom",
        "",
        {"Phone", "Family"},
        "2027-02-01",
    )
    assert (second.title, second.tags) == ("Buy milk", ("Shop", "Town"))


def test_a_long_line_or_cell_of_such_signs_is_read_in_no_time() -> None:
    line = f"(A) 2027-01-05 Call{' @a' * 100_000} end"
    assert len(import_plan(f"{line}\n{line}\n", name="todo.txt", today=TODAY).plan.steps) == 2
    cell = ", a" * 40_000
    assert len(import_plan(f'Task,Owner\nDig,"x{cell}"\nCut,"y{cell}"\n', name="t.csv", today=TODAY).plan.steps) == 2


# --- parts ---


def test_parts_without_a_state_are_done_with_what_they_are_a_part_of() -> None:
    found = read("done-parent.json").plan.steps
    assert [step.status for step in found] == ["done", "done", "done", "todo"]


def test_an_open_part_of_a_done_step_that_says_so_stays_open() -> None:
    text = "# Plan\n\n- [x] Set up\n  - [ ] Rent the room\n"
    assert [step.status for step in import_plan(text, name="t.md", today=TODAY).plan.steps] == ["done", "todo"]


def test_how_a_task_of_backlog_md_is_gone_about_is_text() -> None:
    (step,) = read("backlog-done-plan.md").plan.steps
    assert (step.title, step.check, step.status) == ("Paint the fence", "Fence is green", "done")
    assert "1. Sand the fence\n2. Paint the fence twice" in step.notes


def test_steps_of_a_task_of_backlog_md_are_parts() -> None:
    text = (FOLDER / "backlog-done-plan.md").read_text().replace("Implementation Plan", "Steps")
    assert [step.title for step in import_plan(text, name="t.md", today=TODAY).plan.steps][1:] == [
        "Sand the fence", "Paint the fence twice",
    ]  # fmt: skip


def test_a_title_in_front_may_be_broken_into_lines() -> None:
    (step,) = read("backlog-folded-title.md").plan.steps
    assert step.title == "Look into the water pipes and find where they leak"
    assert (step.owner, step.status, step.check) == ("ann", "done", "The leak is found\nThe leak is written down")


# --- boards ---


def test_what_is_attached_to_a_card_is_no_step() -> None:
    imported = read("trello-attachment.json")
    menu = imported.plan.steps[0]
    assert [step.title for step in imported.plan.steps] == ["Write the menu", "Soups", "Cakes", "Buy chairs"]
    assert menu.other["attachments"] == "photo.mp4 https://example.org/photo.mp4"
    assert not imported.not_placed


def test_settings_and_history_of_a_board_are_left_out_and_comments_are_not() -> None:
    board = json.loads((FOLDER / "trello-attachment.json").read_text())
    board |= {"prefs": {"voting": "disabled"}, "limits": {"cards": {"warnAt": 4000}}}
    board["actions"] = [
        {"type": "createCard", "date": "2027-01-05", "data": {"card": {"id": "C1"}}},
        {"type": "commentCard", "data": {"text": "Ask Bo first", "card": {"id": "C1"}}},
    ]
    board["cards"][0] |= {"pos": 65535, "limits": {"attachments": {"warnAt": 800}}, "email": "board@example.org"}
    imported = import_plan(json.dumps(board), name="board.json", today=TODAY)
    assert not imported.not_placed
    assert "Ask Bo first" in imported.plan.steps[0].notes.split("\n")
    assert any("not its settings" in guess for guess in imported.guesses)


# --- columns ---


def test_heads_in_camel_case_are_words() -> None:
    imported = read("camel.csv")
    assert [step.effort for step in imported.plan.steps[:2]] == [Effort(2.5, 3.75, 5), Effort(5, 7.5, 10)]
    assert [step.needs for step in imported.plan.steps[:2]] == [(), ("S1",)]


def test_a_row_that_is_longer_than_the_head_is_told() -> None:
    longer = [one for one in read("camel.csv").not_placed if "9 cells" in one.why]
    assert [(one.line, one.text) for one in longer] == [(4, "C · Hang the sign · A · B · 10 · 15 · 20 · 1 · ")]
    always = "Task,Owner\nDig,Ann,\nPaint,Bo,\n"
    assert not import_plan(always, name="t.csv", today=TODAY).not_placed


def test_a_developer_is_an_owner() -> None:
    assert [step.owner for step in read("developer.csv").plan.steps] == ["Ann", "Bo", "Ann"]


def test_a_column_stands_in_for_an_empty_one_of_its_name() -> None:
    imported = read("inferred.csv")
    assert [(step.not_before, step.deadline) for step in imported.plan.steps] == [
        ("2027-05-13", "2027-05-27"), ("2027-05-28", "2027-05-30"),
    ]  # fmt: skip
    assert any("“Inferred due date” read as deadline" in guess for guess in imported.guesses)
    filled = "Task,Due date,Inferred due date\nDig,2027-03-01,2027-04-01\n"
    assert import_plan(filled, name="t.csv", today=TODAY).plan.steps[0].deadline == "2027-03-01"


def test_columns_without_a_field_are_named() -> None:
    imported = read("camel.csv")
    assert any("“projectManager”, “designer”" in guess for guess in imported.guesses)


def test_outline_numbers_in_columns_without_heads_are_ids_and_nest() -> None:
    found = read("wbs.csv").plan.steps
    assert [step.tags for step in found][:3] == [("1",), ("1.1",), ("1.1.1",)]
    assert [step.parent for step in found] == ["", *["S1"] * 5]


def test_a_table_in_another_language_whose_first_column_has_ids_has_steps() -> None:
    imported = read("korean-table.md")
    assert [(step.title, step.status, step.tags, step.other) for step in imported.plan.steps] == [
        ("데이터 모델", "done", ("D1",), {"담당자": "민수", "산출물": "model.md"}),
        ("시험 계획", "todo", ("D2",), {"담당자": "지영", "산출물": "test.md"}),
    ]
    assert any("“담당자”, “산출물”" in guess for guess in imported.guesses)
    found = read("untold2.md")
    assert [(step.title, step.workstream) for step in found.plan.steps] == [
        ("문 칠하기", "공통 (민수)"), ("로그인", "인증 (민수)"), ("인증 화면", "인증 (민수)"),
    ]  # fmt: skip
    assert not found.not_placed


def test_a_table_in_another_language_without_ids_is_text() -> None:
    imported = read("merged-ja.md")
    assert not imported.plan.steps
    assert not imported.not_placed


# --- values ---


def test_what_is_more_than_high_is_told_in_the_words_of_the_tool() -> None:
    leak, door, yard = read("urgent.csv").plan.steps
    assert [(step.priority, step.other) for step in (leak, door, yard)] == [
        ("high", {"Priority": "Urgent"}), ("high", {}), ("", {"Priority": "Medium"}),
    ]  # fmt: skip


def test_an_event_of_several_days_begins_and_ends() -> None:
    (step,) = read("multiday.ics").plan.steps
    assert (step.on, step.not_before, step.start, step.end) == (None, "2026-11-25", "2026-11-25", "2026-12-11")


def test_a_number_among_the_properties_of_org_mode_is_no_id() -> None:
    imported = read("cite.org")
    assert [step.tags for step in imported.plan.steps] == [(), ()]
    assert [step.notes for step in imported.plan.steps] == [":NUMBER: 3", ":NUMBER: 3"]
    assert not any("occurs more than once" in guess for guess in imported.guesses)
