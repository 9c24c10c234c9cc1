"""What a fork does not take over: approvals, work that was under way, and that its origin was still public."""

from __future__ import annotations

import pytest
from tests.builders import (
    CHOOSE,
    FixedClock,
    Script,
    again,
    answering,
    approach,
    begin,
    events_of,
    log_of,
    propose_reply,
)
from tests.replay.audited_sessions import NOVA
from workbench.domain.errors import UsageError
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.planning.beside_the_loop.forking import fork
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import approving_all, nobody


def forked(manager: IterationManager, at: int | None = None, script: Script | None = None) -> IterationManager:
    """A fork of a session, by default at its newest event, that nobody has gone on with."""
    events = events_of(manager)
    child = fork(log_of(manager), events, at or len(events), person="ana", workspace="w", clock=FixedClock())
    return again(log_of(manager), child, script=script or Script(), clock=FixedClock())


async def test_work_for_an_agent_that_was_under_way_waits_for_the_open_gate():
    origin = begin(script=Script().always("chat", "Fine."), max_iterations=1)
    await origin.run(nobody)
    origin.add_agent(NOVA)
    await origin.ask("nova", "Which printer?", parts=["Compare the prices", "Ask them"])
    kinds = [event.kind for event in events_of(origin)]
    under_way = range(kinds.index("workers.sent") + 1, kinds.index("agent.answered"))

    for at in under_way:
        origin_there = fold(events_of(origin)[:at])
        child = forked(origin, at)
        await child.run(nobody)
        assert child.state.spent == origin_there.spent, f"forked at event {at}, {kinds[at - 1]}"
        assert child.state.gate == origin_there.gate


async def test_answering_a_question_that_was_open_is_no_approval():
    origin = begin(script=Script().then("propose", propose_reply(approach(), questions=["By when?"])))
    await origin.run(nobody)
    assert origin.state.gate.kind == "question"

    child = forked(origin)
    state = await child.run(answering(Answer(kind="answer", text="In June")))

    assert state.spent == origin.state.spent
    assert state.gate.reason == "forked"


async def test_rewound_to_before_it_was_forked_it_asks_as_the_fork_does():
    origin = begin(script=Script().then("propose", propose_reply(approach(), questions=["By when?"])))
    await origin.run(answering(Answer(kind="skip"), CHOOSE, None))
    child = forked(origin)
    await child.run(approving_all())
    while child.state.gate is None or child.state.gate.kind != "question":
        await child.rewind()
    before = child.state.spent

    state = await child.run(answering(Answer(kind="answer", text="In June")))

    assert state.spent == before
    assert state.gate.reason == "forked"


async def test_a_fork_of_a_session_that_was_made_private_later_is_private():
    origin = begin(max_iterations=1)
    await origin.run(approving_all())
    at = len(events_of(origin))
    origin._session.record_given([say.PrivacyChanged(private=True)], actor="person")

    assert not fold(events_of(origin)[:at]).private
    assert forked(origin, at).state.private


async def test_behind_a_damaged_place_nothing_is_forked():
    origin = begin(max_iterations=1)
    await origin.run(approving_all())
    events = events_of(origin)
    damaged = [*events[:9], *events[10:]]
    for at in (10, 12, len(events)):
        with pytest.raises(UsageError, match=r"is damaged.*from 1 to 9"):
            fork(log_of(origin), damaged, at, person="ana", workspace="w", clock=FixedClock())
    assert fork(log_of(origin), damaged, 9, person="ana", workspace="w", clock=FixedClock())
