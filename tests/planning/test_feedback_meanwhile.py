"""What a person says while roles work, or after a stop, goes into the next call of the planner: of the same round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext

from tests.builders import (
    CHOOSE,
    Script,
    answering,
    begin,
    events_of,
    log_of,
    other_handle,
    plan_reply,
    standard_reply,
    task_name,
    verify_reply,
)
from tests.replay.test_verification import verified
from workbench.domain.session import events as say
from workbench.models.ports import Request
from workbench.planning.iteration_manager import IterationManager

WORDS = "Ann does S1"
TAKEN_UP = plan_reply(
    steps=[{"id": "S1", "owner": "Ann", "because": ["U2"]}], statements=[{"id": "U2", "state": "used", "items": ["S1"]}]
)


def session(meanwhile: dict[str, Callable[[IterationManager], object]]) -> tuple[IterationManager, Script]:
    """A session up to its first checkpoint, in which something happens while a role is asked for the first time."""
    script, left = Script(), dict(meanwhile)

    def happens(request: Request) -> str:
        if (deed := left.pop(task_name(request), None)) is not None:
            deed(manager)
        return (
            TAKEN_UP
            if task_name(request) == "plan" and "U2" in str(request.messages[-1].content)
            else (standard_reply(request))
        )

    for task in meanwhile.keys() | {"plan"}:
        script.always(task, happens)
    manager = begin(script=script, checkpoint_interval=1)
    asyncio.run(manager.run(answering(CHOOSE)))
    return manager, script


def says(manager: IterationManager) -> None:
    other_handle(log_of(manager), str(manager.session_id)).record_given([say.FeedbackGiven(text=WORDS)], actor="person")


def test_feedback_given_while_the_verifier_looks_is_taken_up_in_the_same_round() -> None:
    manager, script = session({"verify": says})
    assert script.asked[:4] == ["propose", "plan", "verify", "plan"]
    assert len(manager.state.iterations) == 1
    (handled,) = manager.state.handled
    assert (handled.feedback, handled.outcome) == ("F1", "done")
    last = next(one for one in reversed(script.requests) if task_name(one) == "plan").messages[-1].content
    assert WORDS in last
    assert "change nothing else" not in last, "it is no mending"
    assert verified(events_of(manager)).verified


def test_what_was_written_ahead_is_taken_before_a_round_ends() -> None:
    ahead = [WORDS]
    manager, script = session(
        {"verify": lambda manager: setattr(manager, "said_ahead", lambda: nullcontext(ahead.pop() if ahead else ""))}
    )
    assert ahead == []
    assert script.asked.count("plan") == 2
    assert [one.text for one in manager.state.feedback] == [WORDS]
    assert verified(events_of(manager)).verified


def test_what_is_said_after_a_stop_goes_before_the_next_call() -> None:
    script = Script().then("verify", verify_reply()).always("plan", standard_reply)
    manager = begin(script=script)

    async def stopped() -> None:
        while manager.state.current is None or not manager.state.current.planned:
            await manager.advance() if manager.state.gate is None else await manager.answer(manager.state.gate, CHOOSE)
        await manager.stop("interrupted by you")
        await manager.feed_back(WORDS)
        await manager.resume()
        await manager.advance()
        while task_name(script.requests[-1]) != "plan" or WORDS not in str(script.requests[-1].messages[-1].content):
            await manager.advance()

    before = script.asked.count("verify")
    asyncio.run(stopped())
    assert script.asked.count("verify") == before


def test_a_checkpoint_after_this_round_is_asked_for_once() -> None:
    def wants(manager: IterationManager) -> None:
        other_handle(log_of(manager), str(manager.session_id)).record_given([say.CheckpointWanted()], actor="person")

    script = Script()
    script.always(
        "verify",
        lambda request: (wants(manager) if len(manager.state.iterations) == 0 else None, standard_reply(request))[1],
    )
    manager = begin(script=script, checkpoint_interval=3, max_iterations=5)
    asyncio.run(manager.run(answering(CHOOSE)))
    assert len(manager.state.iterations) == 1
    assert manager.state.gate is not None
    assert manager.state.gate.reason == "interval"
    assert not manager.state.checkpoint_wanted
    assert verified(events_of(manager)).verified
