"""Live sessions, a process each, that write for a moment: all of them see all of it, over files and over a server."""

import json
import subprocess
import sys

import pytest
from tests.faults.shared_kills import ROOT


def soaked(*options):
    command = [sys.executable, "-m", "tests.faults.soak", "--seconds", "1", *options]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=290).stdout)


@pytest.mark.cases(1)
@pytest.mark.parametrize("kept", ["files", "redis"])
def test_live_sessions_see_all_that_all_of_them_write(kept, request):
    log = "files" if kept == "files" else request.getfixturevalue("redis_server").url
    figures = soaked("--sessions", "3", "--rate", "60", "--log", log)
    assert figures["acknowledged"] == figures["written"] == 60
    assert figures["seen"] >= 3 * (60 + 1), "everything, and the end"
    assert figures["lost"] == 0
    assert figures["propagation"]["p50_ms"] > 0


def test_idle_sessions_see_what_the_one_that_writes_says():
    figures = soaked("--idle", "3", "--rate", "20")
    assert (figures["sessions"], figures["idle"], figures["written"]) == (4, 3, 20)
    assert figures["seen"] >= 4 * (20 + 1)
    assert 0 < figures["readers_of_a_core"] < figures["all_of_a_core"]
