"""The iteration manager: drives one session, a step at a time, from its goal to a saved plan.

    advance() ─▶ next_step(state) ─▶ at most one outside effect ─▶ events ─▶ state
    run(decide) ─▶ advance() until the session rests, or waits and nobody answers

It keeps no state of its own beside the log: a second manager on the same session, after a crash or tomorrow, goes on
exactly where this one stopped.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TypeVar

import msgspec

from workbench.domain import events as say
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
from workbench.domain.steps import GUIDANCE_RESULTS, Abandon, Call, Recall, Record, Rest, Step, Wait, next_step
from workbench.domain.tasks import reply_schema
from workbench.domain.text import clean, clean_name, shorten
from workbench.memory.session_memory import SessionMemory
from workbench.models.ports import Done, LanguageModel, Message, Parameters, Request, Retried, TextDelta, Usage
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.planning.ports import Clock, Decide, SystemClock, Watch
from workbench.planning.roles import messages_for
from workbench.planning.session_log import SessionLog
from workbench.storage.ports import DriverLocks, EventLog

T = TypeVar("T")

CALL_TIMEOUT = 300.0
"""Seconds that one call may take, retries included, unless a bound of time leaves less."""


class IterationManager:
    """One session's loop.

    Begins a new session by default::

        manager = IterationManager("Move the office by May", max_iterations=3, log=log, model=model)

    and goes on with an existing one through ``IterationManager.open``. Creating and opening read and write the log;
    call them from a worker thread where an event loop runs.
    """

    def __init__(
        self,
        goal: str,
        max_iterations: int = 5,
        checkpoint_interval: int = 2,
        *,
        log: EventLog,
        model: LanguageModel,
        name: str = "",
        bounds: say.Bounds | None = None,
        person: str = "person",
        workspace: str = "workspace",
        clock: Clock | None = None,
        ending: str | None = None,
        version: str = "",
        watch: Watch | None = None,
    ) -> None:
        """Begin a session. Raises InvalidGoal and SettingsError; ``ending`` fixes the random end of its id."""
        clock = clock or SystemClock()
        text = check_goal(goal)
        options = check_options(
            say.Options(
                max_iterations=max_iterations,
                checkpoint_interval=checkpoint_interval,
                model=model.name,
                bounds=bounds or say.Bounds(),
            )
        )
        created = say.SessionCreated(
            goal=text,
            name=clean_name(name or shorten(text.splitlines()[0], 60), 60),
            options=options,
            today=clock.now().date().isoformat(),
            workbench=version,
        )
        session = SessionLog.create(log, created, person=person, workspace=workspace, clock=clock, ending=ending)
        self._begin(session, log, model, clock, watch)

    @classmethod
    def open(
        cls,
        session_id: SessionId,
        *,
        log: EventLog,
        model: LanguageModel,
        person: str = "person",
        clock: Clock | None = None,
        watch: Watch | None = None,
    ) -> IterationManager:
        """Go on with an existing session. Raises NotFound, LogDamaged, LogTooNew."""
        clock = clock or SystemClock()
        manager = cls.__new__(cls)
        session = SessionLog(log, session_id, person=person, clock=clock)
        manager._begin(session, log, model, clock, watch)  # noqa: SLF001 - the other constructor of this class
        return manager

    def _begin(
        self, session: SessionLog, log: EventLog, model: LanguageModel, clock: Clock, watch: Watch | None
    ) -> None:
        self._session = session
        self._locks: DriverLocks | None = log if isinstance(log, DriverLocks) else None
        self._model = model
        self._clock = clock
        self._watch = watch or _ignore

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

    # --- driving ------------------------------------------------------------------------------------------------------

    async def run(self, decide: Decide) -> SessionState:
        """Drive the session until it rests, or waits at a gate that ``decide`` leaves open; return its state.

        Holds the driver's lock meanwhile: raises LogBusy when another process drives the session.
        """
        lock = self._locks.drive(self.session_id) if self._locks else nullcontext()
        with lock:
            while True:
                step = await self.advance()
                if isinstance(step, Rest):
                    return self.state
                if isinstance(step, Wait):
                    answer = await decide(self.state, step.gate)
                    if answer is None:
                        return self.state
                    await self.answer(step.gate, answer)

    async def advance(self) -> Step:
        """Perform the next step and return it. A Wait or Rest changes nothing.

        A step whose ground moved (somebody else appended) is dropped without effect and derived again.
        """
        while True:
            step = next_step(await _in_thread(self._session.refresh))
            try:
                await self._perform(step)
            except StaleHead:
                continue
            return step

    async def _perform(self, step: Step) -> None:
        match step:
            case Record(bodies):
                await _in_thread(lambda: self._session.record(bodies, actor="workbench", origin="derived"))
            case Call():
                await self._call(step)
            case Recall():
                await self._recall(step)
            case Abandon(call):
                reason = "The process ended before the reply arrived; it may have been paid for, and is asked again."
                body = say.CallAbandoned(call=call.call, reason=reason)
                await _in_thread(
                    lambda: self._session.record([body], actor="workbench", cause=call.event, origin="given")
                )
            case _:
                pass

    async def answer(self, gate: Gate, answer: Answer, *, actor: str = "person") -> None:
        """Record a decision at the open gate. Raises UsageError when it does not fit, or the gate is not open any more.

        ``actor`` is ``policy`` where a policy decided that a person named beforehand.
        """
        state = await _in_thread(self._session.refresh)
        if state.gate is None or state.gate.id != gate.id:
            raise UsageError("That question is not open any more.", "Look at the session again: `workbench resume`.")
        answer = _cleaned(answer)
        check_answer(state.gate, answer)
        if answer.kind == "edit" and state.plan is not None:
            from_markdown(answer.text, state.plan)
        body = say.GateAnswered(gate=gate.id, answer=answer)
        await self._given(body, actor=actor, cause=state.gate_event)

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
        if self.state.finished is None or self.state.plan is None:
            raise UsageError("Only a finished session with a plan can be reopened.", "Resume it instead.")
        await self._given(say.SessionReopened(text=text), actor="person")

    async def _given(self, body: say.Body, *, actor: str, cause: str = "") -> None:
        await _in_thread(lambda: self._session.record_given([body], actor=actor, cause=cause))

    # --- the two outside effects --------------------------------------------------------------------------------------

    async def _recall(self, step: Recall) -> None:
        """Search this session's own memory; where that fails or finds nothing, fall back, and say so."""
        state = self.state
        try:
            memory = SessionMemory(state)
            hits = memory.search_similar(step.query, step.max_results, self.session_id)
        except Exception as error:  # noqa: BLE001 - whatever a search does, planning goes on with a visible fallback
            note = f"The search failed ({type(error).__name__}); these are the last iteration's first insights."
            body = say.GuidanceRecalled(query=step.query, source="fallback", items=step.fallback, note=note)
            await self._given(body, actor="workbench")
            return
        if hits:
            items = tuple(hit.text for hit in hits)
            found = say.GuidanceRecalled(query=step.query, source="search", items=items)
        else:
            note = "The search found nothing; these are the last iteration's first insights."
            found = say.GuidanceRecalled(query=step.query, source="fallback", items=step.fallback, note=note)
        await _in_thread(lambda: self._session.record([found], actor="workbench", origin="derived"))

    async def _call(self, step: Call) -> None:
        state = self.state
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
        events = await _in_thread(
            lambda: self._session.record([started], actor="workbench", agent=step.role, origin="derived")
        )
        request = Request(
            role=step.role, task=step.task, messages=messages, schema=reply_schema(step.task), parameters=parameters
        )
        await self._receive(call, step.role, request, cause=events[-1].id)

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

        def seconds() -> float:
            return round(self._clock.monotonic() - begun, 3)

        async def came_back(body: say.Body, actor: str = "model") -> None:
            await _in_thread(lambda: self._session.record_given([body], actor=actor, agent=role, cause=cause))

        try:
            async with asyncio.timeout(request.parameters.timeout):
                async for part in self._model.stream(request):
                    reply.add(part)
                    self._watch(role, part)
                    if isinstance(part, Retried):
                        await came_back(say.CallRetried(call=call, reason=clean(part.reason), wait=part.wait))
        except asyncio.CancelledError:
            reason = "Interrupted by you; what was received is kept."
            body = say.CallAbandoned(call=call, reason=reason, partial=clean(reply.text))
            await asyncio.shield(came_back(body, "person"))
            raise
        except TimeoutError:
            limit = request.parameters.timeout
            error: ModelError = ModelUnreachable(
                f"The model gave no complete reply within {limit:.0f} s.", "Resume to ask again, or use another model."
            )
            await came_back(_failed(call, error, reply.text, seconds()))
        except ModelError as model_error:
            await came_back(_failed(call, model_error, reply.text, seconds()))
        else:
            if reply.done is None:
                error = ModelReplyInvalid("The reply ended before it was complete.", "Resume to ask again.")
                await came_back(_failed(call, error, reply.text, seconds()))
            else:
                await came_back(reply.finished(call, request, reply.done, seconds()))

    # --- the seeds' words ---------------------------------------------------------------------------------------------

    def initialize_from_proposal(self, proposal: str, *, source: str = "-") -> None:
        """Start from a proposal that exists already, instead of proposing approaches. Raises UsageError."""
        text = clean(proposal).strip()
        if not text:
            raise UsageError("The proposal is empty.", "Give a file with the proposal's text, or leave the option out.")
        if self.state.approaches or self.state.proposal:
            raise UsageError("The session has a proposal already.", "Give feedback on it instead.")
        self._session.record_given([say.ProposalGiven(text=text, source=clean_name(source))], actor="person")

    def get_iteration_guidance(self, max_results: int = GUIDANCE_RESULTS) -> str:
        """Return, as text, what this session's own earlier iterations have to say to the next one."""
        state = self._session.refresh()
        if not state.insights:
            return "There are no insights of this session yet."
        hits = SessionMemory(state).search_similar(f"Key insights for goal: {state.goal}", max_results, self.session_id)
        if hits:
            return "\n".join(["Insights of this session, found by search:", *(f"- {hit.text}" for hit in hits)])
        last = state.insights[-max_results:]
        return "\n".join(
            ["Fallback, because the search found nothing: the last insights:", *(f"- {text}" for text in last)]
        )

    def store_iteration_result(self, result: say.IterationResult) -> None:
        """Store a result that a program made by itself, and its entity."""
        name = f"{self.memory_entity_prefix}_iteration_{result.iteration_num}"
        entity = say.EntityStored(name=name, content=clean(result.plan))
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
        if not 1 <= stars <= 5:
            raise UsageError(f"{stars} is not a rating.", "Rate with 1 to 5 stars.")
        self._session.record_given([say.RatingGiven(stars=stars, note=clean(note))], actor="person")

    def log_outcome(self, outcome: str, note: str = "") -> None:
        """Record what became of the plan: success, partial or failure. Raises UsageError."""
        match outcome:
            case "success" | "partial" | "failure":
                body = say.OutcomeLogged(outcome=outcome, note=clean(note))
            case _:
                raise UsageError(f"{outcome!r} is not an outcome.", "Use success, partial or failure.")
        self._session.record_given([body], actor="person")

    def rename(self, name: str) -> None:
        """Give the session another name; its id stays. Raises UsageError."""
        text = clean_name(name, 60)
        if not text:
            raise UsageError("The name is empty.", "Give a name of at least one character.")
        self._session.record_given([say.SessionRenamed(name=text)], actor="person")

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


def _cleaned(answer: Answer) -> Answer:
    notes = tuple(msgspec.structs.replace(note, text=clean(note.text)) for note in answer.notes)
    return msgspec.structs.replace(answer, text=clean(answer.text), notes=notes)


def _prompt_hash(messages: Sequence[Message]) -> str:
    return hashlib.sha256(msgspec.json.encode(messages)).hexdigest()


async def _in_thread(work: Callable[[], T]) -> T:
    """Do what reads or writes a file in a worker thread: the event loop never blocks."""
    return await asyncio.to_thread(work)


def _ignore(_role: str, _part: object) -> None:
    """Show nothing."""
