"""A crash after every single event: whoever resumes reaches the same end, and buys no reply twice."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.builders import (
    CHOOSE,
    CONTINUE,
    FINISH,
    Script,
    again,
    answering,
    as_draft,
    begin,
    bodies_of,
    cut,
    events_of,
    feedback,
    log_of,
    propose_reply,
    standard_reply,
)
from tests.memory_log import MemoryLog
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all
from workbench.replay.course import course

ANSWERS = {
    "g1": Answer(kind="answer", text="At night"),
    "g2": feedback("Cheaper"),
    "g3": CHOOSE,
    "g4": feedback("Add a rollback"),
    "g5": CONTINUE,
    "g6": FINISH,
}
"""A course through every kind of step: a question, other approaches, two checkpoints, a repair."""


async def decide(_state, gate):
    """The same person, whoever asks: each gate has its answer."""
    return await answering(ANSWERS.get(gate.id, FINISH))(_state, gate)


def scripted():
    """Answers by what is asked, not by how often: another process gets the same answers."""

    def proposing(request):
        return propose_reply(questions=["When may it be down?"] if request.task.may_ask else [])

    def verifying(request):
        return (
            "not JSON"
            if "could not be used" not in request.messages[-1].content and request.task.plan.section("notes")
            else '{"findings": []}'
        )

    return Script().always("propose", proposing).always("verify", verifying)


@pytest.fixture(scope="module")
def whole():
    script = scripted()
    manager = begin(script=script)
    state = asyncio.run(manager.run(decide))
    assert state.finished is not None
    events = events_of(manager)
    return events, state, script.asked


def resumed(events, length):
    log = cut(events, length)
    script = scripted()
    manager = again(log, events[0].session, script=script)

    async def go_on():
        await manager.resume()
        return await manager.run(decide)

    return manager, asyncio.run(go_on()), script.asked


def test_a_pending_call_is_abandoned_once_and_asked_again_under_another_id(whole):
    events, _, _ = whole
    first_call = next(event for event in events if event.kind == "call.started")
    manager, _, _ = resumed(events, first_call.seq)
    told = [event for event in events_of(manager) if event.kind in {"call.started", "call.abandoned"}]
    assert [(event.kind, say.content(event).call) for event in told[:3]] == [
        ("call.started", "c1"),
        ("call.abandoned", "c1"),
        ("call.started", "c2"),
    ]
    abandoned = told[1]
    assert abandoned.cause == first_call.id
    assert abandoned.origin == "given"
    assert "may have been paid for" in say.content(abandoned).reason


async def test_another_model_is_recorded_with_the_resume_and_is_the_session_s_from_then_on():
    begun = begin(model_name="openai:m", base_url="http://127.0.0.1:9/v1")
    before = begun.state.options

    async def resumed(model_name: str = "", base_url: str = "") -> tuple[str, str]:
        manager = again(log_of(begun), begun.session_id, model_name=model_name, base_url=base_url)
        await manager.resume()
        return manager.state.options.model, manager.state.options.base_url

    await begun.resume()
    assert await resumed("openai:m", "http://127.0.0.1:9/v1") == (before.model, before.base_url)
    assert await resumed(base_url="http://127.0.0.1:8/v1") == ("openai:m", "http://127.0.0.1:8/v1")
    assert await resumed("guided") == ("guided", "")
    manager = again(log_of(begun), begun.session_id)
    assert manager.state.options == replace(before, model="guided", base_url="")
    told = [(body.model, body.base_url) for body in bodies_of(manager, say.SessionResumed)]
    assert told == [("", ""), ("", ""), ("openai:m", "http://127.0.0.1:8/v1"), ("guided", "")]
    assert [moment.text for moment, _ in course(events_of(manager))][-2:] == [
        "took the session up again with openai:m",
        "took the session up again with guided",
    ]
    assert again(log_of(manager), manager.session_id).state.options.model == "guided"


def test_a_crash_after_every_event_of_a_course_that_keeps_crashing():
    """Each process dies after one to four more appends; still every reply that arrived is bought once."""
    bought = []
    log = MemoryLog()
    session = begin(log=log).session_id

    class Died(BaseException):
        """The process is gone."""

    class DyingLog:
        """A log whose process dies after ``lives`` appends."""

        def __init__(self, lives):
            self.lives = lives

        def __getattr__(self, name):
            return getattr(log, name)

        def append(self, stream, drafts, *, expected, **options):
            if not self.lives:
                raise Died
            self.lives -= 1
            return log.append(stream, drafts, expected=expected, **options)

    def answer(request):
        bought.append(request.task)
        return standard_reply(request)

    for number in range(400):
        manager = again(DyingLog(2 + number % 2), session, model=CallableModel(answer, name="told"))
        try:
            state = asyncio.run(manager.run(approving_all()))
        except Died:
            continue
        break
    assert state.status == "finished"
    kinds = [event.kind for event in log.read(session)]
    received, abandoned = kinds.count("call.finished"), kinds.count("call.abandoned")
    assert kinds.count("call.started") == received + abandoned
    assert received == 10, "the course has 10 calls"
    assert abandoned > 5
    assert received <= len(bought) <= received + abandoned


def test_a_copy_of_a_log_goes_on_as_the_log_does(whole):
    events, end, _ = whole
    log = MemoryLog()
    for event in events[:20]:
        log.append(event.session, [as_draft(event)], expected=event.seq - 1)
    state = asyncio.run(again(log, events[0].session, script=scripted()).run(decide))
    assert state.plan == end.plan
