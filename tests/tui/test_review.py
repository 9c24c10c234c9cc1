"""The review of what a round changed, one change at a time; why a line is as it is; repairs for findings."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest
from tests.builders import CHOOSE, UNDATED_DRAFT, Script, feedback, plan_reply
from tests.planning.test_commanding import at_a_gate, log
from tests.planning.test_removals import ELEVEN
from tests.tui.acting import GOAL, USUAL, Look, RunApp, sees, shown, until
from tests.tui.session_fixtures import calm, gate, screen_of, use
from tests.tui.test_session_snapshots import then
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.plan.changing.history import changes_of
from workbench.domain.plan.changing.operations import Cause, Change, SetField
from workbench.domain.plan.changing.review import is_date
from workbench.domain.plan.plan import Step
from workbench.domain.session.session import SessionState
from workbench.models.scripted import CallableModel
from workbench.planning.beside_the_loop.commanding import carry_out
from workbench.planning.ports import Decision
from workbench.tui.dialog import PickDialog
from workbench.tui.marks import Marks
from workbench.tui.session.review.why import why_rows
from workbench.tui.session.screen import SessionScreen

EDIT = Answer(kind="change", changes=(Change(SetField("S3", "needs", ["S22"]), Cause("person")),))
NAMED = plan_reply(
    steps=[{"id": "S1", "owner": "Ann", "because": ["U2"]}, {"id": "S3", "owner": "Ben"}],
    statements=[{"id": "U2", "state": "used", "items": ["S1"]}],
)
FEW = plan_reply(steps=[{"id": "S1", "owner": "Ann"}], remove=[{"id": "S2"}, {"id": "S4"}, {"id": "S6"}])
"""A reply that removes three steps for no reason that it names."""


async def planned(workspace: Workspace, reply: str, *answers: Answer) -> str:
    """A session that was answered with feedback, and whose planner answered with this."""
    says = [plan_reply(*UNDATED_DRAFT[:2], ELEVEN)]
    use(workspace, CallableModel(Script().always("plan", lambda _request: says[-1]), name="told"))
    manager = workspace.start(GOAL)
    left = [CHOOSE, *answers]

    async def decide(_state: SessionState, asked: Gate) -> Decision | None:
        if asked.kind == "checkpoint":
            says.append(reply)
        return Decision(left.pop(0), "person") if left else None

    await manager.run(decide)
    return str(manager.session_id)


@pytest.fixture
def changed(workspace: Workspace) -> str:
    """A session at the checkpoint after a round that gave two steps an owner, for feedback on the first."""
    return asyncio.run(planned(workspace, NAMED, feedback("Ann does S1")))


def steps(workspace: Workspace, session: str) -> dict[str, Step]:
    plan = workspace.session(session).state().plan
    assert plan is not None
    return {step.id: step for step in plan.steps}


async def reviewing(pilot: Pilot[object]) -> SessionScreen:
    """Open the review by its key."""
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
    await calm(pilot)
    await pilot.press("ctrl+l", "2")
    await until(pilot, lambda: "Changes v1 → v2 · 1 of" in shown(pilot))
    return screen_of(pilot)


async def test_a_change_is_rejected_and_the_others_stay(run_app: RunApp, workspace: Workspace, changed: str) -> None:
    async with run_app(session=changed) as pilot:
        await gate(pilot, "checkpoint")
        screen = await reviewing(pilot)
        await sees(pilot, "for what you said: U2")
        await pilot.press("a")
        await until(pilot, lambda: "· 2 of" in shown(pilot) and "1 open" in shown(pilot))
        await pilot.press("x")
        await until(pilot, lambda: screen.state.version == 3)
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "Rejected: this is as it was in v1 again." in shown(pilot))
        assert screen.view == "changes"
    after = steps(workspace, changed)
    assert (after["S1"].owner, after["S3"].owner) == ("Ann", "")


async def test_accepting_all_the_rest_changes_nothing_in_the_plan(
    run_app: RunApp, workspace: Workspace, changed: str
) -> None:
    before = workspace.session(changed).state().seq
    async with run_app(session=changed) as pilot:
        await gate(pilot, "checkpoint")
        screen = await reviewing(pilot)
        await pilot.press("A")
        await until(pilot, lambda: " open" not in str(screen.plan_pane.border_title))
        await pilot.press("u")
        await until(pilot, lambda: "1 open" in str(screen.plan_pane.border_title))
    assert workspace.session(changed).state().seq == before


async def test_what_was_left_out_is_accepted_or_kept_one_by_one(run_app: RunApp, workspace: Workspace) -> None:
    session = await planned(workspace, FEW, feedback("Ann does the first step."))
    async with run_app(session=session) as pilot:
        opened = await gate(pilot, "removal")
        screen = await reviewing(pilot)
        await sees(pilot, "S2")
        await pilot.press("a")
        await until(pilot, lambda: screen.reviewing.shown == "removal:S4")
        await pilot.press("x")
        await until(pilot, lambda: screen.reviewing.shown == "removal:S6")
        assert screen.gate_pane.gate == opened
        await pilot.press("a")
        await gate(pilot, "checkpoint")
    assert set(steps(workspace, session)) == {step.id for step in ELEVEN.items} - {"S2", "S6"}


async def test_a_repair_is_accepted(run_app: RunApp, workspace: Workspace) -> None:
    session = await planned(workspace, NAMED, EDIT)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        await pilot.press("ctrl+l", "2")
        await until(pilot, lambda: "FINDINGS" in shown(pilot))
        offered = "S3 needs S2 in place of S22"
        await until(pilot, lambda: any(page.offers for page in screen._picture.review.pages))
        pages = screen._picture.review.pages
        place = next(at for at, page in enumerate(pages) if any(one.repair.label == offered for one in page.offers))
        await pilot.press(*["n"] * place)
        await until(pilot, lambda: offered in shown(pilot))
        await pilot.press("home", "a")
        await until(pilot, lambda: screen.state.version == 3)
        await gate(pilot, "checkpoint")
    assert steps(workspace, session)["S3"].needs == ("S2",)


async def test_why_leads_from_a_line_to_what_was_written(run_app: RunApp, changed: str) -> None:
    async with run_app(session=changed) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        await pilot.press("ctrl+l")
        pane = screen.plan_pane
        await until(
            pilot, lambda: any("S1" in str(line) and "Ann" in str(line) for row in pane.rows for line in row.lines)
        )
        pane.cursor = next(at for at, row in enumerate(pane.rows) if "S1 " in str(row.lines[0]) and row.key)
        chosen = pane.chosen
        await pilot.press("w")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, PickDialog) and "because you said in F1" in shown(pilot)
        )
        await sees(pilot, "owner: – → Ann")
        rows = pilot.app.screen.query_one("#rows")
        rows.cursor = next(at for at, row in enumerate(rows.rows) if row.key.startswith("message:"))
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is screen and screen.view == "transcript")
        await until(pilot, lambda: "Ann does S1" in shown(pilot))
        await pilot.press("1")
        await until(pilot, lambda: screen.view == "plan" and "Plan v2" in shown(pilot))
        await pilot.press("w")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickDialog))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert chosen


def test_a_date_says_which_change_of_the_person_moved_it() -> None:
    session = log(at_a_gate())
    carry_out(session, "replan", date(2026, 3, 2))
    carry_out(session, "S1 takes 9d", date(2026, 3, 2))
    state = session.refresh()
    moved = next(one.change.operation.item for one in changes_of(state.versions)
        if one.version == state.version and is_date(one) and one.items != {"S1"})  # fmt: skip

    def why(item: str) -> str:
        return "\n".join(str(line) for row in why_rows(state, item, 200, Marks()) for line in row.lines)

    assert "it was calculated again when you changed S1 effort:" in why(moved)
    assert "because: edited by you" not in why(moved)
    assert "because: edited by you" in why("S1")


def test_how_it_looks(look: Look, changed: str) -> None:
    assert look(USUAL, then(reviewing), session=changed)


async def test_a_change_that_was_saved_is_not_rejected_without_a_question(
    run_app: RunApp, workspace: Workspace
) -> None:
    session = await planned(workspace, NAMED, feedback("Ann does S1"), Answer(kind="finish"))
    assert workspace.session(session).state().saved_version == 2
    manager = workspace.session(session).resume()
    await manager.reopen("Ben does S4")
    await manager.run(_asking)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("ctrl+l", "2", "left_square_bracket", "left_square_bracket")
        await sees(pilot, "Changes v1 → v2 · 1 of")
        before = workspace.session(session).state().version
        await pilot.press("x")
        await sees(pilot, "Undo something of version 2, which was saved?")
        await pilot.press("escape")
        await gate(pilot, "checkpoint")
        assert workspace.session(session).state().version == before
        await pilot.press("x")
        await sees(pilot, "which was saved?")
        await pilot.press("y")
        await until(pilot, lambda: workspace.session(session).state().version == before + 1)


async def _asking(_state: SessionState, _gate: Gate) -> Decision | None:
    return None
