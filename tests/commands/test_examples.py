"""Every example of the language is read, and does what it says."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace
from tests.commands.plans import PLAN, STEPS, TODAY, parsed, step
from workbench.domain.commands import Unread, parse
from workbench.domain.commands.results import AddHolidays, Redo, Replan, Undo
from workbench.domain.loop.asking.tasks import Disputed
from workbench.domain.plan.changing.operations import AddItem, AddSection, MoveItem, RemoveItem, SetField
from workbench.domain.plan.plan import (
    Capacity,
    Constraint,
    Criterion,
    Days,
    DaysOff,
    Effort,
    Item,
    Lag,
    Money,
    Option,
    Origin,
    Person,
    Plan,
    Progress,
    Question,
    Risk,
    Row,
    Rule,
    Section,
    Step,
    WorkingTime,
)
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.statements.statement import Settled

BY_PERSON = Origin("person")
BEGUN = {"status": "under-way", "started": "2026-11-29"}
LATER = [
    ("S3 owner Anna", {"owner": "Anna"}),
    ("S3 @Anna", {"owner": "Anna"}),
    ("S3 is owned by Anna", {"owner": "Anna"}),
    ("S3 owner: Anna, Ben", {"owner": "Anna", "also": ("Ben Lang",)}),
    ("S3 @Anna @Kim", {"owner": "Anna", "also": ("Kim",)}),
    ('S3 owner "Kim de Vries"', {"owner": "Kim de Vries"}),
    ("S3 owner ben", {"owner": "Ben Lang"}),
    ("S3 owner Anna; S3 owner none", {}),
    ("S3 effort 1-2-4d", {"effort": Effort(1, 2, 4)}),
    ("S3 takes 5d", {"effort": Effort(5, 5, 5)}),
    ("S3 effort 2-3 weeks", {"effort": Effort(10, 12.5, 15)}),
    ("S3 takes 30min", {"effort": Effort(0.0625, 0.0625, 0.0625)}),
    ("S3 duration 3w", {"duration": 21.0, "duration_elapsed": True}),
    ("S3 duration 28d", {"duration": 28.0, "duration_elapsed": True}),
    ("S3 duration 14 calendar days", {"duration": 14.0, "duration_elapsed": True}),
    ("S3 duration 15 working days", {"duration": 15.0}),
    ("S3 duration 3w; S3 clear duration", {}),
    ("S3 by 3 May; S3 clear deadline", {}),
    ("S3 needs not S2", {"needs": ()}),
    ("S3 needs S1, S2 lag 3d", {"needs": ("S2", "S1"), "lags": (Lag("S2", 3.0),)}),
    ("S3 waits 4 hours after S1", {"needs": ("S2", "S1"), "lags": (Lag("S1", 0.166667, elapsed=True),)}),
    ("S3 waits 3 days after S2", {"lags": (Lag("S2", 3.0),)}),
    ("S3 waits 4h", {"waiting": 0.166667, "waits_hours": True}),
    ("S3 needs S1 and S2", {"needs": ("S2", "S1")}),
    ("S3 needs S1 lag 3 calendar days", {"needs": ("S2", "S1"), "lags": (Lag("S1", 3.0, elapsed=True),)}),
    ("S3 needs none", {"needs": ()}),
    ("S3 by 3 May", {"deadline": "2027-05-03"}),
    ("S3 before 3 May", {"deadline": "2027-05-02"}),
    ("S3 by May", {"deadline": "2027-05-31"}),
    ("S3 by Q2 2027", {"deadline": "2027-06-30"}),
    ("S3 by W06", {"deadline": "2027-02-14"}),
    ("S3 by H1", {"deadline": "2027-06-30"}),
    ("S3 not before 1 Mar", {"not_before": "2027-03-01"}),
    ("S3 by 3 May not before 1 Mar", {"deadline": "2027-05-03", "not_before": "2027-03-01"}),
    ("S3 on 26 Mar", {"on": "2027-03-26"}),
    ("S3 on 26 Mar 13:00-15:30", {"on": "2027-03-26", "hours": "13:00-15:30"}),
    ("S3 cost 7,900 EUR", {"cost": Money(Decimal(7900), "EUR")}),
    ("S3 cost €1,250.75", {"cost": Money(Decimal("1250.75"), "EUR")}),
    ("S3 wait 20 working days", {"waiting": 20.0, "waits_working": True}),
    ("S3 wait 2 weeks", {"waiting": 14.0}),
    ('S3 title "Hang posters"', {"title": "Hang posters"}),
    ('S3 title is “Hang "them" up”', {"title": 'Hang "them" up'}),
    ('S3 title "say \\"no\\""', {"title": 'say "no"'}),
    ("S3 tag +print", {"tags": ("print",)}),
    ("S3 +print +loud; S3 tag -print", {"tags": ("loud",)}),
    ("S3 priority high", {"priority": "high"}),
    ("S3 done", {"status": "done", "finished": "2026-11-29"}),
    ("S3 done 26 Nov", {"status": "done", "finished": "2026-11-26"}),
    ("S3 is done on 26 Nov", {"status": "done", "finished": "2026-11-26"}),
    ("S3 done last Tuesday", {"status": "done", "finished": "2026-11-24"}),
    ("S3 finished 26 Nov", {"status": "done", "finished": "2026-11-26"}),
    ("S3 started Tue", {"status": "under-way", "started": "2026-11-24"}),
    ("S3 under way", {**BEGUN}),
    ("S3 done; S3 todo", {}),
    ("S3 40%", {**BEGUN, "progress": Progress(0.4)}),
    ("S3 90 % printed", {**BEGUN, "progress": Progress(0.9)}),
    ("S3 90 % is done", {**BEGUN, "progress": Progress(0.9)}),
    ("S3 90 % printed by 3 May", {**BEGUN, "progress": Progress(0.9), "deadline": "2027-05-03"}),
    ("S3 seven of twelve found", {**BEGUN, "progress": Progress(7, 12)}),
    ("S3 five of twelve posters printed", {**BEGUN, "progress": Progress(5, 12)}),
    ("S3 five of eight are found", {**BEGUN, "progress": Progress(5, 8)}),
    ("S3 5 of 8 done on 26 Nov", {**BEGUN, "progress": Progress(5, 8)}),
    ("S3 three quarters done", {**BEGUN, "progress": Progress(0.75)}),
    ("S3 a quarter done", {**BEGUN, "progress": Progress(0.25)}),
    ("S3 two-thirds finished", {**BEGUN, "progress": Progress(0.6667)}),
    ("S3 5 of 8 posters done", {**BEGUN, "progress": Progress(5, 8)}),
    ("S3 takes 1w 2d", {"effort": Effort(7, 7, 7)}),
    ("S3 takes 1h 30min", {"effort": Effort(0.1875, 0.1875, 0.1875)}),
    ("S3 left 1w 2d", {**BEGUN, "left": 7.0}),
    ("S3 wait 1w 2d", {"waiting": 9.0}),
    ("S3 late 1w 2d", {"not_before": "2026-12-09"}),
    ("S3 needs S1 lag 1w 2d", {"needs": ("S2", "S1"), "lags": (Lag("S1", 7.0),)}),
    ("S3 takes 1,250h", {"effort": Effort(156.25, 156.25, 156.25)}),
    ("S3 @Anna, takes 3d", {"owner": "Anna", "effort": Effort(3, 3, 3)}),
    ("S3 100 % done", {**BEGUN, "progress": Progress(1.0)}),
    ("S3 five of eight found", {**BEGUN, "progress": Progress(5, 8)}),
    ("S3 5 of 8", {**BEGUN, "progress": Progress(5, 8)}),
    ("S3 left 2d", {**BEGUN, "left": 2.0}),
    ("S3 takes 3 more days", {**BEGUN, "left": 3.0}),
    ('S3 waiting "Anna\'s answer"', {"status": "waiting", "notes": "waiting for Anna's answer"}),
    (
        "S3 waiting for Anna's answer until 5 Jan",
        {"status": "waiting", "notes": "waiting for Anna's answer", "not_before": "2027-01-05"},
    ),
    (
        'S3 note "red"; S3 waiting "ink; paper"; S3 waiting for Ben',
        {"status": "waiting", "notes": "red; waiting for Ben"},
    ),
    ("S3 dropped", {"status": "dropped"}),
    ("S3 late 2w", {"not_before": "2026-12-14"}),
    ("S3 on 3 May; S3 late 1w", {"on": "2027-05-10"}),
    ("S3 late 3d", {"not_before": "2026-12-03"}),
    ("S3 three weeks late", {"not_before": "2026-12-21"}),
    ("S3 is late by 2 weeks", {"not_before": "2026-12-14"}),
    ("S3 left 2d late 1w", {**BEGUN, "left": 7.0}),
    ("S3 80 Prozent fertig", {**BEGUN, "progress": Progress(0.8)}),
    ("S3 2/3 printed", {**BEGUN, "progress": Progress(2, 3)}),
    ("S3 5/8", {**BEGUN, "progress": Progress(5, 8)}),
    ("S3 done letzten Dienstag", {"status": "done", "finished": "2026-11-24"}),
    ("S3 done gestern", {"status": "done", "finished": "2026-11-28"}),
    ("S3 by 3. Mai", {"deadline": "2027-05-03"}),
    ("S3 by Ende Mai", {"deadline": "2027-05-31"}),
    ("S3 takes 2 Arbeitstage", {"effort": Effort(2, 2, 2)}),
    ("S3 wait 2 Wochen", {"waiting": 14.0}),
    ("S3 cost 1.250,50 €", {"cost": Money(Decimal("1250.5"), "EUR")}),
    ("S3 cost 1,250 EUR", {"cost": Money(Decimal(1250), "EUR")}),
    ("S3 title „Hang“", {"title": "Hang"}),
    ("S3 title «Hang»", {"title": "Hang"}),
    ("S3 under S1 under way", {"parent": "S1", **BEGUN}),
    ("S3 not before H1 2027", {"not_before": "2027-01-01"}),
    ('S3 note "asked twice"; S3 note "again"', {"notes": "asked twice; again"}),
    ("S3 under S1", {"parent": "S1"}),
    ("repeat S3 every Mon until 30 May", {"repeat": Rule("week", "2026-11-30", weekdays=(1,), until="2027-05-30")}),
    ("repeat S3 every 2 weeks from 4 Jan", {"repeat": Rule("week", "2027-01-04", interval=2)}),
    ("S3 set deadline 3 May", {"deadline": "2027-05-03"}),
    ('S3 set effort "3 days (2–5)"', {"effort": Effort(2, 3, 5)}),
    ("S3 set duration 2 weeks", {"duration": 14.0, "duration_elapsed": True}),
    ('S3 set duration "10 days"', {"duration": 10.0}),
    ('S3 outcome "50 posters"', {"outcome": "50 posters"}),
    ('S3 set not_before "2027-03-01"', {"not_before": "2027-03-01"}),
    ('S3 set other "Sprint = 12"', {"other": {"Sprint": "12"}}),
    ("S3 needs decision D1", {"decisions": ("D1",)}),
    ("S3 hours 10:00-12:00", {"hours": "10:00-12:00"}),
    ('"print" owner Anna', {"owner": "Anna"}),
    ("step S3: owner is Anna", {"owner": "Anna"}),
    ("s3 OWNER Anna.", {"owner": "Anna"}),
]


@pytest.mark.parametrize(("text", "fields"), LATER, ids=[text for text, _ in LATER])
def test_what_is_said_of_a_step_changes_these_fields_alone(text, fields):
    assert step(text) == replace(STEPS[2], **fields)


def added(text: str) -> Item:
    """The one item that a command adds, in whichever section."""
    [operation] = parsed(text).operations
    if isinstance(operation, AddSection):
        [item] = operation.section.items
        return item
    assert isinstance(operation, AddItem)
    return operation.item


ADDED = [
    (
        'add "Book the hall" 2d @Anna needs S1 by 3 May',
        Step(
            id="S10", title="Book the hall", owner="Anna", effort=Effort(2, 2, 2), needs=("S1",), deadline="2027-05-03"
        ),
    ),
    (
        'add "Tell patients" below S4 on 26 Mar 13:00',
        Step(id="S10", title="Tell patients", on="2027-03-26", hours="13:00-14:00"),
    ),
    (
        'add risk "Movers cancel" likelihood low impact high response "second quote by 1 Feb"',
        Risk(id="R1", text="Movers cancel", likelihood="low", impact="high", response="second quote by 1 Feb"),
    ),
    (
        'add constraint "No patient data leaves our servers"',
        Constraint(id="K1", text="No patient data leaves our servers"),
    ),
    ('add question "Who signs?" @Sam', Question(id="Q3", text="Who signs?", owner="Sam")),
    ('add criterion "300 visitors" by 18 Apr', Criterion(id="C1", text="300 visitors", due="2027-04-18")),
    ("@Anna away 3-14 May", Person(id="P2", text="Anna", away=(Days("2027-05-03", "2027-05-14"),))),
    (
        "@Anna hours 8/week from 1 Feb to 28 Feb",
        Person(id="P2", text="Anna", capacity=(Capacity(8, "2027-02-01", "2027-02-28"),)),
    ),
    (
        "@Velten hours 16/day on 26 Mar",
        Person(id="P2", text="Velten", capacity=(Capacity(80, "2027-03-26", "2027-03-26"),)),
    ),
    (
        "@Anna away every other Fri until May",
        Person(id="P2", text="Anna", away_again=(Rule("week", "2026-12-04", 2, (5,), "2027-05-31"),)),
    ),
    ("@Anna hours 20/week", Person(id="P2", text="Anna", hours=20)),
    ('@Anna role "lead"', Person(id="P2", text="Anna", role="lead")),
    (
        'days off 24 Dec - 6 Jan "Freeze" for production',
        DaysOff(id="H1", text="Freeze", days=(Days("2026-12-24", "2027-01-06"),), who=("production",)),
    ),
    ("working days Mon-Thu", WorkingTime(id="W1", weekdays=(1, 2, 3, 4))),
    ("budget 40,000 EUR", Constraint(id="K1", text="The budget", limits="amount", amount=Money(Decimal(40000), "EUR"))),
    (
        "goal day 18 Apr 2027",
        Constraint(id="K1", text="The day that it is for", limits="date", day="2027-04-18", sets="goal-day"),
    ),
    ('add S20 "Eat"', Step(id="S20", title="Eat")),
    ('add T1 "Doors open" on 26 Mar 13:00', Row(id="T1", text="Doors open", day="2027-03-26", time="13:00")),
    (
        "deadline 30 June",
        Constraint(id="K1", text="Everything is done", limits="date", day="2027-06-30", sets="deadline"),
    ),
]


@pytest.mark.parametrize(("text", "item"), ADDED, ids=[text for text, _ in ADDED])
def test_what_is_added_is_a_persons(text, item):
    assert added(text) == replace(item, origin=BY_PERSON)


ACTIONS = [
    ("holidays DE-BY", AddHolidays("DE-BY")),
    ('V2 dispute "the clamp is certified"', Disputed(finding="V2", reason="the clamp is certified")),
    ("U4 dismiss", Settled(statement="U4", state="dismissed")),
    ("U7 used in S3", Settled(statement="U7", state="used", items=("S3",))),
    ("replan", Replan()),
    ("undo", Undo()),
    ("undo to v3", Undo(3)),
    ("redo", Redo()),
]


@pytest.mark.parametrize(("text", "action"), ACTIONS, ids=[text for text, _ in ACTIONS])
def test_what_is_no_operation_is_handed_to_the_caller(text, action):
    found = parsed(text)
    assert (found.actions, found.operations) == ((action,), ())
    assert found.plan is PLAN or found.plan == PLAN


# --- several items, and the order -------------------------------------------------------------------------------------


def values(text: str, field: str, me: str = "") -> dict[str, object]:
    """The field that commands set, by item."""
    return {
        one.item: one.value
        for one in parsed(text, me=me).operations
        if isinstance(one, SetField) and one.field == field
    }


def test_a_whole_title_is_its_items_alone():
    plan = parsed('add "Print"').plan
    assert step('"Print" owner Anna', "S10", plan).owner == "Anna"


def test_several_items_are_changed_at_once():
    assert values("S3 S4 S7 owner Bram", "owner") == dict.fromkeys(("S3", "S4", "S7"), "Bram")
    assert values("S3, S4 and S7 owner Bram", "owner") == dict.fromkeys(("S3", "S4", "S7"), "Bram")
    assert values("mine done", "status", me="ben lang") == {"S2": "done"}
    assert list(values("all priority low", "priority")) == [one.id for one in STEPS]


def test_a_range_is_by_the_order_of_the_plan():
    assert list(values("S3..S9 tag +move", "tags")) == ["S3", "S4", "S5", "S6", "S7", "S8", "S9"]
    assert list(values("move S9 below S3; S3..S4 tag +move", "tags")) == ["S3", "S9", "S4"]


def test_all_late_moves_the_steps_that_nothing_open_comes_before():
    assert values("all late 1w", "not_before") == {"S1": "2026-12-07"}


FREEZE = 'days off 24 Dec - 6 Jan "Freeze"'


@pytest.mark.parametrize(
    ("start", "end", "said", "begins", "ends"),
    [
        ("2026-12-22", "2027-01-11", "late 2w", "2027-01-19", "2027-01-25"),  # the days off were in its middle
        ("2026-12-22", "2027-01-11", "late 10d", "2027-01-19", "2027-01-25"),
        ("2026-12-07", "2026-12-11", "late 1w", "2026-12-14", "2026-12-18"),
        ("2026-12-10", "2026-12-16", "late 2w", "2027-01-07", "2027-01-13"),
        ("2026-12-22", None, "late 2w", "2027-01-07", "2027-01-13"),
    ],
)
def test_days_off_do_not_shorten_a_delay(start, end, said, begins, ends):
    late = Step(id="S1", title="Build", effort=Effort(5, 5, 5), start=start, end=end)
    plan = parsed(FREEZE, Plan(title="One", sections=(Section(id="steps", title="Steps", items=(late,)),))).plan
    [moved] = rescheduled(plan, parsed(f"S1 {said}", plan).plan, today=TODAY).plan.steps
    assert (moved.start, moved.end) == (begins, ends)


def test_an_elapsed_step_that_is_late_begins_and_ends_so_much_later():
    late = replace(STEPS[0], start="2026-11-30", end="2026-12-27", duration=28, duration_elapsed=True)
    plan = Plan(title="One", sections=(Section(id="steps", title="Steps", items=(late,)),))
    [moved] = rescheduled(plan, parsed("S1 late 2w", plan).plan, today=TODAY).plan.steps
    assert (moved.start, moved.end) == ("2026-12-14", "2027-01-10")


def test_words_behind_a_share_are_said_to_change_nothing():
    assert parsed("S3 40% posters printed").notes == ("S3: 40% counts as done; “posters printed” changes nothing.",)


def test_half_of_it_is_a_share_and_half_a_day_is_none():
    assert step("S3 half done").progress == Progress(0.5)
    assert step("S3 3/4 done").progress == Progress(3, 4)
    assert step("S3 takes half a day").effort == Effort(0.5, 0.5, 0.5)


@pytest.mark.parametrize("said", [
    "S2 2 days done", "S2 2d done", "S2 done 2 days", "S2 2d 40%", "S2 started, 2d", "S2 left 2d 3d", "S3 needs S1, 2d",
])  # fmt: skip
def test_a_length_whose_meaning_is_open_is_refused(said):
    found = parse(said, PLAN, TODAY)
    assert isinstance(found, Unread)
    assert "is not read here" in found.why


def test_a_wait_says_which_work_it_replaces():
    [note] = parsed("S3 wait 20 working days").notes
    assert note.startswith("S3 only waits now, in place of its work of 2 days (1–3).")
    assert parsed("S3 clear effort; S3 wait 3d; S3 takes 2d").notes == (
        "S3 only waits: its effort counts after `S3 clear wait`.",
    )


def test_the_first_part_of_a_step_says_that_its_own_effort_counts_no_more():
    assert parsed("S3 under S1; S4 under S1").notes == (
        "S1 had an effort of 2 days (1–3) of its own; its parts count now.",
    )


def test_what_is_left_counts_while_a_step_waits():
    one = Step(id="S1", title="One", effort=Effort(2, 2, 2), start="2026-11-30", end="2026-12-01")
    two = Step(id="S2", title="Two", effort=Effort(1, 1, 1), needs=("S1",), start="2026-12-02", end="2026-12-02")
    plan = Plan(title="Two", sections=(Section(id="steps", title="Steps", items=(one, two)),))
    for said, ends in (
        ("S1 left 4d", "2026-12-03"),
        ('S1 left 4d; S1 waiting "ink"', "2026-12-03"),
        ("S1 left 4d, waiting for ink until 7 Dec", "2026-12-10"),
    ):
        first, second = rescheduled(plan, parsed(said, plan).plan, today=TODAY).plan.steps
        assert (first.started, first.end) == ("2026-11-29", ends)
        assert second.start > ends
    later = rescheduled(plan, parsed('S1 left 4d; S1 waiting "ink"', plan).plan, today=date(2026, 12, 7))
    assert later.plan.steps[0].end == "2026-12-10"


def test_several_commands_stand_in_one_text():
    found = parsed("S1 done last Tuesday; S2 takes 3 more days, waiting for Anna's answer\nS3 @Kim and S4 @Kim.")
    first, second, third, fourth = found.plan.steps[:4]
    assert (first.status, first.finished) == ("done", "2026-11-24")
    assert (second.status, second.left, second.notes) == ("waiting", 3.0, "waiting for Anna's answer")
    assert (third.owner, fourth.owner) == ("Kim", "Kim")


def test_what_is_removed_is_listed_with_the_steps_that_needed_it():
    found = parsed("remove S3")
    assert found.operations == (RemoveItem("S3"), SetField("S4", "needs", None))
    assert found.notes == ("S4 needed S3, and needs it no more. `remove S3 passing needs` lets it need S2.",)
    passed = parsed("remove S3 passing needs")
    assert passed.operations == (RemoveItem("S3"), SetField("S4", "needs", ["S2"]))


def test_an_item_is_moved():
    assert parsed("move S3 below S5").operations == (MoveItem("S3", "steps", "S5"),)
    assert parsed("move S3 first").operations == (MoveItem("S3", "steps", ""),)
    assert parsed("move S3 S5 first").plan.sections[1].items[:2] == (STEPS[2], STEPS[4])


def test_the_first_part_of_a_split_step_keeps_its_id_and_the_last_is_what_others_need():
    plan = parsed('split S3 "hire" 2d, "train" 3d').plan
    by_id = {one.id: one for one in plan.steps}
    assert (by_id["S3"].title, by_id["S3"].effort, by_id["S3"].needs) == ("hire", Effort(2, 2, 2), ("S2",))
    assert (by_id["S10"].title, by_id["S10"].effort, by_id["S10"].needs) == ("train", Effort(3, 3, 3), ("S3",))
    assert by_id["S4"].needs == ("S10",)
    assert [one.id for one in plan.steps][:4] == ["S1", "S2", "S3", "S10"]


def test_the_first_of_merged_steps_stays():
    plan = parsed('merge S3 S4 "Hire and train"').plan
    by_id = {one.id: one for one in plan.steps}
    assert "S4" not in by_id
    assert (by_id["S3"].title, by_id["S3"].effort, by_id["S3"].needs) == ("Hire and train", Effort(2, 4, 6), ("S2",))
    assert by_id["S5"].needs == ("S3",)


def test_a_merged_step_keeps_what_its_steps_said():
    said = (
        'S3 @Anna by 5 May not before 1 Mar; S4 @Ben by 3 May not before 4 Mar priority high place "School" '
        'note "asked"; S3 S4 tag +print'
    )
    found = parsed('merge S3 S4 "Hire and train"', parsed(said).plan)
    whole = next(one for one in found.plan.steps if one.id == "S3")
    assert (whole.owners, whole.deadline, whole.not_before) == (("Anna", "Ben Lang"), "2027-05-03", "2027-03-04")
    assert (whole.priority, whole.place, whole.notes, whole.tags) == ("high", "School", "asked", ("print",))
    assert not found.notes


def test_what_a_merged_step_cannot_keep_is_said():
    plan = parsed('S3 on 3 May place "School"; S4 on 1 May place "Hall" only if "rain"; S5 wait 10d').plan
    found = parsed('merge S3 S4 S5 "All"', plan)
    whole = next(one for one in found.plan.steps if one.id == "S3")
    assert (whole.on, whole.place, whole.condition, whole.waiting) == ("2027-05-01", "School", "", None)
    assert found.notes == (
        "Not kept of S3: on 2027-05-03.",
        "Not kept of S4: place Hall, only if rain.",
        "Not kept of S5: wait 10 days.",
    )


@pytest.mark.parametrize(
    ("said", "status", "left"),
    [
        ("S3 done; S4 todo", "under-way", 2.0),
        ("S3 left 1d; S4 left 4d", "under-way", 5.0),
        ("S3 S4 done", "done", None),
        ('S4 waiting "paint"', "waiting", None),
        ("S3 dropped", "todo", None),
    ],
)
def test_a_merged_step_is_done_only_where_all_of_it_is(said, status, left):
    whole = step('merge S3 S4 "Both"', plan=parsed(said).plan)
    assert (whole.status, whole.left) == (status, left)


def test_an_answer_makes_a_decision_of_its_question_whatever_stands_in_it():
    plan = parsed("Q2: next week, by e-mail; S3 done and so on").plan
    assert [(item.id, item.text) for item in plan.items if item.id in ("Q2", "D2")] == [
        ("D2", "When? next week, by e-mail; S3 done and so on")
    ]
    assert plan.steps[2].status == "todo"


def test_a_person_is_renamed_wherever_they_own_something():
    plan = parsed('@Ben name "Ben Berg"').plan
    assert plan.people[0].text == plan.steps[1].owner == "Ben Berg"


def test_a_day_of_a_person_has_the_hours_of_their_week():
    [person] = parsed("@Ben hours 10/day on 26 Mar").plan.people
    assert person.capacity == (Capacity(40, "2027-03-26", "2027-03-26"),)


def test_a_decision_is_taken_by_the_letter_or_the_words_of_an_option():
    for text in ("D1 choose B", 'D1 choose "school"'):
        [decision] = [item for item in parsed(text).plan.items if item.id == "D1"]
        [before] = [item for item in PLAN.items if item.id == "D1"]
        assert decision == replace(before, text="Which hall? School", choice="School")
        assert not decision.is_open


def test_another_choice_takes_the_place_of_the_one_before():
    [decision] = [item for item in parsed("D1 choose B; D1 choose A").plan.items if item.id == "D1"]
    assert (decision.text, decision.choice) == ("Which hall? Town hall", "Town hall")
    [decision] = [item for item in parsed("D1 choose B; D1 clear choice").plan.items if item.id == "D1"]
    assert decision.is_open


def test_an_answered_question_keeps_who_was_asked_and_what_it_was_there_for():
    asked = Question(id="Q2", text="When?", owner="Anna", assumption="in May", causes=("U1",))
    plan = Plan(title="", sections=(Section(id="questions", title="Questions", items=(asked,)),))
    [decision] = parsed("Q2: next week", plan).plan.items
    assert (decision.text, decision.choice, decision.owner, decision.assumed, decision.causes) == (
        "When? next week", "next week", "Anna", "in May", ("U1",)
    )  # fmt: skip
    assert not decision.is_open
    answer = parse("D1: next week", PLAN, TODAY)
    assert isinstance(answer, Unread)


def test_a_day_until_which_a_decision_is_open_holds_no_more_when_it_is_taken():
    late = parsed("D1 by 1 Mar; S3 needs decision D1").plan
    plan, taken = (rescheduled(PLAN, one, today=TODAY).plan for one in (late, parsed("D1 choose A", late).plan))
    assert plan.steps[2].start == "2027-03-02"
    assert taken.steps[2].start == rescheduled(PLAN, PLAN, today=TODAY).plan.steps[2].start


@pytest.mark.parametrize("said", [
    'D1 options "Buy it", "Lease it"', 'D1 options "Buy it" and "Lease it"', 'D1 options "Buy it; Lease it"',
    'D1 set options "A: Buy it; B: Lease it"', 'D1 options "A: Buy it, B: Lease it"',
    "D1 set options A: Buy it, B: Lease it",
])  # fmt: skip
def test_options_are_given_in_order_and_one_is_chosen_by_its_letter(said):
    for chosen in ("B", '"lease it"'):
        [decision] = [item for item in parsed(f"{said}; D1 choose {chosen}").plan.items if item.id == "D1"]
        assert (len(decision.options), decision.text) == (2, "Which hall? Lease it")


def test_an_option_may_hold_a_comma_and_an_amount():
    found = parsed('D1 options "Buy it, now (1200 EUR)", "Lease; later"')
    [decision] = [item for item in found.plan.items if item.id == "D1"]
    assert decision.options == (Option("Buy it, now", Money(Decimal(1200), "EUR")), Option("Lease; later"))
    assert found.notes == ("D1 has A “Buy it, now”, B “Lease; later”: `D1 choose A` decides.",)


def test_a_budget_and_a_deadline_that_are_there_are_changed():
    plan = parsed("budget 40,000 EUR; deadline 30 June").plan
    found = parsed("budget 30,000 EUR; deadline 1 July", plan)
    assert found.operations == (
        SetField("K1", "amount", {"amount": "30000", "currency": "EUR"}),
        SetField("K2", "day", "2027-07-01"),
    )


def test_the_day_that_a_plan_is_for_is_not_its_deadline():
    plan = parsed("goal day 18 Apr 2027; deadline 30 June 2027").plan
    assert parsed("goal day 25 Apr 2027", plan).operations == (SetField("K1", "day", "2027-04-25"),)
    assert parsed("deadline 1 July 2027", plan).operations == (SetField("K2", "day", "2027-07-01"),)


def test_a_deadline_takes_the_place_of_no_other_date():
    plan = parsed('add constraint "Live" by 30 June 2027; add constraint "Accounts" by 31 July 2027').plan
    found = parsed("deadline 15 July 2027", plan)
    limits = {item.id: (item.day, item.sets) for item in found.plan.items if isinstance(item, Constraint)}
    assert limits == {"K1": ("2027-06-30", ""), "K2": ("2027-07-31", ""), "K3": ("2027-07-15", "deadline")}
    assert found.notes == ("What K1, K2 says of dates stays: `K2 by …` changes it.",)
    (only,) = parsed("deadline 15 July 2027", parsed('add constraint "Live" by 30 June 2027').plan).operations[:1]
    assert only == SetField("K1", "day", "2027-07-15")


def test_sections_and_the_plan_itself_are_changed():
    plan = parsed('add section later "Later" below section steps; add note "x" below section later').plan
    assert [(one.id, len(one.items)) for one in plan.sections if one.id in ("steps", "later")] == [
        ("steps", 9),
        ("later", 1),
    ]
    assert parsed("move section people first").plan.sections[0].id == "people"
    assert parsed("remove section questions").plan.section("questions") is None
    assert parsed('plan title "Spring fair"').plan.title == "Spring fair"
    assert parsed('section goal text "A fair in May."').plan.sections[0].text == "A fair in May."


def test_an_id_that_was_another_items_is_not_given_again():
    found = parse('add S20 "Eat"', PLAN, TODAY, taken={"S20"})
    assert "was another item's" in str(found)


def test_an_item_whose_id_stands_twice_is_left_as_it_is():
    double = replace(PLAN.sections[1], items=(*STEPS, replace(STEPS[0], title="Another")))
    plan = replace(PLAN, sections=(PLAN.sections[0], double))
    after = parsed("S2 owner Anna", plan).plan
    assert after.steps[1].owner == "Anna"
    assert [one for one in after.steps if one.id != "S2"] == [one for one in plan.steps if one.id != "S2"]


def test_what_moves_is_calculated_from_the_plan_after_the_commands():
    first = Step(id="S1", title="One", effort=Effort(2, 2, 2), start="2026-11-30", end="2026-12-01")
    second = Step(id="S2", title="Two", effort=Effort(1, 1, 1), needs=("S1",), start="2026-12-02", end="2026-12-02")
    plan = Plan(title="Two", sections=(Section(id="steps", title="Steps", items=(first, second)),))
    found = parsed("S1 takes 4d", plan)
    moved = rescheduled(plan, found.plan, today=TODAY).plan
    assert moved.steps[1].start == "2026-12-04"


def test_a_value_in_doubt_is_read_and_said():
    found = parsed("S3 by 5/6/27")
    assert found.plan.steps[2].deadline == "2027-06-05"
    [doubt] = found.doubts
    assert (doubt.text, doubt.start, doubt.end, doubt.doubt) == ("5/6/27", 6, 12, "5 June 2027, or 6 May 2027?")


@pytest.mark.parametrize(
    ("said", "doubt"),
    [
        ("S3 by 07/12", "7 December 2026, or 12 July 2027?"),  # no day that is past
        ("S3 by 12/07", "12 July 2027, or 7 December 2026?"),
        ("S3 by 07/12/27", "7 December 2027, or 12 July 2027?"),
        ("S3 done 05/11", "5 November 2026, or 11 May 2026?"),  # and none that is to come
        ("S3 started 07/12", "7 December 2025, or 12 July 2026?"),
        ("S3 done 12 Jan", "12 January 2026, or 12 January 2027, which is still to come?"),
    ],
)
def test_a_doubt_names_days_that_can_be_meant(said, doubt):
    [found] = parsed(said).doubts
    assert found.doubt == doubt


def test_two_numbers_behind_done_are_a_day_and_no_count():
    assert step("S3 done 5/8") == replace(STEPS[2], status="done", finished="2026-08-05")
