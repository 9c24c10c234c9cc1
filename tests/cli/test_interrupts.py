"""Ctrl+C ends every command within a second, whatever it is doing, with 130 and without a traceback.

python -m tests.cli.test_interrupts [runs]      prints the median of each, on this machine
"""

from __future__ import annotations

import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pexpect
import pytest
from tests.cli.test_terminal import terminal
from tests.models.fake_openai import fake_server, hanging
from tests.pace import slowness
from tests.processes import seconds_of, state_of
from tests.waiting import eventually

GOAL = "Paint the fence by May 2029"
WITHIN = 3.0
"""Seconds: one is promised, on a machine that does nothing else."""
Middle = Iterator[tuple[tuple[str, ...], Callable[[int], object]]]
"""A command, and what tells of its process whether it is in the middle of its work."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@contextmanager
def silent_server() -> Iterator[tuple[str, threading.Event]]:
    """A server that takes connections and says nothing; its address, and whether it was asked."""
    asked = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        taken = []

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return
                asked.set()

        threading.Thread(target=take, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}", asked
        server.shutdown(socket.SHUT_RDWR)
        for one in taken:
            one.close()


@contextmanager
def a_search(folder: Path) -> Middle:
    with silent_server() as (address, asked):
        (folder / "config.toml").write_text(f'research = "files"\nsearch_url = "http://{address}/search"\n')
        yield ("run", GOAL, "--research", "--approve", "all"), lambda _pid: asked.is_set()


@contextmanager
def a_tool_server(folder: Path) -> Middle:
    program = "import pathlib, signal, sys; pathlib.Path(sys.argv[1]).touch(); signal.pause()"
    command = [sys.executable, "-c", program, str(folder / "begun")]
    (folder / "config.toml").write_text(f"[mcp.tickets]\ncommand = {command!r}\n")
    yield ("run", GOAL, "--approve", "all"), lambda _pid: (folder / "begun").exists()


@contextmanager
def a_model(_folder: Path) -> Middle:
    until = threading.Event()
    with fake_server() as server:
        server.will(hanging('{"approaches": [', until=until))
        model = ("--model", "openai:some-model", "--base-url", server.base_url)
        yield ("run", GOAL, *model, "--approve", "all"), lambda _pid: server.requests
        until.set()


@contextmanager
def a_log_server(_folder: Path) -> Middle:
    with silent_server() as (address, asked):
        yield ("run", GOAL, "--log", f"redis://{address}/0?workspace=w"), lambda _pid: asked.is_set()


@contextmanager
def a_plan_file(folder: Path) -> Middle:
    lines = (f"- [ ] Step {number} of Anna, 2 days, by 3 May 2028, after step {number - 1}" for number in range(15_000))
    (folder / "plan.md").write_text("\n".join(lines))
    yield ("import", "plan.md"), lambda pid: seconds_of(child_of(pid)) > 0.5


@contextmanager
def standard_input(_folder: Path) -> Middle:
    yield ("import", "-"), lambda pid: seconds_of(pid) > 0.1 and state_of(pid) == "S"


@contextmanager
def a_large_session(folder: Path) -> Middle:
    from tests.benchmarks.long_sessions import long_session, written_by_the_product
    from workbench.storage.files.log import FileLog

    log = FileLog(folder / ".workbench" / "sessions", durable=False)
    long_session(log, written_by_the_product(folder), 30_000, small=True)
    yield ("sessions", "search", "provider"), lambda pid: seconds_of(pid) > 1


MIDDLES = {
    "a search that never answers": a_search,
    "a tool server that never answers": a_tool_server,
    "a model that never ends": a_model,
    "a log server that never answers": a_log_server,
    "a file that takes long to read": a_plan_file,
    "standard input that never ends": standard_input,
    "a search through a large session": a_large_session,
}


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)


def environment(folder: Path) -> dict[str, str]:
    return {
        "WORKBENCH_CONFIG": str(folder / "config.toml"),
        "TERM": "xterm-256color",
        "OPENAI_API_KEY": "sk-loopback-0123456789",
    }


@pytest.mark.cases(2)
@pytest.mark.parametrize("what", MIDDLES)
def test_ctrl_c_in_the_middle(what: str, tmp_path: Path) -> None:
    seconds, code, told = interrupted(what, tmp_path)
    assert "Traceback" not in told
    assert (code, "everything is kept" in told) == (130, True), told
    assert seconds < WITHIN * slowness()


def interrupted(what: str, folder: Path) -> tuple[float, int | None, str]:
    """Interrupt a command in the middle of its work; return the seconds that it took to end, its code and its words."""
    with MIDDLES[what](folder) as (arguments, is_in_the_middle), terminal(*arguments, cwd=folder) as child:

        def is_begun() -> object:
            assert child.isalive(), child.read()
            return is_in_the_middle(child.pid)

        eventually(is_begun)
        begun = time.monotonic()
        child.sendintr()
        child.expect(pexpect.EOF)
        told = str(child.before)
        child.wait()
        return time.monotonic() - begun, child.exitstatus, told


BEFORE_IMPORTS = """
import os, sys
module = sys.argv[1]
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), 2)
sys.meta_path.insert(0, Interrupting())
sys.argv.pop(1)
from workbench.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "module", ["signal", "enum", "workbench.cli", "argparse", "workbench.cli.commands", "workbench.bootstrap"]
)
def test_ctrl_c_while_it_starts(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", BEFORE_IMPORTS, module, "sessions", "list"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("COV")}  # it imports first
    ended = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, preexec_fn=hearing, check=False
    )
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr


def test_ctrl_c_ends_what_tells_nobody() -> None:
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    while True:
        try:
            os.write(writes, b"x" * 4096)
        except BlockingIOError:
            break
    os.set_blocking(writes, True)
    program = (
        "import os; from workbench.cli.streams import _end_when_told; r, w = os.pipe(); "
        "os.write(w, bytes([2])); _end_when_told(r)"
    )
    ended = subprocess.run([sys.executable, "-c", program], stdout=writes, stderr=writes, timeout=20, check=False)
    assert ended.returncode == 130
    os.close(reads)
    os.close(writes)


def hearing() -> None:
    """Let a program hear of Ctrl+C, also where what starts pytest ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def child_of(pid: int) -> int:
    try:
        children = [(task / "children").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return 0
    return int(next(iter(" ".join(children).split()), 0))


def main() -> None:
    """Print the median of the seconds that each takes to end."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for what in MIDDLES:
        taken = []
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                os.environ |= environment(Path(folder))
                seconds, code, _ = interrupted(what, Path(folder))
                assert code == 130
                taken.append(seconds)
        print(f"{what}: {statistics.median(taken):.2f} s, at most {max(taken):.2f} s", flush=True)


if __name__ == "__main__":
    main()
