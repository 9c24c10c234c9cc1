"""The review of another program's plan, by a person: notes, what changed, and a decision that no stray key makes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.pace import took
from tests.tui.acting import WIDE, Look, RunApp, sees, until
from tests.tui.real_terminal import real_terminal
from tests.waiting import eventually
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.bootstrap.reviews import review_of, reviews
from workbench.domain.errors import UsageError
from workbench.domain.review.answer import open_notes
from workbench.domain.review.page import page_of
from workbench.domain.text.outline import document
from workbench.planning.beside_the_loop.reviewing import decide, deliver, submit, write_notes
from workbench.planning.session_log import SessionLog
from workbench.tui.dialog import ConfirmDialog
from workbench.tui.home.start import StartScreen
from workbench.tui.lines import Sheet
from workbench.tui.marks import Marks
from workbench.tui.review.rows import page_rows
from workbench.tui.review.screen import ReviewScreen

PLAN = "# Move the billing\n\n## Copy\n- Copy the data\n- Test the copy\n\n## Switch\n- Switch over\n- Tell everybody\n"
NEXT = PLAN.replace("Copy the data", "Copy all data but the drafts") + "- Celebrate\n"
MOVED = (
    "# Move the billing\n\n## Switch\n- Switch over\n- Tell everybody\n\n## Copy\n- Copy the data\n- Test the copy\n"
)


@pytest.fixture
def log(workspace: Workspace) -> SessionLog:
    log = review_of(workspace, "claude:1", "claude", PLAN)
    submit(log, PLAN, "claude", waits=True)
    return log


async def opened(pilot: Pilot[Any]) -> ReviewScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen) and pilot.app.screen.lines.keys)
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


async def test_a_plan_is_noted_on_sent_back_and_looked_at_again(run_app: RunApp, log: SessionLog) -> None:
    async with run_app(session=str(log.session), size=WIDE) as pilot:
        screen = await opened(pilot)
        await sees(pilot, "Move the billing", "nobody waits", "4   - Copy the data")
        await pilot.press("j", "j", "n", *"Whi", "escape", "n")  # empty lines are passed over
        await sees(pilot, "note on line 4", "Whi")
        await pilot.press(*"ch?", "enter")
        await sees(pilot, "N1 · v1 · not sent  Which?")
        await pilot.press("end", "space", "k", "n")
        await sees(pilot, "Lines 8–9: what should change?")
        await pilot.press(*"When?", "enter")
        await sees(pilot, "N2 · v1")
        await pilot.press("home", "s", *"All?", "enter")
        await sees(pilot, "3 notes to send")
        await pilot.press("home", "X")
        await sees(pilot, "There is no note here")
        await pilot.press("end", "k", "X")  # the line above its note
        await sees(pilot, "2 notes to send")
        for key in ("A", "escape", "R", "n", "S", "x", *"may"):  # stray keys decide nothing
            await pilot.press(key)
        assert log.refresh().submissions[-1].decided is None
        await pilot.press("R")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        await pilot.press("y")
        await sees(pilot, "Copy the answer to the clipboard?")
        await pilot.press("escape")
        await sees(pilot, "sent back", "sent with v1")
        await pilot.press("home", "j", "j", "X")
        await sees(pilot, "N1 was sent with v1, so it stays.")
        submit(log, NEXT, "claude", waits=True)
        await sees(pilot, "v2 · since v1", "Copy all data but the drafts", "Celebrate", "changed")
        await pilot.press("d")
        await sees(pilot, "…")
        submit(log, MOVED, "claude", waits=True)
        await pilot.press("d")
        await sees(pilot, "↕ ## Copy", "was line 3")
        await pilot.press("ctrl+b")
        await sees(pilot, "Outline")
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert screen.lines.chosen == "line:7"
        await pilot.press("w", *"Good", "enter")
        await sees(pilot, "1 note to send")
        await pilot.press("A")
        await sees(pilot, "Approve version 3 with 1 note?", "the whole plan: Good")
        await pilot.press("y")
        await until(pilot, lambda: log.refresh().status == "finished")
        assert log.state.submissions[-1].decided is not None
        assert "Note: Good" in log.state.submissions[-1].decided.answer
        await sees(pilot, "Copy the answer")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: log.refresh().looked_at == 3 and isinstance(pilot.app.screen, StartScreen))
        assert open_notes(log.state) == ()
        pilot.app.open_session(str(log.session))  # type: ignore[attr-defined]  # it is the workbench
        assert (await opened(pilot)) is not screen


@pytest.mark.parametrize("words", ["Add a retry step here, any", "Really?", "Say why", "Synchronise"])
async def test_words_without_n_decide_nothing(
    run_app: RunApp, log: SessionLog, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.tui.dialog.READ_WITHIN", 60)
    monkeypatch.setattr("workbench.tui.editing.edit_text", str)
    async with run_app(session=str(log.session)) as pilot:
        await opened(pilot)
        await pilot.press(*words)
    assert log.refresh().submissions[-1].decided is None


async def test_changes_words_and_headings_are_gone_to(run_app: RunApp, log: SessionLog) -> None:
    submit(log, NEXT.replace("- Switch over\n", ""), "claude", waits=True)
    async with run_app(session=str(log.session)) as pilot:
        lines = (await opened(pilot)).lines
        await sees(pilot, "− - Switch over")
        for key, line in (("]", 4), ("]", 8), ("]", 9), ("]", 9), ("[", 8)):  # what was removed: the line after it
            await pilot.press({"]": "right_square_bracket", "[": "left_square_bracket"}[key])
            assert lines.chosen == f"line:{line}"
        await pilot.press("slash", *"COPY", "enter")
        await sees(pilot, "In 3 rows: ] goes to the next one. This is line 3, in “Copy”.")
        assert lines.chosen == "line:3"
        await pilot.press("right_square_bracket")
        assert lines.chosen == "line:4"
        await pilot.press("ctrl+b", *"cop", "enter")
        await until(pilot, lambda: lines.chosen == "line:3")
        await pilot.press("ctrl+b", *"xyz")
        await sees(pilot, "Nothing has these words.")


async def test_a_search_ends_with_the_version_and_a_new_one_is_typed_over_it(run_app: RunApp, log: SessionLog) -> None:
    submit(log, PLAN + "- Copy of the switch\n- Switch the copy\n", "claude", waits=True)
    async with run_app(session=str(log.session)) as pilot:
        lines = (await opened(pilot)).lines
        await pilot.press("down", "down", "down", "slash", *"switch", "enter")
        await sees(pilot, "] finds “switch”")
        assert lines.chosen == "line:7"  # the next below the cursor
        await pilot.press("home", "slash", *"the copy", "enter")
        await sees(pilot, "] finds “the copy”")
        assert lines.chosen == "line:5"  # scattered words stand in line 4 of neither
        await pilot.press("slash", *"switch the", "enter")
        await sees(pilot, "] finds “switch the”")
        assert lines.chosen == "line:11"  # the phrase, before the words of line 10
        await pilot.press("d")
        await until(pilot, lambda: lines.chosen == "line:11" and "finds" not in str(lines.border_title))
        await pilot.press("slash", *"copy", "enter", "right_square_bracket")
        await sees(pilot, "] finds “copy”")
        submit(log, NEXT, "claude", waits=True)
        await sees(pilot, "v3 · since v2")
        assert (lines.sought, "finds" in str(lines.border_title)) == ("", False)


async def test_changes_come_first_and_the_chosen_line_stays_in_sight(run_app: RunApp, log: SessionLog) -> None:
    steps = [f"- step {number}" for number in range(200)]
    submit(log, "\n".join(steps), "claude", waits=True)
    submit(log, "\n".join([*steps[:150], "- new", *steps[150:]]), "claude", waits=True)
    async with run_app(session=str(log.session), size=(80, 24)) as pilot:
        lines = (screen := await opened(pilot)).lines
        await pilot.press("d")
        await until(pilot, lambda: lines.chosen == "line:149")  # the nearest that is shown
        await pilot.press("d")
        await until(pilot, lambda: lines.chosen == "line:1")  # nobody went elsewhere meanwhile
        await pilot.press("d", "right_square_bracket")
        await until(pilot, lambda: lines.chosen == "line:151")
        await pilot.press("d")
        await sees(pilot, "▸   151 + - new", "150   - step 149")
        await pilot.press("d", "d", "d")
        await until(pilot, lambda: screen._had_only_changes)
        assert lines.chosen == "line:151"
        await pilot.press("d")
        await sees(pilot, "▸   151 + - new", "150   - step 149")
        submit(log, "\n".join([*["- more"] * 30, *steps[20:150], "- new", *steps[150:]]), "claude", waits=True)
        await sees(pilot, "v4 · since v3", "▸   161   - new")
        submit(log, "\n".join([*steps[:150], *steps[152:]]), "claude", waits=True)  # it is gone: the line below
        await sees(pilot, "v5 · since v4", "▸   151   - step 152")


async def test_where_nothing_changed_and_after_an_approval_keys_say_so(run_app: RunApp, log: SessionLog) -> None:
    async with run_app(session=str(log.session)) as pilot:
        lines = (await opened(pilot)).lines
        await pilot.press("right_square_bracket")
        await sees(pilot, "Nothing to go to: nothing changed")
        assert lines.chosen == "line:1"
        decide(log, 1, "approved")
        await sees(pilot, "approved ·")
        for key in ("n", "w", "e", "E"):
            await pilot.press(key)
            await sees(pilot, "Notes cannot be added to an approved plan.")
        assert not pilot.app.screen.query_one("#note").display
    with pytest.raises(UsageError, match="cannot be added"):
        write_notes(log, 1, [(4, 4, "Why?")])


async def test_an_edit_of_the_plan_becomes_notes(
    run_app: RunApp, log: SessionLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textual.app.App.suspend", lambda _app: nullcontext())
    monkeypatch.setattr(
        "workbench.tui.editing.edit_text",
        lambda before: before.replace("Copy the data", "Copy half of it").replace("- Tell everybody\n", ""),
    )
    async with run_app(session=str(log.session)) as pilot:
        await opened(pilot)
        await pilot.press("E")
        await sees(pilot, "N1 · v1 · not sent  Replace with:", "- Copy half of it", "N2 · v1 · not sent  Remove this.")
    assert [(one.first, one.last) for one in log.refresh().notes] == [(4, 4), (9, 9)]


def test_a_section_that_moved_is_one_change(log: SessionLog) -> None:
    submit(log, MOVED, "claude", waits=True)
    rows = page_rows(page_of(log.state, 2), 80, Marks(), only_changes=False)
    assert [row.key for row in rows if row.is_marked] == ["line:7"]


def test_a_line_at_another_level_says_so(log: SessionLog) -> None:
    submit(log, PLAN.replace("- Test", "  - Test"), "claude", waits=True)
    rows = page_rows(page_of(log.state, 2), 80, Marks(), only_changes=False)
    assert [row.lines[0].plain for row in rows if row.is_marked] == ["    5 Δ   - Test the copy   (indented)"]


def test_a_plan_of_3000_lines_is_laid_out_at_once(log: SessionLog) -> None:
    lines = [
        f"## Part {n // 30}" if n % 30 == 0 else f"- [ ] {n}: copy table {n % 7} for {n % 5}" for n in range(3_000)
    ]
    moved = [*lines[600:900], *lines[:600], *(line.replace("copy", "move all of") for line in lines[900:])]
    for text in ("\n".join(lines), "\n".join(moved)):
        submit(log, text, "claude", waits=True)
    for version in (2, 3):
        write_notes(log, version, [(50 * n + 2, 50 * n + 4, "Which rows?") for n in range(20)])

    def laid_out(version: int) -> None:
        document.cache_clear()
        Sheet(page_rows(page_of(log.state, version), 76, Marks(), only_changes=False))

    for version in (2, 3):
        assert took(lambda version=version: laid_out(version), within=0.5) < 0.5  # type: ignore[misc]  # its own


async def test_the_lines_of_a_note_stay_in_sight_while_it_is_typed(run_app: RunApp, log: SessionLog) -> None:
    submit(log, "\n".join(f"- step {number}" for number in range(100)), "claude", waits=True)
    async with run_app(session=str(log.session), size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("end", "n")
        await sees(pilot, "Line 100: what should change?", "▸   100 + - step 99")


def test_a_review_looks_like_this(log: SessionLog, look: Look) -> None:
    write_notes(log, 1, [(4, 4, "Which data? The drafts are old.")])
    decide(log, 1, "sent back")
    deliver(log, 1)
    submit(log, NEXT, "claude", waits=True)
    write_notes(log, 2, [(0, 0, "Say who does what.")])

    async def way(pilot: Pilot[Any]) -> None:
        await opened(pilot)
        await sees(pilot, "Say who does what.")

    assert look((100, 24), way, session=str(log.session))


@pytest.mark.full
@pytest.mark.parametrize("name", ["claude", "gemini", "codex"])
def test_an_agent_and_a_person_go_ten_rounds(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real executable on both sides; the application is killed once while the agent waits, and opened again."""
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "user" / "config.toml"))
    monkeypatch.setenv("GEMINI_PLANS_DIR", str(tmp_path))
    program = [sys.executable, "-P", "-m", "workbench"]
    command = [*program, "review", "--hook", name]

    def asked(plan: str, event: str) -> bytes:
        (tmp_path / "plan.md").write_text(plan)
        given = {
            "claude": {"tool_name": "ExitPlanMode", "tool_input": {"plan": plan}},
            "gemini": {"tool_name": "exit_plan_mode", "tool_input": {"plan_filename": "plan.md"}},
            "codex": {"turn_id": plan, "last_assistant_message": f"<proposed_plan>\n{plan}</proposed_plan>"},
        }[name]
        return json.dumps({"session_id": "s", "hook_event_name": event, **given}).encode()

    before, after = {
        "claude": ("PermissionRequest", "PostToolUse"),
        "gemini": ("BeforeTool", "AfterTool"),
        "codex": ("Stop", "UserPromptSubmit"),
    }[name]

    def hook(plan: str) -> subprocess.Popen[bytes]:
        agent = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert agent.stdin is not None
        agent.stdin.write(asked(plan, before))
        agent.stdin.close()
        return agent

    answers = []
    agent = hook("# Plan 1\n- Do 1\n")
    with Workspace.open(tmp_path) as workspace:
        review = str(eventually(lambda: next(iter(reviews(workspace)), None)).session)  # type: ignore[union-attr]
    with real_terminal(*program, "open", review, cwd=tmp_path) as person:
        person.sees(f"{name} waits")
        os.kill(person.child.pid, signal.SIGKILL)
    with real_terminal(*program, "open", review, cwd=tmp_path) as person:
        for number in range(1, 11):
            person.sees(f"v{number}", f"{name} waits", f"Do {number}")
            person.press("home", "n", *f"wish {number}.", "enter")
            person.sees(f"wish {number}.", "1 note to send")
            person.press("A" if number == 10 else "R")
            person.sees(f"version {number} with 1 note?", "y approve" if number == 10 else "y send back")
            person.press("y")
            assert agent.stdout is not None
            answers.append(agent.stdout.read().decode())
            assert agent.wait() == 0
            agent.stdout.close()
            if number < 10:
                agent = hook(f"# Plan {number + 1}\n- Do {number + 1}\n")
    told = subprocess.run(command, cwd=tmp_path, input=asked("# Plan 10", after), capture_output=True, check=True)
    answers.append(told.stdout.decode())
    approved = {"claude": '"behavior":"allow"', "gemini": '"decision":"allow"', "codex": "{}"}[name]
    assert [approved in one for one in answers] == [False] * 9 + [True, False]
    assert ["".join(answers).count(f"wish {number}.") for number in range(1, 11)] == [1] * 10
