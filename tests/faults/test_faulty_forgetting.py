"""A process that dies at each step of forgetting: whatever was done by then, doing it again ends with no copy left."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.faults.faulty_files import Died, FaultyFiles
from workbench import Workspace
from workbench.domain.forgetting import first_unvouched
from workbench.planning.remembering import Said
from workbench.settings import find_settings
from workbench.storage.workspace import open_workspace

SECRET = "sk-4711-of-the-billing"  # a text of no worth
CHANGING = {"write", "datasync", "truncate", "link", "replace", "unlink", "sync_folder"}


def opened(folder: Path, files: FaultyFiles | None = None) -> Workspace:
    environ = {"WORKBENCH_CONFIG": str(folder / "none.toml")}
    settings = find_settings(folder, options={}, environ=environ)
    return Workspace(open_workspace(folder, files=files), settings, environ=environ, clock=None)


@pytest.fixture
def workspace(tmp_path: Path) -> tuple[Path, str]:
    """A folder in which one session says it, another quoted it, and caches and the trash hold copies; and the item."""
    folder = tmp_path / "begun"
    folder.mkdir()
    here = opened(folder)
    session = here.start("Keep the keys").session_id
    (item,) = here.remember(session, [Said(f"The key is {SECRET}")])
    asking = here.start("Sell lamps").session_id
    found = here.search_across("the key of the billing", 5, asking=asking, reason="to test").found
    assert any(SECRET in one.text for one in found)
    here.sessions()
    source = here.folder.sessions / f"{session}.jsonl"
    (here.folder.root / "trash" / f"{session}.torn-20260101T000000000000Z.jsonl").write_bytes(source.read_bytes())
    return folder, item


def test_wherever_it_dies_doing_it_again_leaves_no_copy(workspace: tuple[Path, str], tmp_path: Path) -> None:
    begun, item = workspace
    session = item.split(":")[1]

    def copied(name: str) -> Path:
        return Path(shutil.copytree(begun, tmp_path / name))

    counting = FaultyFiles()
    done = opened(copied("count"), counting).forget(session, item, everywhere=True)
    assert [one.forgotten for one in done.quoted] == [True], done
    steps = [index for index, name in enumerate(counting.calls) if name in CHANGING]
    assert len(steps) > 8
    for index in steps:
        folder = copied(str(index))
        files = FaultyFiles(index, Died)
        with pytest.raises(Died):
            opened(folder, files).forget(session, item, everywhere=True)
        again = opened(folder)
        seqs = {one: [event.seq for event in again.events(one)] for one in again.log.streams()}
        assert all(found == list(range(1, len(found) + 1)) and len(found) >= 2 for found in seqs.values())
        again.forget(session, item, everywhere=True)
        left = [path for path in folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
        assert left == [], counting.calls[index]
        assert all(first_unvouched(again.events(one)) is None for one in again.log.streams())
