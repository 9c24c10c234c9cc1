"""Real processes on one shared context, killed or standing still: nothing acknowledged is lost, nothing is there twice.

Eight kills by default; ``pytest tests/faults/test_shared_processes.py --kills 300`` for the full count, and
``python -m tests.faults.shared_kills 300`` for its figures.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.chains import is_sound
from tests.faults.shared_kills import ROOT, Campaign, acknowledged
from tests.faults.sharing_life import opened
from tests.sharing.managers import manager
from workbench.domain.errors import LogBusy
from workbench.domain.shared.context import fold


@pytest.fixture
def runtime():
    """A short path, as a socket's name must be."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "r"


@pytest.mark.full
def test_what_is_shared_survives_every_kill(tmp_path, kills):
    with Campaign(tmp_path, seed=20261122) as campaign:
        figures = campaign.run(kills if kills != 20 else 8)
    assert set(figures.by_fault) == {"files", "ack", "outside"}
    assert figures.acknowledged > figures.kills
    assert figures.unacknowledged >= figures.by_fault["ack"], "they died behind an append that nobody was told of"
    assert figures.archives > 0


def standing_still(folder, runtime, call):
    """A process that stands still in one of its calls of the system, and what it said before."""
    module = [sys.executable, "-m", "tests.faults.sharing_life"]
    command = [*module, str(folder), str(runtime), "still", f"stop:{call}", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    return process


@pytest.mark.full
def test_who_stands_still_with_the_gate_is_named_and_loses_nothing(tmp_path, runtime):
    """Wherever it stands: the others go on, or say in time who keeps them; when it wakes up, so do they."""
    said = []
    for call in range(14):
        folder = tmp_path / str(call)
        patient = manager(opened(folder, runtime))
        hasty = manager(opened(folder, runtime, patience=0.05))
        before = [patient.update_context("a", "begun", call).event]
        process = standing_still(folder, runtime, call)
        try:
            before.append(hasty.update_context("b", "meanwhile", call).event)
        except LogBusy as error:
            said.append((error.message.startswith(f"Process {process.pid} has been holding"), error.remedy))
        process.send_signal(signal.SIGCONT)
        acks = acknowledged([process.stdout.readline() for _ in range(5)])
        before.append(patient.update_context("a", "afterwards", call).event)
        process.kill()
        acks |= acknowledged(process.stdout.readlines())
        process.wait()
        process.stdout.close()
        acks |= {event.seq: event.context_hash for event in before}
        log = opened(folder, runtime)
        events = list(log.read("events"))
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert acks.items() <= {event.seq: event.hash for event in events}.items()
        assert is_sound(log, "events")
        assert manager(log).state() == fold(events)
    assert 2 < len(said) < 12, "it held the gate in some of the calls, and in others not"
    assert set(said) == {(True, "End or continue that process, then try again.")}
