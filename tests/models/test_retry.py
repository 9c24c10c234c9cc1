"""Asking again: how long, how often, within which time; the clock, the sleep and the dice are the test's."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import ModelRefused, ModelUnreachable
from workbench.models.ports import Done, Retried, TextDelta
from workbench.models.retry import Backoff, Transient, retrying

DONE = Done(reason="stop", model="m")


class Time:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now = 0.0

    async def sleep(self, seconds):
        self.now += seconds


def attempts_of(*plans):
    """An attempt for each plan: the parts it yields, then the error it raises, if any."""
    left = list(plans)

    async def attempt():
        for item in left.pop(0):
            if isinstance(item, Exception):
                raise item
            yield item

    return attempt


def busy(after=None):
    return Transient("the server is busy", remedy="Wait.", retry_after=after)


async def heard(attempt, *, within=60.0, **options):
    time = Time()
    backoff = Backoff(clock=lambda: time.now, sleep=time.sleep, random=lambda: 1.0, **options)
    return [part async for part in retrying(attempt, backoff, within=within)], time.now


async def test_the_first_attempt_that_gets_through_is_the_answer():
    parts, slept = await heard(attempts_of([busy()], [busy()], [TextDelta("a"), DONE]))

    assert parts == [
        Retried(reason="the server is busy", wait=1.0),
        Retried(reason="the server is busy", wait=2.0),
        TextDelta("a"),
        DONE,
    ]
    assert slept == 3.0


async def test_attempts_are_counted():
    with pytest.raises(ModelUnreachable, match="tried 2 times") as given_up:
        await heard(attempts_of([busy()], [busy()], [DONE]), attempts=2)

    assert given_up.value.remedy == "Wait."


async def test_waits_stay_within_the_time_limit():
    with pytest.raises(ModelUnreachable, match="tried 3 times"):
        await heard(attempts_of([busy()], [busy()], [busy()], [DONE]), within=6.5)


async def test_nothing_is_asked_again_once_text_has_arrived():
    stream = retrying(attempts_of([TextDelta("a"), busy()], [DONE]), Backoff(), within=9)

    assert await anext(stream) == TextDelta("a")
    with pytest.raises(ModelUnreachable, match="cut off: the server is busy"):
        await anext(stream)


async def test_other_errors_are_not_asked_again():
    with pytest.raises(ModelRefused):
        await heard(attempts_of([ModelRefused("No.")], [DONE]))


async def test_an_attempt_that_hangs_is_ended_at_the_time_limit():
    ended = asyncio.Event()

    async def attempt():
        try:
            yield TextDelta("a")
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(ModelUnreachable, match=r"within 0\.05 seconds") as late:
        async for _ in retrying(attempt, Backoff(), within=0.05):
            pass

    assert ended.is_set()
    assert late.value.__context__ is None


@given(st.integers(1, 900), st.floats(0, 1, exclude_max=True))
def test_waits_double_up_to_a_limit_and_keep_their_lower_half(failed, dice):
    wait = Backoff(random=lambda: dice).wait(failed, None)
    ceiling = min(2.0 ** (failed - 1), 30.0)

    assert ceiling / 2 <= wait <= ceiling


@given(st.floats(0, 1e9))
def test_what_a_server_asks_for_is_kept_up_to_a_limit(asked):
    assert Backoff().wait(1, asked) == min(asked, 60.0)
