"""Patterns over saved sessions: 300 made ones, in which nothing recurs but what was planted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.builders import created, plan_changed
from tests.session_events import result
from workbench.bootstrap import Workspace
from workbench.domain.log.envelope import Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.loop.asking.tasks import Approach
from workbench.domain.plan.plan import Effort, Plan, Section, Step
from workbench.domain.session import events as say
from workbench.planning.learning.cases import Case
from workbench.planning.learning.patterns import LEAST, analyze_learning_patterns

MADE = 300
REHEARSALS = ("Add a rehearsal before the launch", "add rehearsals before launching!")
PLANTED = {
    ("approach", "Big bang"),
    ("rounds", "Committee"),
    ("feedback", REHEARSALS[0]),
    ("effort", "test"),
}
SOME_DAYS = {1: "2026-03-02", 2: "2026-03-03", 3: "2026-03-04", 4: "2026-03-05", 5: "2026-03-06"}
"""The last day of a step of so many working days that began on Monday, 2 March."""


def made(number: int, chance: random.Random) -> list[say.Body]:
    """One session: what is planted in it depends on its number, everything else is drawn."""
    way = ("Big bang", "Committee", "Small steps", "Pilot")[number % 4]
    likely = 0.1 if way == "Big bang" else 0.6
    stars = chance.choice((4, 5)) if chance.random() < likely else chance.choice((1, 2, 3))
    rounds = chance.choice((4, 5, 6)) if way == "Committee" else chance.choice((1, 2, 3))
    steps = [
        Step(id="S1", title="Test the whole", effort=Effort(1, 2, 3), status="done", **days(4)),
        Step(id="S2", title="Write the page", effort=Effort(1, 2, 3), status="done", **days(chance.choice((1, 2, 3)))),
    ]
    plan = Plan(title="P", sections=(Section(id="steps", title="Steps", items=tuple(steps)),))
    bodies: list[say.Body] = [created()]
    bodies.append(say.ApproachChosen(approach=Approach(id="A1", title=way, summary="")))
    bodies += [say.IterationStored(result=result(one)) for one in range(1, rounds + 1)]
    bodies += [plan_changed(version=1, plan=plan), say.PlanSaved(version=1)]
    if number % 25 == 0:
        bodies.append(say.SessionReopened(text=REHEARSALS[number % 2]))
    bodies += [say.SessionReopened(text=f"Matter {number} is of another kind"), say.RatingGiven(stars=stars)]
    return bodies


def days(number: int) -> dict[str, str]:
    return {"started": SOME_DAYS[1], "finished": SOME_DAYS[number]}


@pytest.fixture(scope="module", params=[4, 7])
def workspace(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Workspace:
    """300 saved sessions; what is drawn in them depends on a seed."""
    workspace = Workspace.open(tmp_path_factory.mktemp("made"), environ={})
    log, chance = workspace.folder.log(durable=False), random.Random(request.param)
    for number in range(MADE):
        session = SessionId(f"made-{number:03}-x1y2")
        turn = Turn(session=session, person="p", workspace=workspace.backend.id)
        drafts = [
            say.draft(body, turn, actor="person", cause="", time=f"2026-03-02T09:30:{at:02}.000000Z")
            for at, body in enumerate(made(number, chance))
        ]
        log.append(session, drafts, expected=0)
    return workspace


@pytest.mark.cases(1)
def test_the_planted_patterns_are_found(workspace: Workspace) -> None:
    learned = workspace.analyze_learning_patterns()
    assert (learned.sessions, learned.judged, learned.left_out) == (MADE, MADE, 0)
    by = {(one.kind, one.subject): one for one in learned.patterns}
    assert by.keys() >= PLANTED
    assert by["approach", "Big bang"].cases == 75
    assert by["approach", "Big bang"].value < 0.3 < 0.4 < (by["approach", "Big bang"].others or 0)
    assert (by["rounds", "Committee"].value, by["rounds", "Committee"].others) == (5, 2)
    assert by["feedback", REHEARSALS[0]].cases == 12
    assert (by["effort", "test"].cases, by["effort", "test"].value) == (MADE, 2.0)
    assert all(one.cases >= LEAST and one.sessions for one in learned.patterns)


def test_what_is_added_to_a_session_is_read_as_it_stands(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path, environ={})
    session = workspace.start("Open the shop by May").session_id
    assert workspace.analyze_learning_patterns().judged == 0
    workspace.session(session).rate(5)
    assert workspace.analyze_learning_patterns().judged == 1


def test_private_sessions_teach_nothing() -> None:
    cases = [Case(session=f"s-{n}", approach="A", fared="well", private=n < 3) for n in range(7)]
    learned = analyze_learning_patterns(cases)
    assert (learned.sessions, learned.left_out, learned.patterns) == (4, 3, ())


def test_four_cases_are_no_pattern() -> None:
    told = [Case(session=f"s-{n}", approach="A", fared="badly", feedback=("More tests",)) for n in range(LEAST)]
    assert analyze_learning_patterns(told[:-1]).patterns == ()
    assert {(one.kind, one.cases) for one in analyze_learning_patterns(told).patterns} == {
        ("approach", LEAST),
        ("feedback", LEAST),
    }
