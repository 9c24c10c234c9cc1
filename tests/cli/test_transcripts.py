"""``workbench sessions import`` of what Claude Code and Codex keep: synthetic lines in their shape of 2026."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from workbench import Workspace

KEY = "AKIA" + "Q3EGRTBXIWMTNKYS"
ENV = "<environment_context>\n<cwd>/home/ana/shop</cwd>\n</environment_context>"


def claude(kind: str, content: object, **more: Any) -> dict[str, Any]:
    named = {"uuid": "u1", "parentUuid": None, "sessionId": "3f2a", "cwd": "/home/ana/shop", "version": "2.1.230"}
    said = {"role": kind, "content": content}
    return named | {"type": kind, "timestamp": "2026-11-02T09:30:00.123Z", "message": said} | more


def codex(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return {"timestamp": "2026-11-02T09:30:05.101Z", "type": "response_item", "payload": payload}


CLAUDE = [
    {"type": "summary", "summary": "Billing", "leafUuid": "u9"},
    {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
    claude("user", "Caveat: these are local commands", isMeta=True),
    claude("user", "<command-name>/clear</command-name>\n<command-args></command-args>"),
    claude("user", "Move the invoices to the new provider\nbefore June"),
    claude("assistant", [{"type": "thinking", "thinking": "secretly", "signature": "x"}]),
    claude("assistant", [{"type": "text", "text": "I read the exporter first."}, {"type": "tool_use", "name": "Read"}]),
    claude("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "def export(): pass"}]),
    claude("user", [{"type": "text", "text": "Carefully<system-reminder>Be brief</system-reminder>"}]),
    claude("user", f"The key is {KEY}"),
    claude("user", "Look for exporters", isSidechain=True),
    claude("assistant", [{"type": "text", "text": "The exporter drops cents."}]),
]
CODEX = [
    {"timestamp": "2026-11-02T09:30:00.000Z", "type": "session_meta", "payload": {"id": "7f3a", "cwd": "/home/ana"}},
    codex("developer", "<permissions instructions>\nask\n</permissions instructions>"),
    codex("user", "# AGENTS.md instructions for /home/ana\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"),
    codex("user", ENV),
    {"type": "turn_context", "payload": {"model": "gpt-5-codex"}},
    codex("user", "Move the invoices to the new provider\nbefore June"),
    {"type": "event_msg", "payload": {"type": "user_message", "message": "Move the invoices to the new provider"}},
    {"type": "response_item", "payload": {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}},
    codex("assistant", "I read the exporter first."),
    {"type": "response_item", "payload": {"type": "function_call", "name": "exec_command", "arguments": "{}"}},
    codex("user", "Carefully"),
    codex("user", f"The key is {KEY}"),
    codex("assistant", "The exporter drops cents."),
]
SAID = [
    ("user", "Move the invoices to the new provider\nbefore June"),
    ("assistant", "I read the exporter first."),
    ("user", "Carefully"),
    ("assistant", "The exporter drops cents."),
]


def written(path: Path, records: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(one) + "\n" for one in records) + '{"type":"user","mess')  # it is being written
    return str(path)


@pytest.mark.parametrize(("agent", "records"), [("Claude Code", CLAUDE), ("Codex", CODEX)])
def test_what_was_said_becomes_a_session(
    workbench: Command, tmp_path: Path, agent: str, records: list[dict[str, Any]]
) -> None:
    file = written(tmp_path / "it.jsonl", records)
    imported = workbench("sessions", "import", file)
    assert f"4 new messages of a transcript ({agent}, 2026-11-02)" in imported.out
    line = 1 + next(at for at, one in enumerate(records) if KEY in json.dumps(one))
    assert f"The message of line {line} was left out: its line 1 looks like a key of AWS" in imported.err
    assert KEY not in imported.out + imported.err
    session = imported.out.partition(":")[0]
    with Workspace.open(tmp_path) as workspace:
        state = workspace.session(session).state()
        assert [(one.role, one.text) for one in state.history][1:] == SAID
        assert {one.agent for one in state.history if one.role == "assistant"} == {agent.replace(" ", "-").lower()}
    assert KEY.encode() not in (tmp_path / ".workbench/sessions" / f"{session}.jsonl").read_bytes()
    assert workbench("sessions", "import", file, "--json").last["kept"] == 0
    written(tmp_path / "it.jsonl", [*records, records[-1]])
    assert workbench("sessions", "import", file, "--json").last["kept"] == 1
    other = json.loads(json.dumps(records).replace("Carefully", "Boldly"))  # another file of the same name
    written(tmp_path / "it.jsonl", other)
    assert workbench("sessions", "import", file, "--json").last["kept"] == 1


def test_it_is_read_and_found_and_nothing_else(workbench: Command, tmp_path: Path) -> None:
    session = workbench("sessions", "import", written(tmp_path / "it.jsonl", CLAUDE), "--json").last["session"]
    assert session.startswith("move-invoices")
    own = workbench("run", "Repair the exporter", "--json").last["session"]
    found = workbench(
        "recall", "exporter drops cents", "--across", "--asking", own, "--reason", "before I begin", "--json"
    )
    assert {(one["session"], one["role"]) for one in found.lines} >= {(session, "assistant")}
    listed = next(one for one in workbench("sessions", "list", "--json").lines if one["session"] == session)
    assert (listed["status"], listed["name"]) == (
        "stopped",
        "Move the invoices to the new prov… (Claude Code, 2026-11-02)",
    )
    for refused in (
        ("resume", session, "--approve", "all"),
        ("edit", session, "S1 done"),
        ("remember", "More", "--session", session, "--entity", "notes"),
        ("rate", session, "5"),
    ):
        assert workbench(*refused).code != 0, refused
    assert "cannot be continued" in workbench("resume", session).err
    assert workbench("sessions", "rename", session, "Invoices").code == 0
    assert workbench("replay", session, "--verify").code == 0
    assert workbench("audit", session).code == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{}\n", "session"),
        (json.dumps(claude("user", f"Key {KEY}")), "no message that can be kept"),
        ("not json", "session"),
        (json.dumps([1]), "session"),
    ],
)
def test_what_is_no_transcript_says_so(workbench: Command, tmp_path: Path, content: str, why: str) -> None:
    (tmp_path / "it.jsonl").write_text(content)
    result = workbench("sessions", "import", str(tmp_path / "it.jsonl"))
    assert result.code != 0
    assert why in result.err
