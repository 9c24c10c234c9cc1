"""Status, rating, outcome, lessons, limits and trust, said and set in the application without a command."""

from __future__ import annotations

import threading
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.tui.acting import GOAL, USUAL, Look, RunApp, finish, open_palette, sees, shown, until
from tests.tui.session_fixtures import calm, screen_of
from textual.pilot import Pilot
from textual.widget import Widget
from workbench.bootstrap import Session, Workspace
from workbench.bootstrap.clients import allowed
from workbench.bootstrap.plan_files import keep
from workbench.domain.trust import TrustRequest
from workbench.export.plan_file import plan_file
from workbench.planning.memory.remembering import Said
from workbench.planning.memory.transcripts import Transcript
from workbench.tui.form import FormDialog
from workbench.tui.home.learning import LearningDialog
from workbench.tui.session import reports
from workbench.tui.session.painting import Painter
from workbench.tui.session.screen import SessionScreen
from workbench.tui.settings.screen import SettingsScreen

NOTE = "No step for choosing the auditor"


@pytest.fixture
async def finished(workspace: Workspace) -> str:
    """A session whose plan is saved."""
    return await finish(workspace, GOAL)


async def to_plan(pilot: Pilot[Any]) -> None:
    await calm(pilot)
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and screen_of(pilot).state is not None)
    await pilot.press("ctrl+l")
    await until(pilot, lambda: screen_of(pilot).plan_pane.has_focus)


async def form(pilot: Pilot[Any], key: str) -> None:
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))


async def closed(pilot: Pilot[Any]) -> None:
    await until(pilot, lambda: not isinstance(pilot.app.screen, FormDialog))


def field(pilot: Pilot[Any], name: str) -> Any:
    return pilot.app.screen.query_one(f"#{name}", Widget)


@pytest.mark.full
async def test_a_report_is_previewed_then_recorded(run_app: RunApp, workspace: Workspace, finished: str) -> None:
    before = workspace.session(finished).state()
    step = before.plan.steps[0].id
    async with run_app(session=finished) as pilot:
        await to_plan(pilot)
        await form(pilot, "D")
        assert field(pilot, "said").value == f"{step} done"
        await until(pilot, lambda: "Enter record" in shown(pilot))
        assert workspace.session(finished).state().version == before.version
        await pilot.press("enter")
        await closed(pilot)
        await until(pilot, lambda: "1 of 9 steps done" in shown(pilot))
    after = workspace.session(finished).state()
    assert (after.plan.steps[0].status, after.version) == ("done", before.version + 1)


async def test_enter_before_the_preview_could_be_read_records_nothing(
    run_app: RunApp, workspace: Workspace, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, held, preview = threading.Event(), threading.Event(), Session.preview_edit

    def slow(session: Session, *given: Any, **more: Any) -> Any:
        asked.set()
        held.wait(30)
        return preview(session, *given, **more)

    monkeypatch.setattr(Session, "preview_edit", slow)
    async with run_app(session=finished) as pilot:
        await to_plan(pilot)
        plan = screen_of(pilot).plan_pane
        first = workspace.session(finished).state().plan.steps[0].id
        await until(pilot, lambda: any(row.cells for row in plan.rows))
        plan.cursor = next(place for place, row in enumerate(plan.rows) if first in str(row.lines[0]).split())
        await pilot.press("d")
        await until(pilot, asked.is_set)
        await pilot.press("enter")
        monkeypatch.setattr("workbench.tui.dialog.READ_WITHIN", 2)
        held.set()
        await until(pilot, lambda: pilot.app.screen._previewed)
        await pilot.press("enter")
        assert "Enter preview" in shown(pilot)
        assert workspace.session(finished).state().plan.steps[0].status != "done"
        await sees(pilot, "Enter record")
        await pilot.press("enter")
        await closed(pilot)
        assert workspace.session(finished).state().plan.steps[0].status == "done"


async def test_what_is_typed_while_a_session_is_read_comes_in_its_order(
    run_app: RunApp, workspace: Workspace, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, paint = threading.Event(), Painter.paint

    def slowly(own: Painter, sight: Any) -> Any:
        held.wait(30)
        return paint(own, sight)

    monkeypatch.setattr("workbench.tui.app._LONGEST_WAIT", 30)
    monkeypatch.setattr(Painter, "paint", slowly)
    async with run_app(session=finished) as pilot:
        await pilot.press(*"DS2 done", "enter")
        held.set()
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await until(pilot, lambda: field(pilot, "said").value == "S2 done")
        await sees(pilot, "Enter record")
        assert workspace.session(finished).state().plan.steps[1].status != "done"


async def test_what_stands_in_the_form_is_replaced_by_what_is_typed(run_app: RunApp, finished: str) -> None:
    async with run_app(session=finished) as pilot:
        await to_plan(pilot)
        await form(pilot, "D")
        await until(pilot, lambda: field(pilot, "said").has_focus)
        await pilot.press(*"S2 done")
        assert field(pilot, "said").value == "S2 done"


async def test_a_plan_is_rated_and_its_outcome_told(run_app: RunApp, workspace: Workspace, finished: str) -> None:
    step = workspace.session(finished).state().plan.steps[0].id
    async with run_app(session=finished) as pilot:
        await to_plan(pilot)
        await form(pilot, "asterisk")
        await pilot.press("4", "tab", "p", "tab", *"a pentest; an audit", "tab", *f"{step}=6", "enter")
        await closed(pilot)
        await until(pilot, lambda: "Outcome: partial. Rated 4 of 5." in shown(pilot))
        await form(pilot, "asterisk")
        await pilot.press(*"2 round 1", "enter")
        await closed(pilot)
        await until(pilot, lambda: "Round 1 is rated 2 of 5." in shown(pilot))
    state = workspace.session(finished).state()
    assert state.rating.stars == 4
    assert state.outcome.outcome == "partial"
    assert state.outcome.forgot == ("a pentest", "an audit")
    assert [(one.step, one.days) for one in state.outcome.took] == [(step, 6.0)]


async def test_a_lesson_is_accepted_reworded_and_refused(run_app: RunApp, workspace: Workspace, finished: str) -> None:
    workspace.session(finished).rate(1, NOTE)

    def standing() -> tuple[str, str]:
        (lesson,) = workspace.lessons()
        return lesson.status, lesson.text

    async with run_app(session=finished) as pilot:
        await to_plan(pilot)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(pilot.app.screen, LearningDialog) and "proposed" in shown(pilot))
        await pilot.press("home", "a")
        await until(pilot, lambda: "accepted" in shown(pilot))
        assert standing()[0] == "accepted"
        await pilot.press("w")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        field(pilot, "words").value = "Choose the auditor first"
        await pilot.press("enter")
        await until(pilot, lambda: standing() == ("accepted", "Choose the auditor first"))
        await until(pilot, lambda: "Choose the auditor first" in shown(pilot))
        await pilot.press("home", "t")
        await until(pilot, lambda: standing()[0] == "retired")
        await until(pilot, lambda: "retired" in shown(pilot))
        await pilot.press("home", "x")
        await until(pilot, lambda: standing()[0] == "refused")


async def test_a_limit_is_set_for_sessions_to_come(run_app: RunApp, tmp_path: Path) -> None:
    config = tmp_path / "user" / "config.toml"
    async with run_app() as pilot:
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        pilot.app.screen._set("max_tokens")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press(*"many", "enter")
        await until(pilot, lambda: "sets max_tokens to" in shown(pilot))
        field(pilot, "value").value = "20000"
        await pilot.press("enter")
        await closed(pilot)
    assert "max_tokens = 20000" in config.read_text()


async def test_what_was_accepted_is_shown_and_taken_back(run_app: RunApp, workspace: Workspace) -> None:
    workspace.accept(TrustRequest(settings={"model": "openai:some-model"}))
    async with run_app() as pilot:
        await open_palette(pilot)
        await pilot.press(*"what you accepted")
        await until(pilot, lambda: "Trust: what you accepted" in shown(pilot))
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, FormDialog) and "model: openai:some-model" in shown(pilot)
        )
        await pilot.press("enter")
        await closed(pilot)
    assert not workspace.accepted().settings


async def test_a_plan_file_follows_while_the_application_runs(
    run_app: RunApp, workspace: Workspace, finished: str, tmp_path: Path
) -> None:
    file, session = tmp_path / "PLAN.md", workspace.session(finished)
    file.write_text(plan_file(session.state()))
    keep(workspace, finished, file)
    async with run_app() as pilot:
        session.edit("S1 owner Zoe")
        await until(pilot, lambda: "Zoe" in file.read_text())
        file.write_text("Mine")
        session.edit("S1 owner Yan")
        await until(pilot, lambda: "changed by another hand" in shown(pilot))
    assert file.read_text() == "Mine"


async def test_a_transcript_is_read_and_takes_no_word(run_app: RunApp, workspace: Workspace) -> None:
    said = (Said("Move the invoices", line=1), Said("They drop cents", "assistant", "codex", line=2))
    session, _ = workspace.import_transcript(Transcript("Codex", "7f3a", "2026-11-02", said, ()))
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: "A transcript: Codex, 2026-11-02." in shown(pilot))
        await pilot.press("escape", *"More", "enter")
        await until(pilot, lambda: "cannot be continued" in shown(pilot))
        await to_plan(pilot)
        await pilot.press("3")
        await until(pilot, lambda: "They drop cents" in shown(pilot))


async def say_of_a_program(pilot: Pilot[Any], may: str, where: str = "all") -> None:
    """Open the form, fill it in, and wait for its preview."""
    await pilot.app.action_show_programs()  # type: ignore[attr-defined]
    await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
    for name, value in (("program", "claude"), ("may", may), ("where", where)):
        field(pilot, name).value = value
    await pilot.press("enter")
    await until(pilot, lambda: "Enter allow" in shown(pilot) or "There is no" in shown(pilot))


async def test_a_program_is_allowed_and_refused_things(run_app: RunApp, workspace: Workspace, finished: str) -> None:
    async with run_app() as pilot:
        for may, where, after in (
            ("read, offer", "all", [("", "offer"), ("", "read")]),
            ("read", "all", [("", "read")]),
            ("report", finished, [("", "read"), (finished, "report")]),
            ("", "all", [(finished, "report")]),
        ):
            await say_of_a_program(pilot, may, where)
            await pilot.press("enter")
            await closed(pilot)
            assert allowed(workspace) == [("claude", session, permission) for session, permission in after]
        for may, where, why in (("fly", "all", "no permission"), ("read", "nothing-here", "no session")):
            await say_of_a_program(pilot, may, where)
            assert why in shown(pilot).casefold()
            await pilot.press("escape")
            await closed(pilot)


@pytest.mark.parametrize("key", ["D", "L"])
def test_pictures(look: Look, workspace: Workspace, finished: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "today", lambda: date(2026, 11, 24))
    workspace.session(finished).rate(1, NOTE)

    async def way(pilot: Pilot[Any]) -> None:
        await to_plan(pilot)
        await pilot.press(key)
        await until(pilot, lambda: not isinstance(pilot.app.screen, SessionScreen))
        told = "Enter record" if key == "D" else "proposed"  # the chosen step is named already
        await until(pilot, lambda: told in shown(pilot))

    assert look(USUAL, way, session=finished)
