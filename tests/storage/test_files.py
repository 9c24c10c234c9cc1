"""The one place where files are opened: what leads out of a workspace is refused, and nothing is waited for."""

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from tests.event_drafts import drafts
from tests.faults.faulty_files import FaultyFiles
from workbench.domain.errors import LogUnavailable
from workbench.named_files import UnusableFile, read_named_file
from workbench.storage.files import journal
from workbench.storage.files.opening import Files, create_whole, read_whole, replace_whole
from workbench.storage.files.workspace import open_workspace

CALLS = {
    "open": lambda files, path: files.open(path, os.O_RDWR | os.O_CREAT),
    "create": lambda files, path: create_whole(files, path, b"new"),
    "replace": lambda files, path: replace_whole(files, path, b"new"),
    "move": lambda files, path: files.replace(path, path.with_name("moved")),
    "link": lambda files, path: files.link(path, path.with_name("second")),
    "unlink": lambda files, path: files.unlink(path),
    "make a folder": lambda files, path: files.make_folder(path / "new"),
    "set the time": lambda files, path: files.set_time(path, 0),
    "look": lambda files, path: files.status(path),
    "list": lambda files, path: files.entries(path.parent),
    "sync": lambda files, path: files.sync_folder(path.parent),
    "read": read_whole,
}


@pytest.fixture
def root(tmp_path):
    (tmp_path / ".workbench" / "cache").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept.json").write_text("mine")
    return tmp_path / ".workbench"


@pytest.mark.parametrize("depth", ["cache", "cache/items"])
@pytest.mark.parametrize("call", CALLS)
def test_no_call_follows_a_link_to_a_folder(root, call, depth):
    outside = root.with_name("outside")
    (root / "cache").rmdir() if depth == "cache" else None
    (root / depth).symlink_to(outside)
    (outside / "items").mkdir()
    before = {path: path.stat().st_mtime_ns for path in (outside, *outside.rglob("*"))}
    with pytest.raises(UnusableFile, match="it is a link") as refused:
        CALLS[call](Files(), root / "cache" / "items" / "kept.json")
    assert refused.value.filename == str(root / depth)
    assert {path: path.stat().st_mtime_ns for path in (outside, *outside.rglob("*"))} == before


def test_no_call_changes_what_a_link_names(root):
    outside = root.with_name("outside") / "kept.json"
    link = root / "cache" / "kept.json"
    before = outside.stat()
    for call in CALLS.values():
        link.unlink(missing_ok=True)
        link.symlink_to(outside)
        with suppress(OSError):
            call(Files(), link)
    after = outside.stat()
    assert (after.st_mtime_ns, after.st_nlink, after.st_mode) == (before.st_mtime_ns, before.st_nlink, before.st_mode)
    assert outside.read_text() == "mine"


def not_regular(path, kind):
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.relpath(path))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["folder", "pipe", "socket", "device"])
def test_only_regular_files_are_read(tmp_path, kind, monkeypatch):
    monkeypatch.chdir(tmp_path)
    not_regular(tmp_path / "odd", kind)
    for read in (lambda path: read_named_file(path, 100), lambda path: read_whole(Files(), path, 100)):
        with pytest.raises(OSError, match=r"not a regular file|No such device"):
            read(tmp_path / "odd")


def test_a_file_is_read_up_to_a_size(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 100)
    for read in (read_named_file, lambda path, most: read_whole(Files(), path, most)):
        assert read(tmp_path / "a", 100) == b"x" * 100
        with pytest.raises(UnusableFile, match="larger than 99 bytes"):
            read(tmp_path / "a", 99)


def test_a_log_without_an_end_of_line_is_read_up_to_a_size(tmp_path, monkeypatch):
    log = open_workspace(tmp_path).log()
    log.append("s", drafts(1, 1), expected=0)
    with (log.folder / "s.jsonl").open("ab") as file:
        file.truncate(100_000_000)
    monkeypatch.setattr(journal, "LARGEST", 5_000_000)
    with pytest.raises(LogUnavailable, match="larger than 5,000,000 bytes"):
        list(log.read("s"))


@pytest.mark.timeout(60)
def test_a_file_that_says_it_is_empty_is_read_up_to_a_size():
    with pytest.raises(UnusableFile, match="larger than 10 bytes"):
        read_named_file("/proc/self/status", 10)
    with pytest.raises(UnusableFile, match="larger than 10 bytes"):
        read_whole(Files(), Path("/proc/self/status"), 10)


@pytest.mark.parametrize("place", ["shared/lives", "shared/lives/s"])
def test_a_life_that_is_a_link_is_refused(tmp_path, place):
    lives, root = open_workspace(tmp_path).lives(), tmp_path / ".workbench"
    (root / place).parent.mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (root / place).symlink_to(tmp_path / "outside")
    for ask in (lives.holder, lives.sign, lambda session: lives.live(session).__enter__()):
        with pytest.raises(LogUnavailable, match="it is a link"):
            ask("s")


class Recorder(FaultyFiles):
    """Notes which name each call is about."""

    def __init__(self):
        super().__init__()
        self.steps = []

    def link(self, source, target):
        super().link(source, target)
        self.steps.append(("link", target))

    def unlink(self, path):
        super().unlink(path)
        self.steps.append(("unlink", path))

    def sync_folder(self, path):
        super().sync_folder(path)
        self.steps.append(("sync", path))

    def make_folder(self, path):
        super().make_folder(path)
        self.steps.append(("folder", path))


def test_a_restored_name_is_on_the_disk_before_the_old_one_goes(tmp_path):
    open_workspace(tmp_path).log().append("s", drafts(1, 2), expected=0)
    name = open_workspace(tmp_path).trash("s").name
    files = Recorder()
    open_workspace(tmp_path, files=files).restore(name)
    root = tmp_path / ".workbench"
    new, old = ("link", root / "sessions" / "s.jsonl"), ("unlink", root / "trash" / name)
    order = [step for step in files.steps if step in (new, old, ("sync", root / "sessions"), ("sync", root / "trash"))]
    assert order == [new, ("sync", root / "sessions"), old, ("sync", root / "trash")]


def test_the_project_folder_is_synced_once_after_the_workspace_is_made(tmp_path):
    files, root = Recorder(), tmp_path / ".workbench"
    open_workspace(tmp_path, files=files)
    synced = files.steps.index(("sync", tmp_path))
    assert files.steps.count(("sync", tmp_path)) == 1
    assert max(index for index, step in enumerate(files.steps) if step == ("folder", root / "cache")) < synced
    assert synced < files.steps.index(("link", root / "workspace.json")), "the id says that all before it is done"
    again = Recorder()
    open_workspace(tmp_path, files=again)
    assert again.steps == []


def test_a_workspace_whose_id_is_no_file_says_so(tmp_path):
    open_workspace(tmp_path)
    identity = tmp_path / ".workbench" / "workspace.json"
    identity.unlink()
    os.mkfifo(identity)
    with pytest.raises(LogUnavailable, match=r"workspace\.json cannot be used: it is not a regular file"):
        open_workspace(tmp_path)
