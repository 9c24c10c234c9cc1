"""``workbench remember``: one message, or a file of them."""

from __future__ import annotations

import array
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.waiting import eventually
from workbench import Workspace
from workbench.domain.session.events import content


def test_one_message_is_remembered(workbench: Command, finished: str) -> None:
    result = workbench("remember", "--session", finished, "The audit is in May.", "--json")
    assert result.code == 0, result.err
    assert result.last["schema"] == "workbench.remembered/1"
    assert result.last["session"] == finished
    assert "brought in: The audit is in May." in workbench("replay", finished, "--plain").out


def test_a_file_of_lines_is_remembered_each_with_its_agent(workbench: Command, finished: str, tmp_path: Path) -> None:
    lines = [
        {"text": "What would you do?", "time": "2026-01-05"},
        {"text": "Losses loom larger.", "role": "assistant", "agent": "kahneman"},
    ]
    (tmp_path / "said.jsonl").write_text("\n\n".join(map(json.dumps, lines)))
    result = workbench("remember", "--session", finished, "--jsonl", "said.jsonl", "--json")
    assert [(line["role"], line["agent"]) for line in result.lines] == [("user", None), ("assistant", "kahneman")]
    again = workbench("remember", "--session", finished, "--jsonl", "-", stdin=json.dumps(lines[0]))
    assert again.out.startswith("1 message remembered")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"text": "x", "session": "other"}', "Line 1 sets 'session'"),
        ('{"text": "x", "source": "semantic"}', "Line 1 sets 'source'"),
        ('{"text": "x", "speaker": "Ann"}', "Line 1 has a key 'speaker'"),
        ('{"text": 1}', "Line 1 does not fit"),
        ("{}", "Line 1 does not fit"),
        ("no JSON", "Line 1 is not a JSON object"),
        ("[" * 100_000, "Line 1 is not a JSON object"),
        ('{"text": " "}', "Message 1 says nothing"),
    ],
)
def test_a_line_that_does_not_fit_is_named_and_nothing_is_kept(
    workbench: Command, finished: str, line: str, why: str
) -> None:
    before = workbench("sessions", "show", finished, "--json").last["updated"]
    result = workbench("remember", "--session", finished, "--jsonl", "-", stdin=line)
    assert result.code == 2
    assert why in result.err
    assert len(result.err.splitlines()) == 1
    assert workbench("sessions", "show", finished, "--json").last["updated"] == before


def test_an_entity_is_kept_under_its_name_and_recalled(workbench: Command, finished: str) -> None:
    kept = workbench(
        "remember", "--session", finished, "--entity", "contract", "The contract ends on 30 June.", "--json"
    )
    assert kept.code == 0, kept.err
    assert kept.last["id"].startswith("entity:")
    assert workbench("remember", "--session", finished, "--entity", "fax", "It is 0815.").out.startswith("fax is")
    found = workbench("recall", "when does the contract end?", "--session", finished, "--json").lines[0]
    assert (found["id"], found["role"]) == (kept.last["id"], "artefact")
    refused = workbench("remember", "--session", finished, "--entity", "x", "--role", "user", "text")
    assert refused.code == 2


def test_a_file_that_is_brought_in_again_brings_in_nothing(workbench: Command, finished: str) -> None:
    lines = "\n\n".join(json.dumps({"text": f"Line {number}"}) for number in (1, 2, 1))
    first = workbench("remember", "--session", finished, "--jsonl", "-", "--json", stdin=lines)
    again = workbench("remember", "--session", finished, "--jsonl", "-", "--json", stdin=lines)
    assert again.lines == first.lines
    told = workbench("remember", "--session", finished, "--jsonl", "-", stdin=lines)
    assert told.out == f"0 messages remembered in {finished}; 3 of 3 were in already.\n"
    other = workbench("remember", "--session", finished, "--jsonl", "-", stdin=f"{lines}\n")
    assert other.out == f"3 messages remembered in {finished}.\n"


@pytest.mark.cases(1)
@pytest.mark.untraced  # coverage's own lock stays locked where Ctrl+C comes while it is held, and the command hangs
@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="the size of a pipe is set on Linux only")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_command_says_how_far_it_came_and_goes_on_from_there(
    workbench: Command, finished: str, tmp_path: Path, ending: signal.Signals
) -> None:
    """No line is lost and none is there twice, wherever it is killed, and however often."""
    count = 4_000
    file = tmp_path / "said.jsonl"
    file.write_text("".join(json.dumps({"text": f"Line {number}"}) + "\n" for number in range(count)))
    command = [sys.executable, "-m", "workbench", "remember", "--session", finished, "--jsonl", str(file)]
    told = 0
    for _ in range(3):
        for note in _stopped_after_a_note(command, tmp_path, ending):
            assert int(note.replace(",", "")) > told
            told = int(note.replace(",", ""))
        texts = _texts_of(tmp_path, finished)
        assert texts == [f"Line {number}" for number in range(len(texts))]
        assert 0 < told <= len(texts) < count
    went_on = workbench("remember", "--session", finished, "--jsonl", str(file))
    assert went_on.out.endswith(f"; {len(texts):,} of {count:,} were in already.\n")
    assert _texts_of(tmp_path, finished) == [f"Line {number}" for number in range(count)]


def _stopped_after_a_note(command: Sequence[str], folder: Path, ending: signal.Signals) -> list[str]:
    """Run a command until it has said how far it came, and return its notes.

    Its errors go to a pipe in which one note has room: at the next one it waits for us.
    """
    ours, its = os.pipe()
    size = fcntl.fcntl(its, fcntl.F_SETPIPE_SZ, 4096)
    filled = os.write(its, b" " * (size - 60))
    with subprocess.Popen(command, cwd=folder, stderr=its) as process, os.fdopen(ours) as errors:
        os.close(its)
        waiting = array.array("i", [filled])

        def is_noted() -> bool:
            assert process.poll() is None, "it ended before a note"
            fcntl.ioctl(ours, termios.FIONREAD, waiting)
            return waiting[0] != filled

        eventually(is_noted)
        process.send_signal(ending)
        return re.findall(r"workbench: ([\d,]+) of 4,000 messages are in", errors.read())


def _texts_of(folder: Path, session: str) -> list[str]:
    events = Workspace.open(folder).session(session).events()
    given = [content(event) for event in events if event.kind == "message.given"]
    return [body.text for body in given if body.line]
