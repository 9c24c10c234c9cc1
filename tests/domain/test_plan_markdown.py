"""Plans as people read and edit them."""

from __future__ import annotations

import contextlib
import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from rich.markdown import Markdown
from tests.builders import plan_changed
from tests.domain.sound_plans import names, sound
from tests.pace import took
from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.loop.answers.item_reply import LISTS
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.importing.items_json import plan_of_items
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import from_markdown, section_to_markdown, to_markdown
from workbench.domain.plan.plan import (
    Bullet,
    Criterion,
    Effort,
    Item,
    Lag,
    Money,
    Plan,
    Risk,
    Section,
    Step,
)
from workbench.domain.session import events as say

PLAN = Plan(
    title="Move billing",
    sections=(
        Section(id="goal", title="Goal", text="Move our billing.\n\n- soon\n- safely"),
        Section(
            id="criteria",
            title="Success criteria",
            text="All must hold.",
            items=(Criterion(id="C1", text="No invoice is lost", measure="ledgers", target="0", due="2027-06-30"),),
        ),
        Section(
            id="steps",
            title="Steps",
            items=(
                Step(
                    id="S1",
                    title="List the places",
                    outcome="a list",
                    check="signed",
                    owner="lead",
                    effort=Effort(low=2, likely=3, high=5),
                    workstream="Preparation",
                    answers=("C1",),
                ),
                Step(id="S3", title="Move", effort=Effort(low=1, likely=1, high=1), needs=("S1",), workstream="Switch"),
            ),
        ),
        Section(id="risks", title="Risks", items=(Risk(id="R1", text="Fields that nobody knows", sign="1 %"),)),
        Section(id="scope", title="Scope", items=(Bullet(id="B1", text="Refunds", priority="won't"),)),
    ),
)
MARKDOWN = """\
# Move billing

## Goal

Move our billing.

- soon
- safely

## Success criteria <!-- criteria -->

All must hold.

- C1 · No invoice is lost
  - Measure: ledgers
  - Target: 0 · Due: 2027-06-30

## Steps

### Preparation

- S1 · List the places
  - Outcome: a list
  - Check: signed
  - Owner: lead · Effort: 3 days (2–5)
  - Answers: C1

### Switch

- S3 · Move
  - Effort: 1 day
  - Needs: S1

## Risks

- R1 · Fields that nobody knows
  - Likelihood: medium · Impact: medium
  - Sign: 1 %

## Scope

- B1 · Won't: Refunds
"""


@pytest.mark.parametrize(
    ("lines", "fields", "unread"),
    [
        (
            ["Capacity: 16 h a week from 2027-02-01 until 2027-02-28", "Capacity: 2 days a week in March 2027"],
            "Capacity: 16 h a week from 2027-02-01 until 2027-02-28; 16 h a week from 2027-03-01 until 2027-03-31",
            "",
        ),
        (
            ["Capacity: 8 h a week until 2027-02-28, 20 h a week from 1 March 2027"],
            "Capacity: 8 h a week until 2027-02-28; 20 h a week from 2027-03-01",
            "",
        ),
        (["Hours: 8 a week from 2027-02-01"], "Capacity: 8 h a week from 2027-02-01", ""),
        (["Away: 3 to 5 May 2027", "Away: 2027-06-01"], "Away: 2027-05-03 – 2027-05-05, 2027-06-01", ""),
        (["Hours: 40 a week", "Hours: 12 a week"], "Hours: 40 a week", "Hours: 12 a week"),
        (["Capacity: 8 h a week in some weeks"], "", "Capacity: 8 h a week in some weeks"),
    ],
)
def test_further_lines_and_periods_of_a_person_are_read_or_told(lines: list[str], fields: str, unread: str) -> None:
    text = "# T\n\n## People\n\n- P1 · Ida\n" + "".join(f"  - {line}\n" for line in lines)
    plan = from_markdown(text, Plan(title=""))
    [ida] = plan.people
    assert (ida.role, plan.sections[0].text) == ("", f"Ida: {unread}" if unread else "")
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan
    assert fields in to_markdown(plan)
    told = [one.text for one in check_plan(plan, today=date(2027, 1, 4)) if one.rule == "people.unread"]
    assert told == ([f"P1 “Ida” says “{unread}”, and no date or load follows from that."] if unread else [])


def edited(old: str, new: str) -> Plan:
    assert old in MARKDOWN
    return from_markdown(MARKDOWN.replace(old, new), PLAN)


def test_marks_are_invisible_when_rendered():
    console = Console(width=80, record=True, quiet=True)
    console.print(Markdown(MARKDOWN))
    assert "<!--" not in console.export_text()


@pytest.mark.parametrize("name", names())
def test_sound_plans_survive_the_way_there_and_back(name):
    plan = sound(name).plan
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


def test_only_an_edited_section_is_new():
    plan = edited("No invoice is lost", "No invoice goes missing")
    changed = [new.id for new, old in zip(plan.sections, PLAN.sections, strict=True) if new is not old]
    assert changed == ["criteria"]
    assert plan.sections[1].items[0] == Criterion(
        id="C1", text="No invoice goes missing", measure="ledgers", target="0", due="2027-06-30"
    )


def test_an_id_that_was_taken_out_is_not_given_again():
    plan = edited(
        "- S3 · Move\n  - Effort: 1 day\n  - Needs: S1\n", "- Switch over\n  - Effort: 2 days\n  - Needs: S1\n"
    )
    assert [step.id for step in plan.steps] == ["S1", "S4"]


def test_what_fits_no_field_stays_with_its_item():
    plan = edited(
        "  - Sign: 1 %",
        "  - Sign: 1 %\n  - Likelihood: none\n  - Colour: red · Effort: soon\n\nTalk to Ann.\n\nAnd to Bo.",
    )
    risks = plan.section("risks")
    assert risks.items[0].sign == "1 %"
    assert risks.items[0].text.split("\n")[1:] == ["Likelihood: none", "Colour: red", "Effort: soon"]
    assert risks.text == "Talk to Ann.\n\nAnd to Bo."
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


def test_a_step_and_a_person_keep_what_fits_no_field_apart_from_their_names():
    text = (
        "## Steps\n\n- S1 · Paint\n  - Cost: a lot · Owner: Ann · Mood: good · Cost: 5 EUR\n  - blue, then red\n\n"
        "## People\n\n- P1 · Ann\n  - Hours a week: 20 · Team: North\n  - Role: painter\n"
    )
    plan = from_markdown(text, Plan(title=""))
    [step], [person] = plan.steps, plan.people
    assert (step.title, step.owner, step.cost) == ("Paint", "Ann", Money(Decimal(5), "EUR"))
    assert step.notes == "Cost: a lot\nMood: good\nblue, then red"
    assert (person.text, person.hours, person.role) == ("Ann", 20, "painter\nTeam: North")
    assert [section.text for section in plan.sections] == ["", ""]
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


def test_a_line_that_goes_on_belongs_to_its_field():
    plan = edited("  - Measure: ledgers", "  - Measure: ledgers,\n    old and new")
    assert plan.section("criteria").items[0].measure == "ledgers,\nold and new"
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


def test_new_sections_get_ids_of_their_own():
    plan = from_markdown(f"{MARKDOWN}\n## Goal\n\nAnother.\n\n## 目标\n\ntext\n", PLAN)
    assert [section.id for section in plan.sections[-2:]] == ["goal-2", "section"]


def test_what_stands_above_the_first_section_is_kept_as_a_note():
    plan = from_markdown(MARKDOWN.replace("# Move billing\n", "Read by Ann.\n\n# Billing, moved\n# Two\n"), PLAN)
    assert plan.title == "Billing, moved"
    assert plan.section("notes").text == "Read by Ann.\n\n# Two"
    noted = Plan(title="x", sections=(Section(id="notes", title="Notes", text="Old."), PLAN.sections[0]))
    assert from_markdown("New.\n" + to_markdown(noted), noted).section("notes").text == "Old.\n\nNew."


@pytest.mark.parametrize("text", ["", "   \n\n", "# Only a title\n", "no heading at all", "### deep\n"])
def test_a_text_without_sections_is_refused_with_a_remedy(text):
    with pytest.raises(UsageError) as caught:
        from_markdown(text, PLAN)
    assert "##" in caught.value.remedy


@pytest.mark.parametrize("days", ["1e999", "-1e999", "1000001", "1 (1–1e400)", "9" * 400])
def test_an_effort_that_nobody_can_calculate_with_stays_in_the_notes(days):
    """An infinite number has no JSON: the version of the plan could not be recorded."""
    plan = edited("Effort: 3 days (2–5)", f"Effort: {days} days")
    step = plan.section("steps").items[0]
    assert step.effort is None
    assert step.notes == f"Effort: {days} days"
    say.draft(
        plan_changed(version=2, plan=plan, by="person", change=0.5),
        Turn(session=SessionId("s"), person="ada", workspace="w"),
        actor="person",
        cause="s:1",
        time="",
    )


FIELDS = (Path(__file__).parent / "every_field.txt").read_text(encoding="utf-8").strip().split("\n\n")
"""Items as Markdown, each with its fields as JSON in the last line."""


@pytest.mark.parametrize("text", FIELDS, ids=[text.split("\n")[1] for text in FIELDS])
def test_every_field_is_written_in_plain_words_and_read_back(text: str):
    item, _, fields = text.rpartition("\n")
    section = from_markdown(f"## Steps\n\n{item}\n", Plan(title="")).sections[0]
    assert [json.loads(msgspec.json.encode(one)) for one in section.items] == [json.loads(fields)]
    assert section_to_markdown(section) == f"## Steps\n\n{item}\n"


def lines_of(name: str) -> list[list[str]]:
    return [line.split(" | ") for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("field", "fields"), lines_of("fields_as_people_write_them.txt"))
def test_fields_are_read_as_people_write_them_and_what_cannot_be_read_is_noted(field: str, fields: str):
    plan = from_markdown(f"## Steps\n\n- S1 · Go\n  - {field}\n", Plan(title=""))
    step = json.loads(msgspec.json.encode(plan.steps[0]))
    assert step == {"type": "step", "id": "S1", "title": "Go", **json.loads(fields)}
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


_LINES = 20_000
_SPACES = " " * 40_000


@pytest.mark.parametrize(
    "text",
    [
        f"## Steps\n\n- S1 · a{_SPACES}b",
        f"## Goal{_SPACES}x",
        "## Steps\n\n- S1 · a" + "\n  b" * _LINES,
        "## Steps\n" + "\n### x" * _LINES,
        "## Notes\n" + "\n- x" * _LINES + "\n\n- B1 · x",
    ],
    ids=["spaces in a title", "spaces behind a heading", "lines of a step", "headings", "bullets"],
)
def test_long_texts_are_read_and_written_in_no_more_than_their_time(text):
    def read_and_write():
        with contextlib.suppress(UsageError):  # for what is more than a plan may hold
            assert to_markdown(from_markdown(text, PLAN))

    assert took(read_and_write, within=2) < 2


def test_a_title_of_forty_thousand_spaces_is_written_at_once():
    """It took 1.5 s: each space was looked at once for each that stands before it."""
    plan = Plan(title="", sections=(Section(id="x", title=_SPACES, items=(Step(id="S1", title=f"a{_SPACES}b"),)),))
    assert f"a{_SPACES}b" in to_markdown(plan)
    assert took(lambda: to_markdown(plan), within=0.5) < 0.5


def test_the_example_of_the_guide_is_read_whole():
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
    example = guide.split("```markdown\n")[1].split("```")[0]
    plan = from_markdown(example, Plan(title=""))
    assert to_markdown(plan) == example
    assert not any(step.notes for step in plan.steps), "every line of it is a field"
    assert {type(item).__name__ for item in plan.items} >= {
        "Step",
        "Decision",
        "Person",
        "DaysOff",
        "Fund",
        "Place",
        "Row",
    }


@pytest.mark.parametrize("text", FIELDS)
def test_every_field_of_items_in_json_is_used(text: str) -> None:
    for line in text.split("\n")[1:]:
        if line.startswith("{"):
            said = json.loads(line)
            name = next(name for name, kind in LISTS.items() if kind.__struct_config__.tag == said["type"])
            plan, notes = plan_of_items({name: [said]})
            assert (plan.items, notes) == ((msgspec.convert(said, Item),), ())


def test_what_json_says_as_people_write_it_is_used_or_told() -> None:
    steps = [
        {"id": "new1", "title": "Mix", "effort": "3 days (2–5)", "status": "done"},
        {"title": "Rise", "waiting": "4 hours", "needs": "new1 + 2 days", "cost": "400 EUR", "durration": 3},
        {"title": "Cool", "waiting": "10 working days", "duration": "a while"},
    ]
    text = json.dumps({"title": "Bake", "steps": steps, "guests": 4, "people": [{"text": "Ida", "hours": "14 a week"}]})
    found = import_plan(text, name="plan.json", today=date(2027, 1, 4))
    mix, rise, cool = found.plan.steps
    assert (mix.effort, mix.status) == (Effort(2, 3, 5), "done")
    assert (rise.waiting, rise.needs, rise.lags) == (0.166667, (mix.id,), (Lag(mix.id, 2),))
    assert (cool.waiting, cool.waits_working, found.plan.people[0].hours) == (10, True, 14)
    assert found.guesses == (
        f"steps[1] ({rise.id}) has more than was asked for, left out: durration.",
        "steps[2].duration was left out: it is no number.",
        "guests stayed out: no list of items is called so.",
    )
