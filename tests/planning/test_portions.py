"""What a model is shown of inputs that are larger than its window."""

from __future__ import annotations

import msgspec
import pytest
from workbench.domain.loop.asking.tasks import Finding, PlanTask, Said
from workbench.domain.loop.steps import Call
from workbench.domain.plan.plan import Bullet, Plan, Section, Step
from workbench.models.tokens import estimate_prompt
from workbench.planning.asking.portions import in_part
from workbench.planning.asking.roles import messages_for

STEPS = tuple(Step(id=f"S{n}", title=f"Prepare part {n} of the hall", owner="Anna") for n in range(1, 3_001))
NOTES = "\n".join(f"Line {n} of notes" for n in range(9_000))
PLAN = Plan(
    title="Hall",
    sections=(
        Section(id="goal", title="Goal", text="A hall."),
        Section(id="steps", title="Steps", items=STEPS),
        Section(id="notes", title="Notes", text=NOTES, items=(Bullet(id="B1", text="Keep it dry"),)),
    ),
)
FINDING = Finding(rule="steps.owner", severity="minor", text="S2711 has no check.", item="S2711")
SAID = Said(id="U1", source="goal", text="Do S1999 first. " + "Really. " * 50)


def call(task, name="plan", role="planner"):
    return Call(name, role, task)


def tokens(of):
    return estimate_prompt(messages_for(of))


@pytest.mark.cases(1)
@pytest.mark.parametrize("room", [8_000, 20_000, 60_000])
def test_a_plan_larger_than_the_window_is_sent_in_part_and_said(room):
    whole = call(
        PlanTask(
            goal="g", today="2026-11-21", iteration=2, plan=PLAN, findings=(FINDING,), statements=(SAID,), by_item=True
        )
    )
    part = in_part(whole, room)
    assert 0.3 * room < tokens(part) <= 0.9 * room
    shown = {item.id for item in part.task.plan.items}
    assert {"S2711", "S1999", "B1", "S1"} <= shown
    assert [item.id for item in part.task.plan.items] == [item.id for item in PLAN.items if item.id in shown]
    [told] = part.task.left_out
    assert f"{3_000 - len(part.task.plan.steps):,} of 3,000 steps and some of its prose not shown" in told
    assert "left_out" in messages_for(part)[-1].content


def test_what_a_person_said_is_never_cut():
    said = tuple(msgspec.structs.replace(SAID, id=f"U{n}") for n in range(1, 300))
    whole = call(PlanTask(goal="g" * 4_000, today="2026-11-21", iteration=2, plan=PLAN, statements=said))
    part = in_part(whole, 8_000)
    assert (part.task.goal, part.task.statements) == (whole.task.goal, said)
    assert tokens(part) > 8_000  # and the window is called too small, in words
