"""What is pasted at a gate decides nothing, even where the terminal sends it as keys."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.acting import GOAL, RunApp, shown, until
from tests.tui.reading import read_at_once
from tests.tui.session_fixtures import HeldModel, at_checkpoint, begin, gate, review, screen_of, settled, use
from workbench.bootstrap import Workspace
from workbench.tui.widgets.gate_pane import MOMENT, PasteGuard

CLOSE = st.floats(0, MOMENT / 2)
APART = st.floats(MOMENT * 1.5, 10)


@given(st.lists(st.one_of(CLOSE, APART), min_size=1, max_size=12))
def test_a_key_stands_alone_when_no_other_came_within_a_moment(gaps: list[float]) -> None:
    guard, alone, times = PasteGuard(), [], list(accumulate(gaps))
    for at, after in pairwise([*times, float("inf")]):
        guard.arrive(at)
        alone.append(after - at >= MOMENT and guard.stands_alone(guard.newest))
    around = pairwise([float("inf"), *gaps[1:], float("inf")])
    assert alone == [before >= MOMENT and after >= MOMENT for before, after in around]


def test_a_key_that_another_followed_does_not_stand_alone() -> None:
    guard = PasteGuard()
    guard.arrive(1.0)
    first = guard.newest
    guard.arrive(1.0)
    assert not guard.stands_alone(first)


@pytest.fixture
def held(workspace: Workspace) -> HeldModel:
    model = HeldModel()
    use(workspace, model)
    return model


@pytest.mark.full
@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("pasted", ["continue like this\n", "cF\n", "F\n", "finish F", "x c", "c?\nF", "quit", "cc"])
async def test_a_paste_that_comes_as_keys_decides_nothing(run_app: RunApp, workspace: Workspace, pasted: str) -> None:
    async with run_app() as pilot:
        opened = await at_checkpoint(pilot, GOAL)
        await review(pilot)
        read_at_once(pilot, pasted)
        await pilot.press("escape")  # closes the help that a question mark opens; elsewhere, goes to the input
        await settled(pilot)
        screen = screen_of(pilot)
        assert workspace.session(screen.session).state().gate == opened
        await review(pilot, "F")
        await until(pilot, lambda: screen.state is not None and screen.state.finished is not None)


@pytest.mark.full
@pytest.mark.usefixtures("held")
async def test_a_paste_that_is_not_taken_is_told(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await at_checkpoint(pilot, GOAL)
        await review(pilot)
        read_at_once(pilot, "Fc")
        await until(pilot, lambda: "Many keys came" in shown(pilot))


@pytest.mark.usefixtures("held")
async def test_numbers_that_come_at_once_choose_nothing(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        await begin(pilot, GOAL)
        opened = await gate(pilot, "approach")
        await review(pilot)
        read_at_once(pilot, "1. Prepare\n2. Switch")
        await until(pilot, lambda: "Many keys came" in shown(pilot))
        assert workspace.session(screen_of(pilot).session).state().gate == opened
