"""``workbench replay`` of a damaged file: what is before the damage, a sentence with the place, and what is offered."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.sample_sessions import FOLDER
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
        f"workbench: {damaged} is damaged at line {BAD + 1}, where event {BAD} should stand: its checksum does not "
        f"hold; {EVENTS - BAD} events behind it can be read. Open it in the application, and press > there.\n"
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


@pytest.mark.parametrize("command", [("replay",), ("replay", "--verify"), ("audit",), ("sessions", "diff")])
def test_a_folder_is_no_session_and_may_stay_where_it_is(
    workbench: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    refused = workbench(*command, str(tmp_path))
    assert refused.code != 0
    said = refused.out + refused.err
    assert f"{tmp_path} is not a file. Name a session's file, or a session by its id." in said
    assert len(said.splitlines()) == 1


def test_a_state_before_the_damage_is_the_one_that_was(workbench: Command, damaged: str) -> None:
    for seq in (3, BAD - 1):
        whole = workbench("replay", str(SAMPLE), "--at", str(seq), "--json")
        result = workbench("replay", damaged, "--at", str(seq), "--json")
        assert (result.code, result.last) == (1, whole.last)
        assert f"where event {BAD} should stand" in result.err


def test_a_session_of_the_workspace_is_salvaged_by_its_id(workbench: Command, finished: str, tmp_path: Path) -> None:
    file = tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:5], b"x\n", *lines[6:]]))
    before = file.read_bytes()
    result = workbench("replay", finished, "--plain")
    assert len(result.out.splitlines()) == 4
    assert f"{finished} is damaged at line 6, where event 5 should stand" in result.err
    assert file.read_bytes() == before


def test_where_no_event_can_be_shown_that_is_said(workbench: Command, tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    for content in (b"", b"hello\n", LINES[0], b"".join([LINES[0], b"x\n", *LINES[2:]])):
        path.write_bytes(content)
        result = workbench("replay", str(path))
        assert (result.code, result.out) == (1, "")
        assert len(result.err.splitlines()) == 1
        assert "--sound-part" not in result.err, "nothing of it could be taken in"


def test_where_the_first_batch_is_damaged_no_part_is_offered_that_cannot_be_taken_in(
    workbench: Command, tmp_path: Path
) -> None:
    lines = (FOLDER / "run-city-trees-fork.jsonl").read_bytes().splitlines(keepends=True)
    assert b'"more":true' in lines[1], "a fork begins with a batch of many"
    file = tmp_path / "cut.jsonl"
    file.write_bytes(b"".join([*lines[:6], b"garbled\n", *lines[7:]]))
    told = workbench("replay", str(file), "--verify")
    assert told.code == 1
    assert "--sound-part" not in told.err
    assert f"workbench replay {file}" in told.err
    assert workbench("replay", str(file), "--plain").out


def test_a_damaged_file_in_the_trash_is_no_session_to_repair(workbench: Command, finished: str, tmp_path: Path) -> None:
    trash = tmp_path / ".workbench" / "trash"
    trash.mkdir(exist_ok=True)
    lines = (tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl").read_bytes().splitlines(keepends=True)
    file = trash / f"{finished}.damaged-1.jsonl"
    file.write_bytes(b"".join([*lines[:10], b"garbled\n", *lines[11:]]))
    told = workbench("replay", str(file), "--verify")
    assert "sessions repair" not in told.err
    assert "--sound-part" in told.err
