"""Files that a person names: in the project, text, nobody's secret; else one clear sentence, and nothing is read."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from workbench.domain.errors import UsageError
from workbench.planning.sources.project_files import (
    MOST_BYTES,
    MOST_FILES,
    MOST_OF_A_FILE,
    PASSAGE,
    ProjectFiles,
)

ROUNDS = 600
"""Readings while links are swapped."""
NOTES = "# Budget\n\nAt most 30,000 EUR.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    (folder / ".workbench" / "sessions").mkdir(parents=True)
    (folder / ".workbench" / "sessions" / "a.jsonl").write_text("{}")
    (folder / "docs" / "budget.md").write_text(NOTES)
    (folder / "docs" / "dates.md").write_text("# Dates\n")
    (folder / "main.py").write_text("import os\n\n\ndef main():\n    pass\n\n\nclass Plan:\n    pass\n")
    (tmp_path / "outside.md").write_text("Nobody's business.")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def files(project: Path) -> ProjectFiles:
    return ProjectFiles(project)


def why(files: ProjectFiles, name: str) -> str:
    """Why a name is not read, and that nothing of it is."""
    (read,) = files.named([name])
    assert (read.text, read.sha256) == ("", "")
    return read.why_not


def paths(files: ProjectFiles, *names: str) -> list[str]:
    return [one.path for one in files.named(names) if not one.why_not]


# --- what is read -----------------------------------------------------------------------------------------------------


def test_a_file_is_read_with_its_lines_numbers_and_hash(files: ProjectFiles) -> None:
    (read,) = files.named(["docs/budget.md"])
    assert (read.path, read.first, read.last, read.lines, read.size) == ("docs/budget.md", 1, 3, 3, len(NOTES))
    assert read.sha256 == sha256(NOTES.encode()).hexdigest()
    assert read.text == "1\t# Budget\n2\t\n3\tAt most 30,000 EUR."


@pytest.mark.parametrize(
    "name", ["budget.md", "./budget.md", "../docs/budget.md", "docs/budget.md", "{project}/docs/budget.md"]
)
def test_a_path_is_of_where_the_person_stands_else_of_the_project(
    files: ProjectFiles, project: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(project / "docs")
    assert paths(files, name.format(project=project)) == ["docs/budget.md"]


def test_a_long_file_is_read_in_passages_up_to_a_limit(files: ProjectFiles, project: Path) -> None:
    (project / "long.txt").write_text("".join(f"Line {number} of a long file.\n" for number in range(1, 9_001)))
    read = files.named(["long.txt"])
    assert all(len(one.text) <= PASSAGE for one in read)
    assert sum(len(one.text) for one in read) <= MOST_OF_A_FILE
    assert [one.first for one in read[1:]] == [one.last + 1 for one in read[:-1]]
    assert {one.lines for one in read} == {9_000}
    assert read[-1].last < 9_000


# --- what is not ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nope.md", "there is no such file."),
        ("../outside.md", "it is outside of the project."),
        ("/etc/passwd", "it is outside of the project."),
        ("../../../../../../etc/passwd", "it is outside of the project."),
        ("leads-out.md", "it is a link that leads out of the project."),
        ("out/outside.md", "it is a link that leads out of the project."),
        ("dangling.md", "it is a link that leads out of the project."),
        ("loop.md", ""),
        ("picture.png", "it is no text (UTF-8)."),
        ("latin.txt", "it is no text (UTF-8)."),
        ("empty.md", "it is empty."),
        ("huge.log", "it has 104,857,600 bytes; 1,000,000 are the most."),
        (".env", "by its name it holds keys or passwords."),
        ("docs/.env.local", "by its name it holds keys or passwords."),
        ("id_ed25519", "by its name it holds keys or passwords."),
        ("server.pem", "by its name it holds keys or passwords."),
        ("harmless.txt", "line 1 looks like a private key."),
        ("linked-secret.md", "by its name it holds keys or passwords."),
        (".workbench/sessions/a.jsonl", "it belongs to the workbench, or to Git."),
        (".workbench", "it belongs to the workbench, or to Git."),
        ("pipe", "it is not a regular file."),
        ("null\0byte", "there is no such file."),
        ("*.zip", "no file of the project has such a name."),
        ("hollow", "there is no file in it."),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_not_read_says_why_in_a_sentence(files: ProjectFiles, project: Path, name: str, reason: str) -> None:
    (project / "leads-out.md").symlink_to(project.parent / "outside.md")
    (project / "out").symlink_to(project.parent, target_is_directory=True)
    (project / "dangling.md").symlink_to("/nowhere/at/all")
    (project / "loop.md").symlink_to("loop.md")
    (project / "linked-secret.md").symlink_to(".env")
    (project / "picture.png").write_bytes(b"\x89PNG\0\1\2")
    (project / "latin.txt").write_bytes("Grüße".encode("latin-1"))
    (project / "empty.md").write_text(" \n")
    with (project / "huge.log").open("wb") as huge:
        huge.truncate(100 << 20)
    for secret in (".env", "docs/.env.local", "id_ed25519", "server.pem"):
        (project / secret).write_text("KEY=1")
    (project / "harmless.txt").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n")
    (project / "hollow").mkdir()
    os.mkfifo(project / "pipe")
    if name:
        assert why(files, name).startswith(reason)
        assert "\n" not in why(files, name)
        with pytest.raises(UsageError, match="is not read: "):
            files.required(["main.py", name])
    else:
        assert not [one for one in files.named([name]) if one.sha256 and one.lines], "a folder at most"


def test_a_file_that_grew_meanwhile_is_bounded(files: ProjectFiles, project: Path) -> None:
    (project / "edge.txt").write_bytes(b"x" * (MOST_BYTES + 1))
    assert "1,000,001 bytes" in why(files, "edge.txt")
    (project / "edge.txt").write_bytes(b"x" * MOST_BYTES)
    assert paths(files, "edge.txt") == ["edge.txt"]


# --- .gitignore -------------------------------------------------------------------------------------------------------


def test_what_gitignore_leaves_out_is_read_in_no_way(files: ProjectFiles, project: Path) -> None:
    (project / ".gitignore").write_text("*.log\nbuild/\n!keep.log\n\\\n")
    (project / "docs" / ".gitignore").write_text("draft*\n!draft-final.md\n")
    (project / "build").mkdir()
    for name in ("a.log", "keep.log", "build/keep.log", "docs/draft-1.md", "docs/draft-final.md"):
        (project / name).write_text("text")
    assert why(files, "a.log") == "it is left out by .gitignore."
    assert why(files, "build/keep.log") == "it is left out by .gitignore."
    assert why(files, "build") == "it is left out by .gitignore."
    assert why(files, "docs/draft-1.md") == "it is left out by .gitignore."
    assert paths(files, "keep.log", "docs/draft-final.md") == ["keep.log", "docs/draft-final.md"]
    assert paths(files, "**/*.log") == ["keep.log"]
    (whole,) = files.named(["."])
    assert "build" not in whole.text
    assert "draft-1" not in whole.text


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/a/" * 40 + "b", "**/" * 100 + "b"], ids=["stars", "folders", "both"]
)
def test_a_hostile_gitignore_takes_no_time(files: ProjectFiles, project: Path, pattern: str) -> None:
    (project / ".gitignore").write_text(f"{pattern}\n*.log\n")
    name = "a/" * 60 + "a" * 200
    (project / name).parent.mkdir(parents=True)
    (project / name).write_text("text")
    began = time.process_time()
    assert paths(files, name) == [f"{name[:199]}…"]
    assert files.named(["."])
    assert time.process_time() - began < 5


@pytest.mark.parametrize("lines", [["*.log", *(f"/a{n}" for n in range(34_000))], ["# long\n" * 60_000, "*.log"]])
def test_a_folder_with_too_much_to_ignore_is_left_out_and_said(project: Path, lines: list[str]) -> None:
    (project / "docs" / ".gitignore").write_text("\n".join(lines))
    files = ProjectFiles(project)
    began = time.process_time()
    why_not = "docs/.gitignore has more patterns than can be matched quickly."
    assert [why(files, name) for name in ("docs/budget.md", "docs/dates.md", "docs")] == [why_not] * 3
    searched = [one for (one, *_) in files.searched()]
    assert [(one.path, one.why_not) for one in searched] == [("main.py", ""), ("docs", why_not)]
    assert paths(files, "main.py", "docs/*.md") == ["main.py"]
    assert time.process_time() - began < 2


def test_nested_gitignores_are_bounded_together(files: ProjectFiles, project: Path) -> None:
    at = project
    for _ in range(10):
        at /= "a"
        at.mkdir()
        (at / ".gitignore").write_text("\n".join(f"*{'b' * 60}{n}" for n in range(60)))
        (at / "x.md").write_text("text")
    read = {one.path: one.why_not for (one, *_) in files.searched()}
    assert read["a/x.md"] == ""
    assert [path for path, why_not in read.items() if "more patterns" in why_not] == ["a/a/a/a/a/a"]


@pytest.fixture
def own_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the person's own configuration of Git."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    (tmp_path / "home").mkdir()
    (tmp_path / "config" / "git").mkdir(parents=True)
    return tmp_path / "config" / "git"


@pytest.mark.parametrize(
    ("config", "at"),
    [
        ("", "config/git/ignore"),
        ("[core]\n\texcludesFile = ~/mine ; a remark\n", "home/mine"),
        ('[user]\nexcludesfile = no\n[Core]\nEXCLUDESFILE="{tmp}/x#y"\n[core "other"]\nexcludesfile = no\n', "x#y"),
        ("[core] excludesfile = {tmp}/y\n", "y"),
    ],
)
def test_what_a_person_ignores_everywhere_is_left_out(
    project: Path, own_git: Path, tmp_path: Path, config: str, at: str
) -> None:
    (own_git / "config").write_text(config.format(tmp=tmp_path))
    (tmp_path / at).write_text("dates.md\n")
    files = ProjectFiles(project)
    assert why(files, "docs/dates.md") == "it is left out by your own ignore file of Git."
    assert paths(files, "docs/budget.md") == ["docs/budget.md"]


def test_what_git_excludes_here_is_left_out_and_nothing_else_brings_it_back(project: Path, own_git: Path) -> None:
    (project / ".git" / "info").mkdir(parents=True)
    (project / ".git" / "info" / "exclude").write_text("dates.md\n!budget.md\n")
    (project / ".gitignore").write_text("!*\n!.env\n!dates.md\n")
    (own_git / "ignore").write_text("budget.md\n!.env\n")
    (project / ".env").write_text("KEY=1")
    files = ProjectFiles(project)
    assert why(files, "docs/dates.md") == "it is left out by .git/info/exclude."
    assert why(files, "docs/budget.md") == "it is left out by your own ignore file of Git."
    assert why(files, ".env") == "by its name it holds keys or passwords."


@pytest.mark.parametrize("link", [".git", ".git/info", ".git/info/exclude"])
def test_no_link_leads_to_what_git_excludes(project: Path, link: str) -> None:
    (project.parent / "elsewhere" / "info").mkdir(parents=True)
    (project.parent / "elsewhere" / "info" / "exclude").write_text("*.md\n")
    (project / link).parent.mkdir(parents=True, exist_ok=True)
    (project / link).symlink_to(project.parent / "elsewhere" / link.removeprefix(".git").strip("/"))
    assert paths(ProjectFiles(project), "docs/budget.md") == ["docs/budget.md"]


@pytest.mark.parametrize("pattern", ["!*", "!.env", "!/docs/secrets/", "!**", "!docs/**"])
@pytest.mark.parametrize("where", [".gitignore", ".git/info/exclude", "docs/.gitignore"])
def test_no_pattern_brings_back_a_secret(project: Path, pattern: str, where: str) -> None:
    (project / where).parent.mkdir(parents=True, exist_ok=True)
    (project / where).write_text(f"{pattern}\n")
    (project / "docs" / "secrets").mkdir()
    for name in (".env", "docs/.env", "docs/secrets/notes.md"):
        (project / name).write_text("harbour")
    files = ProjectFiles(project)
    assert all("keys or passwords" in why(files, name) for name in (".env", "docs/.env", "docs/secrets/notes.md"))
    assert "harbour" not in str(list(files.searched()))


@pytest.mark.parametrize("name", ["mirror.git/config", "mirror.git/hooks/x", "module/.git", "module/.GIT"])
def test_what_belongs_to_git_is_read_nowhere(files: ProjectFiles, project: Path, name: str) -> None:
    for folder in ("mirror.git/objects", "mirror.git/refs", "mirror.git/hooks", "module"):
        (project / folder).mkdir(parents=True)
    (project / "mirror.git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / name).write_text("harbour")
    assert why(files, name) == "it belongs to the workbench, or to Git."
    assert "harbour" not in str(list(files.searched()))
    assert name not in str(files.named(["."]))


# --- what is changed while it is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("swapped", ["docs/budget.md", "docs"])
def test_a_link_that_is_swapped_in_before_a_file_is_opened_is_not_followed(
    files: ProjectFiles, project: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    (project.parent / "budget.md").write_text("Nobody's business.")
    resolve = Path.resolve

    def resolved(path: Path, strict: bool = False) -> Path:
        real = resolve(path, strict)
        if path.name == "budget.md" and not (project / swapped).is_symlink():
            (project / swapped).rename(project / "away")
            (project / swapped).symlink_to(project.parent / ("budget.md" if swapped.endswith("md") else ""))
        return real

    monkeypatch.setattr(Path, "resolve", resolved)
    assert why(files, "docs/budget.md") == "it is a link that leads nowhere."


def test_a_search_follows_no_link_that_is_swapped_in_behind_it(files: ProjectFiles, project: Path) -> None:
    (project.parent / "dates.md").write_text("Nobody's business.")
    found = []
    for first, *_ in files.searched():
        found.append(first.path)
        if first.path == "docs/budget.md":
            (project / "docs").rename(project / "away")
            (project / "docs").symlink_to(project.parent, target_is_directory=True)
    assert found == ["main.py", "docs/budget.md"]


SWAPPING = """
import os, select, sys
place, target = sys.argv[1:]
aside, link, swaps = place + ".aside", place + ".link", 0
while not select.select([sys.stdin], [], [], 0)[0]:
    os.symlink(target, link)
    os.rename(place, aside)
    os.rename(link, place)
    os.unlink(place)
    os.rename(aside, place)
    swaps += 1
print(swaps)
"""


@pytest.mark.parametrize("swapped", ["docs/budget.md", "docs"])
def test_nothing_outside_is_read_while_links_are_swapped(project: Path, swapped: str) -> None:
    """A process swaps a file, or its folder, for a link out of the project and back, as fast as it can."""
    (project.parent / "budget.md").write_text("Nobody's business.")
    target = project.parent / ("budget.md" if swapped.endswith("md") else "")
    command = [sys.executable, "-c", SWAPPING, str(project / swapped), str(target)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as swapping:
        try:
            files, read = ProjectFiles(project), ""
            for number in range(ROUNDS):
                read += str(files.named(["docs/budget.md"]))
                if number % 50 == 0:
                    read += str((files.named(["docs/*.md", "docs"]), list(files.searched())))
        finally:
            swaps, _ = swapping.communicate(b"end")
    assert int(swaps) > 0
    assert "30,000 EUR" in read
    assert "Nobody's business." not in read


# --- patterns and folders ---------------------------------------------------------------------------------------------


def test_a_pattern_names_so_many_files(files: ProjectFiles, project: Path) -> None:
    for number in range(MOST_FILES + 2):
        (project / f"n{number:03}.txt").write_text("text")
    read = files.named(["*.txt"])
    assert len([one for one in read if not one.why_not]) == MOST_FILES
    assert read[-1].why_not == f"{MOST_FILES + 2} files have such names; the first {MOST_FILES} were read."


def test_a_pattern_follows_no_link_out_of_the_project(files: ProjectFiles, project: Path) -> None:
    (project / "docs" / "out").symlink_to(project.parent, target_is_directory=True)
    (project / "docs" / "out.md").symlink_to(project.parent / "outside.md")
    read = {one.path: one.why_not for one in files.named(["docs/**"])}
    assert {path for path, why_not in read.items() if not why_not} == {"docs/budget.md", "docs/dates.md"}
    assert "Nobody's business." not in str(files.named(["docs/**", ".", "docs"]))
