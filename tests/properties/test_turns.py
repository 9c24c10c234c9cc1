"""Property 5: whatever is recorded inside a turn carries that turn's session, person, workspace and agent.

several sessions, each of a person of its own ─┬▶ in one event loop, their calls interleaved ─┐
                                               └▶ each in a thread of its own ────────────────┴▶ headers, words
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.builders import FixedClock, again, bodies_of, cut, events_of
from tests.memory_log import MemoryLog
from tests.properties.lives import Voice, word, words_in
from workbench.domain.log.envelope import Event
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.memory.library import Library
from workbench.memory.other_sessions import OtherSessions
from workbench.models.embeddings import HashedWords
from workbench.models.ports import LanguageModel, Part, Request, Retried
from workbench.models.scripted import CallableModel
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.memory.remembering import Said, remember
from workbench.planning.policies import approving_all
from workbench.planning.services import NewSession, Services

SESSIONS = range(4)


class Hesitating:
    """A model that is tried again before each answer, and lets others go on between its parts."""

    name, window = "hesitating", 20_000

    def __init__(self, voice: Voice) -> None:
        self._inner = CallableModel(voice, name=self.name)

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        yield Retried(reason="the server is busy", wait=0.0)
        async for part in self._inner.stream(request):
            await asyncio.sleep(0)
            yield part


def began(log: MemoryLog, number: int, others: OtherSessions | None, model: LanguageModel | None = None) -> Any:
    voice = Voice(number)
    voice.then("verify", "no JSON")
    manager = IterationManager(
        f"Plan the budget of a hospital {word(number)}",
        2,
        services=Services(
            log=log,
            model=model or Hesitating(voice),
            person=f"person-{number}",
            workspace=f"w-{number}",
            clock=FixedClock(),
            others=others,
        ),
        new=NewSession(ending=f"x{number:03}"),
    )
    list(remember(manager._session, [Said(f"The budget of the hospital is paid in June {word(number)}")]))
    for name in ("nova", "kahneman"):
        manager.add_agent(new_agent(name, f"You are {name}."))
    return manager


async def live(manager: IterationManager) -> None:
    """Ask agents, go through the whole loop, be taken up a second time, and ask again."""
    await manager.ask("nova", "Who pays the budget?")
    await manager.run(approving_all())
    await manager.resume()
    await manager.ask("kahneman", "And who else?")
    manager.get_iteration_guidance()


def assert_headers(events: list[Event], number: int) -> None:
    agents: dict[str, str] = {}
    turn = 1
    for event in in_full(events):
        body: Any = say.content(event)
        turn += isinstance(body, say.SessionResumed)
        header = (event.session, event.person, event.workspace, event.turn)
        assert header == (f"plan-budget-hospital-x{number:03}", f"person-{number}", f"w-{number}", turn), event
        if isinstance(body, say.CallStarted):
            agents[body.call] = body.role
        if event.kind.startswith("call."):
            assert event.agent == agents[body.call], event
        if isinstance(body, say.OthersSearched):
            assert event.agent in {"planner", "nova", "kahneman"}
            assert all(words_in(one.text) != {number} for one in body.found)
        elif not isinstance(body, say.CallStarted):  # it may quote others
            assert words_in(bytes(event.body).decode()) <= {number}, event
    assert {"call.retried", "reply.rejected", "agent.answered", "guidance.recalled"} <= {event.kind for event in events}


@pytest.mark.cases(2)
@pytest.mark.parametrize("way", ["in one loop", "in threads"])
@pytest.mark.parametrize("recall", [True, False])
def test_sessions_that_run_at_once_keep_their_headers_and_their_words(tmp_path: Path, way: str, recall: bool) -> None:
    log = MemoryLog()
    others = OtherSessions(Library(log, HashedWords(), tmp_path)) if recall else None
    managers = [began(log, number, others) for number in SESSIONS]
    if way == "in threads":
        with ThreadPoolExecutor(len(managers)) as pool:
            list(pool.map(lambda manager: asyncio.run(live(manager)), managers))
    else:

        async def all_at_once() -> None:
            await asyncio.gather(*(live(manager) for manager in managers))

        asyncio.run(all_at_once())
    for number, manager in enumerate(managers):
        assert_headers(events_of(manager), number)
        quoted = {one.session for body in bodies_of(manager, say.OthersSearched) for one in body.found}
        assert bool(quoted) == recall
        assert manager.session_id not in quoted


async def test_what_is_given_up_for_a_process_that_is_gone_keeps_the_agent_that_was_asked() -> None:
    manager = began(MemoryLog(), 0, None)
    await live(manager)
    events = events_of(manager)
    asked = next(event.seq for event in events if event.kind == "call.started" and event.agent == "kahneman")
    taken_up = again(cut(events, asked), manager.session_id)
    await taken_up.run(approving_all())
    [abandoned] = [event for event in events_of(taken_up) if event.kind == "call.abandoned"]
    assert abandoned.agent == "kahneman"
