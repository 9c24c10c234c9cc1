"""One driving of a session, with a person at its gates or a policy in their place, told as it goes.

manager.run(policy or nobody) ─▶ finished | a gate is open
     ▲                                         │ terminal: ask
     └──────────────── answer ◀────────────────┘ no terminal: exit 3, and how to continue
"""

from __future__ import annotations

import argparse
import asyncio

from msgspec.structs import replace

from workbench.bootstrap import Workspace
from workbench.cli.output import Output
from workbench.cli.plan.beginning import begun_with
from workbench.cli.plan.telling import JsonTelling, Telling
from workbench.cli.progress import with_progress
from workbench.cli.streams import INTERRUPTED
from workbench.domain.errors import UsageError
from workbench.domain.log import rules
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer, Gate, check_answer
from workbench.domain.session.events import Bounds
from workbench.domain.session.named_files import reading_line
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.planning.checks import check_bounds
from workbench.planning.driver import Driver
from workbench.planning.policies import approving_all, choose, nobody
from workbench.planning.ports import Decide, Decision
from workbench.planning.trust.person import has_terminal
from workbench.planning.unwaited import unwaited_loop


def check_choice(choice: int | None) -> None:
    """Raise UsageError for a number that no approach can have."""
    if choice is not None and choice < 1:
        raise UsageError(f"There is no approach {choice}.", "Approaches are counted from 1.")


class Course:
    """One driving of a session."""

    def __init__(
        self,
        workspace: Workspace,
        driver: Driver,
        options: argparse.Namespace,
        output: Output,
        *,
        files: int = 0,
        begin: Begin | None = None,
    ) -> None:
        """``files``: how many readings of files the person was told of; ``begin``: what comes with their choice."""
        self._files = files
        self._begin = begin
        self._driver = driver
        self._manager = driver.manager()
        self._options = options
        self._output = output
        self._further = list(vars(options).get("answer", [])[1:])
        iterations = len(self._manager.state.iterations)
        self._telling = (JsonTelling if output.as_json else Telling)(
            output, self._manager.session_id, iterations, workspace.sessions
        )
        driver.on_notice = self._telling.notice

    def drive(self, answer: Answer | None, *, is_new: bool = False) -> int:
        """Drive until the session rests or waits, and return the exit code."""
        manager = self._manager
        before = manager.state
        with manager.driving(), manager.taking_part(), asyncio.Runner(loop_factory=unwaited_loop) as runner:
            try:
                if not is_new:
                    runner.run(self._take_up(answer))
                self._telling.begun(manager.state)
                self._tell_rules(before.rules)
                if unavailable := manager.state.tools.unavailable:
                    self._output.note(f"workbench: {clean_name(unavailable, 400)}")
                self._tell_files()
                state = self._go_on(runner)
                while self._further and state.gate is not None and state.gate.kind == "question":
                    runner.run(manager.answer(state.gate, Answer(kind="answer", text=self._further.pop(0))))
                    state = self._go_on(runner)
                if self._further:
                    self._output.note(
                        f"workbench: No question was left for the answer “{clean_name(self._further[0], 80)}”."
                    )
                changed: SessionState | None = None
                while state.gate is not None and self._can_ask:
                    from workbench.cli.plan.gates import ask  # here: a policy asks nobody

                    decision = ask(state, state.gate, self._output, changed=changed)
                    if decision is None:
                        break
                    changed = state if decision.kind == "change" else None
                    runner.run(manager.answer(state.gate, decision))
                    self._tell_files()
                    state = self._go_on(runner)
            except KeyboardInterrupt:
                runner.run(manager.stop("interrupted by you"))
                self._telling.interrupted(manager.state, was_asking=self._driver.was_asking)
                return INTERRUPTED
        if not self._tell_answers(before, state):
            self._telling.end(state)
        return exit_code(state)

    def _tell_answers(self, before: SessionState, state: SessionState) -> bool:
        """Print what agents answered meanwhile, and tell whether nothing else became of a finished session."""
        answered = [one for one in before.asking if one not in state.asking] if not self._output.as_json else []
        for asking in answered:
            self._output.markdown(next(one.text for one in reversed(state.history) if one.agent == asking.agent))
        return bool(answered) and before.finished is not None and state.gate is None

    def _tell_rules(self, before: rules.Stretches) -> None:
        if change := rules.rules_change_text(before, self._manager.state.rules):
            self._output.note(change)

    def _tell_files(self) -> None:
        """Say what was read of files that the person named, and why the others were not."""
        self._files = tell_files(self._manager.state, self._files, self._output)

    def rest(self, state: SessionState, answer: Answer | None) -> int:
        """Tell how a finished session ended. Raises UsageError if it cannot take an answer any more."""
        if answer is not None:
            raise UsageError("The session has ended without a plan.", "Begin another with `workbench run`.")
        self._telling.end(state, again=True)
        return exit_code(state)

    async def _take_up(self, answer: Answer | None) -> None:
        """Take up an existing session: a new turn, new bounds, and the answer that was named."""
        manager, state = self._manager, self._manager.state
        bounds = _bounds(self._options, state)
        ended = state.finished is not None and state.gate is None  # an agent that is asked afterwards may open a gate
        if answer is not None and ended and answer.kind != "feedback":
            raise UsageError("The session is finished.", "Reopen it with --feedback.")
        if answer is not None and state.gate is not None:
            check_answer(state.gate, answer)
        elif answer is not None and answer.kind == "again" and state.finished is None:
            answer = None  # what failed or was interrupted is asked again anyway
        elif answer is not None and answer.kind == "feedback" and state.finished is None and not state.asks_again:
            await manager.feed_back(answer.text)  # the next call of the planner has it
            answer = None
        elif answer is not None and state.finished is None and not state.asks_again:
            raise _no_gate(state)
        if answer is not None and state.gate is not None and state.gate.kind == "failure":
            await manager.answer(state.gate, answer)  # resuming closes that gate
            answer = None
        await manager.resume()
        if bounds is not None:
            await manager.set_bounds(bounds)
        if answer is not None and ended:
            await manager.reopen(answer.text)
        elif answer is not None:
            await manager.answer(state.gate or await self._asked_first(), answer)

    async def _asked_first(self) -> Gate:
        """Return the gate of a session that asks again before anything is spent: a fork, or one from elsewhere."""
        state = await self._manager.run(nobody)
        if state.gate is None:
            raise _no_gate(state)
        return state.gate

    def _decide(self) -> Decide:
        choice = self._options.choose
        if self._options.approve == "all":
            decide = approving_all(choice)
        else:
            decide = nobody if choice is None else _choosing(choice)
        return self._or_wait(decide)

    def _or_wait(self, decide: Decide) -> Decide:
        """Let a policy that cannot be followed leave the gate open, and say why; tell what it does after a failure."""

        async def decided(state: SessionState, gate: Gate) -> Decision | None:
            try:
                decision = await decide(state, gate)
                if decision is not None:
                    decision = decision._replace(answer=begun_with(self._begin, decision.answer, state))
            except UsageError as error:
                self._output.note(f"workbench: {error}")
                return None
            if decision is not None and state.failure is not None:
                what = _AFTER_FAILURE.get(decision.answer.kind, "")
                self._telling.notice(state.failure.role, f"{state.failure.message} {what}".strip())
            return decision

        return decided

    def _go_on(self, runner: asyncio.Runner) -> SessionState:
        driving = self._driver.run(self._decide(), on_step=self._telling.step)
        return runner.run(with_progress(driving, self._driver, self._output))

    @property
    def _can_ask(self) -> bool:
        return has_terminal() and not self._options.json


_AFTER_FAILURE = {"again": "Asked again.", "without": "Left out."}
"""What a policy does after a failure, by its answer."""


def tell_files(state: SessionState, known: int, output: Output) -> int:
    """Tell of readings of files after the first ``known``; return how many there are."""
    for file in state.files[known:]:
        output.note(f"workbench: {reading_line(file.read)}")
    return len(state.files)


def _no_gate(state: SessionState) -> UsageError:
    return UsageError("No gate is open to answer.", f"Go on with: workbench resume {state.session}")


def _choosing(choice: int) -> Decide:
    """Return who decides under ``--choose N`` alone: the approach, and nothing else."""

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        return Decision(choose(gate, choice), "policy") if gate.kind == "approach" else None

    return decide


def _bounds(options: argparse.Namespace, state: SessionState) -> Bounds | None:
    """Return new bounds where an option of resume names one; None otherwise. Raises SettingsError."""
    named = {name: getattr(options, name) for name in Bounds.__struct_fields__}
    new = {name: value for name, value in named.items() if value is not None}
    return check_bounds(replace(state.bounds, **new)) if new else None


def exit_code(state: SessionState) -> int:
    """Return the exit code that says how a driving ended."""
    waits = state.status == "finished" and state.gate is not None
    return 3 if waits else {"finished": 0, "waiting": 3, "failed": 1}.get(state.status, 0)
