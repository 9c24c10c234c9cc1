"""A shell gets commands, options, files where one is meant, and the ids of this folder's sessions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("workbench se", {"serve", "sessions"}),
        ("workbench sessions sh", {"show"}),
        ("workbench run --temp", {"--template"}),
        ("workbench run --deadline ", set()),
        ("workbench plan la", {"launch-x7k2"}),
        ("workbench import pl", {"plan.md"}),
    ],
)
def test_what_a_shell_is_offered(tmp_path: Path, line: str, offered: set[str]) -> None:
    (tmp_path / ".workbench" / "sessions").mkdir(parents=True)
    (tmp_path / ".workbench" / "sessions" / "launch-x7k2.jsonl").touch()
    (tmp_path / ".workbench" / "sessions" / "la\x1b[2J.jsonl").touch()
    (tmp_path / "plan.md").touch()
    answer = tmp_path / "answer"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "IFS": "\n"}
    subprocess.run(
        [sys.executable, "-m", "workbench"],
        env=os.environ | asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer)},
        cwd=tmp_path,
        check=True,
        timeout=60,
    )
    assert {word.strip() for word in answer.read_text().splitlines()} == offered
