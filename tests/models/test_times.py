"""Two limits of time: until something arrives, and between two parts. What still flows is never cut."""

import asyncio
from types import SimpleNamespace

import pytest
from tests.builders import Script, begin, events_of
from workbench.models import answers
from workbench.models.answers import timely
from workbench.models.ports import Done, Parameters, TextDelta, Thought
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all

DONE = Done(reason="stop", model="m")


async def parts_of(*parts):
    for part in parts:
        if isinstance(part, Exception):
            raise part
        yield part


@pytest.fixture
def limits(monkeypatch):
    """The limits that are set, one for each part that is waited for; none of them ends."""
    set_limits = []

    def timeout(limit):
        set_limits.append(limit)
        return asyncio.timeout(None)

    names = {name: getattr(asyncio, name) for name in dir(asyncio)}
    monkeypatch.setattr(answers, "asyncio", SimpleNamespace(**{**names, "timeout": timeout}))
    return set_limits


async def test_each_part_of_a_stream_has_its_own_limit(limits):
    """However long all of it takes: ten minutes of parts are as many limits of two minutes."""
    flowing = [TextDelta("word ")] * 600
    heard = [part async for part in timely(parts_of(Thought("Hm."), *flowing, DONE), Parameters())]

    assert heard == [Thought("Hm."), *flowing, DONE]
    assert limits == [600.0, *[120.0] * 602]
    assert Parameters().total is None


class Slow(CallableModel):
    """A model that takes ten minutes for each reply: a part a second."""

    async def stream(self, request):
        for _ in range(600):
            yield Thought("Hm. ")
        async for part in super().stream(request):
            yield part


async def test_a_session_whose_model_streams_for_ten_minutes_is_never_cut(limits):
    manager = await asyncio.to_thread(lambda: begin(model=Slow(Script()), max_iterations=1))
    state = await manager.run(approving_all())
    assert state.status == "finished"
    assert set(limits) == {600.0, 120.0}
    assert len(limits) > 5 * 600
    kinds = {event.kind for event in events_of(manager)}
    assert kinds.isdisjoint({"call.failed", "call.retried", "call.abandoned", "call.noted"}), (
        "nobody is told of anything"
    )
