"""What calls take is counted, also of those that failed, were interrupted or died: no loop of them passes a bound."""

import asyncio

import pytest
from tests.builders import again, begin, bodies_of, cut, events_of, kinds_of, propose_reply
from workbench.domain.errors import (
    ModelError,
    ModelRefused,
    ModelReplyInvalid,
    ModelTooSlow,
    ModelUnreachable,
)
from workbench.domain.session import events as say
from workbench.domain.session.state import Spent
from workbench.models.ports import Done, TextDelta, Usage
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.planning.policies import nobody

DONE = Done(reason="stop", model="m")


class Parts:
    """A model that streams these parts, raises an exception among them, and waits for ever at an ellipsis."""

    window = 200_000

    def __init__(self, *parts, name="openai:m"):
        self.name = name
        self.parts = parts
        self.requests = []
        self.reached = asyncio.Event()

    async def stream(self, request):
        self.requests.append(request)
        for part in self.parts:
            if isinstance(part, Exception):
                raise part
            if part is ...:
                self.reached.set()
                await asyncio.Event().wait()
            else:
                yield part

    @property
    def prompt(self):
        return estimate_prompt(self.requests[-1].messages)


async def spent(model, **options):
    return (await begin(model=model, **options).run(nobody)).spent


async def interrupted(manager, model):
    running = asyncio.ensure_future(manager.run(nobody))
    await model.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


# --- failed -----------------------------------------------------------------------------------------------------------


async def test_a_reply_that_breaks_off_counts_as_its_prompt_and_what_arrived():
    text = "word " * 40_000
    model = Parts(TextDelta(text), ModelUnreachable("The reply was cut off: lost.", "Ask again."))
    took = await spent(model)
    assert (took.calls, took.input_tokens, took.output_tokens) == (1, model.prompt, estimate_tokens(text))
    assert model.prompt > 500
    assert took.cost is None, "nobody knows what it cost"


@pytest.mark.parametrize("kind", [ModelRefused, ModelReplyInvalid, ModelTooSlow, ModelError, ZeroDivisionError])
async def test_what_reached_the_model_counts_as_its_prompt_although_nothing_came(kind):
    model = Parts(kind("No.", "Do."))
    took = await spent(model)
    assert (took.tokens, took.cost) == (model.prompt, None)


async def test_what_the_provider_counted_goes_before_an_estimate():
    usage = Usage(input_tokens=70, output_tokens=30, cost=0.02)
    took = await spent(Parts(TextDelta("half"), usage, ModelRefused("No.", "Do.")))
    assert (took.input_tokens, took.output_tokens, took.cost) == (70, 30, 0.02)


@pytest.mark.parametrize("bounds", [{"max_tokens": 60_000}, {"max_cost": 0.01}])
async def test_resuming_again_and_again_does_not_pass_a_bound(bounds):
    """Section 11 of the review: five calls, each of which delivers 200,000 characters and then breaks."""
    model = Parts(TextDelta("x" * 200_000), ModelUnreachable("The reply was cut off: lost.", "Ask again."))
    manager = begin(model=model, bounds=say.Bounds(**bounds))
    for _ in range(5):
        await manager.run(nobody)
        await manager.resume()
    state = await manager.run(nobody)
    assert state.gate.reason in {"tokens", "cost"}
    assert len(model.requests) < 3


# --- interrupted and lost ---------------------------------------------------------------------------------------------


async def test_an_interrupted_call_counts_as_its_prompt_and_what_arrived():
    model = Parts(TextDelta("word " * 100), ...)
    manager = begin(model=model)
    await interrupted(manager, model)
    [abandoned] = bodies_of(manager, say.CallAbandoned)
    assert (abandoned.input_tokens, abandoned.cost) == (model.prompt, None)
    assert manager.state.spent.output_tokens == estimate_tokens("word " * 100)


async def test_usage_that_arrived_before_an_interruption_is_taken():
    model = Parts(TextDelta("{"), Usage(input_tokens=5, output_tokens=7, cost=0.5), ...)
    manager = begin(model=model)
    await interrupted(manager, model)
    spent = Spent(calls=1, input_tokens=5, output_tokens=7, known_cost=0.5, last_call_tokens=12)
    assert manager.state.spent == spent


def died(manager):
    """The manager's log as it was when a process died in the middle of its last call."""
    events = events_of(manager)
    return cut(events, max(event.seq for event in events if event.kind == "call.started"))


@pytest.mark.parametrize(("name", "cost"), [("openai:m", None), ("guided", 0.0)])
async def test_a_call_whose_process_died_counts_as_its_prompt(name, cost):
    manager = begin(model=Parts(TextDelta(propose_reply()), DONE, name=name))
    await manager.run(nobody)
    later = again(died(manager), manager.session_id)
    await later.advance()
    [started] = bodies_of(later, say.CallStarted)
    assert kinds_of(later)[-1] == "call.abandoned"
    assert later.state.spent.tokens == started.estimated_tokens > 500
    assert later.state.spent.cost == cost
