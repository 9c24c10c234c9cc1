"""The iteration manager: drives one session, a step at a time, from its goal to a saved plan.

    advance() ─▶ next_step(state) ─▶ at most one outside effect ─▶ events ─▶ state
    run(decide) ─▶ advance() until the session rests, or waits and nobody answers

It keeps no state of its own beside the log: a second manager on the same session, after a crash or tomorrow, goes on
exactly where this one stopped.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import msgspec

from workbench.domain import events as say
from workbench.domain.envelope import Event, Origin
from workbench.domain.errors import (
    ModelError,
    ModelReplyInvalid,
    ModelUnreachable,
    SettingsError,
    StaleHead,
    UsageError,
)
from workbench.domain.gates import Answer, Gate, check_answer
from workbench.domain.goal import check_goal
from workbench.domain.ids import SessionId, entity_prefix
from workbench.domain.plan_markdown import from_markdown
from workbench.domain.session import SessionState
from workbench.domain.steps import (
    GUIDANCE_RESULTS,
    Abandon,
    Call,
    Recall,
    Record,
    Rest,
    Step,
    Wait,
    guidance_for,
    next_step,
)
from workbench.domain.tasks import reply_schema
from workbench.domain.text import clean, clean_json, clean_name
from workbench.models.answers import ended
from workbench.models.ports import Done, LanguageModel, Message, Parameters, Request, Retried, TextDelta, Usage
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.planning import verdicts
from workbench.planning.guidance import as_text, recall
from workbench.planning.ports import Asked, Clock, Decide, OnStep, SystemClock, Watch
from workbench.planning.roles import messages_for
from workbench.planning.session_log import SessionLog
from workbench.storage.ports import DriverLocks, EventLog

T = TypeVar("T")

_INCOMPLETE = ModelReplyInvalid("The reply ended before it was complete.", "Resume to ask again.")

CALL_TIMEOUT = 300.0
"""Seconds that one call may take, retries included, unless a bound of time leaves less."""


class IterationManager:
    """One session's loop.

    Begins a new session by default::

        manager = IterationManager("Move the office by May", max_iterations=3, log=log, model=model)

    and goes on with an existing one through ``IterationManager.of``. Creating one writes to the log: do it in a worker
    thread where an event loop runs.
    """

    def __init__(
        self,
        goal: str,
        max_iterations: int = 5,
        checkpoint_interval: int = 2,
        *,
        log: EventLog,
        model: LanguageModel,
        model_name: str = "",
        base_url: str = "",
        name: str = "",
        bounds: say.Bounds | None = None,
        person: str = "person",
        workspace: str = "workspace",
        clock: Clock | None = None,
        ending: str | None = None,
        version: str = "",
        watch: Watch | None = None,
    ) -> None:
        """Begin a session. Raises InvalidGoal and SettingsError.

        ``model_name`` is what opens the model again, where that is more than its own name; ``ending`` fixes the random
        end of the session's id.
        """
        clock = clock or SystemClock()
        text = check_goal(goal)
        options = check_options(
            say.Options(
                max_iterations=max_iterations,
                checkpoint_interval=checkpoint_interval,
                model=model_name or model.name,
                base_url=base_url,
                bounds=bounds or say.Bounds(),
            )
        )
        created = say.SessionCreated(
            goal=text,
            name=clean_name(name or text.splitlines()[0], verdicts.NAME_LENGTH),
            options=options,
            today=clock.now().date().isoformat(),
            workbench=version,
        )
        session = SessionLog.create(log, created, person=person, workspace=workspace, clock=clock, ending=ending)
        self._attach(session, model, log, clock, watch)

    @classmethod
    def of(
        cls,
        session: SessionLog,
        *,
        model: LanguageModel,
        locks: object = None,
        clock: Clock | None = None,
        watch: Watch | None = None,
    ) -> IterationManager:
        """Go on with an existing session. ``locks`` is the log it lives in, where that knows drivers."""
        manager = cls.__new__(cls)
        manager._attach(session, model, locks, clock or SystemClock(), watch)  # noqa: SLF001 - the other constructor
        return manager

    def _attach(
        self, session: SessionLog, model: LanguageModel, locks: object, clock: Clock, watch: Watch | None
    ) -> None:
        self._session = session
        self._locks = locks if isinstance(locks, DriverLocks) else None
        self._model = model
        self._clock = clock
        self._watch = watch or _ignore
        self._drives = False

    # --- what the session is ------------------------------------------------------------------------------------------

    @property
    def state(self) -> SessionState:
        """The session as of the last event seen here."""
        return self._session.state

    @property
    def session_id(self) -> SessionId:
        """The session's id."""
        return self._session.session

    @property
    def memory_entity_prefix(self) -> str:
        """``planning_session_{id}``: how this session's entities are named for people. Never used to find them."""
        return entity_prefix(self.session_id)

    @property
    def current_iteration(self) -> int:
        """Number of the iteration that is under way, else of the last one that was completed; 0 before the first."""
        current = self.state.current
        return current.number if current else len(self.state.iterations)

    @property
    def iteration_history(self) -> Sequence[say.IterationResult]:
        """Results of the iterations so far, oldest first."""
        return self.state.iterations

    @property
    def window(self) -> int:
        """Tokens that the model's prompt and answer may have together."""
        return self._model.window

    # --- driving ------------------------------------------------------------------------------------------------------

    @contextmanager
    def driving(self) -> Iterator[None]:
        """Hold the driver's lock of the session: one process at a time may advance it. Raises LogBusy.

        Entered again by whoever holds it already, it does nothing.
        """
        if self._locks is None or self._drives:
            yield
            return
        with self._locks.drive(self.session_id):
            self._drives = True
            try:
                yield
            finally:
                self._drives = False

    async def run(self, decide: Decide, *, on_step: OnStep | None = None) -> SessionState:
        """Drive the session until it rests, or waits at a gate that ``decide`` leaves open; return its state.

        ``on_step`` is told each step that was performed, with the state it led to.
        Holds the driver's lock meanwhile: raises LogBusy when another process drives the session.
        """
        with self.driving():
            while True:
                step = await self.advance()
                if on_step:
                    on_step(step, self.state)
                if isinstance(step, Rest):
                    return self.state
                if isinstance(step, Wait):
                    decided = await decide(self.state, step.gate)
                    if decided is None:
                        return self.state
                    await self.answer(step.gate, decided.answer, actor=decided.by)

    async def advance(self) -> Step:
        """Perform the next step and return it. A Wait or Rest changes nothing.

        A step whose ground moved (somebody else appended) is dropped without effect and derived again.
        """
        while True:
            state = await _in_thread(self._session.refresh)
            step = next_step(state)
            try:
                await self._perform(step, state)
            except StaleHead:
                continue
            return step

    async def _perform(self, step: Step, state: SessionState) -> None:
        match step:
            case Record(bodies):
                await self._derived(bodies, state)
            case Call():
                await self._call(step, state)
            case Recall():
                guidance, origin = await _in_thread(partial(recall, state, step))
                await self._derived([guidance], state, origin=origin)
            case Abandon(call):
                reason = "The process ended before the reply arrived; it may have been paid for, and is asked again."
                body = say.CallAbandoned(call=call.call, reason=reason)
                await self._derived([body], state, cause=call.event, origin="given")
            case _:
                pass

    async def _derived(
        self,
        bodies: Sequence[say.Body],
        state: SessionState,
        *,
        agent: str | None = None,
        cause: str = "",
        origin: Origin = "derived",
    ) -> Event:
        """Append what follows from ``state``, and return the last event. Raises StaleHead when the log has moved on."""
        events = await _in_thread(
            lambda: self._session.record(bodies, actor="workbench", agent=agent, cause=cause, origin=origin, seen=state)
        )
        return events[-1]

    async def answer(self, gate: Gate, answer: Answer, *, actor: str = "person") -> None:
        """Record a decision at the open gate. Raises UsageError when it does not fit, or the gate is not open any more.

        ``actor`` is ``policy`` where a policy decided that a person named beforehand.
        """
        answered = say.GateAnswered(gate=gate.id, answer=_cleaned(answer))
        while True:
            state = await _in_thread(self._session.refresh)
            _check_open(state, answered)
            try:
                await _in_thread(partial(self._decided, answered, actor, state))
            except StaleHead:
                continue  # somebody was first: perhaps with an answer to this very gate
            return

    def _decided(self, answered: say.GateAnswered, actor: str, state: SessionState) -> None:
        self._session.record([answered], actor=actor, cause=state.gate_event, origin="given", seen=state)

    async def resume(self) -> None:
        """Take the session up again after a stop, a failure or a crash: a new turn begins."""
        await _in_thread(lambda: self._session.record_given([say.SessionResumed()], actor="person", next_turn=True))

    async def stop(self, reason: str) -> None:
        """Note that the driving ends here; everything is kept."""
        await self._given(say.SessionStopped(reason=reason), actor="person")

    async def set_bounds(self, bounds: say.Bounds) -> None:
        """Set other bounds; a gate that asks about a bound closes."""
        await self._given(say.BoundsChanged(bounds=check_bounds(bounds)), actor="person")

    async def reopen(self, feedback: str) -> None:
        """Go on with a finished session for one more iteration that takes up ``feedback``. Raises UsageError."""
        text = clean(feedback).strip()
        if not text:
            raise UsageError("The feedback is empty.", "Say what should change, in a sentence or more.")
        state = await _in_thread(self._session.refresh)
        if state.finished is None or state.plan is None:
            raise UsageError("Only a finished session with a plan can be reopened.", "Resume it instead.")
        await self._given(say.SessionReopened(text=text), actor="person")

    async def _given(self, body: say.Body, *, actor: str, cause: str = "") -> None:
        await _in_thread(lambda: self._session.record_given([body], actor=actor, cause=cause))

    # --- asking a model -----------------------------------------------------------------------------------------------

    async def _call(self, step: Call, state: SessionState) -> None:
        messages = messages_for(step)
        parameters = self._parameters(state)
        call = f"c{state.calls + 1}"
        started = say.CallStarted(
            call=call,
            role=step.role,
            task=step.name,
            attempt=step.attempt,
            model=self._model.name,
            messages=tuple(say.PromptMessage(role=message.role, content=message.content) for message in messages),
            prompt_hash=_prompt_hash(messages),
            parameters=msgspec.to_builtins(parameters),
        )
        event = await self._derived([started], state, agent=step.role)
        request = Request(
            role=step.role, task=step.task, messages=messages, schema=reply_schema(step.task), parameters=parameters
        )
        self._watch(step.role, Asked(step.name))
        await self._receive(call, step.role, request, cause=event.id)

    def _parameters(self, state: SessionState) -> Parameters:
        timeout = CALL_TIMEOUT
        if state.bounds.max_time is not None:
            timeout = max(1.0, min(timeout, state.bounds.max_time - state.spent.seconds))
        room = None
        if state.bounds.max_tokens is not None:
            room = max(256, state.bounds.max_tokens - state.spent.tokens)
        return Parameters(max_output_tokens=room, timeout=timeout)

    async def _receive(self, call: str, role: str, request: Request, *, cause: str) -> None:
        """Take a reply in and record what came back, whatever came back."""
        begun = self._clock.monotonic()
        reply = _Reply()

        async def came_back(body: say.Body, actor: str = "model") -> None:
            await _in_thread(lambda: self._session.record_given([body], actor=actor, agent=role, cause=cause))

        def outcome(error: ModelError | None) -> say.Body:
            """Say what came back; a complete reply is one, whatever happened behind its end."""
            seconds = round(self._clock.monotonic() - begun, 3)
            if reply.done is not None:
                return reply.finished(call, request, reply.done, seconds)
            return _failed(call, error or _INCOMPLETE, reply.text, seconds)

        error: ModelError | None = None
        try:
            async with asyncio.timeout(request.parameters.timeout), ended(self._model.stream(request)) as parts:
                async for part in parts:
                    reply.add(part)
                    self._watch(role, part)
                    if isinstance(part, Retried):
                        await came_back(say.CallRetried(call=call, reason=clean(part.reason), wait=part.wait))
        except asyncio.CancelledError:
            if reply.done is not None:
                await came_back(outcome(None))
            else:
                reason = "Interrupted by you; what was received is kept."
                await came_back(say.CallAbandoned(call=call, reason=reason, partial=clean(reply.text)), "person")
            raise
        except TimeoutError:
            error = ModelUnreachable(
                f"The model gave no complete reply within {request.parameters.timeout:.0f} s.",
                "Resume to ask again, or use another model.",
            )
        except ModelError as model_error:
            error = model_error
        await came_back(outcome(error))

    # --- the seeds' words ---------------------------------------------------------------------------------------------

    def initialize_from_proposal(self, proposal: str, *, source: str = "-") -> None:
        """Start from a proposal that exists already, instead of proposing approaches. Raises UsageError."""
        text = clean(proposal).strip()
        if not text:
            raise UsageError("The proposal is empty.", "Give a file with the proposal's text, or leave the option out.")
        state = self._session.refresh()
        if state.approaches or state.proposal:
            raise UsageError("The session has a proposal already.", "Give feedback on it instead.")
        self._session.record_given([say.ProposalGiven(text=text, source=clean_name(source))], actor="person")

    def get_iteration_guidance(self, max_results: int = GUIDANCE_RESULTS) -> str:
        """Return, as text, what this session's own earlier iterations have to say to the next one."""
        state = self._session.refresh()
        step = guidance_for(state, len(state.iterations) + 1, max_results)
        if isinstance(step, Recall):
            return as_text(recall(state, step)[0])
        return "\n".join(as_text(body) for body in step.bodies if isinstance(body, say.GuidanceRecalled))

    def store_iteration_result(self, result: say.IterationResult) -> None:
        """Store a result that a program made by itself, and its entity."""
        check_count("iteration", result.iteration_num, 1_000_000)
        result = msgspec.convert(clean_json(msgspec.to_builtins(result)), say.IterationResult)
        name = f"{self.memory_entity_prefix}_iteration_{result.iteration_num}"
        entity = say.EntityStored(name=name, content=result.plan)
        self._session.record_given([say.IterationStored(result=result), entity], actor="person")

    async def propose_approach(self) -> SessionState:
        """Advance until approaches stand for approval (or the session waits for something else); return the state."""
        return await self._until(lambda step: isinstance(step, Wait | Rest))

    async def get_approval(self, answer: Answer) -> SessionState:
        """Answer the open approach gate. Raises UsageError when none is open."""
        gate = self.state.gate
        if gate is None or gate.kind != "approach":
            raise UsageError("No approach waits for approval.", "Call propose_approach first.")
        await self.answer(gate, answer)
        return self.state

    async def process_user_feedback(self, text: str) -> SessionState:
        """Give feedback at the open gate: other approaches are proposed, or the plan is amended."""
        gate = self.state.gate
        if gate is None:
            raise UsageError("No gate is open to give feedback at.", "Drive the session to its next checkpoint first.")
        await self.answer(gate, Answer(kind="feedback", text=text))
        return self.state

    async def call_planner(self) -> SessionState:
        """Advance through the planner's next call."""
        return await self._through("planner")

    async def call_verifier(self) -> SessionState:
        """Advance through the verifier's next call."""
        return await self._through("verifier")

    async def call_executor(self) -> SessionState:
        """Advance through the executor's next call."""
        return await self._through("executor")

    async def call_generator(self) -> SessionState:
        """Advance through the generator's next call."""
        return await self._through("generator")

    async def save_plan(self) -> int:
        """Save the current plan and finish, at an open checkpoint; return its version. Raises UsageError."""
        gate = self.state.gate
        if gate is None:
            raise UsageError("No checkpoint is open.", "Drive the session to its next checkpoint first.")
        await self.answer(gate, Answer(kind="finish"))
        state = await self._until(lambda step: isinstance(step, Rest))
        return state.saved_version or 0

    def capture_user_rating(self, stars: int, note: str = "") -> None:
        """Record a person's rating, 1 to 5. Raises UsageError."""
        verdicts.capture_user_rating(self._session, stars, note)

    def log_outcome(self, outcome: str, note: str = "") -> None:
        """Record what became of the plan: success, partial or failure. Raises UsageError."""
        verdicts.log_outcome(self._session, outcome, note)

    async def _through(self, role: str) -> SessionState:
        return await self._until(
            lambda step: isinstance(step, Wait | Rest) or (isinstance(step, Call) and step.role == role)
        )

    async def _until(self, reached: Callable[[Step], bool]) -> SessionState:
        while not reached(await self.advance()):
            pass
        return self.state


class _Reply:
    """A reply while it arrives."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._usage: Usage | None = None
        self.done: Done | None = None

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def add(self, part: object) -> None:
        match part:
            case TextDelta(text):
                self._texts.append(text)
            case Usage():
                self._usage = part
            case Done():
                self.done = part
            case _:
                pass

    def finished(self, call: str, request: Request, done: Done, seconds: float) -> say.CallFinished:
        usage = self._usage or Usage(
            input_tokens=estimate_prompt(request.messages), output_tokens=estimate_tokens(self.text), estimated=True
        )
        return say.CallFinished(
            call=call,
            text=clean(self.text),
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost=usage.cost,
            estimated=usage.estimated,
            seconds=seconds,
            model=clean_name(done.model),
            reason=done.reason,
        )


def check_options(options: say.Options) -> say.Options:
    """Return options that can be run with. Raises SettingsError, naming the option."""
    check_count("iterations", options.max_iterations, 100)
    check_count("checkpoint", options.checkpoint_interval, 100)
    check_bounds(options.bounds)
    return options


def check_bounds(bounds: say.Bounds) -> say.Bounds:
    """Return bounds that make sense. Raises SettingsError, naming the bound."""
    named = {"max-tokens": bounds.max_tokens, "max-cost": bounds.max_cost, "max-time": bounds.max_time}
    for name, value in named.items():
        if value is not None and not 0 < value < float("inf"):
            raise SettingsError(
                f"--{name} is {value}, which bounds nothing.", "Give a number above 0, or leave it out."
            )
    return bounds


def check_count(name: str, value: int, most: int) -> None:
    """Raise SettingsError where ``value`` is not between 1 and ``most``."""
    if not 1 <= value <= most:
        raise SettingsError(f"--{name} is {value}.", f"Give a whole number from 1 to {most}.")


def _failed(call: str, error: ModelError, partial: str, seconds: float) -> say.CallFailed:
    return say.CallFailed(
        call=call,
        error=type(error).__name__,
        message=error.message,
        remedy=error.remedy,
        partial=clean(partial),
        seconds=seconds,
    )


def _check_open(state: SessionState, answered: say.GateAnswered) -> None:
    """Raise UsageError where a gate is not open any more, or the answer does not fit it."""
    gate, answer = state.gate, answered.answer
    if gate is None or gate.id != answered.gate:
        raise UsageError("That question is not open any more.", "Look at the session again: `workbench resume`.")
    check_answer(gate, answer)
    if answer.kind == "edit" and state.plan is not None:
        from_markdown(answer.text, state.plan)


def _cleaned(answer: Answer) -> Answer:
    return msgspec.convert(clean_json(msgspec.to_builtins(answer)), Answer)


def _prompt_hash(messages: Sequence[Message]) -> str:
    return hashlib.sha256(msgspec.json.encode(messages)).hexdigest()


async def _in_thread(work: Callable[[], T]) -> T:
    """Do what reads or writes a file in a worker thread: the event loop never blocks.

    A cancellation waits for the end of the work: what was begun is done and known, and no lock is given back before.
    """
    doing = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait([doing])
        raise


def _ignore(_role: str, _part: object) -> None:
    """Show nothing."""
