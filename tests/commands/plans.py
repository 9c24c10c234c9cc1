"""A small plan that commands speak of, and a large one."""

from __future__ import annotations

from datetime import date

from workbench.domain.commands import Parsed, parse
from workbench.domain.plan.plan import Decision, Effort, Option, Person, Plan, Question, Section, Step

TODAY = date(2026, 11, 29)
"""A Sunday."""
TITLES = ("Find a hall", "Book it", "Print posters", "Hang posters", "Invite", "Call", "Move", "Tidy", "Thank")
STEPS = tuple(
    Step(
        id=f"S{number}",
        title=title,
        owner="Ben Lang" if number == 2 else "",
        effort=Effort(1, 2, 3),
        needs=(f"S{number - 1}",) if number > 1 else (),
        start="2026-11-30",
        end="2026-12-02",
    )
    for number, title in enumerate(TITLES, start=1)
)
PLAN = Plan(
    title="Fair",
    sections=(
        Section(id="goal", title="Goal", text="A fair."),
        Section(id="steps", title="Steps", items=STEPS),
        Section(
            id="decisions",
            title="Decisions",
            items=(
                Decision(id="D1", text="Which hall?", owner="Anna", options=(Option("Town hall"), Option("School"))),
            ),
        ),
        Section(id="questions", title="Questions", items=(Question(id="Q2", text="When?"),)),
        Section(id="people", title="People", items=(Person(id="P1", text="Ben Lang", weekdays=(1, 2, 3, 4)),)),
    ),
)


def long_plan(count: int = 300) -> Plan:
    """A plan of so many steps, each of which needs the one before."""
    steps = tuple(
        Step(id=f"S{number}", title=f"Step {number} of the work", owner=f"Person {number % 9}")
        for number in range(1, count + 1)
    )
    return Plan(title="Long", sections=(Section(id="steps", title="Steps", items=steps),))


def parsed(text: str, plan: Plan = PLAN, me: str = "") -> Parsed:
    """What a text does, which has to be read as a whole."""
    found = parse(text, plan, TODAY, me=me)
    assert isinstance(found, Parsed), str(found)
    return found


def step(text: str, name: str = "S3", plan: Plan = PLAN) -> Step:
    """A step after some commands."""
    return next(one for one in parsed(text, plan).plan.steps if one.id == name)
