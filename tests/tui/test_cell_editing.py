"""Cells of the plan are edited where they stand: an edit is a command, previewed, recorded, and undone with a key."""

from __future__ import annotations

import threading
from datetime import date
from typing import Any

import pytest
from tests.tui.acting import RunApp, finish, sees, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import HeldModel, calm, gate, review, screen_of, use
from tests.tui.test_session_snapshots import guided_reply
from textual.events import Paste
from textual.pilot import Pilot
from workbench.bootstrap import Session, Workspace
from workbench.domain.commands import Parsed, parse
from workbench.domain.plan.plan import Effort, Person, Plan, Section, Step
from workbench.tui.dialog import ConfirmDialog, PickDialog
from workbench.tui.session.plan.cell_editing import CellName, Deed, Editing, deed_command

TODAY = date(2027, 3, 1)
STEPS = (
    Step(id="S1", title="List", owner="Anna Berg", effort=Effort(1, 2, 4)),
    Step(id="S2", title="Sign", needs=("S1",), deadline="2027-05-03", not_before="2027-04-01"),
    Step(id="S3", title="Tell", owner="Anke", parent="S2"),
)
PLAN = Plan(
    title="Move",
    sections=(
        Section(id="people", title="People", items=(Person(id="P1", text="Anke", role="desk"),)),
        Section(id="steps", title="Steps", items=STEPS),
    ),
)


def after(command: str, plan: Plan = PLAN) -> Plan:
    parsed = parse(command, plan, TODAY)
    assert isinstance(parsed, Parsed), f"{command!r}: {parsed}"
    return parsed.plan


def step(plan: Plan, name: str) -> Step:
    return next(one for one in plan.steps if one.id == name)


@pytest.mark.parametrize(
    ("cell", "typed", "command", "field", "value"),
    [
        ("owner", "Anke", "S2 owner Anke", "owner", "Anke"),
        ("owner", "Anna Berg, Bo", 'S2 owner "Anna Berg", Bo', "also", ("Bo",)),
        ("owner", "", "", "owner", ""),
        ("effort", "3", "S2 effort 3d", "effort", Effort(3, 3, 3)),
        ("effort", "1-2-4", "S2 effort 1-2-4d", "effort", Effort(1, 2, 4)),
        ("effort", "2w", "S2 effort 2w", "effort", Effort(10, 10, 10)),
        ("start", "5.4", "S2 not before 5 Apr", "not_before", "2027-04-05"),
        ("start", "", "S2 clear not before", "not_before", None),
        ("end", "3 June", "S2 by 3 June", "deadline", "2027-06-03"),
        ("end", "", "S2 clear deadline", "deadline", None),
        ("end", "2027-05-03", "", "deadline", "2027-05-03"),
        ("needs", "s3", "S2 needs not S1; S2 needs S3", "needs", ("S3",)),
        ("needs", "", "S2 needs not S1", "needs", ()),
        ("title", 'Say "yes"', 'S2 title "Say \\"yes\\""', "title", 'Say "yes"'),
    ],
)
def test_an_edit_of_a_cell_is_a_command(cell: CellName, typed: str, command: str, field: str, value: object) -> None:
    edited = Editing(PLAN, ("S2",), cell).with_typed(typed)
    assert edited.command(TODAY) == command
    assert getattr(step(after(command) if command else PLAN, "S2"), field) == value


def test_a_new_step_has_its_fields_behind_its_title() -> None:
    line = "Book the hall 2d @Anke by 3 May"
    below = Editing(PLAN, ("S1",), "add below").with_typed(line)
    assert below.command(TODAY) == 'add "Book the hall" 2d @Anke by 3 May below S1'
    assert [one.id for one in after(below.command(TODAY)).steps] == ["S1", "S4", "S2", "S3"]
    above = Editing(PLAN, ("S1",), "add above").with_typed("Begin")
    assert [one.id for one in after(above.command(TODAY)).steps] == ["S4", "S1", "S2", "S3"]
    above = Editing(PLAN, ("S2",), "add above").with_typed("Begin")
    assert [one.id for one in after(above.command(TODAY)).steps] == ["S1", "S4", "S2", "S3"]


@pytest.mark.parametrize(
    ("line", "needs", "cost", "effort"),
    [
        ("Book 2d @Anke by 3 May, 90 EUR", (), 90, 2),
        ("Sign by 3 May, 2d, €90, after S1", ("S1",), 90, 2),
        ("Rent a van for 2 days after 1, 2", ("S1", "S2"), None, 2),
        ("Mow 3d EUR 90 together", (), 90, 3),
    ],
)
def test_a_new_step_is_read_as_a_line_of_own_steps(
    line: str, needs: tuple[str, ...], cost: int | None, effort: int
) -> None:
    new = step(after(Editing(PLAN, ("S1",), "add below").with_typed(line).command(TODAY)), "S4")
    assert (new.needs, new.cost and int(new.cost.amount)) == (needs, cost)
    assert (new.effort, new.cost_kind) == (Effort(effort, effort, effort), "")
    assert new.deadline == ("2027-05-03" if "3 May" in line else None)


def test_rows_are_nested_lifted_and_dropped_and_nothing_is_done_at_the_edge() -> None:
    assert step(after(deed_command(PLAN, ("S3",), "nest")), "S3").parent == "S2"
    assert step(after(deed_command(PLAN, ("S3",), "lift")), "S3").parent == ""
    assert step(after(deed_command(PLAN, ("S1",), "drop")), "S1").status == "dropped"
    assert {deed_command(PLAN, (name,), deed) for name, deed in EDGES} == {""}


EDGES: list[tuple[str, Deed]] = [("S1", "up"), ("S3", "down"), ("S1", "nest"), ("S1", "lift"), ("S9", "drop")]


# --- on the screen ----------------------------------------------------------------------------------------------------


def steps_of(workspace: Workspace, session: str) -> dict[str, Step]:
    plan = workspace.session(session).state().plan
    assert plan is not None
    return {one.id: one for one in plan.steps}


async def at(pilot: Pilot[Any], name: str) -> None:
    """Choose a step, with the focus on the plan."""
    screen = screen_of(pilot)
    await until(pilot, lambda: any(f" {name} " in row.lines[0].plain for row in screen.plan_pane.rows if row.cells))
    pane = screen.plan_pane
    pane.focus()
    pane.cursor = next(n for n, row in enumerate(pane.rows) if row.cells and f" {name} " in row.lines[0].plain)
    await until(pilot, lambda: pane.has_focus)


async def test_owner_and_date_of_a_step_take_eight_keys(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, commands=("S2 owner Jonas",))
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await at(pilot, "S3")
        keys = ["enter", "j", "tab", "tab", "3", "full_stop", "5", "enter"]
        assert len(keys) <= 8
        await pilot.press(*keys[:2])
        await sees(pilot, "S3 owner Jonas", "S3 owner: – → Jonas")
        await pilot.press(*keys[2:-1])
        await sees(pilot, "S3 owner Jonas; S3 by 3 May")
        await pilot.press(keys[-1])
        await until(pilot, lambda: steps_of(workspace, session)["S3"].owner == "Jonas")
        assert (steps_of(workspace, session)["S3"].deadline or "")[5:] == "05-03"
        await until(pilot, lambda: screen_of(pilot).plan_pane.has_focus)
        await pilot.press("u")
        await until(pilot, lambda: steps_of(workspace, session)["S3"].owner == "")
        assert steps_of(workspace, session)["S3"].deadline is None


async def test_an_edit_that_is_left_changes_nothing(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        before = workspace.session(session).state().seq
        await at(pilot, "S3")
        await pilot.press("enter", "a", "escape")
        await until(pilot, lambda: screen_of(pilot).plan_pane.has_focus and screen_of(pilot).cells.editing is None)
        await pilot.press("enter", "a")
        await pilot.press("ctrl+l")
        await until(pilot, lambda: screen_of(pilot).cells.editing is None)
        assert workspace.session(session).state().seq == before


async def test_cells_are_edited_in_a_saved_plan_and_an_undo_across_the_save_asks(
    run_app: RunApp, workspace: Workspace
) -> None:
    session = await finish(workspace)
    saved = workspace.session(session).state().version
    async with run_app(session=session) as pilot:
        await calm(pilot)
        await at(pilot, "S3")
        await pilot.press("enter", *"Bo", "enter")
        await until(pilot, lambda: steps_of(workspace, session)["S3"].owner == "Bo")
        await until(pilot, lambda: screen_of(pilot).plan_pane.has_focus)
        await pilot.press("U")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickDialog) and "undo to there" in shown(pilot))
        await sees(pilot, "S3 owner: – → Bo")
        await pilot.press("enter")
        await until(pilot, lambda: steps_of(workspace, session)["S3"].owner == "")
        await until(pilot, lambda: screen_of(pilot).state.version > saved + 1)  # type: ignore[union-attr]
        if saved > 1:
            await pilot.press("u")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))


async def test_cells_are_edited_while_roles_run(run_app: RunApp, workspace: Workspace) -> None:
    model = HeldModel(guided_reply)
    use(workspace, model)
    session = await wait_at_checkpoint(workspace)
    model.hold("verify")
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await review(pilot, "c")
        await until(pilot, lambda: model.asked["verify"] > 1)
        await at(pilot, "S1")
        await pilot.press("enter", *"Bo", "enter")
        await sees(pilot, "Recorded")
        model.release("verify")
        await gate(pilot, "checkpoint")
        assert steps_of(workspace, session)["S1"].owner == "Bo"


async def test_marks_take_one_owner_and_rows_are_moved_added_and_dropped(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await at(pilot, "S1")
        await pilot.press("space", "space", "enter", *"Bo", "enter")
        await until(pilot, lambda: steps_of(workspace, session)["S2"].owner == "Bo")
        assert steps_of(workspace, session)["S1"].owner == "Bo"
        await until(pilot, lambda: not screen_of(pilot).plan_pane.picked)
        await at(pilot, "S1")
        await pilot.press("J")
        await until(pilot, lambda: list(steps_of(workspace, session))[:2] == ["S2", "S1"])
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: " S1 " in pane.rows[pane.cursor].lines[0].plain)
        await pilot.press("o", *"Wait", "enter")
        await until(pilot, lambda: any(one.title == "Wait" for one in steps_of(workspace, session).values()))
        await until(pilot, lambda: "Wait" in pane.rows[pane.cursor].lines[0].plain)
        await pilot.press("X")
        await until(pilot, lambda: "dropped" in {one.status for one in steps_of(workspace, session).values()})


LINES = "  Write to all households 2d @Bo\n    Print the letters\n\n  Pay the tax\n"


@pytest.mark.parametrize("where", ["the plan", "o"])
async def test_lines_that_are_pasted_are_steps_below_the_chosen_one_and_one_change(
    run_app: RunApp, workspace: Workspace, where: str
) -> None:
    session = await wait_at_checkpoint(workspace)
    before = steps_of(workspace, session)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await at(pilot, "S2")
        if where == "o":
            await pilot.press("o")
            await until(pilot, lambda: screen_of(pilot).cells.editing is not None)
        pilot.app.post_message(Paste(LINES))
        await sees(pilot, "Add a step for each line?", "3 steps: S", "Enter add them")
        assert steps_of(workspace, session) == before
        await pilot.press("enter")
        await until(pilot, lambda: len(steps_of(workspace, session)) == len(before) + 3)
        steps = steps_of(workspace, session)
        new = list(steps.values())[2:5]
        assert [one.title for one in new] == ["Write to all households", "Print the letters", "Pay the tax"]
        assert (new[0].owner, new[1].parent, new[2].needs) == ("Bo", new[0].id, (new[0].id,))
        await until(pilot, lambda: screen_of(pilot).plan_pane.has_focus)
        await pilot.press("u")
        await until(pilot, lambda: steps_of(workspace, session).keys() == before.keys())
        await sees(pilot, "Undone as version")


async def test_lines_that_are_no_steps_stand_in_the_input(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await at(pilot, "S2")
        pilot.app.post_message(Paste(LINES))
        await sees(pilot, "Add a step for each line?")
        await pilot.press("escape")
        await until(pilot, lambda: screen_of(pilot).draft.text == LINES)


async def test_keys_are_taken_in_order_while_what_came_before_is_recorded(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await wait_at_checkpoint(workspace)
    workspace.session(session).edit('add "Look at it" needs S2; add "Tidy"; S2 needs S1')
    before = steps_of(workspace, session)
    [look] = [one.id for one in before.values() if one.title == "Look at it"]
    held, edit = threading.Event(), Session.edit

    def slowly(own: Session, text: str, **more: Any) -> object:
        held.wait(60)
        return edit(own, text, **more)

    monkeypatch.setattr(Session, "edit", slowly)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await at(pilot, "S2")
        await pilot.press("X", "u", "J", "J", "X")
        held.set()
        await sees(pilot, "S2 dropped. S3 needs S1 now")
        await until(pilot, lambda: [*steps_of(workspace, session)].index("S2") == [*before].index("S2") + 2)
        await until(pilot, lambda: steps_of(workspace, session)["S2"].status == "dropped")
        after = steps_of(workspace, session)
        assert [one.id for one in after.values() if one.status == "dropped"] == ["S2"]
        assert after[look].needs == ("S1",)


async def test_a_cell_is_edited_by_mouse(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, commands=("S2 owner Jonas",))
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await at(pilot, "S3")
        pane = screen_of(pilot).plan_pane
        cell = next(one for one in pane.rows[pane.cursor].cells if one.name == "owner")
        where = (2 + cell.start + 1, pane.line_on_screen(pane.cursor) + 1)
        await pilot.click(pane, offset=where)
        await pilot.pause()
        if screen_of(pilot).cells.editing is None:
            await pilot.click(pane, offset=where)
        await until(pilot, lambda: screen_of(pilot).cells.editing is not None)
        offers = screen_of(pilot).query_one("#cell-offers")
        await until(pilot, lambda: "Jonas" in shown(pilot) and offers.region.height > 0)
        await pilot.click(offers, offset=(4, 1))
        await until(pilot, lambda: steps_of(workspace, session)["S3"].owner == "Jonas")


async def test_a_step_is_dragged_below_another_one(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await at(pilot, "S1")
        pane = screen_of(pilot).plan_pane
        y = pane.line_on_screen(pane.cursor) + 1
        await pilot.mouse_down(pane, offset=(12, y))
        await pilot.mouse_up(pane, offset=(12, y + 2))
        await until(pilot, lambda: list(steps_of(workspace, session))[:3] == ["S2", "S3", "S1"])
