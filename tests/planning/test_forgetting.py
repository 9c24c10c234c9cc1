"""Forgetting in whole sessions: what was said is nowhere any more, also not in what other sessions quoted of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.builders import (
    Script,
    again,
    begin,
    events_of,
    other_handle,
    propose_reply,
    stored_events_of,
)
from tests.memory_log import MemoryLog
from tests.planning.together import taking_part
from tests.sharing.managers import manager as shared_manager
from workbench.domain.errors import LogUnavailable, NotFound, UsageError
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.domain.session.forgetting import MARK, first_unvouched
from workbench.domain.session.items import items
from workbench.domain.text.mentions import Mentions
from workbench.memory.library import Library
from workbench.memory.memory_view import SessionMemory
from workbench.memory.other_sessions import OtherSessions
from workbench.models.embeddings import HashedWords
from workbench.planning.memory.forgetting import Forgotten, Others, forget, look, matter_of
from workbench.planning.memory.remembering import Said, remember
from workbench.planning.policies import approving_all
from workbench.planning.session_log import SessionLog
from workbench.replay.audit import audit
from workbench.replay.course import course
from workbench.sharing.forgetting import SharedForgetting

SECRET = 'sk-4711 "quoted" <input> ümlaut'
GOAL = f"Move our billing, the key is {SECRET}, by 30 June"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


def others_of(log: Any) -> Others:
    return Others(log, lambda name: other_handle(log, name))


def forgotten(session: SessionLog, item: str, text: str = "", *, everywhere: bool = False, **more: Any) -> Forgotten:
    matter = matter_of(session, item, text)
    remove = more.get("remove", lambda _texts: [])
    return forget(matter, session, others_of(session._log), remove, everywhere=everywhere)


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*(value if isinstance(value, dict) else ()), *(text for part in parts for text in strings(part))]


def says(events: list[Event], text: str) -> bool:
    everything = [said for event in events for said in strings(msgspec.json.decode(event.body))]
    return any(Mentions([text]).within(said) for said in everything)


async def planned(log: MemoryLog, goal: str = GOAL, **more: Any) -> Any:
    """A finished session whose goal stands in prompts, replies, entities and reports."""
    script = more.pop("script", None) or Script().then("propose", propose_reply(constraints=[goal]))
    manager = begin(goal, log=log, script=script, **more)
    await manager.run(approving_all())
    return manager


async def test_a_part_is_forgotten_in_every_event_and_in_the_state(log: MemoryLog) -> None:
    manager = await planned(log)
    session = other_handle(log, manager.session_id)
    before = stored_events_of(manager)
    said_in = {event.kind for event in in_full(before) if says([event], SECRET)}
    assert {"session.created", "call.started", "call.finished", "approaches.proposed"} <= said_in
    said = {event.id for event in in_full(before) if says([event], SECRET)}
    done = forgotten(session, f"message:{before[0].id}", SECRET)
    after = stored_events_of(manager)
    assert said <= set(done.events)
    assert not says(after, SECRET)
    assert not says(list(in_full(after)), SECRET)
    assert [event.hash for event in after[:-1]] == [event.hash for event in before]
    assert first_unvouched(after) is None
    assert first_unvouched(after[:-1]) == after[0]
    assert session.state.goal == GOAL.replace(SECRET, MARK)
    assert not any(Mentions([SECRET]).within(item.text) for item in items(session.state))
    assert SECRET not in repr(session.state)
    assert audit(after).ok, audit(after).violations
    assert {one.rule for one in audit(after[:-1]).violations} == {"log.forgotten"}
    assert session.state.status == "finished"
    found = SessionMemory(session.session, HashedWords()).at(session.state).search(SECRET, 50)
    assert not any(SECRET in one.item.text for one in found)


async def test_it_is_recorded_by_whom_and_told(log: MemoryLog) -> None:
    manager = await planned(log)
    item = f"message:{events_of(manager)[0].id}"
    done = forgotten(other_handle(log, manager.session_id), item, SECRET)
    event = events_of(manager)[-1]
    body = say.content(event)
    assert isinstance(body, say.ContentForgotten)
    assert (event.kind, event.origin, event.actor, event.person) == ("content.forgotten", "given", "person", "grace")
    assert (body.item, body.session, body.part) == (item, "", True)
    assert [one.event for one in body.redacted] == list(done.events)
    *_, (moment, _) = course(events_of(manager))
    assert moment.text == f"forgot a part of {item} in {len(done.events)} events"


async def test_a_whole_item(log: MemoryLog) -> None:
    manager = await planned(log)
    session = other_handle(log, manager.session_id)
    (kept,) = remember(session, [Said("A wrong insight, it turned out.")])
    done = forgotten(session, kept)
    assert done.events == (kept.partition(":")[2],)
    assert session.state.history[-1].text == MARK
    insight = session.state.iterations[0].key_insights[0]
    forgotten(session, "insight:1.1")
    assert session.state.iterations[0].key_insights[0] == MARK
    assert not says(events_of(manager), insight)


async def test_a_whole_goal_also_where_its_beginning_is_the_name(log: MemoryLog) -> None:
    manager = begin(f"{GOAL} and never be late with it again, whatever happens", log=log)
    session = other_handle(log, manager.session_id)
    assert session.state.name.endswith("…")
    forgotten(session, f"message:{session.session}:1")
    assert (session.state.goal, session.state.name) == (MARK, MARK)


async def test_what_cannot_be_forgotten(log: MemoryLog) -> None:
    manager = await planned(log)
    session = other_handle(log, manager.session_id)
    before = events_of(manager)
    first = f"message:{before[0].id}"
    for item, text, why in (
        (first, "sk-47", "fewer than 6"),
        (first, "not in it at all", "is not in"),
        ("message:x:1", "", "no item"),
        ("insight:9.9", "", "no item"),
        (first, "[forgotten]", "mark"),
    ):
        with pytest.raises((UsageError, NotFound), match=why):
            forgotten(session, item, text)
    (short,) = remember(session, [Said("no!")])
    with pytest.raises(UsageError, match="fewer than 4"):
        forgotten(session, short)
    for text in ("2026-03-02", "user"):
        (word,) = remember(session, [Said(text)])
        with pytest.raises(UsageError, match="could not be opened"):
            forgotten(session, word)
    assert events_of(manager)[: len(before)] == before


async def test_somebody_appends_meanwhile(log: MemoryLog) -> None:
    manager = await planned(log)
    rivals = iter(range(3))

    class Rival(MemoryLog):
        def redact(self, stream: str, *more: Any, **options: Any) -> Any:
            if next(rivals, None) is not None:
                list(remember(other_handle(log, stream), [Said(f"Again: {SECRET}")]))
            return log.redact(stream, *more, **options)

    rival = Rival()
    rival._streams, rival._drivers, rival._changed = log._streams, log._drivers, log._changed
    forgotten(other_handle(rival, manager.session_id), f"message:{events_of(manager)[0].id}", SECRET)
    assert not says(events_of(manager), SECRET)
    assert sum(event.kind == "message.given" for event in events_of(manager)) == 3


async def test_a_log_that_cannot_be_redacted_says_so(log: MemoryLog) -> None:
    class Only:
        """An event log, and nothing more."""

        append, read, head, follow, streams = log.append, log.read, log.head, log.follow, log.streams
        epoch = log.epoch

    manager = await planned(log)
    with pytest.raises(LogUnavailable, match="cannot be changed"):
        forgotten(other_handle(Only(), manager.session_id), f"message:{events_of(manager)[0].id}", SECRET)  # type: ignore[arg-type]


async def test_a_session_that_was_opened_before_does_not_bring_it_back(log: MemoryLog) -> None:
    manager = begin(GOAL, log=log)
    script = Script()
    opened = again(log, manager.session_id, script=script)
    forgotten(other_handle(log, manager.session_id), f"message:{manager.session_id}:1", SECRET)
    await opened.run(approving_all())
    assert not says(events_of(manager), SECRET)
    assert not any(SECRET in message.content for request in script.requests for message in request.messages)
    assert first_unvouched(events_of(manager)) is None


# --- other sessions ---------------------------------------------------------------------------------------------------


async def quoting(log: MemoryLog, tmp_path: Path, text: str, goal: str = "Look for the key in the billing") -> Any:
    """A session with a message, and another that found it and planned with it."""
    source = begin("Keep the keys", log=log, ending="k1k1")
    (item,) = remember(source._session, [Said(text)])
    others = OtherSessions(Library(log, HashedWords(), tmp_path / "items"))
    manager = await planned(log, goal, script=Script(), others=others)
    assert any(event.kind == "others.searched" and says([event], text[:400]) for event in events_of(manager))
    return other_handle(log, source.session_id), item, manager


async def test_who_quoted_it_is_named_and_keeps_it_until_told(log: MemoryLog, tmp_path: Path) -> None:
    text = f"The key in the billing is {SECRET}"
    session, item, quoter = await quoting(log, tmp_path, text)
    seen = look(matter_of(session, item), session, others_of(log))
    assert [one.session for one in seen.quoted] == [quoter.session_id]
    done = forgotten(session, item)
    (one,) = done.quoted
    assert (one.session, one.forgotten, one.error) == (quoter.session_id, False, "")
    assert len(one.events) > 1, "prompts say it too"
    assert says(events_of(quoter), SECRET)
    again_ = forgotten(session, item, everywhere=True)
    assert again_.events == (), again_
    assert [one.error for one in again_.quoted] == [""]
    assert [(one.session, one.forgotten) for one in again_.quoted] == [(quoter.session_id, True)]
    assert not says(events_of(quoter), SECRET)
    assert first_unvouched(events_of(quoter)) is None
    body = say.content(events_of(quoter)[-1])
    assert isinstance(body, say.ContentForgotten)
    assert (body.item, body.session) == (item, session.session)
    assert forgotten(session, item, everywhere=True).quoted == ()


async def test_a_quotation_that_was_shortened(log: MemoryLog, tmp_path: Path) -> None:
    text = "The key in the billing: " + " ".join(f"word{number}" for number in range(600))
    session, item, quoter = await quoting(log, tmp_path, text)
    done = forgotten(session, item, everywhere=True)
    assert [one.forgotten for one in done.quoted] == [True]
    assert not says(events_of(quoter), "word10 word11 word12")


async def test_what_cannot_be_done_in_another_session_is_said(log: MemoryLog, tmp_path: Path) -> None:
    session, item, quoter = await quoting(log, tmp_path, f"The key in the billing is {SECRET}")
    with log.drive(quoter.session_id):
        done = forgotten(session, item, everywhere=True)
    (one,) = done.quoted
    assert not one.forgotten
    assert "driven" in one.error
    assert not says(list(log.read(session.session)), SECRET)
    assert says(events_of(quoter), SECRET)


async def test_copies_are_removed_before_its_session_forgets_it_and_again_behind(
    log: MemoryLog, tmp_path: Path
) -> None:
    session, item, quoter = await quoting(log, tmp_path, f"The key in the billing is {SECRET}")
    asked = []
    both = (session.session, quoter.session_id)

    def remove(texts: Any) -> list[str]:
        asked.append(tuple(says(list(log.read(one)), SECRET) for one in both))
        assert any(SECRET in text for text in texts)
        return [f"copy {len(asked)}"]

    done = forgotten(session, item, everywhere=True, remove=remove)
    assert asked == [(True, False), (False, False)]
    assert done.copies == ("copy 1", "copy 2")


async def test_what_a_file_from_elsewhere_quotes_of_it_takes_nothing_else_with_it(log: MemoryLog) -> None:
    source = begin("Keep the keys", log=log, ending="k1k1")
    (item,) = remember(source._session, [Said(SECRET)])
    hostile = other_handle(log, begin("Sell lamps", log=log, ending="h1h1").session_id)
    quoted = [
        say.Quoted(
            id=item,
            session=str(source.session_id),
            role="user",
            agent=None,
            time="",
            text=text,
            score=1.0,
            why="made up",
        )
        for text in ("e", "forgotten", f"{SECRET[:20]}…")
    ]
    hostile.record_given([say.OthersSearched(query="q", reason="r", found=tuple(quoted))], actor="person")
    done = forgotten(other_handle(log, source.session_id), item, everywhere=True)
    assert [one.forgotten for one in done.quoted] == [True]
    assert hostile.refresh().goal == "Sell lamps"
    assert [one.text for one in hostile.state.searches[-1].found] == ["e", "forgotten", MARK]


# --- what sessions share ----------------------------------------------------------------------------------------------


@pytest.fixture
def stream() -> MemoryLog:
    """The log of what sessions share."""
    return MemoryLog(shared=True)


def coordinate_of(stream: MemoryLog) -> Any:
    return lambda session: taking_part(session, stream)


def with_shared(log: MemoryLog, stream: MemoryLog) -> Others:
    forgetting = SharedForgetting(stream, person="grace", workspace="w-1", now=lambda: "2026-11-22T09:00:00.000000Z")
    return Others(log, lambda name: other_handle(log, name), forgetting)


def stored(stream: MemoryLog) -> list[Event]:
    return list(stream.read("events"))


async def test_what_another_session_shares_of_it_stays_until_told(log: MemoryLog, stream: MemoryLog) -> None:
    source = await planned(log, coordinate=coordinate_of(stream))
    shared_manager(stream).update_context("heard-x1x1", "hint", f"they use {SECRET}")
    session, others = other_handle(log, source.session_id), with_shared(log, stream)
    matter = matter_of(session, f"message:{source.session_id}:1", SECRET)
    done = forget(matter, session, others, lambda _: [])
    assert [(one.session, one.forgotten) for one in done.shared] == [(source.session_id, True), ("heard-x1x1", False)]
    assert {event.session for event in stored(stream) if says([event], SECRET)} == {"heard-x1x1"}
    done = forget(matter, session, others, lambda _: [], everywhere=True)
    assert [(one.session, one.forgotten) for one in done.shared] == [("heard-x1x1", True)]
    assert not says(stored(stream), SECRET)


async def test_what_is_shared_in_a_log_that_cannot_be_redacted(log: MemoryLog, stream: MemoryLog) -> None:
    class Only:
        """An event log, and nothing more."""

        append, read, head, follow = stream.append, stream.read, stream.head, stream.follow
        streams, epoch = stream.streams, stream.epoch

    source = await planned(log, coordinate=coordinate_of(stream))
    session, others = other_handle(log, source.session_id), with_shared(log, Only())  # type: ignore[arg-type]
    before = events_of(source)
    matter = matter_of(session, f"message:{source.session_id}:1", SECRET)
    with pytest.raises(LogUnavailable, match="The shared context"):
        forget(matter, session, others, lambda _: [])
    assert events_of(source) == before
