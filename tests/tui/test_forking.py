"""Going another way: a fork from where a session stands, and back to a decision and forward again, by keys."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Script
from tests.tui.acting import RunApp, finish, sees, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of, settled, use, write
from textual.app import App
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.log import rules
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all
from workbench.tui.form import FormDialog
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.session.screen import SessionScreen


async def stands_at_fork(pilot: Pilot[Any], origin: str) -> SessionScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.session != origin)
    await gate(pilot, "checkpoint")
    return screen_of(pilot)


@pytest.mark.full
async def test_a_fork_opens_and_asks_and_its_origin_stays(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    before = list(workspace.session(session).events())
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "checkpoint")
        await pilot.press("f7")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("enter")
        fork = await stands_at_fork(pilot, session)
        assert workspace.session(fork.session).state().forked.origin == session
    assert list(workspace.session(session).events()) == before


async def test_a_save_is_not_gone_behind_without_a_question(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    workspace.session(session).edit("S2 owner Jonas")
    workspace.session(session).edit("S1 owner Anna")
    async with run_app(session=session) as pilot:
        await sees(pilot, "Saved as version 3: version 1 was agreed")
        await settled(pilot)
        await pilot.press("alt+up")
        await sees(pilot, "Go back before version 1 was saved?", "the plan is version 3", "Alt+↓ brings all of it back")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert workspace.session(session).state().version == 3
        await pilot.press("alt+up")
        await sees(pilot, "Go back before")
        await pilot.press("y")
        await gate(pilot, "checkpoint")
        await pilot.press("alt+down")
        await sees(pilot, "Saved as version 3")


async def test_an_undo_asks_before_it_takes_back_what_was_saved(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, commands=("S2 owner Jonas",))
    await workspace.session(session).resume().run(approving_all())
    workspace.session(session).edit("S1 owner Anna")
    assert workspace.session(session).state().saved_version == 2
    async with run_app(session=session) as pilot:
        await sees(pilot, "Saved as version 3: version 2 was agreed")
        await settled(pilot)
        await write(pilot, ":undo")
        await pilot.press("enter")
        await sees(pilot, "Saved as version 4")
        await write(pilot, ":undo")
        await pilot.press("enter")
        await sees(pilot, "Undo something of version 2, which was saved?")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert workspace.session(session).state().version == 4
        assert screen_of(pilot).draft.text == ":undo"
        await pilot.press("enter")
        await sees(pilot, "which was saved?")
        await pilot.press("y")
        await sees(pilot, "Saved as version 5")


async def test_back_before_the_last_decision_and_forward_again(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(Script(), name="told"))
    session = await wait_at_checkpoint(workspace, feedback=["Add a step: tell the auditors in May."])
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        second = await gate(pilot, "checkpoint")
        assert "auditors" in "".join(str(one) for one in workspace.session(session).state().plan.sections)
        before = workspace.session(session).state()

        await pilot.press("alt+up")
        first = await gate(pilot, "checkpoint", other_than=second.id)
        await settled(pilot)
        assert screen_of(pilot).state.version < before.version
        assert screen_of(pilot).state.feedback == ()
        await sees(pilot, "Nothing is lost")

        await pilot.press("alt+down")
        await gate(pilot, "checkpoint", other_than=first.id)
        await settled(pilot)
        assert screen_of(pilot).state.plan == before.plan
        assert screen_of(pilot).state.feedback == before.feedback
    events = list(workspace.session(session).events())
    assert [event.kind for event in events[before.seq :] if event.kind == "session.rewound"] == ["session.rewound"] * 2


async def test_from_the_list_of_sessions(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app() as pilot:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen) and "Move our billing" in shown(pilot))
        await pilot.press("down", "f")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("enter")
        fork = await stands_at_fork(pilot, session)
        assert workspace.session(fork.session).state().forked.origin == session


SAID = f"This session was planned under rules {rules.CURRENT}; from here on rules {rules.CURRENT + 1} apply."


@pytest.fixture
def toasts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the application said in toasts, also in those that are gone by now."""
    messages: list[str] = []
    notify = App.notify

    def noted(app: App[Any], message: str, **more: Any) -> None:
        messages.append(message)
        notify(app, message, **more)

    monkeypatch.setattr(App, "notify", noted)
    return messages


async def test_newer_rules_are_told_once_when_a_session_is_forked(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, toasts: list[str]
) -> None:
    session = await wait_at_checkpoint(workspace)
    monkeypatch.setattr(rules, "CURRENT", rules.CURRENT + 1)
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "checkpoint")
        await pilot.press("f7")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("enter")
        await stands_at_fork(pilot, session)
        assert toasts.count(SAID) == 1
