"""Every bound pauses and asks; going on raises it, other bounds close the question, finishing saves what there is."""

import asyncio
import threading

import pytest
from tests.builders import (
    CHOOSE,
    CONTINUE,
    FINISH,
    Script,
    answering,
    begin,
    bodies_of,
    kinds_of,
)
from workbench.domain.errors import SettingsError
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.models.answers import Answer as Reply
from workbench.models.ports import Done, Usage
from workbench.models.scripted import CallableModel
from workbench.models.tokens import estimate_prompt
from workbench.planning import checks
from workbench.planning.asking import calling
from workbench.planning.asking.gathering import schema_tokens
from workbench.planning.policies import approving_all, nobody


class Priced:
    """A model whose every answer takes 10,000 tokens and costs this."""

    def __init__(self, cost=0.01):
        self.script = Script()
        self.model = CallableModel(self._answer, name="priced")
        self.cost = cost

    def _answer(self, request):
        usage = Usage(input_tokens=6_000, output_tokens=4_000, cost=self.cost)
        return Reply(text=self.script(request), usage=usage, done=Done(reason="stop", model="priced"))

    @property
    def calls(self):
        return len(self.script.asked)


def bounded(priced=None, clock=None, **bounds):
    return begin(model=(priced or Priced()).model, bounds=say.Bounds(**bounds), clock=clock)


async def test_tokens_pause_the_session_and_nothing_is_asked_beyond():
    priced = Priced()
    manager = bounded(priced, max_tokens=25_000)
    state = await manager.run(approving_all())
    assert (state.gate.reason, state.spent.tokens, priced.calls) == ("tokens", 30_000, 3)
    assert state.gate.question == "The bound of 25,000 tokens is reached: 30,000 are spent. Go on?"
    for _ in range(3):
        await manager.run(nobody)
    assert priced.calls == 3


async def test_an_unknown_price_pauses_under_a_bound_of_cost():
    priced = Priced(cost=None)
    manager = bounded(priced, max_cost=5.0)
    state = await manager.run(approving_all())
    assert (state.gate.reason, priced.calls) == ("cost", 1)
    assert "price is not known" in state.gate.question
    assert state.gate.choices[0].consequence.startswith("it goes on with at most 500,000 tokens more")
    state = await manager.run(answering(CONTINUE))
    assert state.gate.reason == "interval"
    assert (state.bounds.max_cost, state.bounds.max_tokens) == (5.0, 510_000)


def tokens_of(request):
    return estimate_prompt(request.messages) + schema_tokens(request.task)


async def test_what_the_bound_has_no_room_for_is_not_asked_and_the_gate_says_what_it_needs():
    """A long goal under a small bound would otherwise be sent whole, and pass it many times over."""
    priced = Priced()
    manager = begin("Plan this: " + "more words " * 1_500, model=priced.model, bounds=say.Bounds(max_tokens=100))
    state = await manager.run(approving_all())
    assert (state.gate.reason, priced.calls, state.spent.tokens) == ("tokens", 0, 0)
    needs = state.gate.needs
    assert 4_000 < needs < 6_000  # the goal stands there once, as what was said
    assert state.gate.question == f"The next call needs about {needs:,} tokens, and the bound of 100 leaves 100. Go on?"
    assert state.gate.choices[0].consequence == f"the bound is raised by another {needs:,} tokens"
    state = await manager.run(answering(CONTINUE))
    assert (state.bounds.max_tokens, priced.calls) == (100 + needs, 1), "what is said is enough"


async def test_no_call_is_made_that_could_pass_the_bound():
    priced = Priced()
    await bounded(priced, max_tokens=34_000).run(approving_all())
    for number, request in enumerate(priced.script.requests):
        parameters, prompt = request.parameters, tokens_of(request)
        assert 10_000 * number + prompt + parameters.max_output_tokens == 34_000
        assert parameters.max_output_tokens >= calling.ANSWER_ROOM


async def test_an_agent_that_is_asked_at_an_open_gate_waits_for_it_where_the_bound_has_no_room():
    """A gate on top of the open one would be opened again and again, as the agent still waits."""
    manager = begin(script=Script().then("chat", "In June."))
    await manager.run(answering(CHOOSE))
    gate, spent = manager.state.gate, manager.state.spent.tokens
    manager.add_agent(new_agent("nova", "You are Nova."))
    await manager.set_bounds(say.Bounds(max_tokens=spent + 100))
    async with asyncio.timeout(60):
        assert await manager.ask("nova", "When?") == ""
    assert (manager.state.gate, manager.state.spent.tokens) == (gate, spent)
    await manager.set_bounds(say.Bounds(max_tokens=spent + 10_000))
    state = await manager.run(nobody)
    assert (state.history[-1].text, state.gate) == ("In June.", gate)


async def test_prompts_and_checks_are_made_beside_the_event_loop(monkeypatch):
    """A plan of a thousand steps takes a second to check: nothing else may wait for it."""
    threads = []

    def told(work):
        def working(*arguments):
            threads.append(threading.current_thread())
            return work(*arguments)

        return working

    for name in ("next_step", "condensing", "prompt_of"):
        monkeypatch.setattr(calling, name, told(getattr(calling, name)))
    monkeypatch.setattr(checks, "from_markdown", told(checks.from_markdown))
    manager = begin(max_iterations=1, bounds=say.Bounds(max_tokens=1_000_000))
    edited = "# Mine\n\n## Goal\n\nAnother goal\n"
    await manager.run(answering(CHOOSE, Answer(kind="edit", text=edited), FINISH))
    assert len(threads) > 30
    assert threading.main_thread() not in threads


async def test_going_on_raises_the_bound_by_what_the_gate_says():
    priced = Priced()
    manager = bounded(priced, max_tokens=20_000, max_cost=9.0)
    state = await manager.run(approving_all())
    assert state.gate.choices[0].consequence == "the bound is raised by another 20,000 tokens"
    state = await manager.run(answering(CONTINUE))
    assert (state.bounds.max_tokens, state.bounds.max_cost) == (40_000, 9.0)
    assert (state.gate.reason, priced.calls) == ("tokens", 4)


async def test_finishing_at_a_bound_saves_the_plan_that_exists():
    manager = bounded(max_tokens=20_000)
    await manager.run(approving_all())
    state = await manager.run(answering(FINISH))
    assert (state.status, state.saved_version, state.finished.outcome) == ("finished", 1, "saved")
    assert len(state.iterations) == 0
    assert kinds_of(manager)[-2:] == ["plan.saved", "session.finished"]


@pytest.mark.parametrize(
    "bounds",
    [
        say.Bounds(max_tokens=0),
        say.Bounds(max_tokens=-5),
        say.Bounds(max_cost=0.0),
        say.Bounds(max_cost=float("nan")),
        say.Bounds(max_time=float("inf")),
        say.Bounds(max_calls=0),
    ],
)
async def test_bounds_that_bound_nothing_are_refused(bounds):
    with pytest.raises(SettingsError, match="above 0"):
        begin(bounds=bounds)
    manager = begin()
    with pytest.raises(SettingsError, match="above 0"):
        await manager.set_bounds(bounds)
    assert bodies_of(manager, say.BoundsChanged) == []
