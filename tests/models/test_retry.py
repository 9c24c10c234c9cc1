"""Asking again: how long, how often, within which time; the clock, the sleep and the dice are the test's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import ModelUnreachable
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


async def heard(attempt, *, within=None, **options):
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


@pytest.mark.parametrize(("asked", "waited"), [(float("nan"), 1.0), (float("inf"), 1.0), (-5.0, 0.0)])
async def test_a_wait_that_is_none_is_not_waited(asked, waited):
    parts, slept = await heard(attempts_of([busy(asked)], [DONE]))
    assert (parts[0], slept) == (Retried(reason="the server is busy", wait=waited), waited)


@pytest.mark.parametrize(
    ("asked", "told"), [(61, "1 minute"), (600, "10 minutes"), (3600, "1 hour"), (9000, "2 hours"), (1e6, "278 hours")]
)
async def test_a_wait_beyond_a_minute_is_for_the_person_to_decide(asked, told):
    with pytest.raises(ModelUnreachable, match=f"^The server is busy, and asks to wait {told}") as error:
        await heard(attempts_of([busy(asked)], [DONE]))

    assert error.value.remedy.startswith("Resume")


@given(st.integers(1, 900), st.floats(0, 1, exclude_max=True))
def test_waits_double_up_to_a_limit_and_keep_their_lower_half(failed, dice):
    wait = Backoff(random=lambda: dice).wait(failed, None)
    ceiling = min(2.0 ** (failed - 1), 30.0)

    assert ceiling / 2 <= wait <= ceiling


@given(st.floats(0, 1e9))
def test_what_a_server_asks_for_is_kept(asked):
    assert Backoff().wait(1, asked) == asked
