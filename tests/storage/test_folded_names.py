"""On a file system that tells no capitals apart and stores names in another form, nothing is lost or read unasked."""

import unicodedata

import pytest
from tests.event_drafts import drafts
from tests.folding import fold_names
from workbench.domain.errors import InvalidId, LogDamaged, StaleHead
from workbench.domain.shared.leases import clean_lease
from workbench.planning.sources.project_files import ProjectFiles
from workbench.storage.files.workspace import open_workspace
from workbench.storage.writing import write_file

NFC, NFD = (unicodedata.normalize(form, "Übung") for form in ("NFC", "NFD"))


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder of such a file system."""
    fold_names(monkeypatch, tmp_path)
    (tmp_path / NFC).mkdir()
    assert [path.name for path in tmp_path.iterdir()] == [NFD], "stored in another form"
    assert (tmp_path / NFC.upper()).is_dir(), "found under any"
    return tmp_path


@pytest.mark.parametrize("locks", ["ofd", "flock"])
def test_a_workspace_is_the_same_under_every_form_of_its_name(root, locks, monkeypatch):
    monkeypatch.setenv("WORKBENCH_LOCKS", locks)
    log = open_workspace(root / NFC).log()
    log.append("s", drafts(1, 2), expected=0)
    for name in (NFD, NFC.upper()):
        other = open_workspace(root / name)
        assert list(other.log().streams()) == ["s"]
        other.log().append("s", drafts(3, 3), expected=None)
        with log.drive("s"):
            assert other.log().driver("s") is not None
    name = other.trash("s").name
    other.restore(name)
    assert [event.seq for event in log.read("s")] == [1, 2, 3, 4]


def test_two_sessions_never_share_a_file(root):
    log = open_workspace(root / NFC).log()
    log.append("s", drafts(1, 2), expected=0)
    with pytest.raises(InvalidId):
        log.append("S", drafts(1, 1, session="S"), expected=0)
    (log.folder / "s.jsonl").rename(log.folder / "T.JSONL")
    before = (log.folder / "T.JSONL").read_bytes()
    with pytest.raises((LogDamaged, StaleHead)):  # another session's file stands where this one's would be
        log.append("t", drafts(1, 1, session="t"), expected=0)
    assert (log.folder / "T.JSONL").read_bytes() == before


def test_an_export_replaces_no_file_of_another_spelling(root):
    write_file(root / NFC / "Plan.md", b"mine")
    with pytest.raises(FileExistsError):
        write_file(root / NFC / "plan.MD", b"other")
    assert (root / NFC / "Plan.md").read_bytes() == b"mine"


@pytest.mark.parametrize("name", ["secret plans.txt", "SECRET PLANS.TXT", "ÜBUNG.md", NFC + ".md", NFD + ".md", ".ENV"])
def test_what_is_ignored_is_not_read_under_another_spelling(root, name):
    project = root / NFC
    (project / ".gitignore").write_text(f"Secret Plans.txt\n{NFC}.md\n")
    for file in ("Secret Plans.txt", f"{NFC}.md", ".env"):
        (project / file).write_text("KEY=value")
    (told,) = ProjectFiles(project).named([name])
    assert told.why_not
    assert not told.text


@pytest.mark.parametrize("name", [f"{NFC}.md", f"{NFD}.md"])
def test_a_file_is_found_in_either_form_on_any_system(tmp_path, name):
    (tmp_path / unicodedata.normalize("NFD", f"{NFC}.md")).write_text("words")
    (told,) = ProjectFiles(tmp_path).named([name])
    assert not told.why_not


def test_a_claim_is_of_one_file_in_either_form():
    assert clean_lease("file", f"{NFC}.md") == clean_lease("file", f"{NFD}.md")
