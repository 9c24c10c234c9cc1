"""``workbench audit``: a line for each session, violations with rule, event and detail, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
from tests.builders import as_draft, as_in_full
from tests.cli.conftest import GOAL, Command
from workbench import Workspace
from workbench.bootstrap import sample_sessions
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.replay.audit import RULES

SAMPLES = tuple(sample_sessions())
SECRET = "Nobody but the other agent has ever said this, word for word, in all of the session"


def plant(session: str) -> Event:
    """Put a message into the last prompt that the ledger does not name, in the file itself, sealed anew."""
    workspace = Workspace.open()
    events = as_in_full(list(workspace.session(session).events()))
    last = [event for event in events if event.kind == "call.started"][-1]
    call = say.content(last)
    assert isinstance(call, say.CallStarted)
    messages = (*call.messages[:-1], Message(role="user", content=SECRET), call.messages[-1])
    body = msgspec.Raw(msgspec.json.encode(msgspec.structs.replace(call, messages=messages)))
    drafts = [as_draft(event) for event in events]
    drafts[last.seq - 1] = msgspec.structs.replace(drafts[last.seq - 1], body=body)
    workspace.session(session).delete()
    workspace.log.append(session, drafts, expected=0)
    return last


def test_a_session_that_holds_to_the_rules(workbench: Command, finished: str) -> None:
    result = workbench("audit", finished)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{finished}  ok · ")
    assert " calls, " in result.out
    [line] = workbench("audit", finished, "--json").lines
    assert (line["schema"], line["session"], line["ok"], line["violations"]) == (
        "workbench.audit/1",
        finished,
        True,
        [],
    )
    assert line["calls"] == line["checked_in_full"] == 5


def test_what_was_planted_in_the_file_is_told_and_makes_the_exit_code_1(workbench: Command, finished: str) -> None:
    last = plant(finished)
    result = workbench("audit", finished, "--json")
    assert result.code == 1
    [line] = result.lines
    assert line["ok"] is False
    assert {(one["rule"], one["event"]) for one in line["violations"]} == {
        ("prompt.hash", last.id),
        ("prompt.message", last.id),
        ("ledger.estimate", last.id),
    }
    assert all(one["detail"] for one in line["violations"])
    told = workbench("audit", finished)
    assert told.code == 1
    assert f"{finished}  3 violations" in told.out
    assert f"prompt.message    {last.id}  " in told.out
    found = Workspace.open().session(finished).audit()
    assert (found.ok, len(found.violations)) == (False, 3)


def test_all_sessions_and_those_that_ship(workbench: Command, finished: str) -> None:
    private = workbench("run", f"{GOAL}, in private", "--private", "--approve", "all", "--json").last["session"]
    result = workbench("audit", "--all", "--json")
    assert result.code == 0, result.out
    assert {line["session"] for line in result.lines} == {finished, private, *SAMPLES}
    plant(finished)
    assert workbench("audit", "--all").code == 1


def test_a_file_anywhere_and_a_sample_by_its_name(workbench: Command, tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "sessions" / f"{SAMPLES[0]}.jsonl"
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(sample.read_bytes())
    for name in (str(copy), SAMPLES[0]):
        result = workbench("audit", name)
        assert result.code == 0, result.err
        assert "  ok · 9 calls, " in result.out
    assert workbench("audit", "--all").code == 0
    assert not (tmp_path / ".workbench").exists()


def test_what_cannot_be_read_is_named_and_makes_the_exit_code_1(workbench: Command, finished: str) -> None:
    folder = Path(".workbench/sessions")
    (folder / "broken-x2x2.jsonl").write_text("garbage\n")
    told = workbench("audit", "--all")
    assert told.code == 1
    assert "broken-x2x2  unreadable · " in told.out
    assert f"{finished}  ok" in told.out
    lines = workbench("audit", "--all", "--json").lines
    [line] = [line for line in lines if line["session"] == "broken-x2x2"]
    assert (line["ok"], line["violations"]) == (False, [])
    assert "damaged" in line["error"]
    assert workbench("audit", str(folder / "broken-x2x2.jsonl")).code == 1


def test_the_rules_are_printed_and_written_down(workbench: Command) -> None:
    told = workbench("audit", "--rules")
    assert told.code == 0
    written = (Path(__file__).parents[2] / "docs" / "audit.md").read_text()
    for rule, text in RULES.items():
        assert f"{rule}\t{text}" in told.out
        assert f"| `{rule}` | {text} |" in written
    lines = [json.loads(line) for line in workbench("audit", "--rules", "--json").out.splitlines()]
    assert {line["rule"]: line["text"] for line in lines} == RULES
