"""What is written for a person goes through no link below a workspace's folder, and over nothing unasked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from workbench.named_files import UnusableFile
from workbench.storage.writing import make_folder, write_file


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a workspace, beside a folder that is a workspace as well."""
    for folder in ("project/.workbench", "outside/.workbench"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "outside" / "kept").write_text("mine")
    return tmp_path / "project"


@pytest.mark.parametrize("name", ["link/new", "link/kept", "link/deeper/new", ".workbench/templates/new", "file"])
@pytest.mark.parametrize("replace", [False, True])
def test_a_link_below_a_workspaces_folder_is_refused(project: Path, name: str, replace: bool) -> None:
    outside = project.parent / "outside"
    (project / "link").symlink_to(outside)
    (project / ".workbench" / "templates").symlink_to(outside)
    (project / "file").symlink_to(outside / "kept")
    for act in (
        lambda: write_file(project / name, b"x", replace=replace, is_ours=True),
        lambda: make_folder(project / name / "a", is_ours=True),
    ):
        with pytest.raises(UnusableFile, match="it is a link"):
            act()
    assert (outside / "kept").read_text() == "mine"
    assert sorted(path.name for path in outside.iterdir()) == [".workbench", "kept"]


@pytest.mark.parametrize("name", [".workbench/config.toml", "../outside/.Workbench/a/b", "link/sessions/x.jsonl"])
def test_what_is_the_workbenchs_is_not_written_for_a_person(project: Path, name: str) -> None:
    (project / "link").symlink_to(project / ".workbench")
    for act in (lambda: write_file(project / name, b"x", replace=True), lambda: make_folder(project / name)):
        with pytest.raises(UnusableFile, match="keeps what is the workbench's"):
            act()
    assert not [*(project / ".workbench").iterdir()]


def test_a_link_below_the_current_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "link").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(UnusableFile, match="it is a link"):
        write_file(Path("link/new"), b"x")


def test_a_link_elsewhere_is_a_persons_own(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to("real")
    make_folder(tmp_path / "way" / "a" / "b")
    write_file(tmp_path / "way" / "a" / "new", b"x")
    (tmp_path / "way" / "file").symlink_to("a/new")
    write_file(tmp_path / "way" / "file", b"y", replace=True)
    assert (tmp_path / "real" / "a" / "new").read_bytes() == b"y"
    assert stat.S_IMODE((tmp_path / "real" / "a" / "b").stat().st_mode) == 0o700
    write_file(Path("/dev/null"), b"y")


@pytest.mark.timeout(30)
def test_a_pipe_in_a_project_is_refused(project: Path) -> None:
    os.mkfifo(project / "pipe")
    with pytest.raises(UnusableFile, match="not a regular file"):
        write_file(project / "pipe", b"x", replace=True)


def test_nothing_is_replaced_unless_it_is_said(project: Path) -> None:
    write_file(project / "a", b"first")
    with pytest.raises(FileExistsError):
        write_file(project / "a", b"second")
    assert (project / "a").read_bytes() == b"first"
    write_file(project / "a", b"second", replace=True)
    assert (project / "a").read_bytes() == b"second"
    assert sorted(path.name for path in project.iterdir()) == [".workbench", "a"]


@pytest.mark.parametrize("replace", [False, True])
def test_what_fails_leaves_what_was_there(project: Path, replace: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if replace:
        (project / "a").write_text("before")

    def full(*_: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_file(project / "a", b"x", replace=replace)
    assert sorted(path.name for path in project.iterdir()) == [".workbench", *(["a"] if replace else [])]
