"""What reads foreign text in a process of its own is killed beyond its limits, and ends when nobody waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.processes import is_there
from tests.waiting import eventually
from workbench.foreign import Apart, Defective, TooCostly

HERE = "tests.foreign_functions"


def test_one_process_reads_one_text_after_another() -> None:
    with Apart(f"{HERE}:echo") as reading:
        assert reading.read(b"", 30) == b""
        assert reading.read(b"x" * 1_000_000, 30) == b"x" * 1_000_000


@pytest.mark.parametrize("what", ["spin", "grow", "grow_slowly", "nest", "flood", "end"])
def test_what_costs_too_much_is_killed_and_the_next_is_read(what: str) -> None:
    with Apart(f"{HERE}:{what}") as reading:
        for _ in range(1 + (what == "grow")):
            with pytest.raises(TooCostly):
                reading.read(b"", 1.0 if what == "spin" else 30)


def test_a_defect_is_none_of_the_text() -> None:
    with Apart(f"{HERE}:fail") as reading, pytest.raises(Defective, match="KeyError"):
        reading.read(b"", 30)
    with Apart(f"{HERE}:nothing_of_this_name") as reading, pytest.raises(OSError, match="did not start"):
        reading.read(b"", 30)


def test_it_is_given_the_variables_that_are_named_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "1")
    monkeypatch.setenv("ANOTHER_KEY", "2")
    with Apart(f"{HERE}:variables", ("A_KEY",)) as reading:
        named = reading.read(b"", 30).decode().split()
    assert "A_KEY" in named
    assert "ANOTHER_KEY" not in named


def test_closing_ends_a_reading_in_another_thread(tmp_path: Path) -> None:
    raised: list[BaseException] = []
    reading = Apart(f"{HERE}:begun")

    def read() -> None:
        try:
            reading.read(os.fsencode(tmp_path / "pid"), 100)
        except TooCostly as error:
            raised.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    number = pid_in(tmp_path / "pid")
    reading.close()
    thread.join()
    assert raised
    assert not is_there(number)
    with pytest.raises(TooCostly):
        reading.read(b"", 1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere its own limit of time ends it")
def test_it_ends_with_who_began_it(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path[:] = sys.argv[2:]; from workbench.foreign import Apart;"
        f"Apart('{HERE}:begun').read(sys.argv[1].encode(), 100)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "pid"), *filter(None, sys.path)])
    number = pid_in(tmp_path / "pid")
    process.send_signal(signal.SIGKILL)
    process.wait()
    eventually(lambda: not is_there(number))


@pytest.mark.skipif(sys.platform == "win32", reason="without such streams")
def test_it_reads_where_the_standard_streams_are_closed(tmp_path: Path) -> None:
    program = (
        "import os, sys; sys.path[:] = sys.argv[2:]; os.closerange(0, 3); from workbench.foreign import Apart;"
        f"open(sys.argv[1], 'wb').write(Apart('{HERE}:echo').read(b'read', 100))"
    )
    file = tmp_path / "result"
    subprocess.run([sys.executable, "-c", program, str(file), *filter(None, sys.path)], check=False)
    assert file.read_bytes() == b"read"


def pid_in(file: Path) -> int:
    return int(eventually(lambda: file.exists() and file.read_text()))
