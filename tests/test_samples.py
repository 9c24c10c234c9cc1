"""The sample sessions in ``sessions/`` and the programs in README are true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sample_sessions import make
from tinydb import TinyDB, where
from workbench.domain.log import rules
from workbench.domain.log.envelope import Head, first_broken_link, genesis
from workbench.domain.plan.changing.operations import RemoveItem
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.domain.session.events import Unknown, content
from workbench.domain.session.session import fold
from workbench.replay.course import course
from workbench.storage.codec import first_garbled
from workbench.storage.files.session_file import read_session_file
from workbench.storage.tinydb import JournalStorage

ROOT = Path(__file__).parent.parent
SAMPLES = sorted((ROOT / "sessions").glob("*.jsonl"))
ORIGIN, FORK = (ROOT / "sessions" / f"run-city-trees-{ending}.jsonl" for ending in ("demo", "fork"))


def test_the_header_in_the_page_about_the_format_has_its_checksum() -> None:
    header = re.search(r'\{"crc":.*"epoch":"e"\}', (ROOT / "docs" / "format.md").read_text())
    assert header is not None
    assert first_garbled([header[0].encode()]) is None


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_is_whole_and_tells_its_course(sample: Path) -> None:
    events = list(read_session_file(sample))
    assert first_broken_link(events, Head("sample", 0, genesis(sample.stem))) is None
    assert sample.stat().st_size < 1_700_000
    state = fold(events)
    assert state.finished is not None
    assert state.finished.outcome == "saved"
    assert not any(isinstance(content(event), Unknown) for event in in_full(events))
    assert len(list(course(events))) == len(events)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_is_a_tinydb_database(sample: Path) -> None:
    with TinyDB(sample, storage=JournalStorage) as database:
        replies = database.table("events").search(where("kind") == "call.finished")
    assert replies
    assert all(reply["body"]["text"] for reply in replies)


def test_the_samples_are_made_by_the_product(tmp_path: Path, full_counts: bool) -> None:
    """Where it fails, `python -m tests.sample_sessions` makes them again (docs/architecture.md says when)."""
    make(tmp_path / "once")
    made = {path.name: path.read_bytes() for path in (tmp_path / "once").glob("*.jsonl")}
    if full_counts:
        make(tmp_path / "twice")
        assert made == {path.name: path.read_bytes() for path in (tmp_path / "twice").glob("*.jsonl")}
    assert {name: outline(tmp_path / "once" / name) for name in made} == {path.name: outline(path) for path in SAMPLES}


def outline(file: Path) -> list[tuple[str, str, str, str]]:
    """What happened and why; bodies gain fields, and their scores depend on the machine's arithmetic."""
    return [(event.id, event.kind, event.origin, event.cause) for event in read_session_file(file)]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_is_of_the_current_rules(sample: Path) -> None:
    assert fold(read_session_file(sample)).rules == (rules.CURRENT,)


def test_the_big_one_has_all_that_a_session_can_have() -> None:
    events = list(read_session_file(FORK))
    bodies = [content(event) for event in in_full(events)]
    made_by_programs = {
        say.CallRetried, say.CallNoted, say.CallFailed, say.IterationStored, say.ProposalGiven, say.ReplyRejected,
        say.ReplyMended,
    }  # fmt: skip
    elsewhere = {
        say.ContentForgotten, say.DayBegun, say.FileRead, say.LessonsGiven, say.PracticeGiven, say.PrivacyChanged,
        say.SessionRenamed, say.SessionReopened, say.StatusReported, say.ResearchSwitched, say.GapsResearched,
        say.ToolsOffered, say.ToolAsked, say.ToolStarted, say.ToolReturned, say.ConsentLapsed, say.FactsRead,
        say.PlanSubmitted, say.PlanSeen, say.NoteWritten, say.SubmissionDecided, say.AnswerDelivered,
        say.BeginGiven, say.FindingDisputed, say.ItemsWanted, say.FeedbackGiven, say.CheckpointWanted,
        say.ChangesOffered, say.OfferDecided, say.ClientSaid,
    }  # fmt: skip
    assert len(events) >= 300
    assert set(say.KINDS.values()) - {type(body) for body in bodies} <= made_by_programs | elsewhere
    state = fold(events)
    assert len({agent.id for agent in state.agents}) == 2
    assert {one.redo for one in bodies if isinstance(one, say.SessionRewound)} == {False, True}
    assert {one.answer.kind for one in bodies if isinstance(one, say.GateAnswered)} >= {"choose", "feedback", "edit"}
    assert any(one.answer.notes for one in bodies if isinstance(one, say.GateAnswered))
    assert "tokens" in {one.gate.reason for one in bodies if isinstance(one, say.GateOpened)}
    assert all(worker.report is not None and worker.report.is_complete for worker in state.workers)
    assert any(found.session != state.session for search in state.searches for found in search.found)
    assert {key: seen.version for key, seen in state.shared.values.items()} == {"hall": 1, "budget": 3}


def test_in_the_big_one_everything_that_was_said_is_accounted_for() -> None:
    events = list(read_session_file(FORK))
    bodies = [content(event) for event in in_full(events)]
    state = fold(events)
    accounts = {one.statement.id: one for one in state.accounts_in(state.plan)}
    assert {one.state for one in accounts.values()} == {"used", "answered", "dismissed"}
    assert [(part.part, part.by) for part in accounts["U1"].replaced] == [("at most 60,000 EUR", "U6")]
    changed = [one for one in bodies if isinstance(one, say.PlanChanged)]
    assert "declined" in {settled.state for one in changed for settled in one.settled}
    assert ("Q1", "statement") in {
        (change.operation.item, change.cause.kind)
        for one in changed
        for change in one.changes
        if isinstance(change.operation, RemoveItem)
    }
    assert {change.cause.kind for one in changed for change in one.changes} >= {"statement", "finding", "calculated"}
    assert any(finding.disputed for finding in state.findings)
    assert [one.task for one in bodies if isinstance(one, say.CallStarted) and one.task in ("execute", "generate")] == [
        "execute",
        "execute",
        "generate",
    ]
    assert not any(isinstance(one, say.ReplyMended | say.ReplyRejected) for one in bodies)


def test_the_big_one_is_a_fork_of_one_that_ships_too() -> None:
    origin, events = list(read_session_file(ORIGIN)), list(read_session_file(FORK))
    forked = fold(events).forked
    assert forked is not None
    assert forked.origin == ORIGIN.stem
    assert [(event.id, event.body) for event in events[: forked.at]] == [
        (event.id, event.body) for event in origin[: forked.at]
    ]
    assert forked.hash == origin[forked.at - 1].hash


@pytest.mark.parametrize("number", [0, 1])
def test_the_programs_in_the_readme_run(number: int, tmp_path: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "sessions").symlink_to(ROOT / "sessions")
    done = subprocess.run(
        [sys.executable, "-c", programs[number]], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
