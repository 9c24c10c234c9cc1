"""What was said as a whole is carried out, or refused: no word is left out, and no fact takes another's place."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from tests.commands.plans import PLAN, STEPS, TODAY, parsed, step
from workbench.domain.commands import Unread, parse
from workbench.domain.plan.plan import Days, DaysOff, Fund, Person, Place, Plan, Section

MONDAY = date(2026, 11, 30)
PLACE = Section(
    id="calendar",
    title="Calendar",
    items=(
        Place(id="L1", text="Hall"),
        Fund(id="M1", text="City"),
        Person(id="P2", text="Anna"),
        DaysOff(id="H1", text="Freeze", days=(Days("2026-12-24", "2026-12-24"),)),
    ),
)
WHOLE = Plan(title="Fair", sections=(*PLAN.sections, PLACE))

REFUSED = """
S3+S5 done | “+S5” is not read | S3, S5 done
S3/S5 done | “/S5” is not read | S3, S5 done
S3 done-ish | “-ish” is not read |
S3 priority-high | “-high” is not read |
S3 by W06-3 | “W06-3” is not read |
S3 done to the | “to” is not read |
S3 is S4 done | “is” is not read |
S3 takes 5d to 8d | “to” is not read |
S3 done by Friday | Say `S3 by Friday`, or `S3 done`. | S3 by Friday
S3 finished by 3 May | Say `S3 by 3 May`, or `S3 finished`. | S3 by 3 May
S3 done, before Friday | Say `S3 before Friday`, or `S3 done`. | S3 before Friday
S3 started by Friday | Say `S3 by Friday`, or `S3 started`. | S3 by Friday
S3 by Friday, under way | Say `S3 by Friday`, or `S3 under way`. | S3 by Friday
S3 done by Friday at the latest | Say `S3 by Friday`, or `S3 done`. |
S3 by 3 May by 4 May | “by 3 May” and “by 4 May” do not fit together |
S3 deadline 3 May; S3 by 4 May | “deadline 3 May” and “by 4 May” do not fit together |
add "Hire" 2d 3d | “2d” and “3d” do not fit together |
S3 done; S3 dropped | “done” and “dropped” do not fit together |
S3 done 26 Nov, started 23 Nov | “done 26 Nov” and “started 23 Nov” do not fit together |
S3 left 2d; S3 done | “left 2d” and “done” do not fit together |
S3 S4 title "x" | One title for 2 items |
S3 done 5 Dec | still to come |
S3 by 2027-02-30 | There is no 2027-02-30. |
S3 by 2300-01-01 | plans go from 1900 to 2199 |
S3 place L9 | There is no L9 in the plan: name L1, or words of it in quotes. |
S3 fund M9 | There is no M9 in the plan: name M1 |
S3 needs S99 | There is no S99 in the plan: name S1..S9 |
S3 set part of S99 | There is no S99 |
S3 set needs decision D9 | There is no D9 |
S3 needs D1 lag 2d | name another step, or a decision without a lag |
S3 @Ann | do you mean Anna? | S3 @Anna
@Lan away 3 May | do you mean Ben Lang? | @"Ben Lang" away 3 May
add risk "Snow" @Anna | A risk has no owner; a step, a decision, a question, a row has one |
S3 bis 3. Mai | “bis” is not read | S3 by 3. Mai
S3 done am 26. November | “am” is not read | S3 done on 26. November
S3 no way back | Something is missing | S3 no way back yes
S3 is done, S4 is not | “not” is not read |
S3 is done, I think | “I” is not read |
S3 @Anna, @Ben by 3 May | A person has no deadline | S3 @Anna @Ben by 3 May
""".strip().splitlines()


@pytest.mark.parametrize("line", REFUSED)
def test_it_is_refused_with_what_can_be_typed(line):
    said, why, suggestion = (part.strip() for part in line.split("|"))
    found = parse(said, WHOLE, TODAY)
    assert isinstance(found, Unread), found.operations
    assert why in found.why
    assert found.suggestion == suggestion
    if suggestion and "S3, S5" not in suggestion:
        assert parsed(suggestion, WHOLE)


SAME = """
S3-S5 done | S3..S5 done
S3 – S5 done | S3..S5 done
S3 to S5 owner Anna | S3..S5 owner Anna
remove S3 to S5 | remove S3..S5
S9 needs S2 to S4 | S9 needs S2..S4
S3 also @Ben, @Anna | S3 also Ben and Anna
S3 also @Ben @Anna | S3 also "Ben Lang, Anna"
S3 @Anna, @Ben | S3 owner Anna, Ben
S3 @Anna, @Ben and @Kim | S3 @Anna @Ben @Kim
S3 started 23 Nov, done 26 Nov | S3 started 23 Nov; S3 done 26 Nov
S3 needs D1 | S3 set needs decision D1
S3 needs D1; S3 needs not D1 | S3 needs S2
H1 set days 24 Dec - 10 Jan | H1 set days 2026-12-24 – 2027-01-10
@Anna away from 3 May to 14 May | @Anna away 3-14 May
S3 by nächste Woche Dienstag | S3 by 1 Dec
""".strip().splitlines()


@pytest.mark.parametrize("line", SAME)
def test_both_say_the_same(line):
    one, other = line.split(" | ")
    plans = [parsed(said, WHOLE).plan for said in (one, other)]
    assert plans[0] == plans[1]
    assert plans[0] != WHOLE or "D1" in one


def test_an_owner_is_no_further_one():
    assert step("S2 also Ben, Anna", "S2").also == ("Anna",)


def test_what_is_taken_out_is_named_nowhere():
    steps = (replace(STEPS[0], place="L1", fund="M1", decisions=("D1",)),)
    plan = Plan(title="Fair", sections=(Section(id="steps", title="Steps", items=steps), PLACE, PLAN.sections[2]))
    [left] = parsed("remove L1 M1 D1", plan).plan.steps
    assert (left.place, left.fund, left.decisions) == ("", "", ())


LAST = """
last Monday: 2026-11-23
letzten Montag: 2026-11-23
Monday before last: 2026-11-16
last Sunday: 2026-11-29
this Monday: 2026-11-30
Monday: 2026-11-30
""".strip().splitlines()


@pytest.mark.parametrize(
    ("said", "day"),
    [line.split(": ") for line in LAST],
)
def test_the_last_monday_is_no_today(said, day):
    found = parse(f"S3 done {said}", PLAN, MONDAY)
    assert not isinstance(found, Unread), str(found)
    assert found.plan.steps[2].finished == day


@pytest.mark.parametrize("field", ["done", "started"])
def test_a_past_day_is_doubted_as_any_other(field):
    [doubt] = parsed(f"S3 {field} Tue 26 Nov").doubts
    assert doubt.doubt == "26 November 2026 is a Thursday"
