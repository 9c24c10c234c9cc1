"""The page, its drawer and its panel: outline, what is written ahead, and the keys that move between places."""

from __future__ import annotations

from tests.tui.acting import (
    ROOMY,
    USUAL,
    WIDE,
    RunApp,
    sees,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from tests.tui.session_fixtures import HeldModel, calm, choose, gate, screen_of, use, write
from tests.tui.test_session_snapshots import guided_reply
from workbench.bootstrap import Workspace
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.tui.widgets.line_list import LineList


async def test_a_chosen_section_is_gone_to(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    for size, name in ((WIDE, "#rows"), (USUAL, "#rows")):
        async with run_app(session=session, size=size) as pilot:
            await gate(pilot, "checkpoint")
            pane = screen_of(pilot).plan_pane
            await until(pilot, lambda pane=pane: "place:risks:0" in pane._sheet.places)
            await pilot.press("ctrl+b")
            await until(pilot, lambda name=name: len(pilot.app.screen.query_one(name, LineList).rows) > 4)
            outline = pilot.app.screen.query_one(name, LineList)
            await pilot.press(*"risks")
            await until(pilot, lambda outline=outline: outline.rows[outline.cursor].key == "place:risks:0")
            await pilot.press("enter")
            await until(pilot, lambda pane=pane: pane.has_focus and pane.chosen == "place:risks:0")


async def test_keys_fold_find_and_zoom(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=ROOMY) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        pane = screen.plan_pane
        await until(pilot, lambda: any(row.key == "place:risks:0" for row in pane.rows))
        await pilot.press("ctrl+l")
        pane.cursor = next(place for place, row in enumerate(pane.rows) if row.key == "place:risks:0")
        assert not any(row.key == "place:risks:1" for row in pane.rows)
        await pilot.press("l")
        await until(pilot, lambda: any(row.key == "place:risks:1" for row in pane.rows))
        await pilot.press("h")
        await until(pilot, lambda: not any(row.key == "place:risks:1" for row in pane.rows))
        await pilot.press("slash", *"old system", "enter")
        await until(pilot, lambda: pane.has_focus and pane.cursor >= 0)
        first = pane.cursor
        assert any("old system" in line.plain for line in pane.rows[first].lines)
        await pilot.press("n")
        await until(pilot, lambda: pane.cursor > first)
        await pilot.press("g")
        await until(pilot, lambda: pane.cursor < first or pane.cursor == 0 or pane.scroll_offset.y == 0)
        await pilot.press("3", "ctrl+l", "z")
        await until(pilot, lambda: screen.view == "plan" and not screen.has_drawer)
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "plan" and screen.has_drawer)


async def test_what_is_written_while_roles_work_survives_and_goes_into_the_same_round(
    run_app: RunApp, workspace: Workspace
) -> None:
    session = await wait_at_gate(workspace)
    model = HeldModel(guided_reply).hold("verify")
    use(workspace, model)
    async with run_app(session=session) as pilot:
        await gate(pilot, "approach")
        screen = screen_of(pilot)
        await choose(pilot)
        await until(pilot, lambda: model.asked["verify"])
        screen.draft.focus()
        await pilot.press(*"Paul proofreads", "enter")
        await until(pilot, lambda: "queued 1" in shown(pilot))
        assert screen.draft.text == ""
        for written, kept in (("and more", "and more"), (":o13 accept", ""), ("and more", "and more")):
            screen.draft.text = written
            await until(pilot, lambda kept=kept: workspace.folder.drafts.read(session).text == kept)
    model.release("verify")
    async with run_app(session=session) as pilot:
        screen = screen_of(pilot)
        await until(pilot, lambda: screen.draft.text == "and more" and screen.drafting.queued == ("Paul proofreads",))
        await pilot.press("ctrl+r")
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: screen.drafting.queued == ())
        assert screen.draft.text == "and more"
        await calm(pilot)
    state = workspace.session(session).state()
    assert [one.text for one in state.feedback] == ["Paul proofreads"]
    assert _is_heard_in_the_first_round(workspace, session)


async def test_who_stops_has_the_next_word(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    model = HeldModel(guided_reply).hold("verify")
    use(workspace, model)
    async with run_app(session=session) as pilot:
        await gate(pilot, "approach")
        screen = screen_of(pilot)
        await choose(pilot)
        await until(pilot, lambda: model.asked["verify"] and screen._had_plan)  # whose first picture takes the focus
        screen.plan_pane.focus()
        await pilot.press("escape")
        await sees(pilot, "Stopped: interrupted by you.", "what should change?")
        await until(pilot, lambda: screen.draft.has_focus)
        model.release("verify")
        await pilot.press(*"Paul proofreads", "enter")
        await gate(pilot, "checkpoint")
        assert screen.draft.text == ""
    state = workspace.session(session).state()
    assert [one.text for one in state.feedback] == ["Paul proofreads"]
    assert _is_heard_in_the_first_round(workspace, session)


def _is_heard_in_the_first_round(workspace: Workspace, session: str) -> bool:
    """Tell whether the planner was asked between what was said meanwhile and the end of the first round."""
    found = workspace.session(session).audit()
    assert found.ok, found.violations
    bodies = [say.content(one) for one in in_full(workspace.session(session).events())]
    said = next(at for at, one in enumerate(bodies) if isinstance(one, say.FeedbackGiven))
    end = next(at for at, one in enumerate(bodies) if isinstance(one, say.IterationCompleted))
    return any(isinstance(one, say.CallStarted) and one.task == "plan" for one in bodies[said:end])


async def test_what_is_said_where_another_process_drives_reaches_it(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    model = HeldModel(guided_reply)
    use(workspace, model)
    manager = workspace.session(session).resume()
    assert manager.state.gate is not None
    await manager.answer(manager.state.gate, Answer(kind="choose", choice="A1"))
    with manager.driving():
        async with run_app(session=session) as pilot:
            await sees(pilot, "is driven by process")
            await write(pilot, "Paul proofreads")
            await pilot.press("enter")
            await until(pilot, lambda: workspace.session(session).state().feedback)
            await until(pilot, lambda: screen_of(pilot).draft.text == "")
            await sees(pilot, "goes into the planner's next call")
            while not model.asked["plan"]:
                await manager.advance()
    assert manager.state.feedback[0].text == "Paul proofreads"


async def test_a_person_can_ask_to_be_asked_after_this_round(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    model = HeldModel(guided_reply).hold("verify")
    use(workspace, model)
    async with run_app(session=session) as pilot:
        await gate(pilot, "approach")
        screen = screen_of(pilot)
        await choose(pilot)
        await until(pilot, lambda: model.asked["verify"])
        await pilot.press("ctrl+l")
        await sees(pilot, "C ask after this round")
        await pilot.press("C")
        await sees(pilot, "You are asked after this round.")
        assert workspace.session(session).state().checkpoint_wanted
        model.release("verify")
        asked = await gate(pilot, "checkpoint")
        assert asked.reason == "interval"
        assert len(screen.state.iterations) == 1


async def test_what_was_queued_last_is_taken_back(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    model = HeldModel(guided_reply).hold("verify")
    use(workspace, model)
    async with run_app(session=session) as pilot:
        await gate(pilot, "approach")
        screen = screen_of(pilot)
        await choose(pilot)
        await until(pilot, lambda: model.asked["verify"])
        screen.draft.focus()
        await pilot.press(*"one", "enter", *"two", "enter")
        await until(pilot, lambda: screen.drafting.queued == ("one", "two"))
        await pilot.press("alt+up")
        await until(pilot, lambda: screen.draft.text == "two" and screen.drafting.queued == ("one",))
        model.release("verify")
