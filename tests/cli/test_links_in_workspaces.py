"""What stands in a workspace's folder leads nowhere: links, pipes and devices are refused, and nobody waits."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from workbench import Workspace

SECRET = "the old password"
GOAL = f"Move our billing, {SECRET}, to the new provider by 30 June 2028"

FOLDERS = ["cache", "cache/items", "sessions", "shared", "shared/archive", "shared/lives", "trash"]
FILES = [
    "cache/sessions.json", "cache/items/ID.json", "cache/items/ID.safetensors", "sessions/ID.jsonl",
    "shared/events.jsonl", "shared/shared_context.json", "shared/lives/ID", "workspace.json", "config.toml",
    ".gitignore",
]  # fmt: skip
NOT_TOLD = {".gitignore", "shared/lives", "shared/lives/ID"}
"""Nobody reads the first; without the others a session plans on and shares nothing, which the application tells."""
MAY_BE_DELETED = {
    "cache/sessions.json",
    "cache/items/ID.json",
    "cache/items/ID.safetensors",
    "shared/shared_context.json",
}


class Hostile:
    """A workspace with a finished session, another one in the trash, and a folder outside that must stay as it is."""

    def __init__(self, workbench: Command, folder: Path, prepared: Path) -> None:
        self.workbench = workbench
        self.root = folder / ".workbench"
        self.canary = folder / "canary"
        if not prepared.exists():
            self._prepare()
            shutil.copytree(self.root, prepared)
        elif not self.root.exists():
            shutil.copytree(prepared, self.root)
        (self.session,) = (file.stem for file in (self.root / "sessions").glob("*.jsonl"))
        (self.deleted,) = (file.stem for file in (self.root / "trash").glob("*.jsonl"))

    def _prepare(self) -> None:
        session = str(self.workbench("run", GOAL, "--approve", "all", "--json").last["session"])
        deleted = str(self.workbench("run", "Sell lamps", "--approve", "all", "--json").last["session"])
        for command in (
            ("sessions", "list"),
            ("sessions", "search", "billing"),
            ("shared", "set", "billing", '"ready"', "--session", session),
            ("shared", "get"),
            ("sessions", "delete", deleted),
        ):
            assert self.workbench(*command).code == 0, command
        (self.root / "config.toml").write_text("iterations = 3\n")
        (self.root / "shared" / "archive").mkdir(exist_ok=True)
        (self.root / "shared" / "archive" / "events-1-1.jsonl").write_text(SECRET)

    def place(self, name: str) -> Path:
        return self.root / name.replace("ID", self.session)

    def run_everything(self) -> list[str]:
        """Run what reads, writes and deletes; return what was said on standard error."""
        told = []
        for command in (
            ("sessions", "list"),
            ("sessions", "search", "billing"),
            ("recall", "billing", "--across", "--asking", self.session, "--reason", "r"),
            ("run", "Paint the fence by May 2029", "--approve", "all"),
            ("resume", self.session, "--feedback", "Add a risk", "--approve", "all"),
            ("shared", "set", "billing", '"late"', "--session", self.session),
            ("shared", "get"),
            ("shared", "claim", "a.txt", "--session", self.session),
            ("sessions", "restore", self.deleted),
            ("sessions", "trash"),
            ("migrate", "--to", "elsewhere"),
            ("forget", f"message:{self.session}:1", "--text", SECRET, "--yes"),
            ("sessions", "delete", self.session),
            ("sessions", "empty-trash", "--yes"),
            ("doctor",),
            ("config",),
        ):
            result = self.workbench(*command)
            assert result.code in {0, 1, 2, 3}, command
            assert "Traceback" not in result.err
            assert "defect of the workbench" not in result.err, (command, result.err)
            told += [result.err, result.out]
        return told


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the workspace is kept for all tests, once the first of them has made it."""
    return tmp_path_factory.mktemp("prepared") / ".workbench"


@pytest.fixture
def hostile(workbench: Command, tmp_path: Path, prepared: Path) -> Hostile:
    (tmp_path / "elsewhere").mkdir()
    return Hostile(workbench, tmp_path, prepared)


def seen(folder: Path) -> dict[Path, object]:
    """Everything that can be told of a folder: names, contents, sizes and times."""
    shown: dict[Path, object] = {}
    for path in (folder, *folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        shown[path] = (content, status.st_mode, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    return shown


def lead_out(hostile: Hostile, name: str) -> None:
    """Move what stands in a place out of the workspace, and leave a link to it there."""
    place, outside = hostile.place(name), hostile.canary / Path(name).name
    place.parent.mkdir(parents=True, exist_ok=True)
    hostile.canary.mkdir()
    if place.exists():
        shutil.move(place, outside)
    elif name in FOLDERS:
        outside.mkdir()
    else:
        outside.write_text(SECRET)
    if name in FOLDERS:
        (outside / f"{hostile.session}.txt").write_text(SECRET)
        (outside / f".events-1-9.{SECRET[:3]}.new").write_text(SECRET)
    place.symlink_to(outside)


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", [*FOLDERS, *FILES])
def test_a_link_in_a_workspace_leads_nowhere(hostile: Hostile, name: str) -> None:
    lead_out(hostile, name)
    before = seen(hostile.canary)
    told = hostile.run_everything()
    assert seen(hostile.canary) == before
    assert any("is a link" in text for text in told) or name in NOT_TOLD | MAY_BE_DELETED


def test_a_workspace_that_is_a_link_is_refused(hostile: Hostile) -> None:
    hostile.canary.mkdir()
    outside = hostile.canary / "home"
    shutil.move(hostile.root, outside)
    hostile.root.symlink_to(outside)
    before = seen(hostile.canary)
    told = hostile.run_everything()
    assert seen(hostile.canary) == before
    assert any("is a link" in text for text in told)


def test_a_new_workspace_writes_over_no_link(workbench: Command, tmp_path: Path) -> None:
    """A clone may hold links where the first run creates folders and files."""
    canary, root = tmp_path / "canary", tmp_path / ".workbench"
    canary.mkdir()
    (canary / "notes.txt").write_text("mine")
    root.mkdir()
    for name in ("sessions", "trash", "cache"):
        (root / name).symlink_to(canary)
    (root / ".gitignore").symlink_to(canary / "notes.txt")
    before = seen(canary)
    assert workbench("run", "Paint the fence", "--approve", "all").code != 0
    assert seen(canary) == before


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.cases(2)
@pytest.mark.timeout(120)
@pytest.mark.parametrize("make", [pipe, endless])
@pytest.mark.parametrize("name", FILES)
def test_nothing_waits_for_a_pipe_or_reads_a_device(hostile: Hostile, name: str, make: Callable[[Path], None]) -> None:
    place = hostile.place(name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    make(place)
    hostile.run_everything()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("make", [pipe, endless])
def test_a_file_that_a_person_names_is_regular(
    workbench: Command, finished: str, tmp_path: Path, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("named", "named.jsonl", "themes/odd.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        make(tmp_path / name)
    for command in (
        ("run", "--goal-file", "named"),
        ("run", "Paint the fence", "--model", "scripted:named"),
        ("ask", finished, "Why?", "--agent", "named"),
        ("resume", finished, "--agent", "named", "--feedback", "More"),
        ("run", "Paint the fence", "--agent", "named"),
        ("replay", "named.jsonl", "--plain"),
        ("replay", "named.jsonl", "--verify"),
        ("sessions", "show", "named.jsonl"),
        ("sessions", "import", "named.jsonl"),
        ("sessions", "import", "--sound-part", "named.jsonl"),
        ("remember", "--session", finished, "--jsonl", "named"),
    ):
        result = workbench(*command)
        assert result.code in {1, 2}, (command, result.out)
        assert result.err.count("\n") == 1, (command, result.err)
        assert "defect of the workbench" not in result.err, (command, result.err)
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "named"))
    assert "not a regular file" in workbench("config").err


def test_a_link_that_a_person_names_is_followed(workbench: Command, finished: str, tmp_path: Path) -> None:
    (tmp_path / "goal.txt").write_text("Paint the fence by May 2029")
    (tmp_path / "goal").symlink_to("goal.txt")
    (tmp_path / "mine.jsonl").symlink_to(tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl")
    assert workbench("run", "--goal-file", "goal", "--approve", "all").code == 0
    assert workbench("replay", "mine.jsonl", "--plain").code == 0


def test_settings_that_are_too_large_are_refused(workbench: Command, finished: str, tmp_path: Path) -> None:
    assert finished
    with (tmp_path / ".workbench" / "config.toml").open("wb") as file:
        file.truncate(10**9)
    result = workbench("sessions", "list")
    assert result.code == 2
    assert "larger than 1,000,000 bytes" in result.err


def test_the_library_refuses_a_link_as_the_commands_do(hostile: Hostile, tmp_path: Path) -> None:
    lead_out(hostile, "cache/items")
    before = seen(hostile.canary)
    workspace = Workspace.open(tmp_path, environ={"WORKBENCH_CONFIG": str(tmp_path / "none.toml")})
    workspace.search_sessions("billing", 3)
    workspace.session(hostile.session).delete()
    assert seen(hostile.canary) == before
