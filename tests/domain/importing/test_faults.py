"""Small files that other planning tools read wrong, made after their public bug reports: each with the right values."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Days, DaysOff, Effort, Money, Person, Rule, Step, WorkingTime
from workbench.domain.text.encodings import decoded

FOLDER = Path(__file__).parent / "faults"
TODAY = date(2026, 11, 30)


def read(name: str) -> Imported:
    text = decoded((FOLDER / name).read_bytes())
    assert text is not None
    return import_plan(text, name=name, today=TODAY)


def steps(name: str) -> dict[str, Step]:
    """Return the steps of a file by their titles."""
    return {step.title: step for step in read(name).plan.steps}


def said(name: str) -> list[tuple[int, str]]:
    """Return what has no place, with its lines."""
    return [(one.line, one.text) for one in read(name).not_placed]


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_every_line_has_a_fate_and_none_with_words_is_blank(name: str) -> None:
    text = decoded((FOLDER / name).read_bytes()) or ""
    lines = text.removeprefix("\ufeff").removesuffix("\n").split("\n")
    fates = read(name).lines

    assert [fate.line for fate in fates] == list(range(1, len(lines) + 1))
    assert all((fate.kind == "blank") == (not line.strip()) for fate, line in zip(fates, lines, strict=True))


# --- references ---


def test_two_numbers_are_two_steps_also_where_there_is_one_of_both() -> None:
    plan = read("two-numbers.csv").plan
    assert plan.steps[4].needs == ("S1", "S2")
    found = steps("two-needs.json")
    assert found["Glue"].needs == (found["Cut"].id, found["Sand"].id)
    assert found["Paint"].needs == (found["Cut"].id, found["Glue"].id)


@pytest.mark.parametrize("sign", [",", ";", "; ", "|", " "])
def test_a_list_of_numbers_is_split_first(sign: str) -> None:
    rows = "".join(f"{number},Task {number},\n" for number in range(1, 13))
    text = f'ID,Task,Depends on\n{rows}13,Last,"1{sign}2"\n'
    assert import_plan(text, name="t.csv", today=TODAY).plan.steps[-1].needs == ("S1", "S2")


def test_a_title_may_hold_a_comma() -> None:
    text = 'Name,Depends on\n"Order tents, tables",\nPrint,\nOpen,"Order tents, tables, Print"\n'
    assert import_plan(text, name="t.csv", today=TODAY).plan.steps[-1].needs == ("S1", "S2")


def test_numbers_of_one_tag_name_tasks_of_that_tag() -> None:
    found = steps("tags.json")
    assert found["Login screen"].needs == (found["Choose the framework"].id,)
    assert found["Limits"].needs == (found["Routes"].id,)
    assert {step.workstream for step in found.values()} == {"master", "mobile"}
    assert (found["Push messages"].status, found["Old idea"].status) == ("waiting", "dropped")


def test_numbers_as_texts_are_numbers_and_unknown_ones_are_listed() -> None:
    found = steps("text-ids.json")
    assert found["Order tiles"].needs == (found["Survey the roof"].id,)
    assert found["Lay tiles"].needs == (found["Order tiles"].id,)
    assert said("text-ids.json") == [(4, "9"), (5, "4")]


def test_an_id_that_occurs_twice_is_said() -> None:
    imported = read("double-ids.csv")
    assert imported.plan.steps[3].needs == ("S2", "S3")
    assert any("“2” occurs more than once, in lines 3, 4" in guess for guess in imported.guesses)


def test_bookkeeping_times_are_no_days_of_the_plan() -> None:
    survey, order = read("updated.json").plan.steps
    assert (survey.deadline, survey.end, order.not_before, order.needs) == (None, None, None, (survey.id,))
    assert survey.other == {"updatedAt": "2026-03-04T09:12:44.120Z"}


# --- days ---


def test_begin_and_end_are_days_of_the_schedule_and_a_duration() -> None:
    dig, pour = read("begin-end.csv").plan.steps
    assert (dig.start, dig.end, dig.not_before, dig.duration) == ("2027-02-26", "2027-03-02", "2027-02-26", 3.0)
    assert (pour.start, pour.end, pour.deadline) == ("2027-03-27", "2027-03-29", None)
    assert [(step.owner, step.duration) for step in read("owners.csv").plan.steps] == [("Ada", 5.0), ("Ben", 5.0)]


def test_what_is_no_day_is_listed_with_its_line() -> None:
    found = steps("dates.csv")
    assert said("dates.csv") == [
        (4, "Begin date: 30/02/2027"), (5, "Begin date: soon"), (5, "End date: next year"),
    ]  # fmt: skip
    assert (found["Pour"].start, found["Walls"].end) == ("2027-04-03", "2027-04-09")
    assert (found["Paint"].start, found["Paint"].end) == ("2026-04-01", "2026-04-05"), "as spreadsheets count days"
    assert not any(step.notes for step in found.values())


def test_the_month_is_first_where_a_day_tells() -> None:
    dig, pour = read("american.csv").plan.steps
    assert (dig.start, dig.end, pour.start, pour.end) == ("2027-02-13", "2027-02-19", "2027-03-04", "2027-03-05")


def test_days_with_times_are_days() -> None:
    imported = read("jira-dates.csv")
    assert {step.deadline for step in imported.plan.steps} == {"2027-04-30"}
    assert imported.plan.steps[3].notes == "Due date: 2027-04-30 17:00", "no field has the time"
    assert not imported.not_placed


def test_a_week_is_no_year_and_what_is_no_day_is_said() -> None:
    report, order, lay = read("no-day.md").plan.steps
    assert (report.title, report.deadline) == ("Report by 31 April 2027", None)
    assert said("no-day.md") == [(1, "by 31 April 2027")]
    assert order.deadline == "2027-02-14"
    assert (lay.not_before, lay.deadline) == ("2027-02-08", "2027-02-14")


# --- what comes again, and days off ---


def test_what_comes_again_is_a_rule() -> None:
    water, rent, standup = read("weekly.md").plan.steps
    assert water.repeat == Rule("week", "2027-01-04", weekdays=(1,), until="2027-03-29")
    assert (rent.repeat, standup.repeat) == (Rule("month", "2026-12-01"), Rule("day", "2026-11-30"))
    assert (water.deadline, water.owner) == (None, "Ada")
    [beds] = read("weekly.ics").plan.steps
    assert (beds.title, beds.deadline, beds.repeat) == ("Water the beds", "2027-03-12", Rule("week", "2027-03-12"))


def test_a_yearly_day_off_is_a_rule_and_no_five_years() -> None:
    [off] = [item for item in read("yearly.xml").plan.items if isinstance(item, DaysOff)]
    assert (off.text, off.days, off.again) == ("May Day", (), (Rule("year", "2026-05-01", until="2030-05-01"),))


def test_days_off_of_an_older_form_are_read() -> None:
    [off] = [item for item in read("day-type-0.xml").plan.items if isinstance(item, DaysOff)]
    assert off.days == (Days("2027-03-03", "2027-03-05"),)


def test_the_leave_of_a_person_is_theirs() -> None:
    plan = read("leave.xml").plan
    [person], [off], [week] = (
        [item for item in plan.items if isinstance(item, kind)] for kind in (Person, DaysOff, WorkingTime)
    )
    assert (person.text, person.role, person.away) == ("Worker", "Leave", (Days("2027-03-15", "2027-03-19"),))
    assert off.days == (Days("2027-03-08", "2027-03-09"),)
    assert week.weekdays == (1, 2, 3, 4, 5, 6)
    assert said("leave.xml") == [(8, "Saturday: 08:00 to 12:00"), (21, "Inspect: LinkLag -4800")]
    assert plan.steps[2].duration == 2.0, "estimated, and so no work that somebody said"


# --- owners, marks and fields of other tools ---


def test_a_name_before_a_dash_is_no_title() -> None:
    assert [(step.title, step.owner, step.deadline) for step in read("dashes.md").plan.steps] == [
        ("Order the key", "ada", "2027-03-05"),
        ("Call the printer", "Ben", "2027-03-06"),
        ("Cem: Book the hall by 2027-03-07", "", "2027-03-07"),
        ("Send the invitations", "dee", "2027-03-08"),
        ("Bake a cake", "Eve", "2027-03-09"),
        ("Fay to hang the posters by 2027-03-10", "", "2027-03-10"),
        ("Sweep the floor", "Gus", "2027-03-11"),
        ("Water the plants", "hal", "2027-03-12"),
    ]
    assert said("dashes.md") == [(10, "@ada's key")]


def test_ids_and_marks_of_spec_kit_stay() -> None:
    assert [(step.title, step.tags, step.needs) for step in read("spec-kit.md").plan.steps] == [
        ("Create `src/` folder", ("T001",), ()),
        ("Write `src/cart.py` (see plan.md)", ("T003", "P", "US1"), ()),
        ("Test the cart", ("T007", "US1"), ("S2",)),
    ]


def test_marks_of_obsidian_are_fields() -> None:
    roses, beds, peas, seeds, tractor, water, bees, fence, hedge = read("obsidian.md").plan.steps
    assert (roses.title, roses.not_before, roses.deadline, roses.priority) == (
        "Prune roses", "2027-02-10", "2027-02-20", "high",
    )  # fmt: skip
    assert roses.tags == ("garden", "^r1")
    assert (beds.status, peas.needs) == ("under-way", (beds.id,))
    assert (seeds.status, seeds.finished) == ("done", "2027-01-15")
    assert (tractor.status, tractor.other) == ("dropped", {"cancelled": "2027-01-20", "box": "-"})
    assert water.repeat == Rule("week", "2027-03-15", weekdays=(1,))
    assert (bees.deadline, bees.not_before, bees.priority) == ("2027-04-01", "2027-03-28", "high")
    assert (fence.status, hedge.status, hedge.other) == ("waiting", "todo", {"box": "?"})


def test_columns_of_asana_and_jira_are_fields_and_the_others_stay_by_their_names() -> None:
    launch, write, fonts = read("asana.csv").plan.steps
    assert (launch.not_before, launch.deadline, launch.tags) == ("2026-09-20", "2026-10-15", ("1201", "Design", "Q4"))
    assert (write.parent, write.status, write.finished) == (launch.id, "done", "2026-09-10")
    assert fonts.other["Created At"] == "2026-09-01"
    assert said("asana.csv") == [(2, "Write copy")], "a step cannot wait for its own part"
    checkout, card, fraud, receipt = read("jira.csv").plan.steps
    assert (checkout.deadline, checkout.priority, checkout.status) == ("2027-04-30", "high", "under-way")
    assert (card.parent, card.effort, card.finished) == (checkout.id, Effort(1, 1, 1), "2027-03-20")
    assert (fraud.needs, receipt.needs) == ((card.id,), (fraud.id,))
    assert receipt.parent == checkout.id, "parts have no parts"
    assert fraud.other["Custom field (Story Points)"] == "5"


# --- our own form ---


def test_typed_values_in_brackets_are_fields() -> None:
    found = steps("cafe.md")
    assert len(found) == 12
    ask = found["Ask the parish for the hall"]
    assert (ask.owner, ask.effort, ask.deadline) == ("Ada", Effort(2, 2, 2), "2027-01-15")
    assert found["Insure the volunteers"].cost == Money(found["Insure the volunteers"].cost.amount, "EUR")
    buy = found["Buy soldering irons and glue"]
    assert (buy.needs, str(buy.cost.amount)) == ((found["Find eight repairers"].id,), "400")
    assert found["Bake cakes"].on == "2027-02-26"
    assert found["Open on Saturday 27 February 2027"].on == "2027-02-27"
    assert said("cafe.md") == [(8, "the hall agreement"), (10, "insuring and finding repairers")]
    assert not any(step.notes for step in found.values())


def test_a_line_in_the_own_form_is_a_step_and_what_stands_above_it_text() -> None:
    imported = read("own-form.md")
    [step] = imported.plan.steps
    assert (step.title, step.owner, step.effort, step.deadline) == (
        "Invite the mayor", "Ada", Effort(1, 1, 1), "2027-02-20",
    )  # fmt: skip
    assert [fate.kind for fate in imported.lines] == ["prose", "step"]


def test_a_list_of_work_has_owners_and_efforts() -> None:
    plan = read("print-shop.md").plan
    assert [step.owner for step in plan.steps] == ["Dee", "Ben", "Ada", "Cem", "Eve", "Fay", "Gus", "Hal", "Ivy"]
    assert [step.effort.likely for step in plan.steps if step.effort] == [3, 3, 2, 9, 2, 2, 10, 1, 5]


@pytest.mark.parametrize(
    ("row", "status", "done"),
    [("0", "todo", None), ("90", "under-way", 0.9), ("90 %", "under-way", 0.9), ("100", "done", None)],
)
def test_part_done_is_a_share_and_not_done(row: str, status: str, done: float | None) -> None:
    [step] = import_plan(f"Name,% Complete\nPrint,{row}\n", name="t.csv", today=TODAY).plan.steps
    assert step.status == status
    assert (step.progress.done if step.progress else None) == done


def test_counted_boxes_are_part_done() -> None:
    [step] = import_plan("- [ ] Find repairers (5/8)\n", name="t.md", today=TODAY).plan.steps
    assert step.status == "under-way"
    assert (step.progress.done, step.progress.of) == (5, 8)


# --- encodings ---


@pytest.mark.parametrize("name", ["german-mark.csv", "german-1252.csv", "german-utf16.csv", "german-tabs.txt"])
def test_encodings_are_told_by_a_mark_or_by_the_content(name: str) -> None:
    first, second = read(name).plan.steps
    assert (first.title, first.owner) == ("Küche ausräumen", "Jörg")
    assert second.title.startswith("Fliesen")
    assert (second.owner, second.needs, second.duration) == ("Bärbel", (first.id,), 3.0)


def test_several_people_in_a_cell_are_several_owners() -> None:
    [step] = import_plan("Task,Owner\nPaint,Ada; Ben\n", name="t.csv", today=TODAY).plan.steps
    assert step.owners == ("Ada", "Ben")


@pytest.mark.parametrize("data", [b"\x00\x01\x02\xff", b"\x81\x8d", b"M\xfcl\x00ler", "Ж".encode("koi8-r") * 50])
def test_what_is_no_text_has_no_encoding(data: bytes) -> None:
    assert decoded(data) is None
