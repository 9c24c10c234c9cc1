"""Keys as most terminals send them, without kitty's protocol, in the installed program."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from tests.tui.acting import wait_at_checkpoint
from tests.tui.real_terminal import real_terminal
from workbench.bootstrap import Workspace


def test_alt_and_digits_go_to_views_and_a_digit_in_one_packet_with_a_key_acts_behind_it(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "user" / "config.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    session = asyncio.run(wait_at_checkpoint(workspace))
    with real_terminal(sys.executable, "-m", "workbench", "open", session, cwd=tmp_path, size=(80, 24)) as terminal:
        terminal.sees("1 Plan v1", "^Y answer", "feedback: what should change?")
        terminal.child.send("\x1b3")
        terminal.sees("3 History", without=["£", "› 3"])
        terminal.child.send("\x1b5")
        terminal.sees("5 Shared context", without=["∞", "› 5"])
        terminal.child.send("\x0c4")  # ^L and 4
        terminal.sees("4 Context of", without=["› 4"])
        terminal.press("ctrl+q")
        terminal.ended()
