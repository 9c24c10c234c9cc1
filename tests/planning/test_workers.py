"""Workers in a session: a copy of their agent's context, a share of its tokens, a report that only it sees."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import GOAL, Script, again, begin, bodies_of, cut, events_of, log_of
from workbench.context.view import SessionView
from workbench.domain.errors import ModelUnreachable, UsageError
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.asking.tasks import WorkReply
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.planning.policies import approving_all
from workbench.replay.contexts import calls_of, context_of

NOVA, ANIZA = new_agent("nova", "You are Nova."), new_agent("aniza", "You are Aniza.")
PARTS = ("Compare the prices", "Compare the terms")


def told(answer: str, *evidence: str) -> str:
    return msgspec.json.encode(WorkReply(answer=answer, evidence=evidence, open_questions=("Which taxes?",))).decode()


def working(*replies, **options):
    script = Script().then("work", *replies).always("chat", "Fine.")
    manager = begin(script=script, **options)
    for agent in (NOVA, ANIZA):
        manager.add_agent(agent)
    return manager, script


def prompts_of(manager, role):
    events = events_of(manager)
    return [context_of(events, one.call) for one in calls_of(events) if one.role == role]


async def test_workers_go_first_and_their_agent_answers_with_their_reports():
    manager, script = working(told("300 euros", "e1"), told("Two years"))
    assert await manager.ask("nova", "Which one?", parts=PARTS) == "Fine."
    assert script.asked == ["work", "work", "chat"]
    *works, chat = prompts_of(manager, "nova")
    assert [(one.source, one.text) for one in works[0].current_conversation] == [("parent", GOAL)]
    assert '"id":"e1"' in works[0].prompt[-1].content
    assert "Compare the prices" in works[0].prompt[-1].content
    assert "Compare the terms" not in works[0].prompt[-1].content
    reports = [one for one in chat.current_conversation if one.source == "worker"]
    assert [(one.id, one.text) for one in reports] == [
        ("worker:nova.1", "300 euros\nOpen: Which taxes?"),
        ("worker:nova.2", "Two years\nOpen: Which taxes?"),
    ]
    assert '<input name="report_of_a_worker" worker="nova.1">' in chat.prompt[2].content
    first, second = bodies_of(manager, say.WorkerReported)
    assert first.evidence == (f"message:{manager.session_id}:1",)
    assert second.evidence == ()


async def test_a_report_is_in_its_agents_view_and_in_nobody_elses():
    manager, script = working(told("CANARY"))
    await manager.ask("nova", "Which one?", parts=PARTS[:1])
    await manager.ask("aniza", "And you?")
    await manager.run(approving_all())
    for request in script.requests:
        said = "\n".join(message.content for message in request.messages)
        assert ("CANARY" in said) == (request.role == "nova" and type(request.task).__name__ == "ChatTask")


async def test_what_workers_may_spend_and_the_reserve_are_within_what_the_session_has_left():
    manager, _ = working(bounds=say.Bounds(max_tokens=20_000))
    await manager.send_workers("nova", PARTS)
    [sending] = bodies_of(manager, say.WorkersSent)
    assert sum(one.allowance for one in sending.workers) + sending.reserve <= 20_000
    small, _ = working(bounds=say.Bounds(max_tokens=3_000))
    with pytest.raises(UsageError, match="too few for 8 workers"):
        await small.send_workers("nova", ["Do it"] * 8)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [("No JSON, but an answer.", "No JSON, but an answer."), (ModelUnreachable("Gone.", "Wait."), "")],
    ids=["no JSON", "failing"],
)
async def test_what_there_is_of_a_worker_that_fails_is_salvaged_and_the_session_goes_on(reply, answer):
    manager, _ = working(reply)
    assert await manager.ask("nova", "Which one?", parts=PARTS[:1]) == "Fine."
    [report] = bodies_of(manager, say.WorkerReported)
    assert (report.is_complete, report.answer) == (False, answer)
    assert report.why
    assert manager.state.failure is None


async def test_the_order_in_which_reports_come_in_changes_nothing():
    manager, _ = working()
    await manager.send_workers("nova", ["One", "Two", "Three"])
    events = events_of(manager)
    reports = [say.WorkerReported(worker=f"nova.{n}", agent="nova", answer=f"Answer {n}") for n in (1, 2, 3)]
    views = set()
    for order in permutations(reports):
        log = cut(events, len(events))
        other = again(log, manager.session_id)
        for report in order:
            other._session.record([report], actor="workbench", origin="derived")
        view = SessionView(fold(log_of(other).read(manager.session_id)), "nova")
        views.add(tuple((entry.id, entry.text) for entry in view.newest_first()))
    assert len(views) == 1
    assert [name for name, _ in views.pop()][:3] == ["worker:nova.3", "worker:nova.2", "worker:nova.1"]


@given(st.text(max_size=300))
def test_no_reply_of_a_worker_stops_a_session(text):
    import asyncio

    manager, _ = working(text)
    answered = asyncio.run(manager.ask("nova", "Which one?", parts=PARTS[:1]))
    assert answered == "Fine."
