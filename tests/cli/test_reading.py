"""Texts that commands read from files and from standard input: what is no text, or too long, is not kept as another."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from workbench.cli.reading import read_text
from workbench.domain.errors import UsageError

LATIN = "Müller".encode("latin-1")
NO_TEXT = "workbench: What came from standard input is not UTF-8 text. Save it as UTF-8.\n"


def test_nothing_is_planned_for_a_goal_that_is_no_text(workbench: Command, tmp_path: Path) -> None:
    refused = workbench("run", "-", stdin=LATIN)
    assert (refused.code, refused.out, refused.err) == (2, "", NO_TEXT)
    (tmp_path / "goal.txt").write_bytes(LATIN)
    refused = workbench("run", "--goal-file", "goal.txt")
    assert (refused.code, refused.err) == (2, "workbench: goal.txt is not UTF-8 text. Save it as UTF-8.\n")
    assert workbench("sessions", "list", "--json").out == ""


def test_what_is_no_text_is_neither_remembered_nor_forgotten(workbench: Command, finished: str) -> None:
    events = workbench("sessions", "list", "--json").last["events"]
    line = b'{"text": "' + LATIN + b'"}'
    told = workbench("remember", "--session", finished, "--jsonl", "-", stdin=line).err
    assert told == "workbench: Line 1 is not UTF-8 text. Save the file as UTF-8.\n"
    forgotten = workbench("forget", f"message:{finished}:1", "--text", "-", "--yes", stdin=LATIN)
    assert (forgotten.code, forgotten.err) == (2, NO_TEXT)
    assert workbench("sessions", "list", "--json").last["events"] == events


def test_a_text_is_not_cut_where_it_is_too_long(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes("ä".encode())
    assert read_text(str(file), 2) == "ä"
    with pytest.raises(UsageError, match="larger than 1 bytes"):
        read_text(str(file), 1)
    with pytest.raises(UsageError, match="only one letter"):
        read_text(str(file), 1, too_large=UsageError("A value is only one letter."))
    with pytest.raises(UsageError, match="cannot be read") as refused:
        read_text(str(tmp_path), 2, kind="list")
    assert refused.value.remedy == "Name a list that exists."
