"""An agent's own shell, with a terminal that the agent opens and types in: nothing is decided there by command."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from tests.cli.conftest import Command
from tests.cli.test_mcp import planned
from tests.cli.test_terminal import terminal
from workbench import Workspace
from workbench.bootstrap.clients import allowed
from workbench.bootstrap.reviews import review_of
from workbench.planning.beside_the_loop.reviewing import submit
from workbench.planning.policies import nobody
from workbench.planning.session_log import SessionLog

PLAN = "# Deploy\n\n1. Switch over\n"


@pytest.fixture
def workspace(workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A workspace where commands run, without settings of a terminal's."""
    assert workbench
    monkeypatch.setenv("TERM", "xterm-256color")
    with Workspace.open(tmp_path) as opened:
        yield opened


@pytest.fixture
def session(workspace: Workspace) -> str:
    """A session with two offers, of which a person accepted one and took that back."""
    name = planned(workspace)
    session = workspace.session(name)
    session.offer("claude", "S1 owner Ben", reason="Anna is away")
    session.offer("claude", "S2 owner Cleo", reason="Nobody has it")
    session.edit("O1 accept")
    session.edit("undo")
    return name


@pytest.fixture
def review(workspace: Workspace) -> SessionLog:
    log = review_of(workspace, "claude:1", "claude", PLAN)
    submit(log, PLAN, "claude", waits=False)
    return log


def typed(folder: Path, *arguments: str, keys: str = "y\r") -> str:
    """Type into a command's terminal within an agent's shell, until it ends; return all that it said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLAUDECODE", "1")
        with terminal(*arguments, cwd=folder) as child:
            child.send(keys)
            child.expect(pexpect.EOF)
            return str(child.before)


def test_no_question_is_answered_with_yes(
    workbench: Command, workspace: Workspace, session: str, review: SessionLog, tmp_path: Path
) -> None:
    workspace.folder.config.write_text('model = "openai:m"\nbase_url = "https://elsewhere.example/v1"\n')
    state = workspace.session(session).state()
    for command in (
        ("trust",),
        ("mcp", "allow", "claude", "read", "offer", "report", "--all"),
        ("review", str(review.session), "--approve", "--version", "1"),
        ("offers", session, "--accept", "O2"),
        ("offers", session, "--decline", "O2"),
        ("edit", session, "O2 accept"),
        ("edit", session, "redo"),
        ("lessons", "reword", "L1", "Anything"),
    ):
        assert "from within an agent (CLAUDECODE). Do it in a terminal of your own." in " ".join(
            typed(tmp_path, *command).split()
        )
    asked = typed(tmp_path, "run", "Paint the fence by May 2029")
    assert "accept them with `workbench trust`" in " ".join(asked.split())
    assert (allowed(workspace), review.refresh().submissions[0].decided) == ([], None)
    assert workspace.session(session).state().plan == state.plan
    assert workbench("trust", "--list").out == "Nothing was accepted for any workspace.\n"


def test_no_gate_is_answered_by_keys_or_options(
    workbench: Command, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = workspace.start("Paint the fence by May 2029")
    state = asyncio.run(manager.run(nobody))
    assert state.gate is not None
    name = str(manager.session_id)
    said = typed(tmp_path, "resume", name, keys="1\r\r\r\r\r\r")
    assert "Nothing is approved from within an agent (CLAUDECODE)" in " ".join(said.split())
    monkeypatch.setenv("CLAUDECODE", "1")
    for options in (["--choose", "1"], ["--approve", "all"], ["--choose", "1", "--approve", "all"]):
        assert "Nothing is approved from within an agent" in workbench("resume", name, *options).err
    assert workspace.session(name).state().gate == state.gate
    begun = workbench("run", "Paint the fence by May 2029", "--approve", "all", "--json")
    assert begun.code == 0  # by a policy, and its own
    again = workbench("resume", begun.last["session"], "--feedback", "Add a risk", "--approve", "all")
    assert "Nothing is approved from within an agent" in again.err


def test_what_a_file_or_an_agent_was_shown_is_no_look(workbench: Command, review: SessionLog, tmp_path: Path) -> None:
    name = str(review.session)
    assert "Switch over" in workbench("review", name).out  # to a file
    assert "Switch over" in typed(tmp_path, "review", name)
    assert review.refresh().looked_at == 0
    refused = workbench("review", name, "--approve", "--yes")
    assert "You have not looked at version 1. Look at it in a terminal" in refused.err
    with terminal("review", name, cwd=tmp_path) as child:
        child.expect(pexpect.EOF)
    assert workbench("review", name, "--approve", "--yes").code == 0


def test_an_offer_is_accepted_with_a_yes(workspace: Workspace, session: str, tmp_path: Path) -> None:
    for key, decided in (("n", ""), ("y", "accepted")):
        with terminal("offers", session, "--accept", "O2", cwd=tmp_path) as child:
            child.expect(r"→ Cleo[\s\S]*Accept O2\? \[y/N\] ")
            child.send(f"{key}\r")
            child.expect(pexpect.EOF)
        assert workspace.session(session).state().offers[1].decided == decided
