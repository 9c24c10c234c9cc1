"""What tests of the replay screen need: a clock moved by hand, sessions to replay, and a wait until all is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.builders import created, plan_changed, told
from tests.tui.acting import until
from textual.pilot import Pilot
from workbench.domain.log.envelope import Event
from workbench.domain.loop.deciding.gates import Answer, Choice, Gate
from workbench.domain.plan.plan import Plan, Section
from workbench.domain.session import events as say
from workbench.domain.session.events import IterationResult, SharedValue
from workbench.storage.files.damage.salvage import Salvage
from workbench.tui.replay.replaying import Replayed, loading
from workbench.tui.replay.screen import ReplayScreen
from workbench.tui.widgets.timeline import Timeline

SAMPLES = sorted((Path(__file__).parent.parent.parent / "sessions").glob("*.jsonl"))


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def replay_of(pilot: Pilot[Any]) -> ReplayScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ReplayScreen)
    return screen


async def loaded(pilot: Pilot[Any]) -> ReplayScreen:
    """Wait until a replay is in front and shows where it stands."""
    await until(pilot, lambda: any(one.player is not None for one in pilot.app.screen.query(Timeline)))
    await shows_its_place(pilot)
    return replay_of(pilot)


async def shows_its_place(pilot: Pilot[Any]) -> None:
    """Wait until the panes show the session as of where the timeline stands."""
    screen = replay_of(pilot)

    def shows() -> bool:
        player, picture = screen.timeline.player, screen._picture
        return (
            player is not None
            and picture is not None
            and not screen._unseen.is_set()
            and picture.sight == screen.sight()
            and picture.sight.state.seq == player.position
        )

    await until(pilot, shows)


async def replay(pilot: Pilot[Any], events: Sequence[Event], name: str = "told") -> ReplayScreen:
    """Open a replay of these events."""
    await pilot.app.push_screen(ReplayScreen(told_by(lambda: events, name)))
    return await loaded(pilot)


def told_by(events: Callable[[], Iterable[Event]], name: str = "told", *, in_workspace: bool = False) -> Replayed:
    """A replay of these events, of which nothing can be salvaged."""
    return Replayed(name, loading(events, lambda: Salvage((), (), ())), in_workspace=in_workspace)


def plan(*titles: str) -> Plan:
    return Plan(title="The move", sections=tuple(Section(id=f"s{n}", title=one) for n, one in enumerate(titles, 1)))


def two_rounds() -> list[Event]:
    """A session of two rounds with a gate, two versions of a plan, and values that another session shared."""
    gate = Gate(
        id="g1",
        kind="checkpoint",
        question="The plan changed by 18 %. Go on?",
        choices=(Choice(kind="continue", label="continue", consequence="spends about 4k tokens"),),
    )
    return told(
        created(),
        say.IterationBegun(number=1),
        seen(SharedValue(key="deadline", value="30 June", version=1, session="infra-0002", time=_TIME), anew=True),
        plan_changed(version=1, plan=plan("Steps"), by="planner", change=1.0),
        _completed(1),
        say.GateOpened(gate=gate),
        say.GateAnswered(gate="g1", answer=Answer(kind="continue")),
        say.IterationBegun(number=2),
        seen(SharedValue(key="deadline", value="31 July", version=2, session="infra-0002", time=_TIME)),
        plan_changed(version=2, plan=plan("Steps", "Risks"), by="planner", change=0.2),
        _completed(2),
        say.SessionFinished(reason="finished by you", outcome="saved"),
    )


_TIME = "2026-03-02T09:29:00Z"


def seen(*changes: SharedValue, anew: bool = False) -> say.SharedObserved:
    return say.SharedObserved(epoch="e", seq=changes[-1].version, changes=changes, anew=anew)


def _completed(number: int) -> say.IterationCompleted:
    result = IterationResult(iteration_num=number, plan="# The move", change=0.2, key_insights=(f"insight {number}",))
    return say.IterationCompleted(result=result, checkpoint=None)
