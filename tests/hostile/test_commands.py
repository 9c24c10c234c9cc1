"""Every command over every hostile workspace: nothing leaves, nothing outside is touched, nobody waits."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest
from tests.hostile.commands import COMMANDS, ENDLESS, GOAL, SENDING
from tests.hostile.conftest import CloneIn
from tests.hostile.trap import KEY, Trap
from tests.hostile.workspaces import SECRET, WAYS, Clone, Way
from tests.tui.hostile import obeyed
from workbench.cli import run_command
from workbench.models.servers.discovery import USUAL_SERVERS

LIMIT = 30.0
"""Seconds after which a command counts as hung; the slowest takes two."""
SHORT = 2.0
"""Seconds after which a person has seen enough of what never ends."""
LOOKS = frozenset(
    f"{event} {target}"
    for url in (httpx2.URL(address) for _, address in USUAL_SERVERS)
    for event, target in (("socket.getaddrinfo", url.host), ("socket.connect", (url.host, url.port)))
)
"""What `workbench models` is there to do: look at the usual ports of this machine."""
EACH = 2
"""Every so many ways meet a second command in the default run."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def run_limited(command: tuple[str, ...], capfd: pytest.CaptureFixture[str], limit: float) -> Ended:
    """Run a command in this process; send it Ctrl+C after ``limit`` seconds."""
    main = threading.main_thread().ident
    assert main is not None
    watchdog = threading.Timer(limit, signal.pthread_kill, (main, signal.SIGINT))
    watchdog.start()
    try:
        code = run_command(command)
    finally:
        watchdog.cancel()
        watchdog.join()
    out, err = capfd.readouterr()
    return Ended(code, out, err)


def seen(folder: Path) -> dict[str, object]:
    """Return everything that can be told of a folder: names, kinds, contents and times."""
    shown: dict[str, object] = {}
    for path in (folder, *folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        shown[str(path)] = (
            content,
            status.st_mode,
            status.st_uid,
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_ino,
        )
    return shown


def commands_for(number: int, *, full: bool) -> list[tuple[str, ...]]:
    """Return the commands that meet a way: all, or one that sends and, for some, the next one of a fixed rotation."""
    if full:
        return list(COMMANDS)
    turn, rest = divmod(number, EACH)
    others = [command for command in COMMANDS if command not in SENDING]
    return [SENDING[number % len(SENDING)], *([] if rest else [others[turn % len(others)]])]


def shorter(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command that plans to the end as one that plans a single iteration; any other as it is."""
    return (*command, "--iterations", "1") if command[:1] == ("run",) and "all" in command else command


def complaints(ended: Ended) -> list[str]:
    """Return what is wrong with how a command ended."""
    sentences = [line for line in ended.err.splitlines() if line.startswith("workbench: ")]
    texts = (ended.out + ended.err).replace("\n", "").replace("\t", "")
    wrong = {
        f"exit code {ended.code}": ended.code not in {0, 1, 2, 3},
        "a traceback": "Traceback" in ended.out + ended.err,
        "a defect": "defect of the workbench" in ended.err,
        "the key": KEY in texts,
        "a text of the canary folder": SECRET in texts,
        f"escape codes {obeyed(texts)[:3]}": bool(obeyed(texts)),
        "several sentences": len(sentences) > 1,
        "no remedy": any(re.search(r"[.?!] \S", line) is None for line in sentences),
        "no sentence": ended.code != 0 and not sentences and not ended.out,
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


Check = Callable[[Way, tuple[str, ...]], list[object]]


@pytest.fixture
def check(clone_in: CloneIn, trap: Trap, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Check:
    """Run a command over a new clone; return what is wrong."""

    def check(way: Way, template: tuple[str, ...]) -> list[object]:
        clone = clone_in(way)
        before = seen(clone.canary)
        command = tuple(part.format_map(_Names(clone)) for part in template)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))
        is_endless = not ENDLESS.keys().isdisjoint({template[:1], template[:2]})
        ended = run_limited(command, capfd, SHORT if is_endless else LIMIT)
        wrong = [] if is_endless and ended.code == 130 else complaints(ended)
        looked = LOOKS if template[:1] == ("models",) else frozenset()
        if caught := [one for one in trap.take() if one not in looked]:
            wrong.append(f"sent {caught}")
        if seen(clone.canary) != before:
            wrong.append("touched the canary folder")
        shutil.rmtree(clone.project.parent)
        return [(command, complaint, ended.code, ended.err[-400:]) for complaint in wrong]

    return check


@pytest.mark.cases(20)
@pytest.mark.timeout(0)
@pytest.mark.untraced
@pytest.mark.parametrize(("number", "way"), enumerate(WAYS), ids=[way.name for way in WAYS])
def test_no_command_sends_touches_or_waits(number: int, way: Way, check: Check, full_counts: bool) -> None:
    commands = commands_for(number, full=full_counts)
    chosen = commands if full_counts else map(shorter, commands)
    wrong = [complaint for command in chosen for complaint in check(way, command)]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("config.toml sets nested values", ("config",)),
        ("config.toml sets bounds of many digits", ("config",)),
        ("nova.toml holds a number of many digits", ("run", GOAL, "--agent", "nova.toml")),
        ("nova.toml holds nested values", ("run", GOAL, "--agent", "nova.toml")),
        ("exports are links", ("sessions", "export", "{finished}", "--format", "entities")),
        ("exported files are links", ("sessions", "export", "{finished}", "--format", "entities")),
        ("sessions/ID.jsonl is a folder", ("sessions", "search", "billing")),
        ("a session recorded with the trap", ("resume", "{foreign}", "--approve", "all")),
        ("agents of every kind", ("ask", "{foreign}", "Hello?", "--agent", "reader")),
        ("another workspace was trusted at its path", ("resume", "{begun}")),
    ],
)
def test_a_way_meets_the_command_that_it_is_for(name: str, command: tuple[str, ...], check: Check) -> None:
    (way,) = (way for way in WAYS if way.name == name)
    assert check(way, command) == []


class _Names(dict[str, str]):
    """What stands in braces in a command."""

    def __init__(self, clone: Clone) -> None:
        super().__init__(clone.sessions, elsewhere=str(clone.project.parent / "elsewhere"))


def test_each_command_and_each_way_is_met() -> None:
    met = {command for number in range(len(WAYS)) for command in commands_for(number, full=False)}
    assert met == set(COMMANDS)
    assert len(WAYS) >= 40
    assert len({way.name for way in WAYS}) == len(WAYS)
    assert os.geteuid() != 0 or any("belongs to another user" in way.name for way in WAYS)
