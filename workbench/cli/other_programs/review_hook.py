"""``workbench review --hook``: a coding agent asks a person about its plan, and waits.

    standard input ─▶ plan ─▶ plan.submitted … submission.decided ─▶ standard output, once
                                   └─ whatever goes wrong, or ends it ─▶ nothing, and exit code 1

Nothing but a person's recorded decision makes it print: exit code 1 and no output leave the agent to its own question.
An approval cannot carry notes, so the agent's hook behind the tool gives it those.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from workbench.bootstrap.reviews import review_id, review_named, review_of
from workbench.cli.failure import tell
from workbench.cli.opening import existing_workspace, has_workspace, open_workspace
from workbench.cli.output import Output
from workbench.cli.reading import decoded_text
from workbench.domain.errors import LogBusy, StaleHead, UsageError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.review.lines import MOST_OF_A_PLAN
from workbench.domain.session.events import SubmissionDecided
from workbench.named_files import read_named_file
from workbench.planning.beside_the_loop.reviewing import deliver, submit
from workbench.planning.session_log import SessionLog
from workbench.storage.files.watching.stopping import Stop

_MOST_OF_AN_INPUT = 4 * MOST_OF_A_PLAN
"""Bytes of JSON: it may write each character as an escape."""
_LOOKS, _BETWEEN = 20, 0.1
"""How often, and at what distance in seconds, the place of an earlier hook of the same session is asked for."""
_SPLITS_WITHIN = 5.0
"""Seconds."""
_PARENT_EVERY = 1.0
"""Seconds between two looks at whether the agent still runs."""
T = TypeVar("T")
FAILED = 1
"""Neither success (0) nor a refusal (2), for both agents: they continue as if there were no hook."""


class HookInput(msgspec.Struct, frozen=True):
    """What an agent writes to a hook's standard input, as far as it is read."""

    session_id: str
    hook_event_name: str
    tool_name: str = ""
    tool_input: msgspec.Raw = msgspec.Raw(b"{}")
    turn_id: str = ""
    """Of Codex, with the three below; it has no tool for its plans."""
    transcript_path: str | None = None
    last_assistant_message: str | None = None
    stop_hook_active: bool = False
    """Whether the turn continues after an answer of this hook."""


class _ToolInput(msgspec.Struct, frozen=True):
    """A plan, or where it stands."""

    plan: str | None = None
    path: str | None = msgspec.field(default=None, name="planFilePath")
    plan_path: str | None = None
    plan_filename: str | None = None
    """In the folder of Gemini CLI's plans."""


class _Agent(msgspec.Struct, frozen=True):
    """The words of an agent's hooks."""

    tool: str
    """"" if it has none for its plans."""
    before: str
    """Event at which a person decides."""
    after: str
    """The one after it, at which notes of an approval are given."""
    refusal: str = "deny"

    def answer(self, decided: SubmissionDecided, asked: HookInput) -> Mapping[str, Any]:
        """Return the JSON that tells the agent the decision.

        Claude Code takes an approval only with the tool's input, unchanged. Codex takes none: its turn ends, and then
        it asks whether to begin.
        """
        is_approved, is_stopped = decided.decision == "approved", decided.decision == "stopped"
        if self.before == "PermissionRequest":
            allow = {"behavior": "allow", "updatedInput": asked.tool_input}
            deny = {"behavior": "deny", "message": decided.answer, **({"interrupt": True} if is_stopped else {})}
            return {"hookSpecificOutput": {"hookEventName": self.before, "decision": allow if is_approved else deny}}
        if is_approved:
            return {"decision": "allow"} if self.tool else {}
        stop = {"continue": False, "stopReason": decided.answer} if is_stopped else {}
        return {"decision": self.refusal, "reason": decided.answer, **stop}


AGENTS = {
    "claude": _Agent("ExitPlanMode", "PermissionRequest", "PostToolUse"),
    "gemini": _Agent("exit_plan_mode", "BeforeTool", "AfterTool"),
    "codex": _Agent("", "Stop", "UserPromptSubmit", "block"),
}


def hook(options: argparse.Namespace) -> int:
    """Answer an agent's hook; whatever fails, nothing is printed."""
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, lambda _signal, _frame: signal.raise_signal(signal.SIGINT))
    try:
        return _run_hook(options)
    except Exception as error:  # noqa: BLE001 - an agent must not take a failure for an answer: the edge of this program
        tell(error)
        return FAILED


def _run_hook(options: argparse.Namespace) -> int:
    agent, asked = AGENTS[options.hook], _read_input()
    if asked.tool_name != agent.tool or asked.hook_event_name not in (agent.before, agent.after):
        return 0  # nothing to say about it
    source = f"{options.hook}:{asked.session_id}"
    if asked.hook_event_name == agent.after:
        workspace = existing_workspace(options) if has_workspace(options) else None
        found = None if workspace is None else review_named(workspace, review_id(source, options.hook))
        return 0 if found is None else _give_notes(found.log(), agent)
    text = _plan_in(asked.tool_input) if agent.tool else _plan_of_turn(asked)
    if not text and not agent.tool:
        return 0  # a turn without a plan
    log = review_of(open_workspace(options), source, options.hook, text)
    if asked.stop_hook_active and log.state.submissions and log.state.submissions[-1].text == text:
        return 0  # the turn continued without another plan
    decided = submit_and_wait(log, text, options.hook, Output.from_options(options), beside=options.split)
    if decided is None:
        return FAILED
    _print(agent.answer(decided, asked))
    if not (decided.decision == "approved" and decided.notes):
        deliver(log, decided.version)
    return 0


def submit_and_wait(
    log: SessionLog, text: str, agent: str, output: Output, *, beside: bool = False
) -> SubmissionDecided | None:
    """Submit a plan and wait for the decision; None if a newer one came, or whoever asked is gone.

    Meanwhile it holds the lock of whoever drives the session, by which others see that somebody waits. ``beside`` opens
    the application beside the agent, in tmux.
    """
    stop = Stop()
    threading.Thread(target=_stop_with_parent, args=(stop, os.getppid()), daemon=True).start()
    with ExitStack() as waiting:
        waiting.callback(stop.set)
        is_seen = _is_seen(log, waiting)  # an earlier hook of this session goes when it sees this version
        version = submit(log, text, agent, waits=True).version
        output.note(
            f"The plan waits for you (version {version}). In another terminal, in this folder: "
            f"workbench open {log.session}, or: workbench review {log.session}"
        )
        if beside and os.environ.get("TMUX"):
            _open_beside(log)
        for _ in range(_LOOKS):
            if is_seen or (is_seen := _is_seen(log, waiting)) or stop.wait(_BETWEEN):
                break
        while not stop():
            state = log.refresh()
            if (decided := state.submissions[version - 1].decided) is not None:
                return decided
            if len(state.submissions) > version:
                return None
            with suppress(StaleHead):
                next(iter(log.follow(stop, after=state.seq)), None)
    return None


def _open_beside(log: SessionLog) -> None:
    """Open the review in a new pane of tmux. Where that fails, the plan waits as it does without."""
    command = [sys.executable, "-P", "-m", "workbench", "open", str(log.session)]
    split = ["tmux", "split-window", "-h", *command, "--workspace", str(Path.cwd())]  # tmux expands what -c is given
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(split, check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SPLITS_WITHIN)


def _is_seen(log: SessionLog, waiting: ExitStack) -> bool:
    try:
        waiting.enter_context(log.driving())
    except LogBusy:
        return False
    return True


def _stop_with_parent(stop: Stop, parent: int) -> None:
    while not stop.wait(_PARENT_EVERY):
        if os.getppid() != parent:
            stop.set()


def _give_notes(log: SessionLog, agent: _Agent) -> int:
    """Give the notes of an approval, once."""
    newest = log.state.submissions[-1]
    if newest.decided is not None and newest.decided.decision == "approved" and not newest.is_delivered:
        more = {"hookEventName": agent.after, "additionalContext": newest.decided.answer}
        _print({"hookSpecificOutput": more})
        deliver(log, newest.version)
    return 0


def _print(answer: Mapping[str, Any]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _read_input() -> HookInput:
    data = sys.stdin.buffer.read(_MOST_OF_AN_INPUT + 1)
    if len(data) > _MOST_OF_AN_INPUT:
        raise UsageError("The agent's plan is too long.", "A plan has 2,000,000 characters at most.")
    return _decoded(data, HookInput)


def _decoded(data: bytes | msgspec.Raw, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as error:
        raise UsageError(f"The input is not that of a hook: {error}.", "Call this from its hook.") from error


def _proposed(message: str) -> Iterator[str]:
    """Yield the plan that is last in a message, from its first line on, if any does."""
    before, _, _ = message.rpartition("</proposed_plan>")
    _, tag, plan = before.rpartition("<proposed_plan>")
    blank = plan[: len(plan) - len(plan.lstrip())]
    if tag and "\n" in blank:
        yield plan[blank.rindex("\n") + 1 :]


def _plan_of_turn(asked: HookInput) -> str:
    """Return the plan that Codex proposes at the end of a turn; "" for none. Its last message may be missing."""
    plans = list(_proposed(asked.last_assistant_message or ""))
    if not plans and asked.transcript_path:
        from workbench.planning.memory.transcripts import proposed_plans  # only Codex needs them

        plans = list(proposed_plans(asked.transcript_path, asked.turn_id))
    return plans[-1] if plans else ""


def _plan_in(tool_input: msgspec.Raw) -> str:
    """Return the plan of a tool's input, or of the file that it names."""
    given = _decoded(tool_input, _ToolInput)
    if given.plan and given.plan.strip():
        return given.plan
    path = given.path or given.plan_path
    if given.plan_filename and not path:
        path = str(Path(os.environ.get("GEMINI_PLANS_DIR", ""), Path(given.plan_filename).name))
    if not path:
        raise UsageError("The agent gave no plan.", "See docs/reviewing.md for its settings.")
    return decoded_text(read_named_file(path, MOST_OF_A_PLAN), path, "utf-8")
