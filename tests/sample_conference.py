"""The sample in which everything happens: a session, and a fork of it that goes another way.

    run-city-trees-demo    one hall, approved and saved in a quarter of an hour
        └─ fork at the question that was skipped there: how many members can travel?
    run-city-trees-fork    a hall and a stream: two agents asked again and again until their conversation is condensed,
                            workers, values shared with the treasurer's session (one changed by both), what the wedding
                            of another session taught, notes, Ctrl+C and a new day, back before a decision and forward
                            again, a bound reached, an edit by hand, a rating and an outcome. What Ana says is used,
                            answered, declined, replaced and dismissed; a finding is mended and one disputed; what comes
                            first is asked before the finish, and again for what has changed at it

The roles answer as in conference_roles.py, the agents as in conference_talk.toml; all else is the product's doing.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from tests.conference_roles import REPORTS, SAID, reply_to
from tests.memory_log import MemoryLog
from tests.planning.together import OpenElsewhere
from tests.steady_clock import SteadyClock
from workbench.domain.log.ids import SessionId
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.asking.tasks import ChatTask, CondenseTask
from workbench.domain.loop.deciding.gates import Answer, Gate, Note
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.session.events import Bounds
from workbench.domain.session.session import SessionState
from workbench.memory.library import Library
from workbench.memory.other_sessions import OtherSessions
from workbench.models.embeddings import HashedWords
from workbench.models.ports import Part, Request
from workbench.models.scripted import CallableModel
from workbench.planning.beside_the_loop.forking import fork
from workbench.planning.beside_the_loop.reporting import mark_statement
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import nobody
from workbench.planning.ports import Decision, stamp
from workbench.planning.services import NewSession, Services
from workbench.planning.session_log import SessionLog
from workbench.sharing.coordinator import SessionCoordinator
from workbench.sharing.shared_context import SharedContextManager
from workbench.storage.files.log import FileLog

_TALK = tomllib.loads(Path(__file__).with_name("conference_talk.toml").read_text(encoding="utf-8"))
AGENTS = [new_agent(name, instructions) for name, instructions in _TALK["agents"].items()]
CONVERSATION: dict[str, str] = {one["ana"]: one["answer"] for one in _TALK["conversation"]}
PERSON, WORKSPACE = "ana", "w-samples"
TREASURER = "sign-hall-utrecht-ben0"
"""Ben's session, in which he negotiates the contract of the hall; it only shares."""
BOUND = 400_000
"""Tokens that Ana wants to spend at most; for a while it is less."""
WINDOW = 7_600
"""Tokens: little enough that a morning's conversation with one agent has to be condensed."""


class Roles(CallableModel):
    """A model that knows what to say, with a window that is soon full. It can be interrupted once, as by Ctrl+C."""

    def __init__(self, interrupted_at: str = "") -> None:
        super().__init__(_said, name="rehearsed", window=WINDOW)
        self._interrupted_at = interrupted_at

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        async for part in super().stream(request):
            yield part
            if request.role == self._interrupted_at:
                self._interrupted_at = ""
                raise asyncio.CancelledError


def _said(request: Request) -> str:
    match request.task:
        case ChatTask(message=message):
            return CONVERSATION[message]
        case CondenseTask():
            return str(_TALK["summaries"][request.role])
        case task:
            return reply_to(task)


class Ana:
    """The person of these sessions."""

    def __init__(self, manager: IterationManager) -> None:
        self.manager = manager

    async def says(self, answer: Answer) -> None:
        """Answer the open gate, and let the session go on to the next one."""
        answers = [answer]

        async def decide(_state: SessionState, _gate: Gate) -> Decision | None:
            return Decision(answers.pop(), "person") if answers else None

        await self.manager.run(decide)

    async def asks(self, agent: str, *words: str, parts: tuple[str, ...] = ()) -> None:
        """Ask an agent what begins with these words."""
        for begins in words:
            message = next(message for message in CONVERSATION if message.startswith(begins))
            answer = await self.manager.ask(agent, message, parts=parts)
            assert answer == CONVERSATION[message]


class Colleagues:
    """What the sessions of a workspace share, in memory: Ana's session takes part, Ben's only shares."""

    def __init__(self, clock: SteadyClock) -> None:
        self._log = MemoryLog(shared=True, new_epoch=lambda: "shared")
        self._clock = clock
        self._ben = self._manager("ben")

    def _manager(self, person: str) -> SharedContextManager:
        return SharedContextManager(
            self._log, person=person, workspace=WORKSPACE, now=lambda: stamp(self._clock.now()), actor="person"
        )

    def coordinate(self, session: SessionId) -> SessionCoordinator:
        return OpenElsewhere(session, self._manager(PERSON), None)

    def ben_says(self, key: str, value: object) -> str:
        """Set a value as Ben saw it last; return how it was taken in."""
        return self._ben.update_context(TREASURER, key, value).outcome

    def ben_looks(self) -> None:
        self._ben.get_context(TREASURER)


def conference(log: FileLog, cache: Path) -> None:
    """Make both sessions; ``log`` holds the other samples already, and ``cache`` may be deleted afterwards."""
    clock = SteadyClock()
    origin = asyncio.run(_in_one_hall(log, clock))
    events = tuple(log.read(origin.session_id))
    asked = next(event.seq for event in events if event.kind == "gate.opened")
    clock.passes(days=7)
    child = fork(
        log,
        events,
        asked,
        person=PERSON,
        workspace=WORKSPACE,
        clock=clock,
        name="Hall and stream for city trees",
        ending="fork",
    )
    asyncio.run(_with_a_stream(log, child, clock, OtherSessions(Library(log, HashedWords(), cache))))


async def _in_one_hall(log: FileLog, clock: SteadyClock) -> IterationManager:
    manager = IterationManager(
        SAID["goal"],
        4,
        1,
        services=Services(
            log=log,
            model=Roles(),
            model_name="rehearsed",
            person=PERSON,
            workspace=WORKSPACE,
            clock=clock,
            version="sample",
        ),
        new=NewSession(ending="demo", name="One hall for city trees"),
    )
    ana = Ana(manager)
    await manager.run(nobody)
    await ana.says(Answer(kind="skip"))
    await ana.says(Answer(kind="choose", choice="A1"))
    await ana.says(Answer(kind="finish"))
    manager.capture_user_rating(2, "Sound, but 300 of our members are not in it.")
    return manager


async def _with_a_stream(log: FileLog, session: SessionId, clock: SteadyClock, others: OtherSessions) -> None:
    colleagues = Colleagues(clock)
    kept = SessionLog(log, session, person=PERSON, clock=clock)

    def opened(model: Roles) -> IterationManager:
        services = Services(log=log, model=model, clock=clock, others=others, coordinate=colleagues.coordinate)
        return IterationManager(kept, services=services)

    manager = opened(Roles())
    await manager.resume()
    await manager.set_bounds(Bounds(max_tokens=BOUND))
    ana = Ana(manager)
    await _chooses(ana)
    await _reads_the_first_draft(ana)
    await _is_interrupted(ana, opened, clock)
    await _asks_what_comes_first(ana)
    await _shares(ana, colleagues)
    await _looks_at_the_wedding(ana)
    await _goes_back_and_forth(ana)
    await _reaches_a_bound(ana)
    mark_statement(kept, "U9", "dismissed")
    await _finishes(ana, clock)


async def _chooses(ana: Ana) -> None:
    await ana.says(Answer(kind="answer", text="About 200. The others are too far away, or cannot leave home."))
    await ana.says(Answer(kind="continue"))
    for agent in AGENTS:
        ana.manager.add_agent(agent)
    await ana.asks("nova", "Half of our members", "What must the hall")
    await ana.asks("kahneman", "What do people usually", "Which of the three")
    await ana.asks("nova", "How long must the crew")
    await ana.says(Answer(kind="choose", choice="A2"))


async def _reads_the_first_draft(ana: Ana) -> None:
    await ana.asks("nova", "Look at the first draft", "Is one rehearsal enough")
    await ana.asks("kahneman", "Which number in the draft", "How do I notice early")


async def _is_interrupted(ana: Ana, opened: Callable[[Roles], IterationManager], clock: SteadyClock) -> None:
    notes = (Note(section="steps", text=SAID["rehearse_twice"]), Note(section="risks", text=SAID["when_it_fails"]))
    goes_on = ana.manager
    ana.manager = opened(Roles(interrupted_at="verifier"))
    try:
        await ana.says(Answer(kind="feedback", notes=notes))
    except asyncio.CancelledError:
        await ana.manager.stop("interrupted by you")
    ana.manager = goes_on
    clock.passes(days=1)
    await ana.manager.resume()
    await ana.manager.run(nobody)


async def _asks_what_comes_first(ana: Ana) -> None:
    await ana.manager.call_executor()
    await ana.manager.run(nobody)


async def _shares(ana: Ana, colleagues: Colleagues) -> None:
    shared = ana.manager.coordinator
    assert shared is not None
    colleagues.ben_says("hall", {"name": "De Kas", "seats": 220, "line": "100 Mbit/s", "antenna": "not asked yet"})
    colleagues.ben_says("budget", {"hall": 21_000, "crew": 10_000, "reserve": 4_000})
    await ana.asks("nova", "Ben has news")
    colleagues.ben_looks()
    assert shared.update_shared("budget", shared.get_shared("budget") | {"reserve": 6_000}).outcome == "committed"
    assert colleagues.ben_says("budget", {"hall": 23_500, "crew": 10_000, "reserve": 3_000}) == "merged"
    await ana.asks("kahneman", "Both of us changed", "Is a reserve")
    parts = tuple(REPORTS)
    await ana.asks("nova", "This is the offer", "And this is what members wrote", "Do we need subtitles")
    await ana.asks("nova", "Send somebody", parts=parts)
    await ana.asks("nova", "What would you leave out", "What does the moderator", "Who helps", "How do we keep")
    await ana.asks("nova", "This is the offer", "And this is what members wrote", "Do we need subtitles")
    await ana.asks("nova", "May we play music", "How does a panel", "What has to stand", "Ben has sent")
    await ana.asks("kahneman", "What would make us", "If this fails")


async def _looks_at_the_wedding(ana: Ana) -> None:
    await ana.manager.switch_recall(on=True)
    await ana.asks("nova", "What should we learn from the wedding")
    found = ana.manager.state.searches[-1].found
    useful, useless, *_ = found
    await ana.manager.mark(useful.session, useful.id, "pinned")
    await ana.manager.mark(useless.session, useless.id, "excluded")
    await ana.asks("nova", "And who decides about the rain")
    await ana.manager.switch_recall(on=False)


async def _goes_back_and_forth(ana: Ana) -> None:
    await ana.says(Answer(kind="feedback", text=SAID["one_day"]))
    await ana.asks("kahneman", "We cut it to one day", "And what do the members lose")
    await ana.manager.rewind()
    await ana.manager.redo()
    await ana.manager.rewind()
    await ana.asks("nova", "How are speakers at home")


async def _reaches_a_bound(ana: Ana) -> None:
    await ana.manager.set_bounds(Bounds(max_tokens=ana.manager.state.spent.tokens + 9_000))
    await ana.says(Answer(kind="feedback", text=SAID["both_days"]))
    assert ana.manager.state.gate is not None
    assert ana.manager.state.gate.reason == "tokens"
    await ana.manager.set_bounds(Bounds(max_tokens=BOUND))
    await ana.manager.run(nobody)


async def _finishes(ana: Ana, clock: SteadyClock) -> None:
    manager = ana.manager
    assert manager.state.plan is not None
    written = to_markdown(manager.state.plan)
    await ana.says(Answer(kind="edit", text=written.replace("the same right to ask.", "the same right to be heard.")))
    await ana.asks("kahneman", "What is the one thing")
    await ana.asks("nova", "Read the plan once more", "When do we know")
    await ana.asks("kahneman", "Would you bet")
    await ana.says(Answer(kind="finish"))
    manager.capture_user_rating(5, "Those at home are in it from the first page.")
    clock.passes(days=310)
    manager.log_outcome("success", "62 % of those who registered were there, and 44 % of the questions came from home.")
