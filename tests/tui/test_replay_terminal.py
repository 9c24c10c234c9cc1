"""``workbench replay`` in a real terminal: the application on a session, and in a pipe the course, as ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.tui.real_terminal import real_terminal
from tests.tui.replays import SAMPLES
from workbench.storage.codec import sealed

SAMPLE = SAMPLES[0]
LINES = SAMPLE.read_bytes().splitlines(keepends=True)
EVENTS = len(LINES) - 1


def place(event: int, events: int = EVENTS) -> str:
    """Where a replay says it is: numbers stand right-aligned, as wide as the last one."""
    return f"event {event:>{len(str(events))}} of {events}"


PROGRAM = (sys.executable, "-m", "workbench", "replay")


@pytest.fixture(autouse=True)
def plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "user" / "config.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.full
def test_a_file_is_walked_through_and_nothing_is_left_behind(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    file = tmp_path / "from a colleague.jsonl"
    file.write_bytes(b"".join(LINES))
    with real_terminal(*PROGRAM, str(file), cwd=folder, size=(100, 30)) as terminal:
        terminal.sees("REPLAY · read-only", place(1), "paused", "Space play")
        terminal.press("]", "]")
        terminal.sees("iteration 2 begins", "Plan v1")
        terminal.press("end")
        terminal.sees(place(EVENTS), "Saved as version")
        terminal.press("home", "9", " ")
        terminal.sees("outcome: success", place(EVENTS), "paused")
        terminal.press("ctrl+q")
        assert terminal.ended().strip() == ""
        assert terminal.child.exitstatus == 0
    assert file.read_bytes() == b"".join(LINES)
    assert list(folder.iterdir()) == []


HEADER = LINES[0].removesuffix(b"\n").partition(b",")[2]
"""What the first line says, without its checksum."""
UNUSABLE = {
    "missing": None,
    "empty": b"",
    "no session": b"Dear diary,\n" * 30,
    "documents": sealed(HEADER.replace(b'"stream":"move-billing-provider-demo",', b'"stream":"",')),
    "newer": sealed(HEADER.replace(b'"version":1', b'"version":99')) + LINES[1],
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", UNUSABLE)
def test_what_cannot_be_replayed_is_said_and_no_application_opens(tmp_path: Path, name: str) -> None:
    data = UNUSABLE[name]
    file = tmp_path / f"{name}.jsonl"
    if data is not None:
        file.write_bytes(data)
    with real_terminal(*PROGRAM, str(file), cwd=tmp_path) as terminal:
        said = terminal.ended()
        assert terminal.child.exitstatus == 2
    assert said.startswith("workbench: ")
    assert name in said


def test_in_a_pipe_its_course_is_printed(tmp_path: Path) -> None:
    done = subprocess.run([*PROGRAM, str(SAMPLE)], cwd=tmp_path, capture_output=True, check=True, stdin=subprocess.PIPE)
    assert len(done.stdout.splitlines()) >= EVENTS
    assert b"\x1b[?1049h" not in done.stdout
