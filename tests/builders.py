"""Sessions for tests, readable at the place where they are used.

script = Script()                                   answers every task with small valid JSON
script.then("verify", "no JSON", verify_reply())    says otherwise, in turn
manager = begin(script=script)                      a new session on a MemoryLog, with a fixed clock and id
await manager.run(approving_all())
again(manager, script=script)                       another process on the same session

told(goal_stated(), iteration_begun(), …)           events without a manager, for the fold alone
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from tests.memory_log import MemoryLog
from workbench.domain.log.envelope import Draft, Event, Head, Origin, Turn, genesis, seal
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.loop.answers.item_reply import LISTS
from workbench.domain.loop.asking.tasks import (
    NOT_BY_ITEM,
    Action,
    Approach,
    ExecuteReply,
    GenerateReply,
    Handled,
    PlanReply,
    PlanTask,
    ProposeReply,
    ProposeTask,
    VerifyReply,
)
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.plan.changing.operations import Cause, Change, SetPlan
from workbench.domain.plan.plan import Amendment, Constraint, Criterion, Effort, Plan, Section, Step
from workbench.domain.session import events as say
from workbench.domain.session.copies import Recent, in_full
from workbench.domain.session.items import Item
from workbench.domain.session.session import SessionState
from workbench.models.ports import LanguageModel, Request
from workbench.models.scripted import CallableModel
from workbench.planning.beside_the_loop.reporting import record_changes
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decide, Decision
from workbench.planning.services import NewSession, Services
from workbench.planning.session_log import SessionLog
from workbench.storage.ports import EventLog

GOAL = "Move our billing to the new provider by 30 June"
ENDING = "x1y2"
SESSION = SessionId("move-billing-provider-x1y2")


class FixedClock:
    """Always the same moment; ``monotonic`` grows by ``tick`` seconds each time it is read."""

    def __init__(self, tick: float = 0.0) -> None:
        self._tick = tick
        self._monotonic = 0.0

    def now(self) -> datetime:
        return datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

    def monotonic(self) -> float:
        self._monotonic += self._tick
        return self._monotonic


# --- replies ----------------------------------------------------------------------------------------------------------


def _json(reply: Any) -> str:
    return msgspec.json.encode(reply).decode()


def approach(number: int = 1, title: str = "") -> Approach:
    return Approach(
        id=f"A{number}",
        title=title or f"Way {number}",
        summary=f"The summary of way {number}.",
        outline=("Prepare", "Switch over"),
    )


def propose_reply(
    *approaches: Approach,
    questions: Iterable[str] = (),
    constraints: Iterable[str] = (),
    assumptions: Iterable[str] = (),
) -> str:
    offered = approaches or (approach(1), approach(2), approach(3))
    lists = {"questions": questions, "constraints": constraints, "assumptions": assumptions}
    return _json(ProposeReply(approaches=offered, **{name: tuple(texts) for name, texts in lists.items()}))


def plan_reply(*sections: Section, title: str = "", insights: Iterable[str] = (), **more: Any) -> str:
    """Answer by item with everything that sections hold; ``more``: statements, replaced, remove."""
    lists: dict[str, list[Any]] = {}
    names = {kind: name for name, kind in reversed(LISTS.items())}
    for section in sections:
        for item in section.items:
            name = section.id if LISTS.get(section.id) is type(item) else names[type(item)]
            said = msgspec.to_builtins(item)
            lists.setdefault(name, []).append({key: one for key, one in said.items() if key not in _NOT_SAID})
    prose = [{"id": section.id, "text": section.text} for section in sections if section.text]
    if sections and "statements" not in more:
        more["statements"] = [{"id": "U1", "state": "used", "items": [section.id for section in sections]}]
    return _json({"title": title, "insights": list(insights), "sections": prose, **lists, **more})


_NOT_SAID = NOT_BY_ITEM | {"type"}


def sections_reply(
    *sections: Section, title: str = "", handled: Iterable[Handled] = (), insights: Iterable[str] = ()
) -> str:
    """Answer in whole sections, as older sessions and weak models do."""
    amendments = tuple(Amendment(section=section) for section in sections)
    return _json(PlanReply(title=title, amendments=amendments, handled=tuple(handled), insights=tuple(insights)))


def verify_reply(*findings: Any, insights: Iterable[str] = ()) -> str:
    return _json(VerifyReply(findings=findings, insights=tuple(insights)))


def execute_reply(insights: Iterable[str] = ()) -> str:
    action = Action(step="S1", text="Export the customers", check="The counts agree")
    return _json(ExecuteReply(actions=(action,), insights=tuple(insights)))


def generate_reply(text: str = "# Billing moves in June\n\nNobody notices.", insights: Iterable[str] = ()) -> str:
    return _json(GenerateReply(deliverable=text, insights=tuple(insights)))


GOAL_SECTION = Section(id="goal", title="Goal", text="Billing runs with the new provider.")
CRITERIA = Section(
    id="criteria",
    title="Success criteria",
    items=(
        Criterion(
            id="C1", text="No invoice is lost", measure="Invoices in the ledger", target="100 %", due="2026-06-30"
        ),
    ),
)
STEPS = Section(
    id="steps",
    title="Steps",
    items=(
        Step(
            id="S1",
            title="Copy the customers",
            outcome="All customers exist at the new provider",
            check="The counts of both sides agree",
            owner="Data lead",
            effort=Effort(low=2, likely=3, high=5),
        ),
        Step(
            id="S2",
            title="Switch invoices over",
            outcome="Invoices come from the new provider",
            check="The first invoice run is reconciled",
            owner="Billing lead",
            effort=Effort(low=1, likely=2, high=4),
            needs=("S1",),
            answers=("C1",),
        ),
    ),
)
FIRST_DRAFT = (GOAL_SECTION, CRITERIA, STEPS)
"""Sections in which the checks find nothing, before the day that its criterion is due."""
UNDATED_DRAFT = (
    GOAL_SECTION,
    replace(CRITERIA, items=tuple(replace(item, due=None) for item in CRITERIA.items if isinstance(item, Criterion))),
    STEPS,
)
"""The same without that day: nothing in it is ever past."""


def notes(text: str) -> Section:
    return Section(id="notes", title="Notes", text=text)


def constraints(*texts: str) -> Section:
    items = tuple(Constraint(id=f"K{number}", text=text) for number, text in enumerate(texts, start=1))
    return Section(id="constraints", title="Constraints", items=items)


def plan_changed(version: int, plan: Plan, by: str = "planner", change: float = 1.0, **more: Any) -> say.PlanChanged:
    """Return the event that puts a whole plan in, as one of rules 1 is read."""
    made = Change(SetPlan(plan), Cause("person" if by == "person" else "planner"))
    return say.PlanChanged(version=version, changes=(made,), by=by, change=change, **more)


def _planned(task: PlanTask) -> str:
    """Draft the plan first, then rewrite the notes: once for each iteration, with what was said."""
    open_ones = [one for one in task.statements if one.state == "open" and one.source != "goal"]
    statements = [{"id": one.id, "state": "used", "items": ["notes"]} for one in task.statements if one.state == "open"]
    said = " ".join(one.text for one in open_ones)
    words = " ".join(f"word{task.iteration}-{n}" for n in range(20))
    draft = FIRST_DRAFT if task.today < "2026-06-30" else UNDATED_DRAFT
    sections = (*(draft if task.plan is None else ()), notes(f"Iteration {task.iteration}. {words} {said}"))
    title = "Move billing" if task.plan is None else ""
    return plan_reply(
        *sections,
        title=title,
        statements=statements,
        insights=[f"Insight {task.iteration} on planning: the ledger is the truth."],
    )


_STANDARD: dict[str, Callable[[Any], str]] = {
    "propose": lambda _task: propose_reply(),
    "plan": _planned,
    "verify": lambda _task: verify_reply(),
    "execute": lambda _task: execute_reply(),
    "generate": lambda _task: generate_reply(),
}

Said = str | Exception | Callable[[Request], str]


class Script:
    """What a model answers: small valid JSON for each task, or what the test says, in turn."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._says: defaultdict[str, list[Said]] = defaultdict(list)

    def then(self, task: str, *replies: Said) -> Script:
        """Answer the next requests for ``task`` with these, one each; afterwards as usual."""
        self._says[task].extend(replies)
        return self

    def always(self, task: str, reply: Said) -> Script:
        """Answer every request for ``task`` with this."""
        return self.then(task, *[reply] * 1000)

    @property
    def asked(self) -> list[str]:
        """The tasks that were asked for so far: what would have been paid."""
        return [task_name(request) for request in self.requests]

    def __call__(self, request: Request) -> str:
        self.requests.append(request)
        turns = self._says[task_name(request)]
        said = turns.pop(0) if turns else None
        if isinstance(said, Exception):
            raise said
        if callable(said):
            return said(request)
        return standard_reply(request) if said is None else said


def task_name(request: Request) -> str:
    return str(type(request.task).__struct_config__.tag)


def asked_of(request: Request) -> str:
    """What a role is asked: its task, and what that is to be done with."""
    told = [one.content for one in request.messages]
    return "\n\n".join((*(one for one in told[:-1] if one.startswith("# Task: ")), told[-1]))


def standard_reply(request: Request) -> str:
    return _STANDARD[task_name(request)](request.task)


def feedback_of(request: Request) -> list[str]:
    task = request.task
    if isinstance(task, ProposeTask):
        return [said.text for said in task.feedback]
    assert isinstance(task, PlanTask)
    return [one.text for one in task.statements if one.source.startswith("feedback") and one.state == "open"]


# --- managers ---------------------------------------------------------------------------------------------------------


def begin(
    goal: str = GOAL,
    *,
    log: EventLog | None = None,
    script: Script | None = None,
    model: LanguageModel | None = None,
    clock: FixedClock | None = None,
    ending: str = ENDING,
    **options: Any,
) -> IterationManager:
    """Begin a session: three iterations, a checkpoint after each second."""
    counts = {"max_iterations": 3, "checkpoint_interval": 2} | {
        name: options.pop(name) for name in ("max_iterations", "checkpoint_interval") if name in options
    }
    given = {name: options.pop(name, None) for name in NewSession.__struct_fields__}
    new = {name: value for name, value in given.items() if value is not None}
    services = Services(
        log=MemoryLog() if log is None else log,
        model=model or CallableModel(script or Script(), name="told"),
        clock=clock or FixedClock(),
        person="ada",
        workspace="w-1",
        version="0",
        **options,
    )
    return IterationManager(goal, **counts, services=services, new=NewSession(**new | {"ending": ending}))


def again(
    log: EventLog, session: str, *, script: Script | None = None, model: LanguageModel | None = None, **more: Any
) -> IterationManager:
    """Open an existing session as another process would."""
    clock = more.pop("clock", None) or FixedClock()
    kept = SessionLog(log, SessionId(session), person="ada", clock=clock)
    model = model or CallableModel(script or Script(), name="told")
    return IterationManager(kept, services=Services(log=log, model=model, clock=clock, **more))


def other_handle(log: EventLog, session: str) -> SessionLog:
    """Somebody else on the same session: a command that renames or rates."""
    return SessionLog(log, SessionId(session), person="grace", clock=FixedClock())


def log_of(manager: IterationManager) -> EventLog:
    return manager._session._log


def stored_events_of(manager: IterationManager) -> list[Event]:
    return list(log_of(manager).read(manager.session_id))


def events_of(manager: IterationManager) -> list[Event]:
    return as_in_full(stored_events_of(manager))


def as_in_full(events: Sequence[Event]) -> list[Event]:
    """The events of a session as a log that copies nothing has them, sealed anew; of a fork, or redacted, as stored."""
    if any(event.redacted or event.kind == say.SessionForked.kind for event in events):
        return list(events)
    whole = list(in_full(events))
    return list(seal([as_draft(event) for event in whole], Head("", 0, genesis(whole[0].session))))


def as_recorded(events: Sequence[Event]) -> list[Event]:
    """The same events as a log has them that copies what it can."""
    drafts = Recent().recorded(map(as_draft, events))
    return list(seal(list(drafts), Head("", 0, genesis(events[0].session))))


def kinds_of(manager: IterationManager) -> list[str]:
    return [event.kind for event in events_of(manager)]


def bodies_of(manager: IterationManager, kind: type) -> list[Any]:
    bodies = (say.content(event) for event in events_of(manager))
    return [body for body in bodies if isinstance(body, kind)]


def answering(*answers: Answer | None, by: str = "person") -> Decide:
    """Who decides: these answers in turn, then nobody; the gate of a failure is left to later where none fits it."""
    turns = list(answers)

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        fits = not turns or turns[0] is None or turns[0].kind in {choice.kind for choice in gate.choices}
        if gate.kind == "failure" and not fits:
            return None
        answer = turns.pop(0) if turns else None
        return None if answer is None else Decision(answer, by)

    return decide


async def until_checkpoint(_state: SessionState, gate: Gate) -> Decision | None:
    """Decide everything as --approve all does, up to the first checkpoint."""
    answer = approve_all(gate)
    return Decision(answer, "person") if answer is not None and gate.kind != "checkpoint" else None


CHOOSE = Answer(kind="choose", choice="A1")
CONTINUE = Answer(kind="continue")
FINISH = Answer(kind="finish")


def feedback(text: str) -> Answer:
    return Answer(kind="feedback", text=text)


# --- logs and events --------------------------------------------------------------------------------------------------


def as_draft(event: Event) -> Draft:
    return Draft(**{name: getattr(event, name) for name in Draft.__struct_fields__})


def cut(events: Sequence[Event], length: int, *, epoch: str = "e") -> MemoryLog:
    """A log that holds the first ``length`` events, as if the process had died after them."""
    log = MemoryLog(new_epoch=lambda: epoch)
    log.append(events[0].session, [as_draft(event) for event in events[:length]], expected=0)
    return log


def created(**options: Any) -> say.SessionCreated:
    return say.SessionCreated(
        goal=GOAL, name="Move billing", options=say.Options(**options), today="2026-03-02", workbench="0"
    )


def document(name: str, text: str, speaker: str = "", time: str = "", *, talk: bool = False, thread: str = "s") -> Item:
    """Return something to index: a turn of a talk, or an artefact, of which who said it may be known all the same."""
    role: Literal["assistant", "artefact"] = "assistant" if talk else "artefact"
    return Item(id=name, session=thread, role=role, agent=speaker or None, seq=0, time=time, text=text)


def told(
    *bodies: say.Body, session: str = SESSION, after: Sequence[Event] = (), agent: str | None = None
) -> list[Event]:
    """Events that say this, one after the other, each caused by the one before; the loop's own entities are derived."""
    turn = Turn(session=SessionId(session), person="ada", workspace="w-1", agent=agent and AgentId(agent))
    events = list(after)
    for body in bodies:
        cause = events[-1].id if events else ""
        is_own = isinstance(body, say.EntityStored) and body.name.startswith("planning_session_")
        origin: Origin | None = "derived" if is_own else None
        time = f"2026-03-02T09:30:{len(events):09.6f}Z"
        draft = say.draft(body, turn, actor="person", cause=cause, time=time, origin=origin)
        head = Head("e", events[-1].seq, events[-1].hash) if events else Head("e", 0, genesis(session))
        events += seal([draft], head)
    return events


def report(session: SessionLog, text: str, changes: Sequence[Change]) -> bool:
    """Record what a person reports and what it does to the plan, as ``Session.edit`` does with commands."""
    return record_changes(session, lambda _state: (say.StatusReported(text=text, changes=tuple(changes)),))
