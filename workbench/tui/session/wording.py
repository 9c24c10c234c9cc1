"""What a session's screen says in words: what can be written now, what went wrong, what a key does.

Pure functions of a session's state: ``Problem`` for the notice, strings for the input and the footer.
"""

from __future__ import annotations

from workbench.domain.errors import LogBusy, LogWentBack, NotTrusted, WorkbenchError
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.deciding.convergence import left_open
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.plan.changing.change import percent
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.tui.keymap import KeyOf
from workbench.tui.session.drafting import Drafting
from workbench.tui.told import counted
from workbench.tui.widgets.bars import Problem

GO_ON, REVIEW, FORK = "session.go-on", "session.review", "session.fork"
_COMMAND = "· : begins a command"
_WENT_BACK = "This session was removed, changed or replaced by an older copy while it was open."


NOTHING_ACCEPTED = Problem(
    "You did not accept it, and nothing was sent.",
    "Everything so far is kept.",
    "Name a model of your own: workbench resume ID --model guided.",
    tone="plain",
)


def gate_in_short(state: SessionState) -> str:
    """Return what a checkpoint is about, for one line: what the last round did, and what was found."""
    if not state.iterations or state.gate is None or not state.gate.question.startswith("Iteration "):
        return ""
    result = state.iterations[-1]
    found = len(state.open_findings)
    did = "drafted the plan" if result.iteration_num == 1 else f"changed {percent(result.change)}"
    findings = f", {counted(found, 'finding')} open" if found else ""
    return f"Round {result.iteration_num} {did}{findings}"


def cut_off(key_of: KeyOf) -> Problem:
    """Return what to say of a call that another process left behind."""
    return Problem(
        "The process that drove this session ended in the middle of a call.",
        "Everything up to that call is kept.",
        f"{key_of(GO_ON)} asks the model again.",
        tone="plain",
    )


def in_the_middle(key_of: KeyOf) -> Problem:
    """Return what to say of a session that was opened in the middle of its work."""
    return Problem(
        "This session is in the middle of its work.",
        "Nothing is sent before you say so.",
        f"{key_of(GO_ON)} goes on.",
        tone="plain",
    )


def not_accepted(error: NotTrusted) -> Problem:
    """Return what to say of something that the person has not accepted."""
    asked = "You have not accepted where this session sends prompts; you are asked when you go on. Nothing was sent."
    return Problem(asked, error.message, error.remedy, tone="plain")


def placeholder(
    state: SessionState, drafting: Drafting, key_of: KeyOf, *, acting: bool, agent: Agent | None = None
) -> str:
    """Return what can be written now: ``acting`` tells whether something is being done, ``agent`` who is talked to."""
    if drafting.purpose != "reply":
        return {"note": "your note", "reason": "the reason"}[drafting.purpose]
    if agent is not None:
        return f"a question or a task for {agent.name}"
    gate = state.gate
    if gate is not None and not takes_text(gate):
        return f"{key_of(REVIEW)} shows what can be done"
    if gate is not None:
        words = {
            "question": "your answer",
            "approach": "a number shows that approach; or what none of them take into account",
        }.get(gate.kind, "feedback: what should change?")
        if state.agents:
            return f"{words} · @{state.agents[0].id} … talks to {state.agents[0].name}"
        return f"{words} {_COMMAND}" if state.plan is not None else words
    if state.finished is not None:
        return (
            f"feedback goes on with one more round {_COMMAND}"
            if state.plan is not None
            else f"{key_of('app.new')} begins another session"
        )
    return (
        "feedback for the planner's next call" if acting else f"what should change? · {key_of(GO_ON)} goes on as it is"
    )


def takes_text(gate: Gate) -> bool:
    """Tell whether a gate can be answered with words."""
    return any(choice.kind in {"answer", "feedback"} for choice in gate.choices)


def purpose_words(drafting: Drafting, key_of: KeyOf, *, acting: bool = False) -> str:
    """Return what the draft is, where it is not simply a reply, and what was written ahead."""
    enter, back = key_of("draft.send"), key_of("session.back")
    if drafting.purpose == "note" and drafting.place is not None:
        return f"Note on {drafting.place.quoted} · {enter} keeps it · {back} leaves it"
    if drafting.purpose == "reason":
        return f"Why is this rejected? {enter} ends the session · {back} leaves it open"
    if drafting.queued:
        waits = f"┃ queued {len(drafting.queued)} · {key_of('session.rewind')} takes it back"
        goes = " · goes into the planner's next call" if acting else " · it goes into the next round"
        return f"{waits}{goes} · {clean_name(drafting.queued[-1], 200)}"
    return ""


def enter_words(drafting: Drafting, *, acting: bool = False) -> str:
    """Return what Enter does with the draft."""
    return {"note": "keep the note", "reason": "reject"}.get(drafting.purpose, "queue it" if acting else "send")


def problem_with(error: WorkbenchError, key_of: KeyOf, *, draft: bool) -> Problem:
    """Return what to say of an error that a deed met; ``draft`` tells whether something is in the input."""
    if isinstance(error, LogBusy):
        return Problem(
            error.message,
            "This screen only follows the session.",
            f"{error.remedy} {key_of(GO_ON)} tries again.",
        )
    if isinstance(error, LogWentBack):
        return _went_back(error, key_of)
    return Problem(error.message, "Your text is kept." if draft else "Everything so far is kept.", error.remedy)


def _went_back(error: LogWentBack, key_of: KeyOf) -> Problem:
    reload = f"{key_of(GO_ON)} opens what is there now"
    if not error.kept_in:
        return Problem(_WENT_BACK, error.message, f"{reload}.")
    kept = f"All that this screen knows, {error.kept} events, is kept in the trash."
    return Problem(_WENT_BACK, kept, f"{reload}; {key_of(FORK)} forks what is kept.")


def standstill_of(state: SessionState, key_of: KeyOf, *, can_drive: bool) -> Problem | None:
    """Return why a session stands still (it failed, was stopped, is finished), and the remedy; None if it runs."""
    again = f"{key_of(GO_ON)} tries again." if can_drive else ""
    if state.failure is not None:
        kept = f"Kept: {_progress(state)}."
        return Problem(state.failure.message, kept, f"{state.failure.remedy} {again}".strip())
    if state.options.transcript:
        read = "Nothing is planned here; a session of yours finds what is said."
        return Problem(f"A transcript: {state.options.transcript}.", read, "3 shows it.", tone="plain")
    if state.stopped:
        go_on = f"{key_of(GO_ON)} goes on." if can_drive else ""
        return Problem(f"Stopped: {state.stopped}.", "What was received is kept.", go_on, tone="plain")
    if state.finished is not None:
        saved = f"Saved as version {state.saved_version}" if state.saved_version else "Ended without a plan"
        why = state.finished.reason
        if state.saved_version and state.version > state.saved_version:
            saved = f"Saved as version {state.version}"
            why = f"version {state.saved_version} was agreed, and changed since"
        left = f"{left[:1].upper()}{left[1:]}." if (left := left_open(state)) else ""
        return Problem(f"{saved}: {why}.", left, tone="done" if state.saved_version else "plain")
    return None


def _progress(state: SessionState) -> str:
    rounds = len(state.iterations)
    plan = f"plan v{state.version}" if state.version else "the chosen approach" if state.approach else "the goal"
    return f"{plan} and {counted(rounds, 'round')}" if rounds else plan
