"""What a person said and is not used yet stands below the plan."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.builders import CHOOSE, UNDATED_DRAFT, Script, answering, plan_reply
from tests.tui.acting import USUAL, RunApp, shown, until
from tests.tui.session_fixtures import gate, screen_of, use
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import Account, Settled, Statement
from workbench.models.scripted import CallableModel
from workbench.tui.session.plan_page import account_rows
from workbench.tui.session.screen import SessionScreen

SAID = "Move our billing to the new provider. Keep the old invoice numbers. Nobody works at night."
SETTLED = [
    {"id": "U1", "state": "used", "items": ["S1"]},
    {"id": "U2", "state": "declined", "note": "The new provider numbers on its own."},
]


@pytest.fixture
def session(workspace: Workspace) -> str:
    """A session at its first checkpoint: of three statements one is used, one declined, and one forgotten."""
    reply = plan_reply(*UNDATED_DRAFT, title="Move billing", statements=SETTLED)
    use(workspace, CallableModel(Script().always("plan", reply), name="told"))
    manager = workspace.start(SAID)
    asyncio.run(manager.run(answering(CHOOSE)))
    return str(manager.session_id)


async def test_a_statement_that_is_not_used_yet_stands_below_the_plan(
    run_app: RunApp, workspace: Workspace, session: str
) -> None:
    async with run_app(size=USUAL, session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "checkpoint")
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: "You said 3" in shown(pilot))
        await said_unfolded(pilot)
        await until(pilot, lambda: "Nobody works at night." in shown(pilot))
        keys = [row.key for row in pane.rows]
        at = keys.index("place:statements:0")
        assert keys[at:] == ["place:statements:0", "statement:U3", "statement:U1", "statement:U2", ""]
        assert all(place < at for place, key in enumerate(keys) if key.startswith("place:steps"))
        await until(pilot, lambda: "Enter fold" in shown(pilot))
        pane.cursor = keys.index("statement:U3")
        await until(pilot, lambda: "Enter" not in shown(pilot))  # there is nothing that it would do
        text = shown(pilot)
        assert text.index("? U3   Nobody works at night.") < text.index("U2   Keep the old invoice numbers.")
        assert "not used yet" in text
        assert "declined: The new provider numbers on its own." in text
    assert [one.statement.id for one in state(workspace, session).accounts if one.is_open] == ["U3"]


async def said_unfolded(pilot: Pilot[Any]) -> None:
    pane = screen_of(pilot).plan_pane
    pane.focus()
    pane.cursor, pane.column = pane._sheet.places["place:statements:0"], "place:statements:0"
    await pilot.press("enter")


def state(workspace: Workspace, session: str) -> SessionState:
    return workspace.session(session).state()


async def test_a_statement_that_is_dismissed_does_not_wait_any_more(
    run_app: RunApp, workspace: Workspace, session: str
) -> None:
    workspace.session(session).mark_statement("U3", "dismissed")
    async with run_app(size=USUAL, session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "You said 3" in shown(pilot))
        await said_unfolded(pilot)
        await until(pilot, lambda: "U3   Nobody works at night." in shown(pilot))
        assert "? U3" not in shown(pilot)
        assert "not used yet" not in shown(pilot)


def one(number: int, text: str, state: str, **more: object) -> Account:
    return Account(Statement(id=f"U{number}", source="goal", start=0, text=text), state, **more)  # type: ignore[arg-type]  # as a test names it


@pytest.mark.parametrize("width", [1, 7, 20, 88])
def test_rows_are_never_wider_than_the_pane_and_hostile_text_is_cleaned(width: int) -> None:
    hostile = "\x1b]52;c;aGk=\x07 [@click=app.quit]x[/] \u202e" + "long " * 40
    part = Settled(statement="U2", state="replaced", part=hostile, by="U1")
    accounts = [one(1, hostile, "open"), one(2, "Kept", "used", items=("S1",), replaced=(part,)), one(3, "No", "used")]
    rows = list(account_rows(accounts, width))
    assert [row.key for row in rows if row.key] == ["statement:U1", "statement:U2", "statement:U3"]
    lines = [line for row in rows for line in row.lines]
    assert all("\x1b" not in line.plain and "\u202e" not in line.plain for line in lines)
    assert all(line.cell_length <= width for row in rows for line in row.lines)
