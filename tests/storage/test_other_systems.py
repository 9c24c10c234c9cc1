"""What other systems lack or do otherwise: calls that sync, and names of sockets."""

import errno
import os
import tempfile
from pathlib import Path

import pytest
from tests.event_drafts import drafts
from workbench.domain.errors import LogUnavailable
from workbench.storage.files import opening
from workbench.storage.files.locking.lock_choice import lock_kind
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import Files
from workbench.storage.files.watching.bell import Bell

FULLFSYNC = 51
"""The number of F_FULLFSYNC on macOS."""


@pytest.fixture
def synced(monkeypatch):
    """The names of the calls that sync, as they are made."""
    calls = []
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda _descriptor, name=name: calls.append(name))
    return calls


@pytest.fixture
def disk(monkeypatch, synced):
    """Let F_FULLFSYNC exist; it fails with the errno that is set."""

    class Disk:
        fails = 0

        def fcntl(self, _descriptor, command):
            assert command == FULLFSYNC
            if self.fails:
                raise OSError(self.fails, os.strerror(self.fails))
            synced.append("full")

    monkeypatch.setattr(opening, "_FULLFSYNC", FULLFSYNC)
    monkeypatch.setattr(opening, "fcntl", Disk())
    return opening.fcntl


def sync_both(folder):
    descriptor = os.open(folder / "a", os.O_RDWR | os.O_CREAT)
    try:
        Files().datasync(descriptor)
    finally:
        os.close(descriptor)
    Files().sync_folder(folder)


def test_the_disks_own_memory_is_emptied_where_there_is_a_call(tmp_path, synced, disk):
    sync_both(tmp_path)
    assert synced == ["full", "full"]
    disk.fails = errno.ENOTSUP
    sync_both(tmp_path)
    assert synced[2:] == ["fdatasync", "fsync"]
    disk.fails = errno.EIO
    with pytest.raises(OSError, match="Input/output"):
        sync_both(tmp_path)
    assert len(synced) == 4, "an error of the disk is not tried away"


def test_a_system_without_fdatasync(tmp_path, synced, monkeypatch):
    monkeypatch.delattr(os, "fdatasync")
    FileLog(tmp_path / "sessions").append("s", drafts(1, 1), expected=0)
    assert set(synced) == {"fsync"}


@pytest.mark.parametrize(("number", "is_told"), [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EIO, True)])
def test_a_file_system_that_cannot_sync_folders_is_used_without(tmp_path, monkeypatch, number, is_told):
    def refuse(_descriptor):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    log = FileLog(tmp_path / "sessions")
    if is_told:
        with pytest.raises(LogUnavailable, match="the disk reported an error"):
            log.append("s", drafts(1, 1), expected=0)
    else:
        log.append("s", drafts(1, 1), expected=0)
        assert log.head("s").seq == 1


def test_locks_are_chosen_by_what_the_system_has(monkeypatch):
    monkeypatch.delenv("WORKBENCH_LOCKS", raising=False)  # what --locks chose
    assert lock_kind() == "ofd"
    monkeypatch.setattr("sys.platform", "darwin")  # its F_OFD_SETLK, if it is named, takes another struct
    assert lock_kind() == "flock"
    monkeypatch.setenv("WORKBENCH_LOCKS", "ofd")
    with pytest.raises(LogUnavailable, match="does not have"):
        lock_kind()


def test_a_long_folder_of_temporary_files_leaves_sockets_a_short_name(monkeypatch):
    """As that of macOS: 49 characters, of the 104 that a socket's name may have there."""
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder, "var-folders-zz-0123456789abcdefghijklmnopqrst", "T")
        long.mkdir(parents=True)
        monkeypatch.setattr(tempfile, "tempdir", str(long))
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        assert Bell(Path(folder)).unusable == ""
