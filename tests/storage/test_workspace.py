"""The workspace's folder: found, created, deleted from and restored to."""

from datetime import UTC, datetime

import pytest
from tests.event_drafts import drafts
from workbench.domain.errors import LogBusy, NotFound, UsageError
from workbench.storage.files.workspace import open_workspace
from workbench.storage.places import find_workspace


@pytest.fixture
def workspace(tmp_path):
    return open_workspace(tmp_path, new_id=lambda: "w-1", now=lambda: datetime(2026, 11, 21, 10, tzinfo=UTC))


def test_a_workspace_is_created_on_first_use(tmp_path):
    assert find_workspace(tmp_path) is None
    workspace = open_workspace(tmp_path)
    root = tmp_path / ".workbench"
    assert workspace.root == find_workspace(tmp_path) == root
    assert (root / ".gitignore").read_text() == "*\n"
    assert sorted(path.name for path in root.iterdir()) == [
        ".gitignore",
        "cache",
        "sessions",
        "trash",
        "workspace.json",
    ]
    assert {path.stat().st_mode & 0o777 for path in root.iterdir()} == {0o600, 0o700}
    assert root.stat().st_mode & 0o777 == 0o700
    assert workspace.config == root / "config.toml"
    assert open_workspace(tmp_path).id == workspace.id


def test_deleting_and_restoring(workspace):
    log = workspace.log(new_epoch=lambda: "e")
    events = log.append("s", drafts(1, 3), expected=0)
    entry = workspace.trash("s")
    assert entry == (
        "s.deleted-20261121T100000000000Z.jsonl",
        "s",
        "deleted",
        "2026-11-21T10:00:00.000000Z",
        entry.size,
    )
    assert workspace.trashed() == [entry]
    assert list(log.streams()) == []
    with pytest.raises(NotFound):
        log.append("s", drafts(4, 4), expected=3)
    assert workspace.restore(entry.name) == "s"
    assert workspace.trashed() == []
    assert tuple(log.read("s")) == events


def test_two_deleted_sessions_of_one_name(workspace):
    log = workspace.log()
    for _ in range(2):
        log.append("s", drafts(1, 1), expected=0)
        workspace.trash("s")
    first, second = workspace.trashed()
    workspace.restore(second.name)
    with pytest.raises(UsageError, match="already"):
        workspace.restore(first.name)
    assert workspace.empty_trash() == 1
    assert workspace.trashed() == []
    assert list(log.streams()) == ["s"]


def test_what_cannot_be_deleted_or_restored(workspace):
    log = workspace.log()
    with pytest.raises(NotFound):
        workspace.trash("s")
    with pytest.raises(NotFound):
        workspace.restore("s.deleted-20261121T100000000000Z.jsonl")
    log.append("s", drafts(1, 1), expected=0)
    with workspace.log().drive("s"), pytest.raises(LogBusy):
        workspace.trash("s")
    (log.folder / "s.jsonl").write_bytes(b"damaged")
    assert log.repair("s", keep_nothing=True).kept == 0
    (entry,) = workspace.trashed()
    with pytest.raises(UsageError, match="damaged"):
        workspace.restore(entry.name)


@pytest.mark.parametrize(
    "name",
    [
        "notes.txt",
        "x.deleted-99999999T999999999999Z.jsonl",
        "x.deleted-20261121T240000000000Z.jsonl",
        "x.deleted-٢٠٢٦1121T100000000000Z.jsonl",
        "-x.deleted-20261121T100000000000Z.jsonl",
        f"{'x' * 41}.deleted-20261121T100000000000Z.jsonl",
    ],
)
def test_the_trash_passes_over_what_is_not_its_own(workspace, name):
    (workspace.root / "trash" / name).write_text("x")
    assert workspace.trashed() == []
    assert workspace.empty_trash() == 0
    workspace.log().append("t", drafts(1, 1, session="t"), expected=0)
    assert workspace.restore(workspace.trash("t").name) == "t"
    (workspace.root / "trash" / name).unlink()
    (workspace.root / "trash").rmdir()
    assert workspace.trashed() == []
    workspace.log().append("s", drafts(1, 1), expected=0)
    assert workspace.trash("s").stream == "s"
