"""docs/tutorial.md is true: its commands run in its order and print the lines that it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.conftest import Command

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```\n\$ workbench (?P<command>.+)\n(?P<lines>(?:.+\n)*)```$", re.MULTILINE)


def test_each_command_of_the_tutorial_prints_what_it_shows(workbench: Command, tmp_path: Path) -> None:
    text = TUTORIAL.read_text()
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("\n```\n") / 2
    session = "ID"
    for block in blocks:
        command = block["command"].replace("ID", session)
        result = workbench(*shlex.split(command))
        is_refused = "S99" in command
        assert result.code == (2 if is_refused else 0), command
        printed = result.err if is_refused else result.out + result.err
        for line in block["lines"].replace("ID", session).splitlines():
            assert line in printed, f"{command}: {line!r} is not in\n{printed}"
        session = next((tmp_path / ".workbench" / "sessions").glob("hold-*")).stem if session == "ID" else session
    assert (tmp_path / "evening.md").read_text().startswith("# Hold a reading evening")
