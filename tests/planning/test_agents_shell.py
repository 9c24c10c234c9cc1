"""Within an agent's shell nothing is decided in the person's name, whatever way leads to the log or to their record."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import CHOOSE, FINISH, answering, begin
from tests.planning.test_commanding import TODAY, at_a_gate, log, owners
from tests.planning.test_consents import Tickets, waiting
from workbench import Workspace
from workbench.bootstrap.clients import allow, allowed
from workbench.bootstrap.models import ModelAt, accept_log
from workbench.bootstrap.reviews import review_of
from workbench.domain.errors import UsageError
from workbench.domain.loop.deciding.gates import Answer, AnswerKind
from workbench.domain.plan.changing.history import undone
from workbench.domain.review.answer import Decision
from workbench.domain.session.events import Bounds
from workbench.domain.session.state import SessionState
from workbench.domain.trust import ModelUse, TrustRequest
from workbench.planning.beside_the_loop.commanding import carry_out
from workbench.planning.beside_the_loop.offering import offer, report
from workbench.planning.beside_the_loop.reviewing import decide, decide_here, look, submit, write_notes
from workbench.planning.policies import approving_all
from workbench.planning.session_log import SessionLog
from workbench.planning.trust.consents import ProcessConsents
from workbench.planning.trust.person import OF_AGENTS
from workbench.storage.log_address import parse_log_address

REFUSED = "from within an agent"
Enter = Callable[[], None]


@pytest.fixture(params=OF_AGENTS)
def every_agent(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch) -> Enter:
    """Go into an agent's shell, with a terminal that it opened."""

    def entered() -> None:
        monkeypatch.setenv("CLAUDECODE", "1")
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)

    return entered


@pytest.fixture
def session() -> SessionLog:
    """A session in which an offer waits for its person."""
    session = log(at_a_gate())
    offer(session, "claude", "S2 owner Cleo", "why", TODAY)
    return session


def do(session: SessionLog, *commands: str) -> SessionState:
    for one in commands:
        carry_out(session, one, TODAY)
    return session.refresh()


def test_an_offer_is_accepted_by_no_command(session: SessionLog, enter: Enter) -> None:
    enter()
    with pytest.raises(UsageError, match="Nothing is declined from within"):
        do(session, "O1 decline")
    with pytest.raises(UsageError, match=REFUSED) as refused:
        do(session, "O1 accept")
    assert refused.value.remedy == "Do it in a terminal of your own."
    assert owners(do(session, "S1 owner Anna"))["S1"] == "Anna"  # what it may do, it does
    assert session.refresh().offers[0].decided == ""


@pytest.mark.parametrize(
    ("before", "back"),
    [
        (["O1 accept", "undo"], "redo"),
        (["O1 accept", "undo"], "undo to v2"),
        (["O1 accept", "S2 owner Cleo, Anna", "undo to v1"], "redo"),
        (["O1 accept", "S1 owner Anna", "undo", "undo"], "redo"),
        (["O1 accept", "S2 owner Dora"], "undo"),
    ],
)
def test_what_a_person_undid_of_an_offer_does_not_come_back(
    session: SessionLog, enter: Enter, before: list[str], back: str
) -> None:
    known = owners(do(session, *before))
    enter()
    with pytest.raises(UsageError, match=REFUSED):
        do(session, back)
    assert owners(session.refresh()) == known


def test_nor_where_it_was_undone_by_itself(session: SessionLog, enter: Enter) -> None:
    manager = at_a_gate()
    session = log(manager)
    offer(session, "claude", 'add "Call them"', "why", TODAY)
    state = do(session, "O1 accept")
    gate = manager._session.refresh().gate
    assert gate is not None
    asyncio.run(manager.answer(gate, Answer(kind="change", changes=undone(state.versions, "2.1"))))
    asyncio.run(manager.run(answering()))
    enter()
    with pytest.raises(UsageError, match=REFUSED):
        do(session, "undo")
    gate = manager._session.refresh().gate
    assert gate is not None
    back = undone(session.refresh().versions, str(session.state.version))
    with pytest.raises(UsageError, match=REFUSED):
        asyncio.run(manager.answer(gate, Answer(kind="change", changes=back)))
    with pytest.raises(UsageError, match=REFUSED):
        asyncio.run(manager.answer(gate, Answer(kind="change", changes=state.versions[1].changes)))


def test_its_own_commands_are_undone_and_made_again(session: SessionLog, enter: Enter) -> None:
    do(session, "O1 accept")
    enter()
    state = do(session, "S1 owner Anna", "undo", "redo", "undo", "undo")
    assert owners(state)["S2"] != "Cleo"  # to take an offer back is no consent
    report(session, "claude", "S1 started", TODAY)


def test_a_plan_is_approved_and_looked_at_by_nobody(tmp_path: Path, enter: Enter) -> None:
    with Workspace.open(tmp_path) as workspace:
        review = review_of(workspace, "claude:1", "claude", "# Move\n\n- Go\n")
        submit(review, "# Move\n\n- Go\n", "claude", waits=True)
        enter()
        decisions: tuple[Decision, ...] = ("approved", "sent back", "stopped")
        for decision in decisions:
            for way in (decide, decide_here):
                with pytest.raises(UsageError, match=f"Nothing is {decision} from within"):
                    way(review, 1, decision)
        look(review, 1)
        write_notes(review, 1, [(3, 3, "Where?")])
        state = review.refresh()
        assert (state.submissions[0].decided, state.looked_at, len(state.notes)) == (None, 0, 1)


@pytest.mark.parametrize(
    ("kind", "answer"), [("approach", CHOOSE), ("checkpoint", FINISH), ("checkpoint", Answer(kind="continue"))]
)
def test_no_gate_is_answered_with_an_approval(kind: str, answer: Answer, enter: Enter) -> None:
    manager = begin("Move billing in 15 working days", checkpoint_interval=1)
    asyncio.run(manager.run(answering(*([] if kind == "approach" else [CHOOSE]))))
    gate = manager.state.gate
    assert gate is not None
    assert gate.kind == kind
    enter()
    with pytest.raises(UsageError, match="Nothing is approved from within an agent"):
        asyncio.run(manager.answer(gate, answer))
    assert manager.state.gate == gate
    asyncio.run(manager.answer(gate, Answer(kind="feedback", text="Smaller steps")))


async def test_no_tool_is_allowed(every_agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server, own = Tickets(), ProcessConsents()
    manager = await waiting(server=server, consents=own)
    monkeypatch.setenv(every_agent, "1")
    kinds: tuple[AnswerKind, ...] = ("once", "session")
    for kind in kinds:
        with pytest.raises(UsageError, match=f"Nothing is allowed from within an agent .{every_agent}."):
            await manager.answer(manager.state.gate, Answer(kind=kind))
    assert (own._given, server.used) == (set(), [])
    await manager.answer(manager.state.gate, Answer(kind="no"))


def test_bounds_are_lowered_and_not_raised_and_nothing_is_decided_again(enter: Enter) -> None:
    manager = at_a_gate()
    enter()
    asyncio.run(manager.set_bounds(Bounds(max_tokens=5_000)))
    for wider in (Bounds(max_tokens=6_000), Bounds()):
        with pytest.raises(UsageError, match=REFUSED):
            asyncio.run(manager.set_bounds(wider))
    with pytest.raises(UsageError, match=REFUSED):
        asyncio.run(manager.rewind())
    assert manager.state.bounds.max_tokens == 5_000


def test_nothing_is_kept_as_the_persons_own(tmp_path: Path, enter: Enter) -> None:
    with Workspace.open(tmp_path) as workspace:
        manager = workspace.start("Move the office", proposal="# Move\n\n## Steps\n\n- S1 · Go\n")
        asyncio.run(manager.run(approving_all()))
        workspace.session(str(manager.session_id)).rate(1, "Choose the auditor before anything else.")
        (lesson,) = workspace.lessons()
        enter()
        for consent in (
            lambda: allow(workspace, "claude", ["read"]),
            lambda: workspace.accept(
                TrustRequest(models=(ModelUse(model="openai:m", host="its provider", used_by="x"),))
            ),
            lambda: workspace.decide_lesson(lesson.id, "accept"),
            lambda: workspace.decide_lesson(lesson.id, "reword", "Choose it first."),
        ):
            with pytest.raises(UsageError, match=REFUSED):
                consent()
        assert (allowed(workspace), workspace.lessons()[0].status) == ([], "proposed")
        named = Workspace.open(tmp_path, options={"max_tokens": 9_000_000})
        named.parts.models.remember(ModelAt("openai:m", "https://elsewhere.example/v1"))
        named.start("Move the office")
        accept_log(workspace.folder.root, parse_log_address("redis://127.0.0.1:1/0", "--log"), os.environ)
        accepted = workspace.accepted()
        assert (accepted.models, accepted.consents, accepted.logs) == ((), (), ())


def test_a_policy_plans_a_session_of_its_own(tmp_path: Path, enter: Enter) -> None:
    enter()
    with Workspace.open(tmp_path) as workspace:
        manager = workspace.start("Move the office", proposal="# Move\n\n## Steps\n\n- S1 · Go\n")
        assert asyncio.run(manager.run(approving_all())).status == "finished"
