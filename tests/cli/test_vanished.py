"""A session that is deleted, or lost, while a command works with it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import GOAL, Command
from workbench.bootstrap.parts import Parts
from workbench.planning.session_log import SessionLog

_COMMANDS = [
    "sessions show ID", "sessions export ID", "sessions export ID --format jsonl", "sessions export ID --format html",
    "sessions diff ID", "sessions rename ID Other", "sessions fork ID", "sessions rewind ID", "sessions delete ID",
    "replay ID", "replay ID --at 3", "replay ID --verify", "resume ID --feedback Cheaper",
    "remember --session ID text", "remember --session ID text --entity name", "recall text --session ID",
    "recall text --across --asking ID --reason why", "forget message:ID:2 --yes", "context ID", "audit ID",
    "rate ID 5", "outcome ID success", "ask ID text --agent planner",
]  # fmt: skip


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_session_that_vanished_is_told(
    workbench: Command, finished: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """It is there when the command looks for it, and gone when the command reads it."""
    known = Parts.known

    def vanishing(parts: Parts, session: str) -> Any:
        found = known(parts, session)
        (tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(Parts, "known", vanishing)
    result = workbench(*(part.replace("ID", finished) for part in command.split()))
    assert result.code == 1, result.err
    assert result.err.count("\n") == 1
    assert "defect" not in result.err


@pytest.mark.parametrize("gone", ["sessions", ""], ids=["the sessions", "the workspace"])
@pytest.mark.parametrize("after", [1, 5, 20])
def test_a_session_that_vanishes_while_it_plans_is_told(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, gone: str
) -> None:
    record, count = SessionLog.record, 0

    def vanishing(session: SessionLog, *arguments: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        if count == after:
            shutil.rmtree(tmp_path / ".workbench" / gone)
        return record(session, *arguments, **options)

    monkeypatch.setattr(SessionLog, "record", vanishing)
    result = workbench("run", GOAL, "--approve", "all")
    assert result.code == 1, result.err
    assert "defect" not in result.err
    assert "Traceback" not in result.err
