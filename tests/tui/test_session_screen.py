"""Planning in a session's screen, by keys and by mouse, through the real core."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from msgspec.structs import replace
from tests.tui.acting import (
    GOAL,
    SMALL,
    USUAL,
    WIDE,
    RunApp,
    finish,
    sees,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from tests.tui.session_fixtures import (
    HeldModel,
    asking,
    at_checkpoint,
    begin,
    cut_off,
    gate,
    review,
    screen_of,
    settled,
    told,
    use,
    write,
)
from workbench.bootstrap import Workspace
from workbench.models.scripted import CallableModel
from workbench.tui.app import WorkbenchApp
from workbench.tui.form import FormDialog
from workbench.tui.marks import Marks
from workbench.tui.session.screen import SessionScreen
from workbench.tui.session.telling import gist, tell
from workbench.tui.session.view import SessionView
from workbench.tui.views import history_rows
from workbench.tui.widgets.bars import Notice
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane


@pytest.fixture
def held(workspace: Workspace) -> HeldModel:
    """A small scripted model that every session of the workspace asks."""
    model = HeldModel()
    use(workspace, model)
    return model


# --- the main job -----------------------------------------------------------------------------------------------------


async def test_the_main_job_by_keys(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(asking("What may it cost?", "Who decides?"), name="told"))
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        first_question = await gate(pilot, "question")
        await write(pilot, "At most 20,000 EUR")
        await pilot.press("enter")
        await gate(pilot, "question", other_than=first_question.id)
        await review(pilot, "s")
        await gate(pilot, "approach")
        await sees(pilot, "Choose an approach")
        await review(pilot, "2")
        first = await gate(pilot, "checkpoint")
        await sees(pilot, "Plan v")
        await write(pilot, "Add a step: tell the auditors in May")
        await pilot.press("enter")
        await gate(pilot, "checkpoint", other_than=first.id)
        assert screen.draft.text == ""
        await pilot.press("alt+2")
        await until(pilot, lambda: "Changes v" in shown(pilot) and "auditors" in shown(pilot))
        await review(pilot, "F")
        await sees(pilot, "Finish all the same, with", "not looked at", "auditors")
        await pilot.press("y")
        await until(pilot, lambda: "Saved as version" in shown(pilot))
    state = workspace.session(screen.session).state()
    assert state.status == "finished"
    assert next(answer.answer for answer in state.answers) == "At most 20,000 EUR"
    assert state.approach is not None
    assert state.approach.id == "A2"
    assert "auditors" in str(state.plan)


def _line_of(screen: SessionScreen, key: str) -> tuple[int, int]:
    pane = screen.plan_pane
    sheet = pane._sheet
    return 6, sheet.starts[sheet.places[key]] - pane.scroll_offset.y + 1


# --- gates ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("held")
async def test_a_click_on_a_card_means_nothing_before_a_person_goes_to_the_gate(
    run_app: RunApp, workspace: Workspace
) -> None:
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        opened = await gate(pilot, "approach")
        for _ in range(3):
            await pilot.click("#plan", offset=_line_of(screen, "approach:A2"))
        await settled(pilot)
    assert workspace.session(screen.session).state().gate == opened


@pytest.mark.usefixtures("held")
async def test_a_card_is_chosen_with_enter_after_the_gate_was_looked_at(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await gate(pilot, "approach")
        await review(pilot, "up")
        await until(pilot, lambda: screen.plan_pane.has_focus)
        await pilot.press("down", "down", "enter")
        await gate(pilot, "checkpoint")
    assert workspace.session(screen.session).state().chosen == "A3"


async def test_a_draft_begun_before_a_gate_is_never_sent_to_it(
    run_app: RunApp, workspace: Workspace, held: HeldModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(SessionScreen, "clock", lambda _screen: now[0])
    held.hold("propose", after=1)
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await until(pilot, lambda: held.asked["propose"])
        await pilot.press(*"Keep the budget ")
        held.release("propose")
        opened = await gate(pilot, "approach")
        now[0] += 10.0
        await pilot.press(*"by n 1", "enter")
        await settled(pilot)
        assert screen.draft.text == "Keep the budget by n 1"
        await sees(pilot, "› Keep the budget by n 1")
        assert not [event for event in workspace.session(screen.session).events() if event.kind == "gate.answered"]
        assert screen.draft.has_focus
        await sees(pilot, "▲ Choose an approach")
        assert workspace.session(screen.session).state().gate == opened
        assert held.asked["propose"] == 1
        await review(pilot, "f")
        await until(pilot, lambda: screen.draft.has_focus)
        await pilot.press("enter")
        await gate(pilot, "approach", other_than=opened.id)
    assert [said.text for said in workspace.session(screen.session).state().feedback] == ["Keep the budget by n 1"]


@pytest.mark.usefixtures("held")
async def test_rejecting_asks_for_the_reason(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await gate(pilot, "approach")
        await write(pilot, "half a thought")
        await review(pilot, "r")
        await until(pilot, lambda: "Why is this rejected?" in shown(pilot))
        await pilot.press("enter")
        await pilot.press("escape")
        await settled(pilot)
        assert screen.draft.text == "half a thought"
        assert workspace.session(screen.session).state().gate is not None
        await review(pilot, "r")
        await until(pilot, lambda: "Why is this rejected?" in shown(pilot))
        await pilot.press(*"Too slow", "enter")
        await until(pilot, lambda: screen.state is not None and screen.state.finished is not None)
        await until(pilot, lambda: screen.draft.text == "half a thought")
        await sees(pilot, "Ended without a plan")
    finished = workspace.session(screen.session).state().finished
    assert finished is not None
    assert finished.reason == "Too slow"


# --- notes ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("held")
async def test_notes_are_collected_and_sent_as_one_batch_with_feedback(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        first = await at_checkpoint(pilot, GOAL)
        screen = screen_of(pilot)
        await write(pilot, "and be quick")
        await pilot.press("ctrl+l")
        for key, said in (("m", "too vague"), ("m", "say which ledger")):
            await pilot.press("down", key)
            await until(pilot, lambda: "Note on" in shown(pilot))
            await pilot.press(*said, "enter")
            await until(pilot, lambda: "Note on" not in shown(pilot))
            screen.plan_pane.focus()
        await settled(pilot)
        await sees(pilot, "note: too vague", "send 2 notes")
        assert screen.draft.text == "and be quick"
        screen.draft.focus()
        await pilot.press("enter")
        await gate(pilot, "checkpoint", other_than=first.id)
        assert screen.drafting.notes == ()
    feedback = workspace.session(screen.session).state().feedback
    assert len(feedback) == 3
    assert feedback[0].text == "and be quick"
    assert {said.section for said in feedback[1:]} == {"steps", "goal"}
    assert "too vague" in feedback[1].text


@pytest.mark.usefixtures("held")
async def test_notes_alone_are_a_batch_and_one_can_be_taken_back(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        first = await at_checkpoint(pilot, GOAL)
        screen = screen_of(pilot)
        await pilot.press("ctrl+l", "m", *"one", "enter")
        await until(pilot, lambda: len(screen.drafting.notes) == 1)
        await settled(pilot)
        await pilot.press("ctrl+l", "down", "down", "m", *"two", "enter")
        await until(pilot, lambda: len({one.place.key for one in screen.drafting.notes}) == 2)
        await pilot.press("ctrl+l")
        await settled(pilot)
        await pilot.press("x")
        await until(pilot, lambda: len(screen.drafting.notes) == 1)
        await review(pilot, "b")
        await gate(pilot, "checkpoint", other_than=first.id)
    assert [said.text for said in workspace.session(screen.session).state().feedback] == ["S1: one"]


# --- what runs --------------------------------------------------------------------------------------------------------


async def test_while_a_role_works_it_says_so_and_sections_appear(
    run_app: RunApp, held: HeldModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(SessionScreen, "clock", lambda _screen: now[0])
    held.hold("plan", after=3)
    async with run_app() as pilot:
        await begin(pilot, GOAL)
        await gate(pilot, "approach")
        await review(pilot, "1")
        await until(pilot, lambda: held.asked["plan"])
        now[0] += 7
        await until(pilot, lambda: "planner" in shown(pilot) and "7 s · 600" in shown(pilot))
        await until(pilot, lambda: "Billing runs with the new provider." in shown(pilot))
        await sees(pilot, "Plan v1 is being written")
        held.release("plan")
        await gate(pilot, "checkpoint")


@pytest.mark.cases(1)
@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_interrupting_keeps_what_was_received_and_it_goes_on(
    run_app: RunApp, workspace: Workspace, held: HeldModel, key: str
) -> None:
    held.hold("plan", after=2)
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await gate(pilot, "approach")
        await review(pilot, "1")
        await until(pilot, lambda: len(screen.drive.driving.driver.partial) == 400)
        await pilot.press(key)
        await until(pilot, lambda: "Stopped: interrupted by you." in shown(pilot))
        await sees(pilot, "^R goes on")
        assert held.cancelled == ["plan"]
        abandoned = [event for event in workspace.session(screen.session).events() if event.kind == "call.abandoned"]
        assert len(abandoned) == 1
        assert b"partial" in bytes(abandoned[0].body)
        held.release("plan")
        await pilot.press("ctrl+r")
        await gate(pilot, "checkpoint")
        assert "Stopped" not in shown(pilot)


@pytest.mark.usefixtures("held")
async def test_a_session_that_another_process_drives_is_followed(run_app: RunApp, workspace: Workspace) -> None:
    manager = workspace.start(GOAL)
    with manager.driving():
        async with run_app(session=manager.session_id) as pilot:
            await until(pilot, lambda: "is driven by process" in told(pilot))
            assert "only follows" in told(pilot)
            await _quietly_to_gate(manager)
            await gate(pilot, "approach")
            await review(pilot, "1")
            await until(pilot, lambda: "only follows" in told(pilot))
            await settled(pilot)
            assert workspace.session(manager.session_id).state().gate is not None


async def _quietly_to_gate(manager) -> None:
    while manager.state.gate is None:
        await manager.advance()


async def test_a_call_of_a_process_that_is_gone_is_not_asked_again_by_itself(
    run_app: RunApp, workspace: Workspace, held: HeldModel
) -> None:
    session = workspace.start(GOAL).session_id
    cut_off(workspace, session)
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: "ended in the middle of a call" in told(pilot))
        assert held.asked["propose"] == 0
        await pilot.press("ctrl+r")
        await gate(pilot, "approach")


@pytest.mark.usefixtures("held")
async def test_finishing_and_reopening_with_feedback(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: "Saved as version" in shown(pilot))
        screen = screen_of(pilot)
        await write(pilot, "Add a step: tell the auditors in May")
        await pilot.press("enter")
        await sees(pilot, "is agreed. Reopen it for a round?", "tokens")
        await pilot.press("escape")
        assert screen.draft.text == "Add a step: tell the auditors in May"
        await pilot.press("enter")
        await sees(pilot, "Reopen it for a round?")
        await pilot.press("y")
        await until(pilot, lambda: pilot.app.screen is screen)
        await gate(pilot, "checkpoint")
        assert screen.draft.text == ""
    assert "auditors" in str(workspace.session(session).state().plan)


# --- several sessions, sizes ------------------------------------------------------------------------------------------


async def test_another_session_shows_nothing_of_this_one(
    run_app: RunApp, workspace: Workspace, held: HeldModel
) -> None:
    other = await wait_at_gate(workspace, "Hire two nurses for the ward by May", name="nurses")
    held.hold("propose", after=1)
    async with run_app() as pilot:
        first = await begin(pilot, GOAL)
        await write(pilot, "a thought on billing")
        pilot.app.open_session(other)  # type: ignore[attr-defined]
        await until(pilot, lambda: screen_of(pilot).session == other)
        second = screen_of(pilot)
        await gate(pilot, "approach")
        await write(pilot, "nurses only")
        held.release("propose")
        await until(pilot, lambda: workspace.session(first.session).state().gate is not None)
        await settled(pilot)
        assert second.draft.text == "nurses only"
        assert "a thought" not in shown(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: workspace.session(other).state().feedback)
        pilot.app.open_session(first.session)  # type: ignore[attr-defined]
        await gate(pilot, "approach")
        assert first.draft.text == "a thought on billing"
        assert "nurses only" not in shown(pilot)
    assert workspace.session(first.session).state().feedback == ()


async def test_a_session_that_is_only_looked_at_is_never_written(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    before = workspace.log.head(session)
    async with run_app() as pilot:
        from workbench.tui.session.following import following

        await pilot.app.push_screen(
            SessionView(session, source=following(workspace.session(session).log), badge="SAMPLE")
        )
        await until(pilot, lambda: "Approaches" in shown(pilot))
        await pilot.press("ctrl+y", "1", "enter", "ctrl+r", "ctrl+g", "escape", *"any word", "enter", "escape")
        await sees(pilot, "SAMPLE")
        assert isinstance(pilot.app.focused, MainPane)
    assert workspace.log.head(session) == before


async def test_a_lone_letter_is_never_feedback(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, GOAL)
    async with run_app(session=session) as pilot:
        screen = screen_of(pilot)
        await gate(pilot, "checkpoint")
        await write(pilot, "F")
        await pilot.press("enter")
        await until(pilot, lambda: screen.gate_pane.acts and "Nothing was sent." in shown(pilot).replace("\n", " "))
        assert workspace.session(session).state().feedback == ()
        await pilot.press("F")
        await until(pilot, lambda: screen.state.status == "finished")
        assert screen.draft.text == ""
    assert workspace.session(session).state().feedback == ()


async def test_leaving_while_a_role_works_is_no_defect(run_app: RunApp, workspace: Workspace, held: HeldModel) -> None:
    held.hold("propose", after=1)
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await until(pilot, lambda: held.asked["propose"])
        await pilot.press("ctrl+q")
    assert pilot.app.crash is None  # type: ignore[attr-defined]
    kinds = [event.kind for event in workspace.session(screen.session).events()]
    assert kinds[-1] == "call.abandoned"


async def test_deleting_a_session_while_its_role_works_is_no_defect(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, HeldModel().hold("propose", after=1))
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await pilot.app.close_session(screen.session)  # type: ignore[attr-defined]
        await pilot.pause()
    assert pilot.app.crash is None  # type: ignore[attr-defined]


def test_what_a_worker_answers_is_told_and_not_its_json() -> None:
    reply = '{"answer": "300 euros", "evidence": [], "open_questions": ["Which taxes?"]}'
    assert gist(reply) == "300 euros"
    assert tell(reply) == "300 euros\n\nOpen:\n\n- Which taxes?"


def test_a_reply_that_only_asks_is_told_as_its_questions() -> None:
    reply = '{"approaches": [], "constraints": [], "questions": ["Who pays?", "By when?"]}'
    assert gist(reply) == "Asks: Who pays? By when?"
    assert tell(reply) == "Asks first:\n\n- Who pays?\n- By when?"
    assert gist('{"approaches": []}') == "Proposed nothing."


def test_no_reply_of_a_role_is_told_as_json() -> None:
    assert gist('{"actions": [], "insights": []}') == tell('{"actions": [], "insights": []}') == "Nothing to add."
    assert gist('{"findings": []}') == "No findings of its own."  # what the checks found is no part of the reply
    by_item = (
        '{"steps": [{"id": "S3", "because": ["U7"]}, {"id": "new1", "title": "Tell"}], "remove": [{"id": "K2"}],'
        ' "statements": [{"id": "U7", "state": "used", "note": "done"}]}'
    )
    assert gist(by_item) == "Changes steps: S3, 1 new."
    assert tell(by_item) == "Changes:\n\n- steps: S3, 1 new\n\nTakes out K2.\n\n- U7 used: done"
    assert gist('{"remove": [{"id": "K2"}]}') == "Takes out K2."
    assert gist('{"of": "somebody else"}') == '{"of": "somebody else"}'


@pytest.mark.parametrize("keys", [("ctrl+g",), ("ctrl+l", "e")])
async def test_a_saved_plan_is_edited_too(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    session = await finish(workspace)
    monkeypatch.setattr(WorkbenchApp, "suspend", lambda _app: nullcontext())
    monkeypatch.setattr("workbench.tui.editing.edit_text", _renamed)
    async with run_app(session=session) as pilot:
        await sees(pilot, "Saved as version 1")
        await settled(pilot)
        await pilot.press(*keys)
        await sees(pilot, "Name everything", "Saved as version 2")
        assert workspace.session(session).state().finished is not None
        await pilot.press("escape", "ctrl+z")
        await sees(pilot, "List everything")
        await pilot.press("ctrl+l", "ctrl+z")
        await sees(pilot, "There is nothing to undo")


def _renamed(text: str) -> str:
    return text.replace("List everything", "Name everything")


@pytest.mark.usefixtures("held")
async def test_a_digit_sent_as_text_shows_its_approach_and_the_same_digit_takes_it(
    run_app: RunApp, workspace: Workspace
) -> None:
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await gate(pilot, "approach")
        await sees(pilot, "a number shows that approach")
        await pilot.press("9", "enter")
        await sees(pilot, "No answer has the key 9")
        await pilot.press("escape", "backspace", "2", "enter")
        await sees(pilot, "2 once more takes it")
        await until(pilot, lambda: screen.plan_pane.chosen == "approach:A2")
        assert screen.gate_pane._marked == "choose"
        await pilot.press("escape")
        assert screen.draft.text == "2", "the text is kept"
        await pilot.press("enter", "2")
        await gate(pilot, "checkpoint")
    assert workspace.session(screen.session).state().chosen == "A2"


@pytest.mark.parametrize("start", ["draft", "plan"])
async def test_the_focus_is_where_it_was_after_an_answer(run_app: RunApp, workspace: Workspace, start: str) -> None:
    use(workspace, CallableModel(asking("What may it cost?", "Who decides?"), name="told"))
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        first = await gate(pilot, "question")
        screen.query_one(f"#{start}").focus()
        await pilot.pause()
        await review(pilot, "s")
        await gate(pilot, "question", other_than=first.id)
        assert screen.query_one(f"#{start}").has_focus


async def test_the_drawer_has_its_own_keys_and_is_searched(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, feedback=["Ask the kitchen in Zanzibar.", "And the auditors."])
    async with run_app(session=session, size=WIDE) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("ctrl+l", "3")
        screen = screen_of(pilot)
        history = screen.query_one("#history", LineList)
        await until(pilot, lambda: history.has_focus)
        await sees(pilot, "Enter open   x exclude   P pin   / find   z zoom")
        assert "^L plan" not in shown(pilot)
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press(*"zanzibar", "enter")
        await until(pilot, lambda: pilot.app.screen is screen and history.chosen)
        assert "Zanzibar" in "".join(line.plain for line in history.rows[history.cursor].lines)


async def test_where_a_person_writes_stays_in_sight_in_a_smaller_terminal(
    run_app: RunApp, workspace: Workspace
) -> None:
    async with run_app(session=await wait_at_checkpoint(workspace), size=WIDE) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("ctrl+l", "f")
        draft = screen_of(pilot).draft
        await write(pilot, "A text that goes on and on. " * 26 + "END.")
        for size in (USUAL, SMALL):
            await sees(pilot, "END.")
            await pilot.resize_terminal(*size)
        await sees(pilot, "END.")
        assert draft.has_focus


async def test_what_a_person_may_simply_know_is_a_line_that_unfolds(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace)
    workspace.session(session).edit('add question "Who has to agree before the old system is switched off for good?"')
    async with run_app(session=session, size=USUAL) as pilot:
        await sees(pilot, "✔ Saved as version", "! more")
        notice = screen_of(pilot).query_one(Notice)
        assert notice.size.height == 1
        await pilot.press("ctrl+l", "exclamation_mark")
        await sees(pilot, "wait for you: answer with the command")
        assert notice.size.height > 1
        await pilot.click(notice)
        await until(pilot, lambda: notice.size.height == 1)


async def test_the_newest_message_is_chosen_where_messages_are_shown(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, feedback=["Ask the kitchen.", "And the auditors.", "And Anna."])
    async with run_app(session=session, size=USUAL) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("ctrl+l", "3")
        await sees(pilot, "3 History", "Enter open   x exclude   P pin")
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: pane.chosen == _last_message(screen_of(pilot)))
        await pilot.press("6")
        await sees(pilot, "Enter unfold")
        await pilot.resize_terminal(*WIDE)
        await pilot.press("1", "3")
        history = screen_of(pilot).query_one("#history", LineList)
        await until(pilot, lambda: history.has_focus and history.chosen == _last_message(screen_of(pilot)))


def _last_message(screen: SessionScreen) -> str:
    return f"message:{screen.state.history[-1].id}" if screen.state is not None else ""


async def test_a_list_without_rows_says_why(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(session=await wait_at_checkpoint(workspace), size=USUAL) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("ctrl+l", "U")
        await sees(pilot, "Nothing was changed since the first draft.")
        assert "undo to there" not in shown(pilot)


async def test_markdown_of_a_reply_is_left_out_of_the_history(workspace: Workspace) -> None:
    state = workspace.session(await wait_at_checkpoint(workspace)).state()
    said = replace(state.history[-1], text="# City trees\n\n- All *500* take part")
    rows = history_rows(replace(state, history=state.history.appended(said)), 60, Marks())
    assert any(line.plain.endswith("┃ City trees All *500* take part") for row in rows for line in row.lines)


async def test_back_says_where_it_leads_before_there_is_a_plan(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(session=await wait_at_gate(workspace), size=USUAL) as pilot:
        await gate(pilot, "approach")
        await pilot.press("ctrl+l")
        await sees(pilot, "Esc to the input")
        await pilot.press("escape")
        await until(pilot, lambda: screen_of(pilot).draft.has_focus)
