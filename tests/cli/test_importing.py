"""``workbench sessions export --format jsonl`` and ``import``: a session goes to another workspace and back, whole."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Command, Result
from tests.tui import hostile_session
from tests.tui.hostile import obeyed

SAMPLE = Path(__file__).parents[2] / "sessions" / "organise-wedding-80-demo.jsonl"
LINES = SAMPLE.read_bytes().splitlines(keepends=True)
AT_WORK = 1 + next(at for at, line in enumerate(LINES) if b'"call":"c4"' in line)
"""Lines of the sample up to where the planner works on the plan."""


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of another workspace."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture
def elsewhere(workbench: Command, other: Path) -> Callable[..., Result]:
    """A command in the other workspace."""
    return lambda *arguments: workbench(*arguments, "--workspace", str(other))


def test_an_export_to_standard_output_is_a_file_too(
    workbench: Command, elsewhere: Callable[..., Result], finished: str, tmp_path: Path
) -> None:
    whole = workbench("sessions", "export", finished, "--format", "jsonl")
    (tmp_path / "piped.jsonl").write_bytes(whole.out.encode())
    assert elsewhere("sessions", "import", "piped.jsonl", "--json").last["session"] == finished


def test_an_imported_session_can_be_called_something_else(workbench: Command) -> None:
    imported = workbench("sessions", "import", str(SAMPLE), "--as", "Our \x1b[2Jwedding", "--json").last
    assert imported == {
        "schema": "workbench.done/1",
        "session": SAMPLE.stem,
        "events": imported["events"],
        "lost": 0,
        "imported": True,
    }
    assert workbench("sessions", "list", "--json").last["name"] == "Our ␛[2Jwedding"
    assert "went on for 1 event." in workbench("sessions", "import", str(SAMPLE), "--as", "Another").out
    assert workbench("sessions", "list", "--json").last["name"] == "Our ␛[2Jwedding"


def test_a_damaged_file_is_refused_with_the_offer_of_its_sound_part(workbench: Command, tmp_path: Path) -> None:
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    lines[AT_WORK] = b"x" + lines[AT_WORK][1:]
    (tmp_path / "damaged.jsonl").write_bytes(b"".join(lines))
    refused = workbench("sessions", "import", "damaged.jsonl")
    assert refused.code == 1
    assert f"line {AT_WORK + 1}" in refused.err
    assert "--sound-part" in refused.err
    assert workbench("sessions", "list", "--json").out == ""
    part = workbench("sessions", "import", "damaged.jsonl", "--sound-part")
    assert part.code == 0
    assert f"{len(lines) - AT_WORK} lines of damaged.jsonl" in part.err
    assert workbench("sessions", "list", "--json").last["events"] == AT_WORK - 1 + 1, "and that it is stopped"
    whole = workbench("sessions", "import", str(SAMPLE))
    assert whole.code == 2
    assert "--new-id" in whole.err


HOPELESS = [
    (b"", "no event in it can be read"),
    (b"hello\n", "no event in it can be read"),
    (b"".join([*LINES[:1], b"x\n", *LINES[2:]]), "at line 2, its checksum does not hold"),
    (LINES[0], "it holds no event"),
]


@pytest.mark.parametrize(("content", "why"), HOPELESS)
def test_a_file_in_which_nothing_is_sound_says_so_and_offers_nothing(
    workbench: Command, tmp_path: Path, content: bytes, why: str
) -> None:
    (tmp_path / "hopeless.jsonl").write_bytes(content)
    refused = workbench("sessions", "import", "hopeless.jsonl", "--sound-part")
    assert (refused.code, refused.out) == (1, "")
    assert f"Nothing sound is in hopeless.jsonl: {why}." in refused.err
    assert "--sound-part" not in refused.err
    assert workbench("sessions", "list", "--json").out == ""


def test_the_sound_part_of_a_file_without_its_first_line_is_taken_in(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "headless.jsonl").write_bytes(b"".join([b"x\n", *LINES[1:]]))
    assert "--sound-part" in workbench("sessions", "import", "headless.jsonl").err
    for command in (("sessions", "import"), ("replay", "--plain")):
        told = workbench(*command, "headless.jsonl").err
        assert "damaged at line 1: it does not begin like a file of the workbench" in told
        assert " 0 records" not in told
    assert f"; {len(LINES) - 1} events after it can be read." in told
    imported = workbench("sessions", "import", "headless.jsonl", "--sound-part", "--json")
    assert (imported.code, imported.last["session"], imported.last["events"]) == (0, SAMPLE.stem, len(LINES) - 1)


@pytest.mark.parametrize(
    "command", [("replay", "--verify"), ("audit",), ("sessions", "diff"), ("sessions", "fork"), ("replay", "--plain")]
)
def test_what_is_advised_about_a_damaged_file_from_elsewhere_works_there(
    workbench: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """No workspace is needed to look at it, and `sessions repair` knows nothing of it."""
    file = tmp_path / "mail box" / "damaged.jsonl"
    file.parent.mkdir()
    file.write_bytes(b"".join([*LINES[:20], b"x\n", *LINES[21:]]))
    refused = workbench(*command, str(file))
    told = refused.out + refused.err
    assert refused.code == 1
    assert "sessions repair" not in told
    if command in (("replay", "--verify"), ("audit",), ("sessions", "diff")):
        advised = re.findall("`workbench ([^`]*)`", told)
        assert len(advised) == 2
        for advice in advised:
            assert workbench(*shlex.split(advice)).out


def test_a_hostile_file_is_only_data(workbench: Command, tmp_path: Path) -> None:
    file = hostile_session.write(tmp_path / "mail", "checkpoint")
    before = {path for path in tmp_path.rglob("*") if ".workbench" not in path.parts}
    assert workbench("sessions", "import", str(file)).code == 0
    assert {path for path in tmp_path.rglob("*") if ".workbench" not in path.parts} == before
    for command in (("sessions", "list"), ("sessions", "show", hostile_session.SESSION), ("audit",)):
        said = workbench(*command, *([hostile_session.SESSION] if command == ("audit",) else []))
        assert not obeyed((said.out + said.err).replace("\n", "").replace("\t", ""))


@pytest.mark.parametrize("file", ["nothing.jsonl", ".", "../x\x1b[2J.jsonl"])
def test_what_is_not_there_is_said(workbench: Command, file: str) -> None:
    result = workbench("sessions", "import", file)
    assert result.code == 2
    assert "Traceback" not in result.err
    assert not obeyed(result.err.replace("\n", ""))


def test_a_copy_under_a_new_id_says_where_it_came_from(workbench: Command) -> None:
    workbench("sessions", "import", str(SAMPLE))
    copy = workbench("sessions", "import", str(SAMPLE), "--new-id", "--as", "Our wedding", "--json").last
    assert (copy["imported"], copy["session"] != SAMPLE.stem) == (True, True)
    course = workbench("replay", copy["session"], "--json").lines
    assert course[copy["events"]]["kind"] == "session.forked"
    assert {one["name"] for one in workbench("sessions", "list", "--json").lines} > {"Our wedding"}


def test_an_answer_is_taken_right_away_by_a_session_that_was_imported_in_the_middle_of_its_work(
    workbench: Command, tmp_path: Path
) -> None:
    half = tmp_path / "half.jsonl"
    half.write_bytes(b"".join(SAMPLE.read_bytes().splitlines(keepends=True)[:AT_WORK]))
    workbench("sessions", "import", str(half), "--sound-part")

    assert workbench("resume", SAMPLE.stem, "--continue").code in (0, 3)

    told = workbench("replay", SAMPLE.stem, "--json").lines
    assert "continue" in [line["text"] for line in told if line["kind"] == "gate.answered"][-1]
