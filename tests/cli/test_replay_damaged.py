"""``workbench replay`` of a damaged file: what is before the damage, a sentence with the place, and what is offered."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from workbench.storage.files.session_file import read_session_file

SAMPLE = Path(__file__).parents[2] / "sessions" / "move-billing-provider-demo.jsonl"
LINES = SAMPLE.read_bytes().splitlines(keepends=True)
EVENTS = len(LINES) - 1
BAD = next(event.seq for event in read_session_file(SAMPLE) if event.kind == "guidance.recalled")
"""An event on which no later one rests."""


@pytest.fixture
def damaged(tmp_path: Path) -> str:
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(b"".join([*LINES[:BAD], LINES[BAD].replace(b'"', b"'"), *LINES[BAD + 1 :]]))
    return str(path)


def course(*seqs: int) -> list[str]:
    return [f"{seq:>5}" for seq in seqs]


def test_everything_before_is_told_then_the_place_and_the_offer(workbench: Command, damaged: str) -> None:
    result = workbench("replay", damaged, "--plain")
    assert [line[:5] for line in result.out.splitlines()] == course(*range(1, BAD))
    assert result.err == (
        f"workbench: {damaged} is damaged at line {BAD + 1}, where event {BAD} should be: its checksum does not "
        f"hold; {EVENTS - BAD} events after it can be read. Open it in the application, and press > there.\n"
    )
    assert result.code == 1


@pytest.mark.parametrize("command", [("replay", "--verify"), ("sessions", "fork"), ("audit",)])
def test_nobody_is_told_to_repair_a_session_of_the_workspace_for_a_file_from_elsewhere(
    workbench: Command, damaged: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / ".workbench").mkdir()
    refused = workbench(*command, damaged)
    assert refused.code != 0
    assert "its checksum does not hold" in refused.out + refused.err
    assert "sessions repair" not in refused.out + refused.err


def test_a_session_of_the_workspace_is_salvaged_by_its_id(workbench: Command, finished: str, tmp_path: Path) -> None:
    file = tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:5], b"x\n", *lines[6:]]))
    before = file.read_bytes()
    result = workbench("replay", finished, "--plain")
    assert len(result.out.splitlines()) == 4
    assert f"{finished} is damaged at line 6, where event 5 should be" in result.err
    assert file.read_bytes() == before
