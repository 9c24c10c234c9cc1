"""A process that dies at each step of forgetting: whatever was done by then, doing it again ends with no copy left."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.faults.faulty_files import Died, FaultyFiles
from workbench import Workspace
from workbench.bootstrap.models import TrustedModels
from workbench.bootstrap.parts import Parts
from workbench.domain.session.events import SharedObserved, SharedValue
from workbench.domain.session.forgetting import first_unvouched
from workbench.domain.shared import events as shared_events
from workbench.planning.memory.remembering import Said
from workbench.settings import find_settings
from workbench.sharing.shared_context import SharedContextManager
from workbench.sharing.snapshot import Snapshot
from workbench.storage.files.workspace import open_workspace

SECRET = "sk-4711-of-the-billing"  # a text of no worth
CHANGING = {"write", "datasync", "truncate", "link", "replace", "unlink", "sync_folder"}


def opened(folder: Path, files: FaultyFiles | None = None) -> Workspace:
    environ = {"WORKBENCH_CONFIG": str(folder / "none.toml")}
    settings = find_settings(folder, options={}, environ=environ)
    workspace = open_workspace(folder, files=files)
    return Workspace(Parts(workspace, workspace, TrustedModels(workspace, settings, {}, environ), None, environ))


@pytest.fixture
def workspace(tmp_path: Path) -> tuple[Path, str]:
    """A folder in which one session says it, another quoted it, and caches and the trash hold copies; and the item."""
    folder = tmp_path / "begun"
    folder.mkdir()
    here = opened(folder)
    session = here.start("Keep the keys").session_id
    (item,) = here.session(session).remember([Said(f"The key is {SECRET}")])
    asking = here.start("Sell lamps").session_id
    found = here.session(asking).recall("the key of the billing", 5, reason="to test").found
    assert any(SECRET in one.text for one in found)
    here.sessions()
    source = here.folder.sessions / f"{session}.jsonl"
    (here.folder.root / "trash" / f"{session}.torn-20260101T000000000000Z.jsonl").write_bytes(source.read_bytes())
    return folder, item


@pytest.fixture
def shared(tmp_path: Path) -> tuple[Path, str]:
    """A folder in which it stands in what sessions share: archived, in the file, shortened, and where others saw it."""
    folder = tmp_path / "begun"
    folder.mkdir()
    here = opened(folder)
    session = here.start("Keep the keys").session_id
    (item,) = here.session(session).remember([Said(f"The key is {SECRET}")])
    asking = here.start("Sell lamps").session_id
    manager = archiving(here)
    manager.update_context(session, f"sessions/{session}", {"decisions": [f"feedback: The key is {SECRET[:12]}…"]})
    manager.update_context(asking, "heard", SECRET)
    for number in range(20):
        manager.update_context(session, f"key {number % 3}", [number, "x" * 200])
    manager.update_context(session, "key", {SECRET: 1})
    Snapshot(here.folder.shared / "shared_context.json").keep(manager.state(), "e")
    entry = manager.state().entry("key")
    seen = SharedValue(key="key", value=entry.value, version=1, session=str(session), time=entry.time)
    here.session(asking).log().record_given([SharedObserved(changes=(seen,))], actor="workbench")
    archives = sorted((here.folder.shared / "archive").iterdir())
    assert len(archives) > 1
    assert SECRET in archives[0].read_text() or SECRET in archives[1].read_text()
    (archives[0].parent / "events-1-2.jsonl").write_bytes(archives[0].read_bytes())
    (archives[0].parent / ".events-1-2.jsonl.0123456789ab.new").write_bytes(archives[0].read_bytes())
    return folder, item


def archiving(here: Workspace) -> SharedContextManager:
    """The shared context of a workspace that archives early."""
    log = here.folder.shared_log(archive_at=3000)
    return SharedContextManager(log, person="ada", workspace="w", now=lambda: "2026-11-22T08:00:00.000000Z")


def test_wherever_it_dies_nothing_shared_says_it_in_the_end(shared: tuple[Path, str], tmp_path: Path) -> None:
    begun, item = shared

    def copied(name: str) -> Path:
        return Path(shutil.copytree(begun, tmp_path / name))

    counting = FaultyFiles()
    done = opened(copied("count"), counting).session(item.split(":")[1]).forget(item, SECRET, everywhere=True)
    assert [one.forgotten for one in (*done.shared, *done.quoted)] == [True, True, True], done
    steps = [index for index, name in enumerate(counting.calls) if name in CHANGING]
    for index in steps:
        folder = copied(str(index))
        with pytest.raises(Died):
            opened(folder, FaultyFiles(index, Died)).session(item.split(":")[1]).forget(item, SECRET, everywhere=True)
        again = opened(folder)
        events = list(again.folder.shared_log().read("events"))
        assert [event.seq for event in events][:23] == list(range(1, 24)), counting.calls[index]
        again.session(item.split(":")[1]).forget(item, SECRET, everywhere=True)
        left = [path for path in folder.rglob("*") if path.is_file() and SECRET[:12].encode() in path.read_bytes()]
        assert left == [], counting.calls[index]
        events = list(again.folder.shared_log().read("events"))
        assert first_unvouched(events, shared_events.FORGOTTEN, shared_events.content) is None
        assert archiving(again).update_context("someone", "later", 1).outcome == "committed"


def test_wherever_it_dies_doing_it_again_leaves_no_copy(workspace: tuple[Path, str], tmp_path: Path) -> None:
    begun, item = workspace
    session = item.split(":")[1]

    def copied(name: str) -> Path:
        return Path(shutil.copytree(begun, tmp_path / name))

    counting = FaultyFiles()
    done = opened(copied("count"), counting).session(session).forget(item, everywhere=True)
    assert [one.forgotten for one in done.quoted] == [True], done
    steps = [index for index, name in enumerate(counting.calls) if name in CHANGING]
    assert len(steps) > 8
    for index in steps:
        folder = copied(str(index))
        files = FaultyFiles(index, Died)
        with pytest.raises(Died):
            opened(folder, files).session(session).forget(item, everywhere=True)
        again = opened(folder)
        seqs = {one: [event.seq for event in again.session(one).events()] for one in again.log.streams()}
        assert all(found == list(range(1, len(found) + 1)) and len(found) >= 2 for found in seqs.values())
        again.session(session).forget(item, everywhere=True)
        left = [path for path in folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
        assert left == [], counting.calls[index]
        assert all(first_unvouched(again.session(one).events()) is None for one in again.log.streams())
