"""Plans of other programs under review, by command; and the hooks of agents as their documentation has them.

Claude Code: https://code.claude.com/docs/en/hooks (PermissionRequest, PostToolUse: exit code 0 with JSON decides, 2
denies, any other is no answer), and github.com/anthropics/claude-code/issues/74256: an approval of ExitPlanMode counts
only with the tool's input as updatedInput. Gemini CLI: https://geminicli.com/docs/hooks/reference (BeforeTool,
AfterTool), and github.com/google-gemini/gemini-cli/pull/25296: the plan is $GEMINI_PLANS_DIR/plan_filename. Looked up
on 30 November 2026, in copies of the summer and autumn of that year. Codex: https://developers.openai.com/codex/hooks,
and github.com/openai/codex, codex-rs/hooks/schema/generated/stop.command.input.schema.json, user-prompt-submit.… and
codex-rs/hooks/src/events/stop.rs (only "block" with a reason goes on; exit codes but 0 and 2 end the turn as without a
hook); github.com/umputun/revdiff/pull/268: last_assistant_message may be null, then the turn's plan stands in the
transcript. Looked up on 1 December 2026. OpenCode: https://opencode.ai/docs/commands (!`…` in a command).
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Script, begin
from tests.cli.conftest import Command
from tests.waiting import eventually
from workbench import Workspace
from workbench.bootstrap.reviews import review_of, reviews
from workbench.cli.other_programs import review_hook
from workbench.domain.errors import UsageError
from workbench.domain.review.answer import open_notes
from workbench.planning.beside_the_loop.reviewing import decide, deliver, submit, write_notes
from workbench.planning.session_log import SessionLog

PLAN = "# Move\r\n\n- Copy the data\n- Switch\x1b[31m over \u202e\n"
CLAUDE: dict[str, Any] = {
    "session_id": "abc123", "transcript_path": "/home/a/.claude/projects/x.jsonl", "cwd": "/home/a/x",
    "permission_mode": "plan", "hook_event_name": "PermissionRequest", "tool_name": "ExitPlanMode",
    "tool_input": {"plan": PLAN, "planFilePath": "/home/a/.claude/plans/x.md", "more": [1.50]},
}  # fmt: skip
GEMINI: dict[str, Any] = {
    "session_id": "g1", "transcript_path": "/t.json", "cwd": "/x", "timestamp": "2026-11-30T10:00:00Z",
    "hook_event_name": "BeforeTool", "tool_name": "exit_plan_mode", "tool_input": {"plan_filename": "plan.md"},
}  # fmt: skip
CODEX: dict[str, Any] = {
    "session_id": "0199", "turn_id": "t2", "transcript_path": None, "cwd": "/x", "hook_event_name": "Stop",
    "model": "gpt", "permission_mode": "default", "stop_hook_active": False,
    "last_assistant_message": f"Here:\n\n<proposed_plan>\n{PLAN}</proposed_plan>\n",
}  # fmt: skip
ASKED = {"claude": CLAUDE, "gemini": GEMINI, "codex": CODEX}
BEHIND = {"claude": "PostToolUse", "gemini": "AfterTool", "codex": "UserPromptSubmit"}
NOTED = (
    "A person reviewed this plan (version 1) and {} with 1 note:\n\n1. On line 3, in “Move”:\n   > - Copy the data\n"
    "   Note: Which data?\n\n{}"
)
SENT_BACK = NOTED.format("did not approve it yet,", "Change the plan by these notes, and submit the whole of it again.")
APPROVED = NOTED.format("approved it,", "Follow these notes while you carry the plan out.")
STOPPED = "A person reviewed this plan (version 1) and stopped the work on it."
Person = Callable[[SessionLog, int], object]


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[[Person], None]:
    """A person who does something as soon as a plan is submitted."""

    def acts(act: Person) -> None:
        def submitted(log: SessionLog, text: str, agent: str, *, waits: bool) -> Any:
            submission = submit(log, text, agent, waits=waits)
            act(log, submission.version)
            return submission

        monkeypatch.setattr(review_hook, "submit", submitted)

    return acts


def with_note(decision: Any) -> Person:
    def act(log: SessionLog, version: int) -> None:
        write_notes(log, version, [(3, 3, "Which data?")])
        decide(log, version, decision)

    return act


def claude(**decision: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


ALLOWED = claude(behavior="allow", updatedInput=CLAUDE["tool_input"])


@pytest.mark.parametrize(
    ("agent", "act", "printed", "has_notes_behind"),
    [
        ("claude", lambda log, v: decide(log, v, "approved"), ALLOWED, False),
        ("claude", with_note("approved"), ALLOWED, True),
        ("claude", with_note("sent back"), claude(behavior="deny", message=SENT_BACK), False),
        ("claude", lambda log, v: decide(log, v, "stopped"),
         claude(behavior="deny", message=STOPPED, interrupt=True), False),
        ("gemini", with_note("approved"), {"decision": "allow"}, True),
        ("gemini", with_note("sent back"), {"decision": "deny", "reason": SENT_BACK}, False),
        ("gemini", lambda log, v: decide(log, v, "stopped"),
         {"decision": "deny", "reason": STOPPED, "continue": False, "stopReason": STOPPED}, False),
        ("codex", lambda log, v: decide(log, v, "approved"), {}, False),
        ("codex", with_note("approved"), {}, True),
        ("codex", with_note("sent back"), {"decision": "block", "reason": SENT_BACK}, False),
        ("codex", lambda log, v: decide(log, v, "stopped"),
         {"decision": "block", "reason": STOPPED, "continue": False, "stopReason": STOPPED}, False),
    ],
)  # fmt: skip
def test_a_hook_says_what_the_person_decided(
    agent: str,
    act: Person,
    printed: dict[str, Any],
    has_notes_behind: bool,
    person: Any,
    workbench: Command,
    tmp_path: Path,
    monkeypatch: Any,
) -> None:
    (tmp_path / "plan.md").write_bytes(PLAN.encode())
    monkeypatch.setenv("GEMINI_PLANS_DIR", str(tmp_path))
    person(act)
    asked, behind = ASKED[agent], BEHIND[agent]
    answered = workbench("review", "--hook", agent, stdin=json.dumps(asked))
    assert (answered.code, json.loads(answered.out)) == (0, printed)
    after = [workbench("review", "--hook", agent, stdin=json.dumps(asked | {"hook_event_name": behind})) for _ in "12"]
    notes = {"hookSpecificOutput": {"hookEventName": behind, "additionalContext": APPROVED}}
    assert [json.loads(one.out or "{}") for one in after] == [notes if has_notes_behind else {}, {}]
    assert [one.code for one in after] == [0, 0]


@pytest.mark.parametrize(
    "given_input",
    [b"", b"no", b"[" * 100_000, b"\xff", b"{}", json.dumps(CLAUDE | {"tool_input": {}}).encode(),
     json.dumps(CLAUDE | {"tool_input": {"plan": "x" * 20_000_000}}).encode(),
     json.dumps(CLAUDE | {"tool_input": {"plan": "x\n" * 500_000}}).encode(),
     json.dumps(CLAUDE | {"tool_input": {"plan": "\ud800"}}).encode(),
     json.dumps(CLAUDE | {"tool_input": {"planFilePath": "/dev/zero"}}).encode()],
    ids=["nothing", "no json", "deep", "no utf-8", "no fields", "no plan", "20 MB", "lines", "surrogate", "device"],
)  # fmt: skip
def test_what_is_no_plan_gets_no_answer(given_input: bytes, workbench: Command) -> None:
    answered = workbench("review", "--hook", "claude", stdin=given_input)
    assert (answered.code, answered.out) == (1, "")
    assert answered.err.startswith("workbench: ")


def test_other_tools_and_events_are_nobodys_business(workbench: Command) -> None:
    for one in ({"tool_name": "Bash"}, {"hook_event_name": "PreToolUse"}):
        answered = workbench("review", "--hook", "claude", stdin=json.dumps(CLAUDE | one))
        assert (answered.code, answered.out, answered.err) == (0, "", "")


def test_codex_has_a_plan_in_its_message_or_in_the_transcript_of_the_turn(
    person: Any, workbench: Command, tmp_path: Path
) -> None:
    def item(turn: str, text: str) -> str:
        payload = {"type": "item_completed", "turn_id": turn, "item": {"type": "Plan", "id": "1", "text": text}}
        return json.dumps({"timestamp": "2026-12-01T10:00:00Z", "type": "event_msg", "payload": payload})

    lines = [item("t1", "# Old"), "no json", item("t2", "# First"), '{"payload": []}', item("t2", PLAN), item("t3", "")]
    (tmp_path / "rollout.jsonl").write_text("\n".join(lines))
    person(lambda log, version: decide(log, version, "sent back"))
    for nothing in (CODEX | {"last_assistant_message": "Done."}, CODEX | {"hook_event_name": "UserPromptSubmit"}):
        assert workbench("review", "--hook", "codex", stdin=json.dumps(nothing)).code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["rollout.jsonl"]  # no workspace for a turn without a plan
    stop = CODEX | {"last_assistant_message": None, "transcript_path": str(tmp_path / "rollout.jsonl")}
    answered = workbench("review", "--hook", "codex", stdin=json.dumps(stop))
    assert json.loads(answered.out)["decision"] == "block"
    (review,) = workbench("review", "--json").lines
    assert workbench("review", review["session"], "--save", "saved.md").code == 0
    assert (tmp_path / "saved.md").read_bytes() == PLAN.encode()
    for more in ({"turn_id": "t9"}, {"transcript_path": None}, {"stop_hook_active": True}):  # no plan, or the same one
        answered = workbench("review", "--hook", "codex", stdin=json.dumps(stop | more))
        assert (answered.code, answered.out, answered.err) == (0, "", "")
    stop["transcript_path"] = str(tmp_path / "gone.jsonl")
    assert (answered := workbench("review", "--hook", "codex", stdin=json.dumps(stop))).code == 1
    assert answered.out == ""


def test_ten_rounds_lose_no_note_and_send_none_twice(person: Any, workbench: Command, tmp_path: Path) -> None:
    def act(log: SessionLog, version: int) -> None:
        for line in (1, 3):
            write_notes(log, version, [(line, line, f"wish {version}.{line}")])
        decide(log, version, "approved" if version == 10 else "sent back")

    person(act)
    heard = ""
    for number in range(1, 11):
        plan = {"plan": f"# Move\n\n- Copy {number}\n"}
        answered = workbench("review", "--hook", "claude", stdin=json.dumps(CLAUDE | {"tool_input": plan}))
        assert ('"behavior":"allow"' in answered.out) is (number == 10)
        heard += answered.out
    heard += workbench("review", "--hook", "claude", stdin=json.dumps(CLAUDE | {"hook_event_name": "PostToolUse"})).out
    assert [heard.count(f"wish {version}.{line}\\n") for version in range(1, 11) for line in (1, 3)] == [1] * 20
    with Workspace.open(tmp_path) as workspace:
        (state,) = (log.state for log in reviews(workspace))
    assert (len(state.submissions), state.status, open_notes(state)) == (10, "finished", ())


@given(st.lists(st.sampled_from(["submit", "note", "change", "sent back", "approved", "deliver"]), max_size=12))
def test_each_note_is_delivered_once_whatever_order_things_come_in(steps: list[str]) -> None:
    log = begin("Review", script=Script())._session
    submit(log, "# One", "claude", waits=True)
    delivered: list[str] = []
    for number, step in enumerate(steps):
        version, newest = len(log.state.submissions), log.state.submissions[-1]
        if step == "submit":
            submit(log, f"# Plan {number}", "claude", waits=True)
        elif step == "note":
            write_notes(log, version, [(1, 1, f"note {number}")])
        elif step == "change" and open_notes(log.state):
            write_notes(log, version, [(0, 0, f"other {number}")], anew=open_notes(log.state)[0].id)
        elif step == "deliver" and newest.decided is not None and not newest.is_delivered:
            deliver(log, version)
            delivered += newest.decided.notes
        elif step in ("sent back", "approved") and newest.decided is None:
            told = decide(log, version, step)  # type: ignore[arg-type]  # one of the two
            decided = log.state.submissions[-1].decided
            assert decided is not None
            assert all(note.text in told for note in log.state.notes if note.id in decided.notes)
    for decision in ("sent back",) * (log.state.submissions[-1].decided is None):
        decide(log, len(log.state.submissions), decision)
    if not log.state.submissions[-1].is_delivered:
        deliver(log, len(log.state.submissions))
        delivered += log.state.submissions[-1].decided.notes  # type: ignore[union-attr]
    delivered += [note.id for note in open_notes(log.state)]
    assert sorted(delivered) == sorted(note.id for note in log.state.notes)


def test_a_decision_counts_once(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace, Workspace.open(tmp_path) as other:
        log, elsewhere = (review_of(one, "file:x", "x", PLAN) for one in (workspace, other))
        submit(log, PLAN, "", waits=False)
        decide(elsewhere, 1, "sent back")
        for version in (1, 2):
            with pytest.raises(UsageError):
                decide(log, version, "approved")
        assert log.refresh().status == "stopped"


def test_a_file_is_reviewed_by_command(workbench: Command, tmp_path: Path, monkeypatch: Any) -> None:
    file = tmp_path / "plan.md"
    file.write_bytes(("\ufeff" + PLAN).encode())
    assert workbench("review", "plan.md", "--note", "3", "Which?").code == 2
    assert workbench("review", "plan.md").code == 3
    (listed,) = workbench("review", "--json", "--find", "COPY").lines
    assert workbench("review", "--find", "nowhere").out.startswith("No plan under review has")
    assert "\topen\t" in workbench("review").out
    review = listed["session"]
    assert (
        workbench("review", review, "--note", "3", "Which?", "--note", "#move", "All?").out
        == "N1: noted on line 3.\nN2: noted on lines 1–4.\n"
    )
    for place, problem in (
        ("2", "Line 2 is empty"),
        ("99", "no line 99"),
        ("#No", "no heading"),
        ("4", "A note is empty"),
    ):
        wish = "" if place == "4" else "What?"
        assert problem in workbench("review", review, "--note", "3", "Which?", "--note", place, wish).err
    file.write_text("# Move\n\n- Copy all the data\n- Switch over\n")
    assert workbench("review", "plan.md", "--json").last["version"] == 2
    shown = workbench("review", review)
    assert "Δ - Copy {+all+} the data" in shown.out
    assert "\x1b" not in shown.out
    became = {one["id"]: one["became"] for one in workbench("review", review, "--json").last["notes"]}
    assert became == {"N1": "changed", "N2": "changed"}
    assert workbench("review", review, "--diff", "1", "2").out.count("Δ") == 2
    assert "−" in workbench("review", review, "--diff").out
    assert workbench("review", review, "--save", "v1.md", "--version", "1").code == 0
    assert (tmp_path / "v1.md").read_bytes() == ("\ufeff" + PLAN).encode()
    assert workbench("review", review, "--approve").code == 2
    file.write_text("# Move\n\n- Copy all the data\n- Switch over at once\n")
    assert workbench("review", "plan.md").code == 3
    assert "not looked at version 3" in workbench("review", review, "--approve", "--yes").err
    monkeypatch.setenv("CLAUDECODE", "1")
    for consent in ("--approve", "--carry-out", "--plan-on"):
        assert "from within an agent" in workbench("review", review, consent, "--yes").err
    monkeypatch.delenv("CLAUDECODE")
    sent = workbench("review", review, "--send-back", "--yes")
    assert sent.out.count("Note: ") == 2
    assert workbench("review", review, "--send-back", "--yes").code == 2
    assert "v1 · open" in workbench("review", review, "--version", "1").out
    assert "v3 · sent back" in workbench("review", review).out
    assert workbench("sessions", "list", "--json").last["submissions"] == 3
    assert workbench("resume", review).code == 2
    assert "Copy all the data" in workbench("sessions", "show", review).out
    assert workbench("review", review, "--carry-out").code == 3
    carried = workbench("sessions", "list", "--json").lines[0]["session"]
    assert "Copy all the data" in workbench("sessions", "show", carried).out


def test_an_edit_becomes_notes_and_an_agent_in_tmux_gets_a_pane_beside_it(
    person: Any, workbench: Command, tmp_path: Path, monkeypatch: Any
) -> None:
    for name, script in (("tmux", f'echo "$@" > "{tmp_path}/split"'), ("editor", 'sed -i s/data/ledger/ "$1"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("EDITOR", "editor")
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    person(lambda log, version: decide(log, version, "sent back"))
    for options in ([], ["--split"]):
        assert not (tmp_path / "split").exists()
        assert workbench("review", "--hook", "claude", *options, stdin=json.dumps(CLAUDE)).code == 0
    review = workbench("review", "--json").last["session"]
    assert (tmp_path / "split").read_text().endswith(f"open {review} --workspace {tmp_path}\n")
    hooks = json.loads(workbench("review", "--print-config", "claude", "--split").out)["hooks"]
    assert " -c " not in (tmp_path / "split").read_text()  # tmux runs what #( ) names in a folder that it is given
    assert "--split --hook claude" in hooks["PermissionRequest"][0]["hooks"][0]["command"]
    assert workbench("review", review, "--edit").out == "N1: noted on line 3.\n"
    assert workbench("review", review, "--json").last["notes"][0]["text"] == "Replace with:\n\n- Copy the ledger"


def test_settings_of_agents(workbench: Command) -> None:
    hooks = json.loads(workbench("review", "--print-config", "claude").out)["hooks"]
    assert {(event, one["matcher"]) for event, (one,) in hooks.items()} == {
        ("PermissionRequest", "ExitPlanMode"), ("PostToolUse", "ExitPlanMode")
    }  # fmt: skip
    (run,) = hooks["PermissionRequest"][0]["hooks"]
    assert (run["type"], run["command"].endswith("review --hook claude"), run["timeout"]) == ("command", True, 345_600)
    hooks = json.loads(workbench("review", "--print-config", "gemini").out)["hooks"]
    assert hooks["BeforeTool"][0]["hooks"][0]["timeout"] == 345_600_000
    hooks = json.loads(workbench("review", "--print-config", "codex").out)["hooks"]
    assert [[*one[0]] for one in hooks.values()] == [["hooks"]] * 2
    assert hooks["Stop"][0]["hooks"][0]["command"].endswith("review --hook codex")
    assert "--agent opencode --wait" in workbench("review", "--print-config", "opencode").out


def started(*options: str, given: dict[str, Any] | None = None) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-P", "-m", "workbench", "review", *options]
    run = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert run.stdin is not None
    run.stdin.write(json.dumps(given or {}).encode())
    run.stdin.close()
    return run


def end_of(run: subprocess.Popen[bytes]) -> tuple[bytes, int]:
    """What a process printed, and its exit code."""
    assert run.stdout is not None
    with run.stdout:
        return run.stdout.read(), run.wait()


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.cases(6)
def test_either_side_is_killed_and_nothing_is_approved(seed: int, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_text(PLAN)
    monkeypatch.setenv("GEMINI_PLANS_DIR", str(tmp_path))
    draw = random.Random(seed)
    agent, kill = draw.choice(list(ASKED)), draw.choice([signal.SIGKILL, signal.SIGTERM])
    with Workspace.open(tmp_path) as workspace:
        hook = started("--hook", agent, given=ASKED[agent])
        log = review_of(workspace, f"{agent}:{ASKED[agent]['session_id']}", agent, PLAN)
        decision, side = draw.choice(["", "approved", "sent back"]), draw.choice(["hook", "hook", "person"])
        if decision or side == "person" or draw.random() < 0.5:
            eventually(lambda: log.refresh().submissions)
        if side == "person":  # their command is killed somewhere; whatever it had recorded by then counts
            command = {"": "--stop", "approved": "--approve", "sent back": "--send-back"}[decision]
            person = started(str(log.session), command, "--version", "1", "--yes")
            sleep(draw.random())
            person.send_signal(kill)
            end_of(person)
            recorded = log.refresh().submissions[0].decided
            decision = "" if recorded is None else recorded.decision
        elif decision:
            decide(log, 1, decision)  # type: ignore[arg-type]  # one of the two
        for _ in range(draw.randrange(0, 2_000)):
            os.getppid()
        hook.send_signal(kill)
        printed, code = end_of(hook)
    assert ('"allow"' in printed.decode()) <= (decision == "approved")
    assert code == 0 or not printed or decision
    assert printed == b"" or json.loads(printed) is not None
