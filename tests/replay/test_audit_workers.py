"""The audit of workers: what they are shown, and where their reports stand."""

from __future__ import annotations

import asyncio
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import Script, begin, events_of
from tests.replay.audited_sessions import ANIZA, NOVA, calls, doctored, resent
from workbench.domain.loop.asking.tasks import WorkReply
from workbench.domain.session import events as say
from workbench.planning.policies import approving_all
from workbench.replay.audit import audit

REPORT = "The cheaper of the two printers costs three hundred euros, and nobody has said so before"


@cache
def worked():
    async def make():
        reply = msgspec.json.encode(
            WorkReply(answer=REPORT, evidence=("e1",), open_questions=("Which taxes?",))
        ).decode()
        manager = begin(script=Script().then("work", reply, "no JSON").always("chat", "Fine."), max_iterations=1)
        for agent in (NOVA, ANIZA):
            manager.add_agent(agent)
        await manager.ask("nova", "Which printer?", parts=["Compare the prices", "Compare the terms"])
        await manager.ask("aniza", "And you, what do you say of it?")
        await manager.run(approving_all())
        return tuple(events_of(manager))

    return asyncio.run(make())


def broken(events):
    return {(one.rule, int(one.event.rpartition(":")[2])) for one in audit(events).violations}


def test_workers_and_their_reports_pass():
    found = audit(worked())
    assert found.ok, found.violations
    assert found.calls == found.in_full


@pytest.mark.parametrize("role", ["aniza", "planner"])
def test_a_report_in_a_prompt_of_somebody_else_is_named(role):
    events = worked()
    theirs = say.content(events[calls(events, "nova", "chat")[0] - 1])
    report = next(one for one in theirs.context.conversation if one.source == "worker")
    told = next(one for one in theirs.messages if "report_of_a_worker" in one.content)
    seq = calls(events, role)[-1]

    def planted(call):
        context = replace(call.context, conversation=(*call.context.conversation, report))
        return replace(call, context=context, messages=(*call.messages[:-1], told, call.messages[-1]))

    assert ("scope.agent", seq) in broken(resent(events, seq, planted))


def test_what_a_worker_is_shown_is_what_its_agent_saw():
    events = worked()
    seq = calls(events, "nova", "work")[0]

    def planted(call):
        last = call.messages[-1]
        other = last.content.replace('"id":"e1","who":"user"', '"id":"e1","who":"aniza"')
        assert other != last.content
        return replace(call, messages=(*call.messages[:-1], replace(last, content=other)))

    assert broken(resent(events, seq, planted)) == {("prompt.ledger", seq)}


def test_a_worker_that_is_shown_what_was_said_since_is_named():
    events = worked()
    seq, later = calls(events, "nova", "work")[1], calls(events, "aniza", "chat")[0]
    sending = next(event.seq for event in events if event.kind == "workers.sent")
    assert sending < seq < later
    asked = next(event for event in events if event.kind == "message.given" and event.seq > sending)
    drafted = doctored(events, sending, lambda body: body)

    def planted(call):
        goal = call.context.conversation[0]
        entry = replace(goal, id=f"message:{asked.id}")
        return replace(call, context=replace(call.context, conversation=(goal, entry)))

    assert ("scope.session", seq) in broken(resent(drafted, seq, planted))
