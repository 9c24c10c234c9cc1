"""The gates as a person meets them: keys, texts, and what an empty line or the end of input does not do."""

from __future__ import annotations

import asyncio
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Script, answering, begin, propose_reply
from tests.memory_log import MemoryLog
from tests.offline import Offline
from workbench.cli.output import Output
from workbench.cli.plan.gates import ask
from workbench.cli.plan.telling import Telling
from workbench.domain.errors import UsageError
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.plan.changing.operations import SetField
from workbench.domain.session.session import SessionState
from workbench.export.editor import edit_plan
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import approve_all, approving_all
from workbench.planning.ports import Decision
from workbench.planning.services import Services


async def at_gate(kind: str) -> SessionState:
    """Drive a session to its first gate of a kind and return its state."""
    manager = IterationManager(
        "Paint the fence by May 2029: sand the boards, buy the paint",
        3,
        1,
        services=Services(log=MemoryLog(), model=Offline()),
    )

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        answer = None if gate.kind == kind else approve_all(gate)
        return None if answer is None else Decision(answer, "policy")

    return await manager.run(decide)


def typed(state: SessionState, *lines: str) -> Answer | None:
    """Answer the open gate by typing lines; end of input after them."""
    left: Iterator[str] = iter(lines)

    def read(_prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    assert state.gate is not None
    return ask(state, state.gate, Output(as_json=False, plain=True), read)


async def test_an_approach_is_chosen_by_its_number_and_begun_with_all_of_its_steps() -> None:
    state = await at_gate("approach")
    chosen = Answer(kind="choose", choice=state.approaches[0].id, begin=Begin(template="move-system:cohorts"))
    assert typed(state, "1", "", "", "") == chosen


async def test_steps_of_a_template_own_steps_and_values_of_the_goal_are_asked_for() -> None:
    state = await at_gate("approach")
    answer = typed(state, "1", "1-3, 9", "Tell the neighbours 2d @Anna", "Sand the boards", "", "1")
    assert answer is not None
    assert answer.begin == Begin(
        template="move-system:cohorts",
        keep=(1, 2, 3, 9),
        outline="Tell the neighbours 2d @Anna\nSand the boards",
        commands=("deadline 2029-05-31",),
    )


async def test_what_cannot_be_begun_with_is_said_and_asked_for_again(capsys: pytest.CaptureFixture[str]) -> None:
    state = await at_gate("approach")
    unread = ("Sand the boards", "  Buy paper", "    By tram", "", "")
    answer = typed(state, "1", "all", "9-16", "10", "1", *unread, "Sand the boards", "", "x", "3", "")
    assert answer is not None
    assert answer.begin == Begin(template="move-system:cohorts", keep=(1,), outline="Sand the boards")
    said = capsys.readouterr().out
    refused = ("'all' is not the number of a line", "There is no line 16.", "No step of the template is left.")
    for words in (*refused, "This cannot be read:", "'x' is not the number of a value", "There is no value 3."):
        assert words in said


async def test_of_a_language_model_nothing_more_is_asked() -> None:
    manager = begin()
    state = await manager.run(answering())
    assert typed(state, "2") == Answer(kind="choose", choice="A2")


async def test_nothing_is_preselected(capsys: pytest.CaptureFixture[str]) -> None:
    state = await at_gate("approach")
    assert typed(state, "", "   ", "") is None
    assert typed(state, "9", "x", "y", "f", "", "n") is None
    said = capsys.readouterr().out
    assert "There is no approach 9." in said
    assert "'x' is not one of the keys above." in said
    assert "The feedback is empty." in said


async def test_a_page_that_is_handed_out_is_shown_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    page = "# Own\n\nIt ends on {plan.ready}.\n\n## Way\n\nGo (S1).\n\n## End\n\nDone.\n"
    for text, is_page in ((page, True), ("Nobody notices.", False)):
        manager = begin(script=Script().then("generate", text), max_iterations=1)
        state = await manager.run(approving_all())
        Telling(Output(as_json=False, plain=True), state.session, 0).end(state)
        told = capsys.readouterr()
        assert ("# Own\n\nIt ends on " in told.out) == is_page
        assert "## Steps" in told.out or is_page
        assert ("sessions export" in told.err) == is_page


async def test_a_question_is_answered_or_skipped() -> None:
    manager = begin(script=Script().then("propose", propose_reply(questions=("What may it cost?",))))
    state = await manager.run(answering())
    assert typed(state, "", "4,000 EUR") == Answer(kind="answer", text="4,000 EUR")
    assert typed(state, "-") == Answer(kind="skip")


@pytest.mark.parametrize(("key", "kind"), [("F", "finish"), ("q", "stop")])
async def test_a_checkpoint_is_answered_with_a_key(key: str, kind: str) -> None:
    assert typed(await at_gate("checkpoint"), key) == Answer(kind=kind)


async def test_a_command_changes_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    state = await at_gate("checkpoint")
    answer = typed(state, ":S3 ownr Anna", ":U1 dismiss", ":S3 owner Anna")
    assert answer is not None
    assert answer.kind == "change"
    [change] = answer.changes
    assert change.operation == SetField(item="S3", field="owner", value="Anna")
    said = capsys.readouterr().out
    assert "S3 owner: – → Anna" in said
    assert f"workbench edit {state.session} 'U1 dismiss'" in said


async def test_small_f_is_feedback_and_never_finishes() -> None:
    assert typed(await at_gate("checkpoint"), "f", "Use less paint") == Answer(kind="feedback", text="Use less paint")


def editor(tmp_path: Path, code: str) -> str:
    script = tmp_path / "editor.py"
    script.write_text(f"import sys, os, pathlib\npath = pathlib.Path(sys.argv[1])\n{code}\n")
    return f"{sys.executable} {script}"


async def test_the_plan_is_edited_in_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change = "path.write_text(path.read_text().replace('## Goal', '## Goal\\n\\nThe north side too.', 1))"
    monkeypatch.setenv("EDITOR", editor(tmp_path, change))
    monkeypatch.delenv("VISUAL", raising=False)
    answer = typed(await at_gate("checkpoint"), "e")
    assert answer is not None
    assert answer.kind == "edit"
    assert "The north side too." in answer.text


def test_the_editors_file_is_private_and_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = tmp_path / "seen"
    note = f"pathlib.Path({str(seen)!r}).write_text(f'{{path}} {{path.stat().st_mode}}')"
    monkeypatch.setenv("VISUAL", editor(tmp_path, note))
    plan = asyncio.run(at_gate("checkpoint")).plan
    assert plan is not None
    assert edit_plan(plan) is None
    name, mode = seen.read_text().split()
    assert stat.S_IMODE(int(mode)) == 0o600
    assert not Path(name).exists()


@pytest.mark.parametrize(
    ("code", "said"),
    [("path.write_text('half done'); sys.exit(3)", "ended with 3"), ("path.write_text('half done')", "no section")],
    ids=["fails", "no plan"],
)
def test_a_text_that_cannot_be_used_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, said: str
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, code))
    plan = asyncio.run(at_gate("checkpoint")).plan
    assert plan is not None
    with pytest.raises(UsageError, match=said) as failed:
        edit_plan(plan)
    kept = Path(failed.value.remedy.split("Your text is kept in ")[1].rstrip("."))
    assert kept.read_text() == "half done"
    kept.unlink()
