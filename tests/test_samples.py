"""The sample sessions in ``sessions/`` and the programs in README are true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sample_sessions import make
from tinydb import TinyDB, where
from workbench.domain.envelope import Head, first_broken_link, genesis
from workbench.domain.events import Unknown, content
from workbench.domain.session import fold
from workbench.replay.course import course
from workbench.storage.session_file import read_session_file
from workbench.storage.tinydb_session import JournalStorage

ROOT = Path(__file__).parent.parent
SAMPLES = sorted((ROOT / "sessions").glob("*.jsonl"))


def test_there_are_three() -> None:
    assert len(SAMPLES) == 3


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_is_whole_and_tells_its_course(sample: Path) -> None:
    events = list(read_session_file(sample))
    assert first_broken_link(events, Head("sample", 0, genesis(sample.stem))) is None
    state = fold(events)
    assert state.finished is not None
    assert state.finished.outcome == "saved"
    assert not any(isinstance(content(event), Unknown) for event in events)
    assert len(list(course(events))) == len(events)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_is_a_tinydb_database(sample: Path) -> None:
    with TinyDB(sample, storage=JournalStorage, access_mode="r") as database:
        replies = database.table("events").search(where("kind") == "call.finished")
    assert replies
    assert all(reply["body"]["text"] for reply in replies)


def test_the_samples_are_made_by_the_product(tmp_path: Path) -> None:
    """Today's product still makes sessions of these ids that end well; twice the same bytes."""
    make(tmp_path / "once")
    make(tmp_path / "twice")
    made = {path.name: path.read_bytes() for path in (tmp_path / "once").glob("*.jsonl")}
    assert set(made) == {path.name for path in SAMPLES}
    assert made == {path.name: path.read_bytes() for path in (tmp_path / "twice").glob("*.jsonl")}


@pytest.mark.parametrize("number", [0, 1])
def test_the_programs_in_the_readme_run(number: int, tmp_path: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "sessions").symlink_to(ROOT / "sessions")
    done = subprocess.run(
        [sys.executable, "-c", programs[number]], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
