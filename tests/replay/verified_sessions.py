"""Sessions to verify, made by running the product, and copies of them in which one thing was changed.

SESSIONS                          every kind of course, by name: () -> events
without(events, seq)              an event left out         swapped(events, seq)   two in the other order
changed(events, seq, old, new)    other words in one body   all of them sealed anew, ids and causes in order
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from tests.builders import (
    CHOOSE,
    CONTINUE,
    FINISH,
    FixedClock,
    Script,
    again,
    answering,
    as_draft,
    begin,
    cut,
    events_of,
    feedback,
    log_of,
    other_handle,
)
from tests.memory_log import MemoryLog
from tests.offline import Offline
from tests.planning.test_resume import decide, resumed, scripted
from tests.planning.together import Project
from tests.replay.audited_sessions import NOVA, asked, condensed, with_others
from workbench.domain.errors import ModelUnreachable, UsageError
from workbench.domain.log.envelope import Draft, Event, Head, genesis, seal
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.asking.tasks import WorkReply
from workbench.domain.loop.deciding.gates import Answer, Note
from workbench.domain.session import events as say
from workbench.models.scripted import CallableModel
from workbench.planning.beside_the_loop.forking import fork
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.memory.forgetting import Matter, Others, forget, matter_of
from workbench.planning.memory.remembering import Said, remember
from workbench.planning.policies import approving_all, nobody

Events = tuple[Event, ...]
Course = Callable[[], Coroutine[Any, Any, IterationManager]]
NOTE = "Note {0}: we decided that part {0} costs {0} euros, whatever anybody says about it, and is done by Friday."
SESSIONS: dict[str, Callable[[], Events]] = {}


def session(course: Course) -> Callable[[], Events]:
    """Name a course, which is run once."""

    @cache
    def events() -> Events:
        return tuple(events_of(asyncio.run(course())))

    SESSIONS[course.__name__] = events
    return events


@session
async def every_step() -> IterationManager:
    """A question, other approaches, feedback, a repair, two checkpoints."""
    manager = begin(script=scripted())
    await manager.run(decide)
    return manager


@session
async def guided() -> IterationManager:
    manager = begin(model=Offline())
    await manager.run(approving_all())
    return manager


@session
async def edited() -> IterationManager:
    """An edit by hand, one that changes nothing, and notes on sections."""
    manager = begin(max_iterations=2, checkpoint_interval=1)
    text = "# Mine\n\n## Goal\n\nNobody pays twice.\n\n## Steps\n\n- S1 · Copy the customers\n"
    edit = Answer(kind="edit", text=text)
    notes = Answer(kind="feedback", notes=(Note(section="goal", text="Say who pays."),))
    await manager.run(answering(CHOOSE, edit, edit, notes, FINISH))
    manager.capture_user_rating(4, "so so")
    return manager


@session
async def from_proposal() -> IterationManager:
    manager = begin(max_iterations=1)
    manager.initialize_from_proposal("# Ours\n\nCopy, then switch over.")
    await manager.run(answering(FINISH))
    await manager.reopen("Tell the auditors, too.")
    await manager.run(answering(FINISH))
    return manager


@session
async def with_agents() -> IterationManager:
    """Agents, what other sessions remember, a pin, an exclusion, repairs."""
    log = MemoryLog()
    with tempfile.TemporaryDirectory() as folder:
        manager = await asked(log, with_others(log, Path(folder)))
        await manager.run(approving_all())
    return manager


@session
async def with_workers() -> IterationManager:
    reply = msgspec.json.encode(WorkReply(answer="The cheaper one costs 300.", evidence=("e1",))).decode()
    script = Script().then("work", reply, "no JSON", ModelUnreachable("Gone.", "Wait.")).always("chat", "Fine.")
    manager = begin(script=script, max_iterations=1, bounds=say.Bounds(max_tokens=90_000))
    manager.add_agent(NOVA)
    await manager.ask("nova", "Which printer?", parts=["Compare the prices", "Compare the terms", "Ask them"])
    await manager.run(approving_all())
    return manager


@session
async def condensed_by_a_model() -> IterationManager:
    script = Script().always("chat", "So it is, as far as anybody can tell.").always("condense", "They decided.")
    manager = await condensed(script, questions=6)
    await manager.run(approving_all())
    return manager


@session
async def condensed_by_rule() -> IterationManager:
    script = Script().always("chat", "So it is, as far as anybody can tell.").always("condense", "")
    manager = await condensed(script, questions=6)
    await manager.run(approving_all())
    return manager


@session
async def looking_and_condensing() -> IterationManager:
    """Other sessions are searched, and what they share is looked at, before a conversation is condensed."""
    project, script = Project(), Script().always("chat", "Fine.").always("condense", "They decided.")
    project.share("deadline", "The auditors want every invoice before the end of June")
    with tempfile.TemporaryDirectory() as folder:
        others, model = with_others(project.log, Path(folder)), CallableModel(script, name="told", window=10_000)
        manager = project.begin(model=model, others=others, max_iterations=1)
        list(remember(manager._session, [Said(NOTE.format(n)) for n in range(200)]))
        manager.add_agent(NOVA)
        await manager.ask("nova", "When?")
        await manager.run(approving_all())
    return manager


@session
async def window_too_small() -> IterationManager:
    """A prompt for which there is no room, then a larger model."""
    log = MemoryLog()
    manager = begin(model=CallableModel(Script(), name="told", window=800), log=log)
    await manager.run(approving_all())
    return manager


@session
async def recalling_itself() -> IterationManager:
    """Guidance out of what was stored, older messages found again, and a search that fails."""
    manager = begin(model=CallableModel(Script().always("chat", "Well."), name="told", window=6_000))
    stored = "The auditors want the ledger of June.\n\nThe bank closes the old account in July."
    other_handle(log_of(manager), manager.session_id).record_given(
        [say.EntityStored(name="notes", content=stored)], actor="person"
    )
    list(remember(manager._session, [Said(NOTE.format(n)) for n in range(80)]))
    manager.add_agent(new_agent("nova", "You are Nova."))
    await manager.ask("nova", "What does part 3 cost?")
    await manager.run(approving_all())
    return manager


class Failing:
    """An embedder that never answers."""

    name, dimensions, additive = "failing/1", 8, True

    def embed(self, texts: Sequence[str]) -> Any:
        raise ModelUnreachable("Nobody answers.", f"Wait; {len(texts)} texts were not embedded.")


@session
async def failing_searches() -> IterationManager:
    """Guidance falls back, and a prompt says that older messages could not be searched."""
    model = CallableModel(Script().always("chat", "Well."), name="told", window=6_000)
    manager = begin(model=model, embedder=Failing())
    list(remember(manager._session, [Said(NOTE.format(n)) for n in range(80)]))
    manager.add_agent(new_agent("nova", "You are Nova."))
    await manager.ask("nova", "What does part 3 cost?")
    await manager.run(approving_all())
    return manager


@session
async def sharing() -> IterationManager:
    project, script = Project(), Script().then("chat", "Fine.", "Still fine.")
    project.share("deadline", "The auditors want every invoice before the end of June")
    manager = project.begin(script=script, max_iterations=1)
    manager.add_agent(NOVA)
    await manager.ask("nova", "When?")
    project.share("budget", {"who": "The hospital pays", "euros": 300})
    await manager.ask("nova", "And who pays?")
    await manager.run(approving_all())
    return manager


@session
async def bounded() -> IterationManager:
    """Bounds of tokens, calls and time, reached and raised."""
    manager = begin(bounds=say.Bounds(max_tokens=9_000, max_calls=4, max_time=400.0), max_iterations=2)
    await manager.run(answering(CHOOSE, CONTINUE, CONTINUE, CONTINUE, CONTINUE, CONTINUE))
    await manager.set_bounds(say.Bounds(max_tokens=30_000))
    await manager.run(answering(CONTINUE, CONTINUE, FINISH))
    return manager


@session
async def failed_and_resumed() -> IterationManager:
    """A call that fails, a second model, a reply that does not fit twice, a stop."""
    script = Script().then("propose", ModelUnreachable("Gone.", "Wait.")).then("plan", "no JSON", "no JSON either")
    manager = begin(script=script, max_iterations=1)
    await manager.run(nobody)
    await manager.resume()
    await manager.run(approving_all())
    await manager.resume()
    await manager.stop("for today")
    await manager.resume()
    await manager.run(approving_all())
    return manager


@session
async def rewound() -> IterationManager:
    """Back to a decision and decided otherwise, back and forth again, then to the end."""
    manager = begin(max_iterations=2, checkpoint_interval=1)
    await manager.run(answering(CHOOSE, feedback("Cheaper")))
    await manager.rewind()
    await manager.rewind()
    await manager.redo()
    await manager.run(answering(feedback("Dearer"), FINISH))
    return manager


def fork_of(origin: Events, at: int) -> Events:
    """A fork at an event, decided anew and driven to its end."""
    log, clock = MemoryLog(), FixedClock()
    child = fork(log, origin, at, person="ada", workspace="w-1", clock=clock, ending="f0f0")
    manager = again(log, child, script=scripted(), clock=clock)
    asyncio.run(manager.run(approving_all()))
    return tuple(events_of(manager))


def forked(at: int) -> Events:
    """A fork of the session with every step."""
    return fork_of(SESSIONS["every_step"](), at)


def redacted(item: str = "", text: str = "billing to the new provider") -> Events:
    """A session of which a person had a part of the goal, or of something else, forgotten."""
    manager = begin(max_iterations=1)
    asyncio.run(manager.run(approving_all()))
    session = manager._session
    matter = matter_of(session, item or f"message:{session.session}:1", text)
    forget(matter, session, Others(session._log, lambda name: other_handle(session._log, name)), lambda _texts: [])
    return tuple(events_of(manager))


def without_words(events: Events, words: Sequence[str]) -> Events:
    """The same session, of which a person had these words forgotten wherever they stand; the file opens without."""
    log, name = cut(events, len(events)), events[0].session
    for word in words:
        ids = frozenset(event.id for event in log.read(name))
        matter = Matter(name, f"message:{name}:1", part=True, texts=(word,), events=ids)
        with suppress(UsageError):
            forget(matter, other_handle(log, name), Others(log, lambda one: other_handle(log, one)), lambda _texts: [])
    return tuple(log.read(name))


def crashed(length: int) -> Events:
    """A copy that ended after an event, and was resumed by somebody else."""
    manager, _, _ = resumed(list(SESSIONS["every_step"]()), length)
    return tuple(events_of(manager))


# --- one thing changed ------------------------------------------------------------------------------------------------


def sealed(stream: str, drafts: Sequence[Draft]) -> Events:
    return seal(drafts, Head("e", 0, genesis(stream)))


def changed(events: Events, seq: int, old: str, new: str) -> Events:
    """The same events, one of which says something else."""
    drafts = [as_draft(event) for event in events]
    body = bytes(drafts[seq - 1].body)
    assert old.encode() in body
    drafts[seq - 1] = replace(drafts[seq - 1], body=msgspec.Raw(body.replace(old.encode(), new.encode(), 1)))
    return sealed(events[0].session, drafts)


def rewritten(events: Events, seq: int, **header: Any) -> Events:
    """The same events, one of which has another header."""
    drafts = [as_draft(event) for event in events]
    drafts[seq - 1] = replace(drafts[seq - 1], **header)
    return sealed(events[0].session, drafts)


def swapped(events: Events, seq: int) -> Events:
    """The same events, of which two that follow one another stand in the other order, each with its own cause."""
    drafts = [as_draft(event) for event in events]
    drafts[seq - 1], drafts[seq] = drafts[seq], drafts[seq - 1]
    return renumbered(events, drafts)


def without(events: Events, seq: int) -> Events:
    """The same events without one."""
    drafts = [as_draft(event) for event in events]
    del drafts[seq - 1]
    return renumbered(events, drafts)


def renumbered(events: Events, drafts: Sequence[Draft]) -> Events:
    """Give events the ids of their new places; a cause that is gone, or comes later now, is the event before."""
    stream, ids = events[0].session, {}
    told = []
    for place, draft in enumerate(drafts, start=1):
        cause = ids.get(draft.cause, f"{stream}:{place - 1}") if place > 1 else ""
        ids[f"{stream}:{place}" if not draft.id else draft.id] = f"{stream}:{place}"
        told.append(replace(draft, id="", cause=cause))
    return sealed(stream, told)


def first(events: Events, kind: str, number: int = 1) -> int:
    """Where the n-th event of a kind stands."""
    return [event.seq for event in events if event.kind == kind][number - 1]
