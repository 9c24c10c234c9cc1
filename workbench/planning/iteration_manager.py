"""The iteration manager: drives one session, a step at a time, from its goal to a saved plan.

    advance() ─▶ next_step(state) ─▶ at most one outside effect ─▶ events ─▶ state
    run(decide) ─▶ advance() until the session rests, or waits and nobody answers

It keeps no state of its own beside the log: a second manager on the same session, after a crash or tomorrow, goes on
exactly where this one stopped.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from contextvars import copy_context
from functools import partial
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import LogBusy, ModelContextExceeded, ModelError, StaleHead, UsageError, WorkbenchError
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event, Origin
from workbench.domain.log.ids import SessionId, entity_prefix
from workbench.domain.loop.agents import Agent, role_agent
from workbench.domain.loop.answers.reply_schema import reply_schema
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.loop.steps import (
    Abandon,
    Call,
    Observe,
    Recall,
    Record,
    Research,
    Rest,
    Search,
    Step,
    UseTool,
    Wait,
    plans_without_model,
)
from workbench.domain.loop.workflow import GUIDANCE_RESULTS, guidance_for, next_step
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState
from workbench.domain.session.state import ToolUse
from workbench.domain.text.cleaning import clean, clean_json, clean_name
from workbench.memory.memory_view import SessionMemory
from workbench.models.answers import ended
from workbench.models.ports import LanguageModel, Noted, Request, Retried, window_of
from workbench.planning.agents import add_agent
from workbench.planning.asking.calling import Prepared, parameters_of, prepare, started
from workbench.planning.asking.guidance import as_text, recall
from workbench.planning.asking.incoming import IncomingReply, checked_parts, lost_with_its_process, notice
from workbench.planning.asking.working import workers_sent
from workbench.planning.beside_the_loop import verdicts
from workbench.planning.checks import (
    agent_named,
    check_bounds,
    check_count,
    check_open,
    check_proposal,
    cleaned,
    message_of,
    said_of_proposal,
)
from workbench.planning.memory.recalling import mark_item, searched_for, switch_recall
from workbench.planning.ports import Ahead, Asked, Begun, Decide, Decision, OnStep
from workbench.planning.services import NewSession, Services, begin_session
from workbench.planning.session_log import SessionLog
from workbench.planning.sources.project_files import fresh
from workbench.planning.taking_part import course_of, observe_shared
from workbench.planning.trust.consents import (
    bounds_consent,
    given_after,
    given_before,
    lapse_of,
    lapses_of_forged,
    used_up,
)

T = TypeVar("T")


def _listens_before(step: Step) -> bool:
    """Tell whether what a person wrote ahead goes in front of a step: the planner's, and the end of a round."""
    if isinstance(step, Call):
        return step.name == "plan" and step.attempt == 1
    return isinstance(step, Record) and any(isinstance(one, say.IterationCompleted) for one in step.bodies)


def _with_same_models() -> say.SessionResumed:
    """Return what is recorded where all models are the same as before."""
    return say.SessionResumed(rules=rules.CURRENT)


class IterationManager:
    """One session's loop.

    Begins a new session with a goal::

        services = Services(log=log, model=model)
        manager = IterationManager("Move the office by May", max_iterations=3, services=services)

    and continues with an existing one that it is given instead of a goal. Beginning one writes to the log: do it in a
    worker thread where an event loop runs.
    """

    def __init__(
        self,
        goal: str | SessionLog,
        max_iterations: int = 5,
        checkpoint_interval: int = 2,
        *,
        services: Services,
        new: NewSession | None = None,
    ) -> None:
        """Begin a session, or continue with one. Raises InvalidGoal and SettingsError."""
        if isinstance(goal, str):
            goal = begin_session(goal, max_iterations, checkpoint_interval, services, new or NewSession())
        self._session = goal
        self._services = services
        self._memory = SessionMemory(self.session_id, services.embedder, services.indexes)
        self.coordinator = None if services.coordinate is None else services.coordinate(self.session_id)
        """The session's part in the shared context; whoever opens the session starts and stops it."""
        self.said_ahead: Ahead = lambda: nullcontext("")
        """Gives, once, what a person wrote while roles worked, before the planner is asked, and after.

        Where it cannot be given to the planner, leaving the context with an error puts it back.
        """
        self._drivers = 0
        self._lock = ExitStack()
        self._advancing = threading.Lock()

    def __repr__(self) -> str:
        return f"<IterationManager of {self.session_id}: {self.state.status}>"

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
        return self._services.model.window

    # --- driving ------------------------------------------------------------------------------------------------------

    @contextmanager
    def driving(self) -> Iterator[None]:
        """Hold the driver's lock of the session: one process at a time may advance it. Raises LogBusy.

        Everything that advances the session enters it; within this manager it may be entered any number of times, and
        the lock is given back with the last one.
        """
        if not self._drivers:
            self._lock.enter_context(self._session.driving())
        self._drivers += 1
        try:
            yield
        finally:
            self._drivers -= 1
            if not self._drivers:
                self._lock.close()

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
                    await self._decide(step.gate, decided)

    async def _decide(self, gate: Gate, decided: Decision) -> None:
        try:
            await self.answer(gate, decided.answer, actor=decided.by)
        except UsageError:
            is_open = self.state.gate is not None and self.state.gate.id == gate.id
            if is_open or decided.by == "person":
                raise  # a person is told that the answer did not count; a policy has nothing to say to a closed gate

    async def look(self) -> Step:
        """Return the next step without performing it. Where the session rests, other sessions are told so.

        Raises LogBusy.
        """
        with self.driving():
            return await _in_thread(self._look_on)

    def _look_on(self) -> Step:
        state = self._session.refresh()
        step = next_step(state)
        if isinstance(step, Wait | Rest):
            self._publish(state, step)
        return step

    async def advance(self) -> Step:
        """Perform the next step and return it. A Wait or Rest changes nothing.

        A step whose ground moved (somebody else appended) is dropped without effect and derived again.
        Raises LogBusy while another process, or another task through this manager, advances the session: a reply that
        is on its way to somebody else is not bought again.
        """
        if not self._advancing.acquire(blocking=False):
            raise LogBusy("The session is being advanced already.", "Wait for the step that is under way.")
        try:
            with self.driving():
                return await self._advance()
        finally:
            self._advancing.release()

    async def _advance(self) -> Step:
        while True:
            state, prepared = await _in_thread(self._prepare_next)
            services = self._services
            has_other_models = services.reread is not None and self._resumed() != _with_same_models()
            if (rules.is_older(state.rules) or has_other_models) and not isinstance(prepared.step, Wait | Rest):
                await self.resume()  # what older rules, or other models, would derive here is not known any more
                continue
            check = partial(lapse_of, state, prepared.step, services.consents, services.tools, services.limits)
            if _listens_before(prepared.step):
                with self.said_ahead() as said:
                    if said:
                        await self.feed_back(said)
                if said:
                    continue
            try:
                if lapsed := await _in_thread(check, services.tools.stop if services.tools is not None else None):
                    await self._derived(lapsed, state, origin="given")
                    continue
                await self._perform(prepared, state)
            except StaleHead:
                continue
            return prepared.step

    def _prepare_next(self) -> tuple[SessionState, Prepared]:
        state = self._session.refresh()
        prepared = prepare(state, partial(self._model_for, state), self._memory.at)
        self._publish(state, prepared.step)
        return state, prepared

    def _publish(self, state: SessionState, step: Step) -> None:
        """Tell other sessions what this one is at; of a private one they are told nothing, and no longer."""
        if self.coordinator is None:
            return
        course = course_of(state, step)
        if state.private:
            self.coordinator.withdraw()
        elif course is not None:
            self.coordinator.publish(course, works=isinstance(step, Call))

    @contextmanager
    def taking_part(self) -> Iterator[None]:
        """Take part in the shared context while the session is open here. Planning goes on where that cannot be.

        A private session looks at what others share, and is not seen by them.
        """
        coordinator = self.coordinator
        if coordinator is None or self.state.private:
            yield
            return
        with suppress(WorkbenchError):  # what is shared is said to be unavailable at the first look
            coordinator.start()
        try:
            yield
        finally:
            with suppress(WorkbenchError):
                coordinator.stop()

    async def _perform(self, prepared: Prepared, state: SessionState) -> None:
        step = prepared.step
        match step:
            case Record(bodies):
                await self._derived(bodies, state)
            case Call():
                await self._call(step, prepared, state)
            case Recall():
                guidance, origin = await _in_thread(partial(recall, state, step, self._memory.at))
                await self._derived([guidance], state, origin=origin)
            case Observe():
                seen = await _in_thread(partial(observe_shared, self.coordinator, state, step))
                await self._derived([seen], state, origin="given")
            case UseTool(using):
                await self._use_tool(using, state)
            case Research():
                self._services.watch("research", Begun("research"))
                research = self._services.research
                stop = None if research is None else research.stop
                found = await _in_thread(partial(self._researched, step, state), stop)
                await self._derived(found, state, origin="given")
            case Search():
                searched = await _in_thread(partial(searched_for, self._services.others, step, self.session_id))
                await self._derived([searched], state, agent=step.agent, origin="given")
            case Abandon(call):
                lost = lost_with_its_process(call)
                await self._derived([lost], state, agent=call.role, cause=call.event, origin="given")
            case _:
                pass

    async def _use_tool(self, using: ToolUse, state: SessionState) -> None:
        """Use a tool, between two events. One that only reads is used again if a process died over it."""
        cause = state.trigger
        if not using.started:
            cause = (await self._derived([say.ToolStarted(use=using.use)], state, agent=using.role)).id
        tools = self._services.tools
        if tools is None:
            returned = say.ToolReturned(use=using.use, outcome="failed", text="No tools are allowed here.")
        else:
            self._services.watch(using.tool, Begun("tool"))
            await _in_thread(partial(used_up, state, using, self._services.consents))
            try:
                memory, now = self._memory.at(state), self._services.clock.monotonic
                returned = await tools.use(using, state, memory, now)
            except asyncio.CancelledError:
                interrupted = say.ToolReturned(use=using.use, outcome="interrupted", text="It was interrupted.")
                await self._record_given(interrupted, actor="person", cause=cause)
                raise
        await self._record_given(returned, actor="workbench", cause=cause)

    def _researched(self, step: Research, state: SessionState) -> tuple[say.Body, ...]:
        research = self._services.research
        if research is None:
            from workbench.planning.sources.research import not_allowed  # few sessions look anything up

            return (not_allowed(step.gaps, step.for_call),)
        return research.look_up(step.gaps, state, self._memory.at(state), for_call=step.for_call)

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
        answered = say.GateAnswered(gate=gate.id, answer=cleaned(answer))
        speaks = actor == "person" and answer.kind in ("feedback", "answer")
        said = "\n".join([answer.text, *(note.text for note in answer.notes)]) if speaks else ""
        files = await _in_thread(partial(self._named_in, said))
        while True:
            try:
                await _in_thread(partial(self._record_decision, answered, actor, files))
            except StaleHead:
                continue  # somebody was first: perhaps with an answer to this very gate
            return

    def _record_decision(self, answered: say.GateAnswered, actor: str, files: Sequence[say.FileRead]) -> None:
        state = self._session.refresh([answered], actor=actor)
        check_open(state, answered)
        bodies = (*self._session.new_day(), *fresh(state, files), answered)
        consents = self._services.consents
        gate = state.gate if actor == "person" else None
        if gate is not None and (lapsed := lapses_of_forged(state, gate)):
            self._session.record(lapsed, actor="workbench", origin="given", seen=state)
            raise UsageError("That question was not asked by this workbench.", "Resume the session: it is asked again.")
        allowed = given_before(state, gate, answered.answer) if gate is not None else None
        if allowed is not None:
            consents.give(allowed)
        self._session.record(bodies, actor=actor, cause=state.gate_event, origin="given", seen=state)
        raised = given_after(self.state, gate, answered.answer) if gate is not None else None
        if raised is not None:
            consents.give(raised)

    def _named_in(self, said: str, to: str = "") -> tuple[say.FileRead, ...]:
        """Read the files that a person names with ``@path``; those of a message are its agent's alone."""
        files = self._services.files
        return files.mentioned(said, to=to) if files is not None and "@" in said else ()

    async def resume(self) -> None:
        """Take the session up again after a stop, a failure or a crash: a new turn begins, perhaps of another model.

        From here on the current rules derive what follows.
        """
        is_on = self.coordinator is not None and self.coordinator.is_on
        shared = is_on if is_on != self.state.sharing else None
        services, resumed = self._services, replace(self._resumed(), shared=shared)
        await _in_thread(
            lambda: self._session.record_given([resumed, *self._session.new_day()], actor="person", next_turn=True)
        )
        research = services.research.switched if services.research is not None else say.ResearchSwitched(on=False)
        if research != self.state.research:
            await self._record_given(research, actor="person")
        box = services.tools
        tools = await _in_thread(lambda: box.offered, box.stop) if box is not None else say.ToolsOffered()
        if tools != self.state.tools:
            await self._record_given(tools, actor="person")

    def _resumed(self) -> say.SessionResumed:
        """Return what is recorded of a session that is taken up again: which models are others than before."""
        options, services = self.state.options, self._services
        model, base_url = services.model_name or options.model, services.base_url
        roles = dict(services.roles) if services.roles != options.roles else None
        resumed = replace(_with_same_models(), roles=roles)
        if (services.model_name or base_url) and (model, base_url) != (options.model, options.base_url):
            follows = services.server_from_settings or msgspec.UNSET
            resumed = replace(resumed, model=model, base_url=base_url, server_from_settings=follows)
        return resumed

    async def stop(self, reason: str) -> None:
        """Note that the driving ends here; everything is kept."""
        await self._record_given(say.SessionStopped(reason=reason), actor="person")

    async def set_bounds(self, bounds: say.Bounds) -> None:
        """Set other bounds; a gate that asks about a bound closes."""
        checked = check_bounds(bounds)
        await self._record_given(say.BoundsChanged(bounds=checked), actor="person")
        await _in_thread(partial(self._services.consents.give, bounds_consent(self.state, checked)))

    async def reopen(self, feedback: str) -> None:
        """Go on with a finished session for one more iteration that takes up ``feedback``. Raises UsageError."""
        text = clean(feedback).strip()
        if not text:
            raise UsageError("The feedback is empty.", "Say what should change, in a sentence or more.")
        reopened = say.SessionReopened(text=text)
        state = await _in_thread(partial(self._session.refresh, [reopened]))
        if state.finished is None or state.plan is None:
            raise UsageError("Only a finished session with a plan can be reopened.", "Resume it instead.")
        files = await _in_thread(partial(self._named_in, text))
        await self._record_given(*fresh(state, files), reopened, actor="person")

    async def feed_back(self, feedback: str) -> None:
        """Say what should change while roles work, or after a stop: the next call of the planner is asked with it.

        Raises UsageError for an empty text, and in a session that is finished.
        """
        text = clean(feedback).strip()
        given = say.FeedbackGiven(text=text)
        state = await _in_thread(partial(self._session.refresh, [given]))
        if not text:
            raise UsageError("The feedback is empty.", "Say what should change, in a sentence or more.")
        if state.finished is not None:
            raise UsageError(
                "The session is finished: nothing more is planned in it.", "Reopen it with feedback, or begin another."
            )
        files = await _in_thread(partial(self._named_in, text))
        await self._record_given(*fresh(state, files), given, actor="person")

    async def want_checkpoint(self) -> None:
        """Be asked after the round that is under way, whatever the interval is."""
        await self._record_given(say.CheckpointWanted(), actor="person")

    # --- back, and forward again --------------------------------------------------------------------------------------

    async def rewind(self, to: int | None = None) -> SessionState:
        """Return the session to where it was before a decision, by default the last one; return its state.

        ``to`` is the place's seq, one of ``state.way.behind``. Nothing is lost: what came since stays in the log, and
        ``redo`` goes forward again. Raises UsageError if there is no such place, LogBusy while a step is under way.
        """
        return await self._go(to, back=True)

    async def redo(self, to: int | None = None) -> SessionState:
        """Take a rewind back: go to the next of ``state.way.ahead``, or to ``to``. Raises as ``rewind``."""
        return await self._go(to, back=False)

    async def _go(self, to: int | None, *, back: bool) -> SessionState:
        if not self._advancing.acquire(blocking=False):
            raise LogBusy("A step is under way.", "Interrupt it first, or wait for its end.")
        try:
            with self.driving():
                return await _in_thread(partial(self._session.go, to, back=back))
        finally:
            self._advancing.release()

    # --- what other sessions remember ---------------------------------------------------------------------------------

    async def switch_recall(self, *, on: bool) -> None:
        """Decide whether other sessions are searched from now on."""
        await _in_thread(partial(switch_recall, self._session, on=on))

    async def mark(self, session: str, item: str, mark: Literal["excluded", "pinned", ""]) -> None:
        """Exclude an item of another session from every prompt, pin it to each, or take that back."""
        await _in_thread(partial(mark_item, self._session, session, item, mark))

    # --- agents -------------------------------------------------------------------------------------------------------

    def add_agent(self, agent: Agent) -> None:
        """Add an agent. Raises UsageError if another one has the same id."""
        add_agent(self._session, agent)

    async def address(self, agent: str, message: str) -> None:
        """Say something to an agent: its answer is the next step. Raises UsageError."""
        said = say.MessageGiven(role="user", text=message_of(message), to=str(agent))
        state = await _in_thread(partial(self._session.refresh, [said]))
        await _in_thread(partial(self.model_of, agent_named(state, agent)))
        files = await _in_thread(partial(self._named_in, said.text, said.to))
        await self._record_given(*fresh(state, files), said, actor="person")

    async def send_workers(self, agent: str, parts: Sequence[str]) -> tuple[str, ...]:
        """Let workers do parts of an agent's work, each with a share of the tokens; return their names.

        What they report is in the agent's view before its next answer. Raises UsageError.
        """
        return await _in_thread(partial(self._send_workers, agent, parts))

    def _send_workers(self, agent: str, parts: Sequence[str]) -> tuple[str, ...]:
        known = agent_named(self._session.refresh(), agent)
        window = window_of(self.model_of(known))
        body = workers_sent(self._session.state, known.id, parts, window)
        self._session.record_given([body], actor="person", agent=known.id)
        return tuple(one.worker for one in body.workers)

    async def ask(self, agent: str, message: str, *, parts: Sequence[str] = ()) -> str:
        """Ask an agent something, and return its answer; "" if it has not answered. Raises UsageError.

        ``parts`` of the work are done by workers first.
        """
        if parts:
            await self.send_workers(agent, parts)
        await self.address(agent, message)
        waits = self.state.asking[-1]
        with self.driving():
            while waits in self.state.asking and not isinstance(await self.advance(), Wait | Rest):
                pass
        answered = [one.text for one in self.state.history if one.agent == agent]
        return "" if waits in self.state.asking else answered[-1]

    async def _record_given(self, *bodies: say.Body, actor: str, cause: str = "") -> None:
        def record() -> None:
            day = self._session.new_day() if actor == "person" else ()
            self._session.record_given((*day, *bodies), actor=actor, cause=cause)

        await _in_thread(record)

    # --- asking a model -----------------------------------------------------------------------------------------------

    async def _call(self, step: Call, prepared: Prepared, state: SessionState) -> None:
        model = prepared.model or self._services.model
        bodies = started(state, step, prepared, model.name)
        event = await self._derived(bodies, state, agent=step.role)
        if prepared.too_small is not None:
            return
        request = Request(
            role=step.role,
            task=step.task,
            messages=prepared.messages,
            schema=reply_schema(step.task),
            parameters=parameters_of(state, prepared.room),
            is_repair=step.attempt > 1,
            came=state.came.parts if state.came.prompt_hash == bodies[0].prompt_hash else (),
        )
        self._services.watch(step.role, Asked(step.name))
        if left_out := getattr(step.task, "left_out", ()):
            noted = Noted(f"The model's window has no room for all of it. {'; '.join(left_out)}.")
            self._services.watch(step.role, noted)
            told = [notice(bodies[0].call, noted)]
            record = partial(self._session.record_given, told, actor="model", agent=step.role, cause=event.id)
            await _in_thread(record)
        await self._receive(bodies[0].call, request, model, cause=event.id)

    def _model_for(self, state: SessionState, step: Call) -> LanguageModel:
        """Return the model that answers, as it is set now: an agent or a role may have one of its own."""
        if self._services.reread is not None:
            self._services = self._services.reread(self._services, state)
        agent = state.agent(step.role) or role_agent(step.role, self._services.roles.get(step.role, ""))
        return self.model_of(agent)

    def model_of(self, agent: Agent) -> LanguageModel:
        """Return the model that answers for an agent. Raises ModelError, and NotTrusted for a server not accepted."""
        return self._services.open_model(agent) if agent.model else self._services.model

    async def _receive(self, call: str, request: Request, model: LanguageModel, *, cause: str) -> None:
        """Take a reply in and record what came back, whatever came back."""
        reply = IncomingReply(call, request, model.name, self._services.clock.monotonic)
        window = model.window

        async def came_back(told: Callable[[], say.Body], actor: str = "model") -> None:
            await _in_thread(lambda: self._session.record_given([told()], actor=actor, agent=request.role, cause=cause))

        error: ModelError | None = None
        try:
            async with asyncio.timeout(request.parameters.total), ended(checked_parts(model, request)) as parts:
                async for part in parts:
                    reply.add(part)
                    self._services.watch(request.role, part)
                    if isinstance(part, Retried | Noted):
                        await came_back(partial(notice, call, part))
        except TimeoutError:
            error = reply.too_slow()
        except ModelContextExceeded as too_long:
            if model.window < window:
                await came_back(partial(reply.refitted, model.window), "workbench")
                return
            error = too_long
        except ModelError as model_error:
            error = model_error
        except (asyncio.CancelledError, Exception) as interruption:
            actor = "person" if isinstance(interruption, asyncio.CancelledError) else "workbench"
            await came_back(partial(reply.interrupted, interruption), actor)
            raise
        await came_back(partial(reply.outcome, error))

    # --- the seeds' words ---------------------------------------------------------------------------------------------

    def initialize_from_proposal(self, proposal: str, *, source: str = "-") -> None:
        """Start from a proposal that exists already, instead of proposing approaches. Raises UsageError."""
        text = check_proposal(proposal)
        state = self._session.refresh()
        if state.approaches or state.proposal:
            raise UsageError("The session has a proposal already.", "Give feedback on it instead.")
        said = said_of_proposal(text, window_of(self._services.model))
        given = say.ProposalGiven(text=text, source=clean_name(source), characters_said=said)
        self._session.record_given([given], actor="person")

    def get_iteration_guidance(self, max_results: int = GUIDANCE_RESULTS) -> str:
        """Return, as text, what this session's own earlier iterations have to say to the next one."""
        state = self._session.refresh()
        step = guidance_for(state, len(state.iterations) + 1, max_results)
        if isinstance(step, Recall):
            return as_text(recall(state, step, self._memory.at)[0])
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
        """Ask the executor what happens first, once the round under way is done."""
        return await self._ask_outside_round("execute", "executor")

    async def call_generator(self) -> SessionState:
        """Have the generator write its summary, once the round under way is done."""
        return await self._ask_outside_round("generate", "generator")

    async def save_plan(self) -> int:
        """Save the current plan and finish, at an open checkpoint; return its version. Raises UsageError.

        0 if executor or generator did not answer before: that gate is open then.
        """
        gate = self.state.gate
        if gate is None:
            raise UsageError("No checkpoint is open.", "Drive the session to its next checkpoint first.")
        with self.driving():
            await self.answer(gate, Answer(kind="finish"))
            state = await self._until(lambda step: isinstance(step, Wait | Rest))
        return state.saved_version or 0

    def capture_user_rating(self, stars: int, note: str = "", round_number: int = 0) -> None:
        """Record a rating, 1 to 5, of an iteration, or of the session as a whole (0). Raises UsageError."""
        verdicts.capture_user_rating(self._session, stars, note, round_number)

    def log_outcome(
        self, outcome: str, note: str = "", *, forgot: Sequence[str] = (), took: Mapping[str, float] | None = None
    ) -> None:
        """Record what became of the plan, as ``Session.log_outcome`` does. Raises UsageError."""
        verdicts.log_outcome(self._session, outcome, note, forgot=forgot, took=took)

    async def _ask_outside_round(self, task: Literal["execute", "generate"], role: str) -> SessionState:
        """Have a role asked outside of a round; where what it said last still holds, nothing is asked."""
        state = self._session.refresh()
        if not plans_without_model(state):
            if state.plan is None:
                state = await self._until(lambda step: isinstance(step, Wait | Rest) or self.state.plan is not None)
            if state.plan is None:
                return state
            await self._record_given(say.ResultWanted(task=task), actor="person")
        return await self._through(role)

    async def _through(self, role: str) -> SessionState:
        return await self._until(
            lambda step: isinstance(step, Wait | Rest) or (isinstance(step, Call) and step.role == role)
        )

    async def _until(self, reached: Callable[[Step], bool]) -> SessionState:
        with self.driving():
            while not reached(await self.advance()):
                pass
        return self.state


async def _in_thread(work: Callable[[], T], stop: Callable[[], object] | None = None) -> T:
    """Do what reads or writes a file in a worker thread: the event loop never blocks.

    A cancellation waits for the end of the work: what was begun is done and known, and no lock is given back before.
    ``stop`` ends work early that waits for others. The work is no task: a loop that ends cancels all its tasks, and
    with them what waits for a thread.
    """
    doing = asyncio.get_running_loop().run_in_executor(None, copy_context().run, work)
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        if stop is not None:
            stop()
        await asyncio.wait([doing])
        raise
