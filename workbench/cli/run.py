"""``workbench run`` and ``workbench resume``: the loop, with a person at its gates or a policy in their place.

goal ─▶ manager.run(policy or nobody) ─▶ finished | a gate is open
            ▲                                         │ terminal: ask
            └──────────────── answer ◀────────────────┘ no terminal: exit 3, and how to go on
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from workbench.cli.gates import ask
from workbench.cli.opening import existing_workspace, open_workspace
from workbench.cli.output import Output, counted, money
from workbench.cli.progress import Progress
from workbench.domain.change import percent
from workbench.domain.errors import UsageError
from workbench.domain.events import Bounds
from workbench.domain.gates import Answer, AnswerKind, Gate, check_answer
from workbench.domain.session import SessionState
from workbench.domain.steps import Abandon, Call, Step
from workbench.export.markdown import plan_markdown
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import approving_all, choose, nobody
from workbench.planning.ports import Decide

MAX_INPUT_BYTES = 1_000_000
"""The most that is read from a file or standard input for a goal or a proposal."""


def run(options: argparse.Namespace) -> int:
    """Plan from a goal to a saved plan."""
    if options.goal == "-" and options.proposal == "-":
        raise UsageError("Goal and proposal cannot both come from standard input.", "Give one of them as a file.")
    output = Output.of(options)
    goal = _goal(options)
    proposal = _text_of(options.proposal) if options.proposal else None
    workspace, progress = open_workspace(options), Progress(output)
    manager = workspace.start(goal, name=options.name or "", watch=progress.watch)
    if proposal is not None:
        manager.initialize_from_proposal(proposal, source=Path(options.proposal).name)
    return _Course(manager, options, output, progress).drive(None, is_new=True)


def resume(options: argparse.Namespace) -> int:
    """Go on with a session, answering its open gate first where an answer was given."""
    output = Output.of(options)
    workspace, progress = existing_workspace(options), Progress(output)
    manager = workspace.resume(options.session, watch=progress.watch)
    course = _Course(manager, options, output, progress)
    state = manager.state
    if state.finished is not None and not options.feedback:
        output.note(f"The session is finished ({state.finished.reason}).")
        output.note(f'Reopen it with: workbench resume {state.session} --feedback "…"')
        return course.end(state)
    return course.drive(_named_answer(options, state))


def _goal(options: argparse.Namespace) -> str:
    if options.goal and options.goal_file:
        raise UsageError("The goal is given twice.", "Give it as text or as a file.")
    if options.goal_file:
        return _text_of(options.goal_file)
    if options.goal == "-":
        return _text_of("-")
    if options.goal is None:
        raise UsageError("There is no goal.", 'Say what you want to plan: workbench run "…"')
    return str(options.goal)


def _text_of(source: str) -> str:
    """Return the text of a file, or of standard input for ``-``. Raises UsageError."""
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{source} cannot be read: {error.strerror}.", "Name a text file that exists.") from error
    if len(data) > MAX_INPUT_BYTES:
        raise UsageError(f"{source} is larger than {MAX_INPUT_BYTES:,} bytes.", "Give a shorter text.")
    return data.decode("utf-8", errors="replace")


def _named_answer(options: argparse.Namespace, state: SessionState) -> Answer | None:
    """Return the answer that the options give to the open gate; None when they give none."""
    gate = state.gate
    if options.choose is not None and gate is not None and gate.kind == "approach":
        return choose(gate, options.choose)
    if options.feedback is not None:
        return Answer(kind="feedback", text=options.feedback)
    if options.answer is not None:
        return Answer(kind="answer", text=options.answer)
    if options.reject is not None:
        return Answer(kind="reject", text=options.reject)
    if options.edit is not None:
        return Answer(kind="edit", text=_text_of(options.edit))
    kinds: dict[AnswerKind, bool] = {"skip": options.skip, "continue": options.go_on, "finish": options.finish}
    return next((Answer(kind=kind) for kind, given in kinds.items() if given), None)


class _Course:
    """One driving of a session, told as it goes."""

    def __init__(
        self, manager: IterationManager, options: argparse.Namespace, output: Output, progress: Progress
    ) -> None:
        self._progress_line = progress
        self._manager = manager
        self._options = options
        self._output = output
        self._told: dict[str, int] = {"iterations": len(manager.state.iterations)}

    def drive(self, answer: Answer | None, *, is_new: bool = False) -> int:
        """Drive until the session rests or waits, and return the exit code."""
        manager = self._manager
        with manager.driving(), asyncio.Runner() as runner:
            try:
                if not is_new:
                    runner.run(self._take_up(answer))
                self._begun()
                state = self._go_on(runner)
                while state.gate is not None and self._can_ask:
                    decision = ask(state, state.gate, self._output)
                    if decision is None:
                        break
                    runner.run(manager.answer(state.gate, decision))
                    state = self._go_on(runner)
            except KeyboardInterrupt:
                runner.run(manager.stop("interrupted by you"))
                return self._interrupted()
        return self.end(state)

    async def _take_up(self, answer: Answer | None) -> None:
        """Take up an existing session: a new turn, new bounds, and the answer that was named."""
        manager, state = self._manager, self._manager.state
        if answer is not None and state.finished is None:
            if state.gate is None:
                raise UsageError("No gate is open to answer.", f"Go on with: workbench resume {state.session}")
            check_answer(state.gate, answer)
        await manager.resume()
        bounds = _bounds(self._options, state)
        if bounds is not None:
            await manager.set_bounds(bounds)
        if answer is not None and state.finished is not None:
            await manager.reopen(answer.text)
        elif answer is not None and state.gate is not None:
            await manager.answer(state.gate, answer)

    def _decide(self) -> Decide:
        if self._options.approve == "all":
            return approving_all(self._options.choose or 1)
        choice = self._options.choose
        if choice is None:
            return nobody
        return _choosing(choice)

    def _go_on(self, runner: asyncio.Runner) -> SessionState:
        with self._progress_line:
            return runner.run(self._manager.run(self._decide(), on_step=self._tell))

    @property
    def _can_ask(self) -> bool:
        return sys.stdin.isatty() and sys.stdout.isatty() and not self._options.json

    # --- telling ------------------------------------------------------------------------------------------------------

    def _begun(self) -> None:
        state = self._manager.state
        if self._output.as_json:
            self._progress("begun", goal=state.goal, model=state.options.model)
        else:
            self._output.line(f"{state.session} · {state.name}", "bold")
            if state.options.model == "guided":
                self._output.line("Offline guided planner: free, deterministic, nothing leaves this machine.", "dim")

    def _tell(self, step: Step, state: SessionState) -> None:
        """Tell what a step did, in a line."""
        if self._output.as_json:
            self._tell_json(step, state)
            return
        if isinstance(step, Abandon):
            self._output.line(
                "A reply may have been paid for and lost with the process; it is asked for again.", "yellow"
            )
        if isinstance(step, Call) and state.failure is None:
            self._output.line(f"  {step.role:<9} {_DONE[step.name]}", "dim")
        if len(state.iterations) > self._told["iterations"]:
            self._told["iterations"] = len(state.iterations)
            result = state.iterations[-1]
            self._output.line(
                f"✔ iteration {result.iteration_num}: changed {percent(result.change)}, "
                f"{counted(len(result.key_insights), 'insight')}, {counted(len(state.findings), 'finding')} open",
                "green",
            )

    def _tell_json(self, step: Step, state: SessionState) -> None:
        if isinstance(step, Call):
            self._progress("called", role=step.role, task=step.name, tokens=state.spent.tokens)
        if len(state.iterations) > self._told["iterations"]:
            self._told["iterations"] = len(state.iterations)
            result = state.iterations[-1]
            self._progress("iteration", number=result.iteration_num, change=result.change)

    def _progress(self, what: str, **more: Any) -> None:
        self._output.json(
            {"schema": "workbench.progress/1", "session": self._manager.session_id, "event": what, **more}
        )

    def end(self, state: SessionState) -> int:
        """Print how it ended and return the exit code."""
        if self._output.as_json:
            self._output.json(_result(state))
        elif state.finished is not None and state.finished.outcome == "saved":
            self._saved(state)
        elif state.finished is not None:
            self._output.line(f"The session has ended without a plan: {state.finished.reason}.")
        elif state.failure is not None:
            self._output.note(f"workbench: {state.failure.message} {state.failure.remedy}")
            self._output.note(f"Everything is kept. Go on with: workbench resume {state.session}")
        elif state.gate is not None:
            self._waiting(state, state.gate)
        else:
            self._output.note(f"Stopped. Go on with: workbench resume {state.session}")
        return _exit_code(state)

    def _saved(self, state: SessionState) -> None:
        self._output.line()
        self._output.markdown(plan_markdown(state, state.saved_version))
        self._output.line()
        reason = state.finished.reason if state.finished else ""
        self._output.note(
            f"Saved as version {state.saved_version} ({reason}): {counted(len(state.iterations), 'iteration')}, "
            f"{state.spent.tokens:,} tokens, {money(state.spent.cost)}."
        )
        self._output.note(f"Show it again: workbench sessions show {state.session}")

    def _waiting(self, state: SessionState, gate: Gate) -> None:
        self._output.note(f"Waiting for you: {gate.question}")
        if gate.kind == "approach":
            for number, approach in enumerate(state.approaches, start=1):
                self._output.note(f"  {number}. {approach.title}: {approach.summary}")
        for choice in gate.choices:
            self._output.note(f"  workbench resume {state.session} {_OPTIONS[choice.kind]:<18} {choice.consequence}")

    def _interrupted(self) -> int:
        state = self._manager.state
        if self._output.as_json:
            self._output.json(_result(state))
        self._output.note(f"\nStopped; everything is kept. Go on with: workbench resume {state.session}")
        return 130


_DONE = {
    "propose": "proposed approaches",
    "plan": "worked on the plan",
    "verify": "verified it",
    "execute": "prepared actions",
    "generate": "wrote the deliverable",
}

_OPTIONS = {
    "choose": "--choose N",
    "feedback": '--feedback "…"',
    "reject": '--reject "…"',
    "answer": '--answer "…"',
    "skip": "--skip",
    "continue": "--continue",
    "edit": "--edit FILE",
    "finish": "--finish",
    "stop": "",
}


def _choosing(choice: int) -> Decide:
    """Return who decides under ``--choose N`` alone: the approach, and nothing else."""
    from workbench.planning.ports import Decision

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        return Decision(choose(gate, choice), "policy") if gate.kind == "approach" else None

    return decide


def _bounds(options: argparse.Namespace, state: SessionState) -> Bounds | None:
    """Return new bounds where an option of resume names one; None otherwise."""
    named = (options.max_tokens, options.max_cost, options.max_time)
    if all(value is None for value in named):
        return None
    kept = state.bounds
    return Bounds(
        max_tokens=options.max_tokens or kept.max_tokens,
        max_cost=options.max_cost or kept.max_cost,
        max_time=options.max_time or kept.max_time,
    )


def _result(state: SessionState) -> dict[str, Any]:
    gate = state.gate
    reason = (
        state.finished.reason
        if state.finished
        else state.failure.message
        if state.failure
        else state.stopped or (gate.question if gate else "")
    )
    plan = {"version": state.version, "markdown": plan_markdown(state)} if state.plan else None
    return {
        "schema": "workbench.run/1",
        "session": state.session,
        "status": "stopped" if state.status == "running" else state.status,
        "iterations": len(state.iterations),
        "stopped_because": reason,
        "gate": None if gate is None else {"kind": gate.kind, "reason": gate.reason, "question": gate.question},
        "plan": plan,
        "tokens": state.spent.tokens,
        "cost": state.spent.cost,
    }


def _exit_code(state: SessionState) -> int:
    return {"finished": 0, "waiting": 3, "failed": 1}.get(state.status, 0)
