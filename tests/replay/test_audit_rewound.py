"""The audit behind a rewind: what was taken back is nobody's to be sent any more, until a redo brings it again."""

import asyncio

import pytest
from tests.builders import answering, begin, events_of, feedback
from tests.replay.audited_sessions import calls, resent, with_messages
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.replay.audit import audit

TAKEN_BACK = "Let the auditors of Lugano look at every single invoice before anybody moves anything at all"


def decided(*answers):
    return answering(Answer(kind="choose", choice="A1"), *answers)


@pytest.fixture
def manager():
    """Feedback was given at the first checkpoint; now the next one asks."""
    manager = begin(max_iterations=4, checkpoint_interval=1)
    asyncio.run(manager.run(decided(feedback(TAKEN_BACK))))
    return manager


def planted(events):
    """The same events; the planner's last prompt has what was taken back, hashes and sums made right."""
    said = next(event.id for event in events if TAKEN_BACK in bytes(event.body).decode())
    last = calls(events, "planner")[-1]
    more = Message(role="user", item=f"message:{said}")
    return resent(events, last, lambda call: with_messages(call, more))


def test_what_was_taken_back_is_in_no_prompt_and_found_where_it_is_planted(manager):
    asyncio.run(manager.rewind())
    asyncio.run(manager.run(answering(feedback("Cheaper, please"))))
    events = events_of(manager)
    assert audit(events).ok
    found = audit(planted(events))
    assert not found.ok
    assert {one.event for one in found.violations} == {events[calls(events, "planner")[-1] - 1].id}
    assert any("was not said in this session" in one.detail for one in found.violations)


def test_a_redo_brings_it_again(manager):
    asyncio.run(manager.rewind())
    asyncio.run(manager.redo())
    asyncio.run(manager.run(answering(feedback("Cheaper, please"))))
    events = events_of(manager)
    assert audit(events).ok
    said = next(event.id for event in events if TAKEN_BACK in bytes(event.body).decode())
    prompt = say.content(events[calls(events, "planner")[-1] - 1])
    assert f"message:{said}" in {one.item for one in prompt.messages}


def test_what_was_spent_stays_spent(manager):
    asyncio.run(manager.rewind())
    assert manager.state.spent.calls == sum(event.kind == "call.finished" for event in events_of(manager))
