"""What tests of a session's screen need: models that wait, fail and stream, and ways to reach its states by keys."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from typing import Any

from tests.builders import Script, propose_reply, task_name
from tests.tui.acting import Way, until
from textual.events import Paste
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from workbench.bootstrap import Workspace
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.session import events as say
from workbench.models.ports import Done, LanguageModel, Part, Request, TextDelta, Usage
from workbench.tui.session.begin import BeginDialog
from workbench.tui.session.screen import SessionScreen
from workbench.tui.session.view import SessionView
from workbench.tui.widgets.bars import Notice
from workbench.tui.widgets.field import Draft

PIECE = 200
"""Characters of one piece of a stream."""


class HeldModel:
    """Streams what a script says; holds a task's reply where a test wants to look, until it lets it go."""

    name = "held"
    window = 100_000

    def __init__(self, script: Callable[[Request], str] | None = None) -> None:
        self.script = script or Script()
        self._held: dict[str, int] = {}
        self.cancelled: list[str] = []
        self.asked: defaultdict[str, int] = defaultdict(int)

    def hold(self, task: str, *, after: int = 0) -> HeldModel:
        """Let the next replies to a task wait behind this many pieces."""
        self._held[task] = after
        return self

    def release(self, task: str) -> None:
        """Let them go on."""
        self._held.pop(task, None)

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Stream what the script says."""
        task = task_name(request)
        self.asked[task] += 1
        text = self.script(request)
        pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
        try:
            for number, piece in enumerate(pieces):
                await self._wait(task, number)
                yield TextDelta(piece)
            await self._wait(task, len(pieces))
        except asyncio.CancelledError:
            self.cancelled.append(task)
            raise
        yield Usage(input_tokens=1200, output_tokens=300, cost=0.02, is_continued=True)  # made up: not of the prompt
        yield Done(reason="stop", model=self.name)

    async def _wait(self, task: str, number: int) -> None:
        while self._held.get(task, 10**9) <= number:  # noqa: ASYNC110 - another thread lets it go
            await asyncio.sleep(0.01)


def asking(*questions: str) -> Script:
    """Return a script that asks the person these questions before it proposes approaches."""
    return Script().then("propose", propose_reply(questions=questions))


def use(workspace: Workspace, model: LanguageModel) -> None:
    """Let every session of a workspace ask this model, as if the person had chosen it."""
    workspace.parts.models._open = lambda _model: model  # type: ignore[method-assign]
    workspace.choose_model(model.name)


async def begin(pilot: Pilot[Any], goal: str) -> SessionScreen:
    """Give a goal, press Enter, and wait for the session's screen."""
    await write(pilot, goal)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
    return screen_of(pilot)


async def write(pilot: Pilot[Any], words: str) -> None:
    """Let words be pasted where the focus is: a key for each of them takes its time."""
    pilot.app.post_message(Paste(words))
    await pilot.pause()
    draft = pilot.app.screen.query_one(Draft)
    await until(pilot, lambda: words in draft.text)


def screen_of(pilot: Pilot[Any]) -> SessionScreen:
    screen = pilot.app.screen
    assert isinstance(screen, SessionScreen)
    return screen


async def gate(pilot: Pilot[Any], kind: str, *, other_than: str = "") -> Gate:
    """Wait until a gate of a kind stands on the screen and everything that led to it is shown."""
    screen = screen_of(pilot)

    def stands() -> bool:
        open_gate = screen.gate_pane.gate
        return (
            open_gate is not None
            and open_gate.kind == kind
            and open_gate.id != other_than
            and not screen.drive.is_acting
            and screen.state is not None
            and screen.state.gate == open_gate
        )

    await until(pilot, stands)
    await settled(pilot)
    found = screen.gate_pane.gate
    assert found is not None
    return found


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until everything that is known has been painted."""
    screen = screen_of(pilot)
    await until(
        pilot,
        lambda: (
            not screen._unseen.is_set()
            and screen._picture is not None
            and screen.state is not None
            and screen._picture.sight.state.seq == screen.state.seq
            and screen.unforecast is None
        ),
    )
    await pilot.pause()


async def calm(pilot: Pilot[Any]) -> None:
    """Wait until a session's screen shows all that is known: of the session, of the others, and in its layout."""
    await until(pilot, lambda: _is_calm(pilot.app.screen))
    await pilot.pause()


def then(*ways: Way) -> Way:
    """Return the way that goes these ways one after the other, and waits until everything is shown."""

    async def go(pilot: Pilot[Any]) -> None:
        await calm(pilot)
        for way in ways:
            await way(pilot)
            await calm(pilot)

    return go


_LISTING = frozenset({"list-sessions", "look-inside", "change-sessions", "close-session"})
"""Workers after which the list of sessions says something else."""


def _is_calm(screen: Screen[Any]) -> bool:
    if isinstance(screen, ModalScreen):
        return all(worker.is_finished for worker in screen.app.workers if worker.group in _LISTING)
    if not isinstance(screen, SessionView) or screen._picture is None or screen._picture.sight != screen.sight():
        return False
    if screen.unforecast is not None:
        return False
    acts = isinstance(screen, SessionScreen) and screen.drive.is_acting
    return not acts or screen.drive.driving.driver.running is not None


async def review(pilot: Pilot[Any], *keys: str) -> None:
    """Go to the open gate, and press keys there."""
    await pilot.press("ctrl+y")
    await until(pilot, lambda: screen_of(pilot).gate_pane.acts)
    await pilot.press(*keys)


async def choose(pilot: Pilot[Any], number: int = 1) -> None:
    """Choose an approach with its number; without a model, take all its steps as they are."""
    state = screen_of(pilot).state
    assert state is not None
    await review(pilot, str(number))
    if plans_without_model(state):
        await until(pilot, lambda: isinstance(pilot.app.screen, BeginDialog))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))


async def at_checkpoint(pilot: Pilot[Any], goal: str) -> Gate:
    """Plan by keys until the first checkpoint: questions are skipped, the first approach is chosen."""
    screen = await begin(pilot, goal)
    last = ""

    def asks() -> bool:
        open_gate = screen.gate_pane.gate
        return open_gate is not None and open_gate.id != last and not screen.drive.is_acting

    while True:
        await until(pilot, asks)
        open_gate = screen.gate_pane.gate
        assert open_gate is not None
        last = open_gate.id
        if open_gate.kind == "checkpoint":
            await settled(pilot)
            return open_gate
        await (review(pilot, "s") if open_gate.kind == "question" else choose(pilot))


def cut_off(workspace: Workspace, session: str) -> None:
    """Leave a session as a process does that ends in the middle of a call."""
    started = say.CallStarted(
        call="c1",
        role="planner",
        task="propose",
        attempt=1,
        model="held",
        messages=(),
        prompt_hash=hashlib.sha256(b"[]").hexdigest(),
        parameters={},
    )
    workspace.session(session).log().record([started], actor="workbench", agent="planner")


def told(pilot: Pilot[Any]) -> str:
    """Return what the notice above the input says, without the breaks of its lines."""
    problem = screen_of(pilot).query_one(Notice).problem
    return "" if problem is None else f"{problem.happened} {problem.kept} {problem.next}"
